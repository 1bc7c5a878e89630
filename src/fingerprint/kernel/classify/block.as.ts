// The state of a classification, which classify.as.ts resets for each piece.

// The bitmaps of the 64 bytes that are being classified, and the part of a sequence that belongs to the next.
export let words: u64 = 0;
export let letters: u64 = 0;
export let unsures: u64 = 0;
export let carryWords: u64 = 0;
export let carryLetters: u64 = 0;
export let carryTaken: u64 = 0;
/** The flags that the table's entries of all code points beyond ASCII have in common. */
export let allKnown: u32 = 0;
/** True if the piece has joined code points (bg1). */
export let joins: bool = false;
