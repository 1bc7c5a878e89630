// The memory map of the fingerprint kernel. Nothing is allocated: all addresses are constants.

/** The maximum number of bytes of text in a piece; after them the input is readable and zero for PAD bytes. */
export const CAPACITY: u32 = 1 << 16;
export const PAD: u32 = 128;

// Addresses. The first 64 KiB page is left to the compiler's own data.
export const INPUT: u32 = 0x10040;
/** Two bytes for each code point: flags, and the canonical combining class. */
export const TABLE: u32 = INPUT + CAPACITY + 4096;
export const TABLE_END: u32 = TABLE + 2 * 0x110000;
/** Spans in NFC, which is at most three times as long (UAX #15, table 8), with a space after each. */
export const NORMALISED: u32 = TABLE_END + 64;
export const NORMALISED_CAPACITY: u32 = 4 * CAPACITY;
/** Bitmaps of a piece, a bit for each byte; the last two have the places that steps 3 and 4 must process. */
export const WORDS: u32 = NORMALISED + NORMALISED_CAPACITY + 4096;
export const MAP: u32 = NORMALISED_CAPACITY / 8 + 64;
export const LETTERS: u32 = WORDS + MAP;
export const SEPARATORS: u32 = LETTERS + MAP;
export const UNSURES: u32 = SEPARATORS + MAP;
export const LOCATORS: u32 = UNSURES + MAP;
/** The edges of runs of word characters in this number of blocks, which fits into the L1 cache. */
export const EDGE_BLOCKS: u32 = 256;
export const EDGES: u32 = LOCATORS + MAP;
/** The code points of a segment; decomposed, two for each byte at most; and room to put them in order. */
export const POINTS: u32 = EDGES + 2 * (64 * EDGE_BLOCKS + 64);
export const ORDERED: u32 = POINTS + 4 * (CAPACITY + 256);
export const SORTED: u32 = ORDERED + 8 * (CAPACITY + 256);
export const STARTS: u32 = SORTED + 8 * (CAPACITY + 256);
/** Pairs that compose: both code points and the composite, 16 bytes each, by a hash. */
export const PAIRS: u32 = STARTS + 4 * 256;
export const PAIR_BITS: u32 = 12;
/** Decompositions, 64 bytes each, by a hash; `addParts` has their layout. */
export const PARTS: u32 = PAIRS + (16 << PAIR_BITS);
export const PART_BITS: u32 = 12;
/** The sets of bytes that locators are made of, a bit each. */
export const SETS: u32 = PARTS + (64 << PART_BITS);
/** Tokens of up to 12 bytes, padded with zeros, and their length: 16 bytes each. */
export const TOKENS: u32 = SETS + 256;
export const BATCH: u32 = 256;
/** Hashes that are not counted yet, c and b apart. */
export const HASHES_C: u32 = TOKENS + 16 * (BATCH + 16);
export const HASHES: u32 = 3 * BATCH + 64;
export const HASHES_B: u32 = HASHES_C + 4 * HASHES;
/** Bit planes: plane p holds bit p of how often each hash bit was 1, for four lanes of 32 bits. */
export const PLANES: u32 = 40;
export const PLANES_C: u32 = HASHES_B + 4 * HASHES;
export const PLANES_B: u32 = PLANES_C + 16 * PLANES;
export const SCRATCH: u32 = PLANES_B + 16 * PLANES;
/** Masks that keep the first n bytes of 12, for n from 0 to 12, and after each a number with the lowest n bits. */
export const MASKS: u32 = SCRATCH + 16 * 64;
/** The planes summed over the lanes, as 64-bit numbers whose bit 63 is bit 0 of the fingerprint. */
export const SUMS: u32 = MASKS + 16 * 16;
/** For bg1: whether a code point is joined (1) or a mark (2), a byte each. */
export const KINDS: u32 = SUMS + 8 * 64;
/** For each byte the places of its bits that are set, 16 bits each. */
export const PLACES: u32 = KINDS + 0x110000;
/** minhash-doc: up to 512 different elements, later waiting hashes with both halves joined. */
export const MAX_ELEMENTS: u32 = 512;
export const ELEMENTS: u32 = PLACES + 16 * 256;
/** 1,024 places of 16 bits that find an element by its value. */
export const SLOTS: u32 = ELEMENTS + 8 * HASHES;
export const SLOT_BITS: u32 = 10;
/** For each bin of four words: the winning draw, and its round in a byte. */
export const WINNERS: u32 = SLOTS + (2 << SLOT_BITS);
export const ROUNDS: u32 = WINNERS + 8 * 256;
/** The smallest draw of a round in each bin of a word that has no winner. */
export const CURRENT: u32 = ROUNDS + 256;
export const END: u32 = CURRENT + 8 * 64;
