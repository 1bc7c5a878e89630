// The fingerprint kernel, in AssemblyScript: steps 1 to 5, 7 and 8 for text that needs no normalisation and holds no
// locator. What it is not sure of it leaves to the plain path, stretch by stretch. See ../README.md for the layout of its
// memory and for what makes a stretch. Nothing is allocated: all addresses are constants.

/** How many octets of text a piece has at most; behind them the input is readable and zero for PAD octets. */
const CAPACITY: u32 = 1 << 16;
const PAD: u32 = 128;

// Addresses. The first 64 KiB page is left to the compiler's own data.
const INPUT: u32 = 0x10040;
/** Two octets for each code point: flags, and the canonical combining class. */
const TABLE: u32 = INPUT + CAPACITY + 4096;
const TABLE_END: u32 = TABLE + 2 * 0x110000;
/** Bitmaps of the piece, a bit for each octet: word characters, letters, separators, what needs attention. */
const WORDS: u32 = TABLE_END;
const MAP: u32 = CAPACITY / 8 + 64;
const LETTERS: u32 = WORDS + MAP;
const SEPARATORS: u32 = LETTERS + MAP;
const ATTENTION: u32 = SEPARATORS + MAP;
/** Where runs of word characters begin and end, in turn. */
const EDGES: u32 = ATTENTION + MAP;
/** Stretches that are left to the plain path: begin and end of each. */
const LEFT: u32 = EDGES + 4 * (CAPACITY + 256);
/** Tokens of up to 12 octets, padded with zeros, and their length: 16 octets each. */
const TOKENS: u32 = LEFT + 4 * (CAPACITY + 256);
const BATCH: u32 = 256;
/** Hashes that are not counted yet, c and b apart. */
const HASHES_C: u32 = TOKENS + 16 * (BATCH + 16);
const HASHES_B: u32 = HASHES_C + 4 * (2 * BATCH + 64);
/** Bit planes: plane p holds bit p of how often each hash bit was 1, for four lanes of 32 bits. */
const PLANES: u32 = 40;
const PLANES_C: u32 = HASHES_B + 4 * (2 * BATCH + 64);
const PLANES_B: u32 = PLANES_C + 16 * PLANES;
const SCRATCH: u32 = PLANES_B + 16 * PLANES;
/** Masks that keep the first n octets of 16, for n from 0 to 12. */
const MASKS: u32 = SCRATCH + 16 * 64;
/** The planes summed over the lanes, as 64-bit numbers whose bit 63 is bit 0 of the fingerprint. */
const SUMS: u32 = MASKS + 16 * 16;
const END: u32 = SUMS + 8 * 64;

// Flags of the table.
const WORD: u32 = 1;
const LETTER: u32 = 2;
const UNSURE: u32 = 4;
const SEPARATOR: u32 = 8;
/** Not asked for yet. */
const UNKNOWN: u32 = 16;

/** Stretches closer together than this are left as one: to leave one costs about as much as so many octets. */
const GAP: u32 = 64;

export function inputAddress(): u32 {
  return INPUT;
}
export function inputCapacity(): u32 {
  return CAPACITY;
}
export function tableAddress(): u32 {
  return TABLE;
}
export function leftAddress(): u32 {
  return LEFT;
}
export function sumsAddress(): u32 {
  return SUMS;
}
export function memoryEnd(): u32 {
  return END;
}

let tokens: u32 = 0;
let hashes: u32 = 0;
/** How many tokens the document has so far, without those of the plain path. */
let total: u64 = 0;
let planesUsed: u32 = 0;

/** Once: every code point is unknown, which the plain path is asked about. */
export function initialise(): void {
  memory.fill(TABLE, <u8>(UNSURE | UNKNOWN), 2 * 0x110000);
  for (let n: u32 = 0; n <= 12; n++) memory.fill(MASKS + 16 * n, 0xff, n);
  reset();
}

/** Before each document. */
export function reset(): void {
  tokens = 0;
  hashes = 0;
  total = 0;
  memory.fill(PLANES_C, 0, 2 * 16 * PLANES);
  planesUsed = 0;
}

export function tokenCount(): f64 {
  return <f64>total;
}

// ---------------------------------------------------------------------------------------------------- classification

// @ts-ignore: decorator
@inline
function inRange(x: v128, first: u8, count: u8): v128 {
  return i8x16.lt_u(i8x16.sub(x, i8x16.splat(first)), i8x16.splat(count));
}

// @ts-ignore: decorator
@inline
function isAlphanumeric(octet: u32): bool {
  return (octet | 0x20) - 0x61 < 26 || octet - 0x30 < 10;
}

/** The last two letters of the prefixes of form 3, as the numbers `mayLocate` compares. */
// @ts-ignore: decorator
@inline
function endsPrefix(pair: u32): bool {
  switch (pair) {
    case 0x726b: // ark
    case 0x6976: // arxiv
    case 0x6964: // cid did orcid pmcid pmid
    case 0x7461: // data
    case 0x6f69: // doi
    case 0x646c: // hdl
    case 0x666f: // info
    case 0x626e: // isbn
    case 0x736e: // issn
    case 0x6574: // magnet
    case 0x746f: // mailto
    case 0x7768: // swh
    case 0x656c: // tel
    case 0x726e: // urn
      return true;
  }
  return false;
}

/** Whether form 1, 3 or 5 may have its `:` or `@` at an address. (Octets before the input are never letters.) */
function mayLocate(at: u32): bool {
  const before = <u32>load<u8>(at - 1);
  const behind = <u32>load<u8>(at + 1);
  if (load<u8>(at) == 0x40) {
    if (!isAlphanumeric(before) && (before <= 0x20 || before >= 0x60)) return false;
    // A label and a dot have to follow; a long label is left to the plain path.
    let end = at + 1;
    while (end < at + 64 && (isAlphanumeric(load<u8>(end)) || load<u8>(end) == 0x2d)) end++;
    return end > at + 1 && (load<u8>(end) == 0x2e || end == at + 64);
  }
  if (behind <= 0x20) return false;
  if (behind == 0x2f && load<u8>(at + 2) == 0x2f) return true;
  return endsPrefix(((<u32>load<u8>(at - 2) | 0x20) << 8) | (before | 0x20));
}

/** Fills the bitmaps for the first `size` octets, by 64. */
function classify(size: u32): void {
  // What a sequence that crosses a block leaves for the next one.
  let carryWords: u64 = 0;
  let carryLetters: u64 = 0;
  let carryTaken: u64 = 0;
  let lastClass: u32 = 0;
  let lastEnd: u32 = 0xffffffff;
  // The last masks of ASCII, for patterns that cross a block.
  let beforeW: u64 = 0;
  let beforeHyphen: u64 = 0;
  let beforeZero: u64 = 0;
  let beforeOne: u64 = 0;
  let beforePlain: u64 = 0;
  const blocks = (size + 63) >> 6;
  for (let block: u32 = 0; block < blocks; block++) {
    const base = block << 6;
    let words: u64 = 0;
    let letters: u64 = 0;
    let separators: u64 = 0;
    let high: u64 = 0;
    let dots: u64 = 0;
    let marks: u64 = 0;
    let hyphens: u64 = 0;
    let ws: u64 = 0;
    let zeros: u64 = 0;
    let ones: u64 = 0;
    let under: u64 = 0;
    for (let part: u32 = 0; part < 4; part++) {
      const x = v128.load(INPUT + base + (part << 4));
      const shift = <u64>(part << 4);
      const folded = v128.or(x, i8x16.splat(0x20));
      const letter = inRange(folded, 0x61, 26);
      const underscore = i8x16.eq(x, i8x16.splat(0x5f));
      const word = v128.or(v128.or(letter, inRange(x, 0x30, 10)), underscore);
      letters |= <u64>(<u32>i8x16.bitmask(letter)) << shift;
      words |= <u64>(<u32>i8x16.bitmask(word)) << shift;
      under |= <u64>(<u32>i8x16.bitmask(underscore)) << shift;
      separators |= <u64>(<u32>i8x16.bitmask(i8x16.lt_u(x, i8x16.splat(0x21)))) << shift;
      high |= <u64>(<u32>i8x16.bitmask(x)) << shift;
      dots |= <u64>(<u32>i8x16.bitmask(i8x16.eq(x, i8x16.splat(0x2e)))) << shift;
      hyphens |= <u64>(<u32>i8x16.bitmask(i8x16.eq(x, i8x16.splat(0x2d)))) << shift;
      marks |=
        <u64>(<u32>i8x16.bitmask(v128.or(i8x16.eq(x, i8x16.splat(0x3a)), i8x16.eq(x, i8x16.splat(0x40))))) << shift;
      ws |= <u64>(<u32>i8x16.bitmask(i8x16.eq(folded, i8x16.splat(0x77)))) << shift;
    }
    // In a block without white space, a text can be cut before other ASCII that is neither uric nor part of a word.
    if (separators == 0)
      for (let part: u32 = 0; part < 4; part++) {
        const x = v128.load(INPUT + base + (part << 4));
        const lessOrGreater = i8x16.eq(v128.and(x, i8x16.splat(-3)), i8x16.splat(0x3c));
        const backslashOrCircumflex = i8x16.eq(v128.and(x, i8x16.splat(-3)), i8x16.splat(0x5c));
        const quote = v128.or(i8x16.eq(x, i8x16.splat(0x22)), i8x16.eq(x, i8x16.splat(0x60)));
        const any = v128.or(v128.or(lessOrGreater, backslashOrCircumflex), v128.or(quote, inRange(x, 0x7b, 3)));
        separators |= <u64>(<u32>i8x16.bitmask(any)) << <u64>(part << 4);
      }
    let attention: u64 = 0;
    // Rare enough to be looked at one by one.
    let m = marks;
    while (m != 0) {
      const j = <u32>ctz(m);
      m &= m - 1;
      if (mayLocate(INPUT + base + j)) attention |= <u64>1 << j;
    }
    if (dots != 0) {
      // `www.`: form 2.
      attention |= dots & ((ws << 1) | (beforeW >> 63)) & ((ws << 2) | (beforeW >> 62)) & ((ws << 3) | (beforeW >> 61));
      // `10.`: form 4.
      for (let part: u32 = 0; part < 4; part++) {
        const x = v128.load(INPUT + base + (part << 4));
        zeros |= <u64>(<u32>i8x16.bitmask(i8x16.eq(x, i8x16.splat(0x30)))) << <u64>(part << 4);
        ones |= <u64>(<u32>i8x16.bitmask(i8x16.eq(x, i8x16.splat(0x31)))) << <u64>(part << 4);
      }
      if (((dots & 3) != 0) && block != 0) {
        const before = INPUT + base;
        beforeZero = load<u8>(before - 1) == 0x30 ? 1 : 0;
        beforeOne = (load<u8>(before - 1) == 0x31 ? 2 : 0) | (load<u8>(before - 2) == 0x31 ? 1 : 0);
      } else {
        beforeZero = 0;
        beforeOne = 0;
      }
      attention |= dots & ((zeros << 1) | beforeZero) & ((ones << 2) | beforeOne);
    }
    beforeW = ws;
    // Four hyphens with four octets between them: form 6.
    if (hyphens != 0)
      attention |=
        hyphens &
        ((hyphens << 5) | (beforeHyphen >> 59)) &
        ((hyphens << 10) | (beforeHyphen >> 54)) &
        ((hyphens << 15) | (beforeHyphen >> 49));
    beforeHyphen = hyphens;
    // Thirty-two letters and digits in a row: form 7.
    const plain = words & ~under;
    // (A run of 32 in two blocks has eight or more in one of them, at its end or beginning.)
    let eight = plain & (plain >> 1);
    eight &= eight >> 2;
    eight &= eight >> 4;
    if ((eight != 0 || beforePlain >> 56 == 0xff) && longRun(plain, beforePlain)) attention |= plain;
    beforePlain = plain;

    words |= carryWords;
    letters |= carryLetters;
    m = high & ~carryTaken;
    carryWords = 0;
    carryLetters = 0;
    carryTaken = 0;
    while (m != 0) {
      const j = <u32>ctz(m);
      const at = base + j;
      const octets = load<u32>(INPUT + at);
      const lead = octets & 0xff;
      let length: u32 = 0;
      let codePoint: u32 = 0;
      if (lead >= 0xc2 && lead < 0xe0) {
        if ((octets & 0xc000) == 0x8000) {
          length = 2;
          codePoint = ((lead & 0x1f) << 6) | ((octets >> 8) & 0x3f);
        }
      } else if (lead >= 0xe0 && lead < 0xf0) {
        if ((octets & 0xc0c000) == 0x808000) {
          codePoint = ((lead & 0x0f) << 12) | (((octets >> 8) & 0x3f) << 6) | ((octets >> 16) & 0x3f);
          if (codePoint >= 0x800 && (codePoint >> 11) != 0x1b) length = 3;
        }
      } else if (lead >= 0xf0 && lead < 0xf5) {
        if ((octets & 0xc0c0c000) == 0x80808000) {
          codePoint =
            ((lead & 0x07) << 18) | (((octets >> 8) & 0x3f) << 12) | (((octets >> 16) & 0x3f) << 6) | ((octets >> 24) & 0x3f);
          if (codePoint >= 0x10000 && codePoint <= 0x10ffff) length = 4;
        }
      }
      if (length == 0) {
        // Ill-formed: a break, however many U+FFFD it becomes. (Cut off by the end of the piece, it comes again: so no
        // cut in the last octets.)
        if (at + 3 < size) separators |= <u64>1 << j;
        m &= m - 1;
        continue;
      }
      const entry = <u32>load<u16>(TABLE + (codePoint << 1));
      if (at != lastEnd) lastClass = 0;
      const combining = entry >> 8;
      if ((entry & UNKNOWN) != 0) unknown = true;
      if ((entry & UNSURE) != 0 || (combining != 0 && combining < lastClass)) attention |= <u64>1 << j;
      lastClass = combining;
      lastEnd = at + length;
      const run = ((<u64>1 << length) - 1);
      const w: u64 = (entry & WORD) != 0 ? run : 0;
      const l: u64 = (entry & LETTER) != 0 ? run : 0;
      words |= w << j;
      letters |= l << j;
      if ((entry & SEPARATOR) != 0) separators |= <u64>1 << j;
      m &= ~(run << j);
      if (j + length > 64) {
        carryWords = w >> (64 - j);
        carryLetters = l >> (64 - j);
        carryTaken = run >> (64 - j);
      }
    }
    const at = block << 3;
    store<u64>(WORDS + at, words);
    store<u64>(LETTERS + at, letters);
    store<u64>(SEPARATORS + at, separators);
    store<u64>(ATTENTION + at, attention);
    if (attention != 0) attentive = true;
  }
  // Nothing behind the end counts.
  const last = size & 63;
  if (last != 0) {
    const keep = (<u64>1 << last) - 1;
    const at = (blocks - 1) << 3;
    store<u64>(WORDS + at, load<u64>(WORDS + at) & keep);
    store<u64>(LETTERS + at, load<u64>(LETTERS + at) & keep);
    store<u64>(SEPARATORS + at, load<u64>(SEPARATORS + at) & keep);
    store<u64>(ATTENTION + at, load<u64>(ATTENTION + at) & keep);
  }
  const at = blocks << 3;
  store<u64>(WORDS + at, 0);
  store<u64>(LETTERS + at, 0);
  store<u64>(SEPARATORS + at, 0);
  store<u64>(ATTENTION + at, 0);
}

let attentive: bool = false;
/** Whether a code point was met that the table does not know. */
let unknown: bool = false;

export function metUnknown(): bool {
  return unknown;
}

/** Whether a run of 32 ASCII letters and digits ends in or reaches into this block. */
function longRun(plain: u64, before: u64): bool {
  if (before == 0xffffffffffffffff) return true;
  // The run that comes in from the block before.
  let run: u32 = <u32>clz(~before);
  let rest = plain;
  let left: u32 = 64;
  while (left > 0) {
    const set = rest == 0xffffffffffffffff ? left : min(<u32>ctz(~rest), left);
    run += set;
    if (run >= 32) return true;
    if (set == left) return false;
    rest >>= <u64>set;
    left -= set;
    const clear = rest == 0 ? left : min(<u32>ctz(rest), left);
    rest >>= <u64>clear;
    left -= clear;
    run = 0;
  }
  return false;
}

// ------------------------------------------------------------------------------------------------------------ stretches

/** The last separator before `at` (itself included), or 0 where there is none. */
function separatorBefore(at: u32): u32 {
  let block = at >> 6;
  let bits = load<u64>(SEPARATORS + (block << 3)) & ((<u64>2 << (at & 63)) - 1);
  while (bits == 0) {
    if (block == 0) return 0;
    bits = load<u64>(SEPARATORS + (--block << 3));
  }
  return (block << 6) + 63 - <u32>clz(bits);
}

/** The first separator behind `at`, or `end` where there is none. */
function separatorBehind(at: u32, end: u32): u32 {
  let block = (at + 1) >> 6;
  let bits = load<u64>(SEPARATORS + (block << 3)) & ~((<u64>1 << ((at + 1) & 63)) - 1);
  while (bits == 0) {
    if (++block << 6 >= end) return end;
    bits = load<u64>(SEPARATORS + (block << 3));
  }
  return min((block << 6) + <u32>ctz(bits), end);
}

/** Takes the word bits of a stretch away. */
function clear(from: u32, end: u32): void {
  const first = from >> 6;
  const last = (end - 1) >> 6;
  for (let block = first; block <= last; block++) {
    let keep: u64 = 0;
    if (block == first) keep |= (<u64>1 << (from & 63)) - 1;
    if (block == last && (end & 63) != 0) keep |= ~((<u64>1 << (end & 63)) - 1);
    store<u64>(WORDS + (block << 3), load<u64>(WORDS + (block << 3)) & keep);
  }
}

/** Finds the stretches that need the plain path, takes their words away, and returns how many there are. */
function leave(end: u32): u32 {
  let count: u32 = 0;
  let done: u32 = 0;
  for (let block: u32 = 0; block << 6 < end; block++) {
    let bits = load<u64>(ATTENTION + (block << 3));
    while (bits != 0) {
      const at = (block << 6) + <u32>ctz(bits);
      bits &= bits - 1;
      if (at >= end) return count;
      if (at < done) continue;
      // A mark that needs attention may belong to what stands before the separator's own bit: begin at the separator.
      const from = max(separatorBefore(at), done);
      const to = separatorBehind(at, end);
      if (count > 0 && from - done <= GAP) {
        clear(done, to);
        store<u32>(LEFT + ((count - 1) << 3), to, 4);
      } else {
        clear(from, to);
        store<u32>(LEFT + (count << 3), from);
        store<u32>(LEFT + (count << 3), to, 4);
        count++;
      }
      done = to;
    }
  }
  return count;
}

// ----------------------------------------------------------------------------------------------------------- hashing

// @ts-ignore: decorator
@inline
function rotate4(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shl(x, bits), i32x4.shr_u(x, 32 - bits));
}

/** HSH-1, HSH-2 for four tokens of up to 12 octets. */
// @ts-ignore: decorator
@inline
function hashFour(at: u32, index: u32): void {
  const r0 = v128.load(at);
  const r1 = v128.load(at, 16);
  const r2 = v128.load(at, 32);
  const r3 = v128.load(at, 48);
  const t0 = v128.shuffle<i32>(r0, r1, 0, 4, 1, 5);
  const t1 = v128.shuffle<i32>(r2, r3, 0, 4, 1, 5);
  const t2 = v128.shuffle<i32>(r0, r1, 2, 6, 3, 7);
  const t3 = v128.shuffle<i32>(r2, r3, 2, 6, 3, 7);
  const n = i32x4.add(v128.shuffle<i32>(t2, t3, 2, 3, 6, 7), i32x4.splat(0xdeadbeef));
  let a = i32x4.add(v128.shuffle<i32>(t0, t1, 0, 1, 4, 5), n);
  let b = i32x4.add(v128.shuffle<i32>(t0, t1, 2, 3, 6, 7), n);
  let c = i32x4.add(v128.shuffle<i32>(t2, t3, 0, 1, 4, 5), n);
  c = i32x4.sub(v128.xor(c, b), rotate4(b, 14));
  a = i32x4.sub(v128.xor(a, c), rotate4(c, 11));
  b = i32x4.sub(v128.xor(b, a), rotate4(a, 25));
  c = i32x4.sub(v128.xor(c, b), rotate4(b, 16));
  a = i32x4.sub(v128.xor(a, c), rotate4(c, 4));
  b = i32x4.sub(v128.xor(b, a), rotate4(a, 14));
  c = i32x4.sub(v128.xor(c, b), rotate4(b, 24));
  v128.store(HASHES_C + (index << 2), c);
  v128.store(HASHES_B + (index << 2), b);
}

/** Hashes the waiting short tokens, `count` of them rounded up to four. */
function drain(count: u32): void {
  for (let i: u32 = 0; i < count; i += 4) hashFour(TOKENS + (i << 4), hashes + i);
  hashes += count;
}

/** HSH-1, HSH-2 for one token of any length. */
function hashLong(at: u32, size: u32): void {
  let a: u32 = 0xdeadbeef + size;
  let b = a;
  let c = a;
  let k = at;
  let left = size;
  while (left > 12) {
    a += load<u32>(k);
    b += load<u32>(k, 4);
    c += load<u32>(k, 8);
    a -= c;
    a ^= rotl(c, 4);
    c += b;
    b -= a;
    b ^= rotl(a, 6);
    a += c;
    c -= b;
    c ^= rotl(b, 8);
    b += a;
    a -= c;
    a ^= rotl(c, 16);
    c += b;
    b -= a;
    b ^= rotl(a, 19);
    a += c;
    c -= b;
    c ^= rotl(b, 4);
    b += a;
    left -= 12;
    k += 12;
  }
  const tail = v128.and(v128.load(k), v128.load(MASKS + (left << 4)));
  a += i32x4.extract_lane(tail, 0);
  b += i32x4.extract_lane(tail, 1);
  c += i32x4.extract_lane(tail, 2);
  c ^= b;
  c -= rotl(b, 14);
  a ^= c;
  a -= rotl(c, 11);
  b ^= a;
  b -= rotl(a, 25);
  c ^= b;
  c -= rotl(b, 16);
  a ^= c;
  a -= rotl(c, 4);
  b ^= a;
  b -= rotl(a, 14);
  c ^= b;
  c -= rotl(b, 24);
  store<u32>(HASHES_C + (hashes << 2), c);
  store<u32>(HASHES_B + (hashes << 2), b);
  hashes++;
}

// ---------------------------------------------------------------------------------------------------------- counting

/** SIM-1: adds BATCH hash words to bit planes, by carry-save adders. */
function addToPlanes(words: u32, planes: u32): void {
  let low = v128.load(planes);
  for (let i: u32 = 0; i < BATCH / 8; i++) {
    const x = v128.load(words + (i << 5));
    const y = v128.load(words + (i << 5), 16);
    const u = v128.xor(low, x);
    v128.store(SCRATCH + (i << 4), v128.or(v128.and(low, x), v128.and(u, y)));
    low = v128.xor(u, y);
  }
  v128.store(planes, low);
  let level: u32 = 1;
  for (let n: u32 = BATCH / 16; n >= 1; n >>= 1, level++) {
    let q = v128.load(planes + (level << 4));
    for (let i: u32 = 0; i < n; i++) {
      const x = v128.load(SCRATCH + (i << 5));
      const y = v128.load(SCRATCH + (i << 5), 16);
      const u = v128.xor(q, x);
      v128.store(SCRATCH + (i << 4), v128.or(v128.and(q, x), v128.and(u, y)));
      q = v128.xor(u, y);
    }
    v128.store(planes + (level << 4), q);
  }
  let carry = v128.load(SCRATCH);
  while (v128.any_true(carry)) {
    const q = v128.load(planes + (level << 4));
    v128.store(planes + (level << 4), v128.xor(q, carry));
    carry = v128.and(carry, q);
    level++;
  }
  if (level > planesUsed) planesUsed = level;
}

function countBatch(): void {
  addToPlanes(HASHES_C, PLANES_C);
  addToPlanes(HASHES_B, PLANES_B);
  hashes -= BATCH;
  memory.copy(HASHES_C, HASHES_C + 4 * BATCH, hashes << 2);
  memory.copy(HASHES_B, HASHES_B + 4 * BATCH, hashes << 2);
}

/** Steps 5, 7 and 8 for what the word bits show. */
function count(size: u32): void {
  const blocks = (size + 63) >> 6;
  let edges: u32 = EDGES;
  let carry: u64 = 0;
  for (let block: u32 = 0; block <= blocks; block++) {
    const w = load<u64>(WORDS + (block << 3));
    let t = w ^ ((w << 1) | carry);
    carry = w >> 63;
    const base = block << 6;
    while (t != 0) {
      store<u32>(edges, base + <u32>ctz(t));
      edges += 4;
      t &= t - 1;
    }
  }
  for (let at: u32 = EDGES; at < edges; at += 8) {
    const start = load<u32>(at);
    const length = load<u32>(at, 4) - start;
    if (length <= 12) {
      const bits = load<u32>(LETTERS + (start >> 3)) >> (start & 7);
      const tail = v128.and(v128.load(INPUT + start), v128.load(MASKS + (length << 4)));
      v128.store(TOKENS + (tokens << 4), i32x4.replace_lane(tail, 3, length));
      const hasLetter: u32 = (bits & ((1 << length) - 1)) != 0 ? 1 : 0;
      tokens += hasLetter;
      total += hasLetter;
      if (tokens == BATCH) {
        drain(BATCH);
        tokens = 0;
        if (hashes >= BATCH) countBatch();
      }
    } else if (hasLetterIn(start, start + length)) {
      hashLong(INPUT + start, length);
      total++;
      if (hashes >= BATCH) countBatch();
    }
  }
}

function hasLetterIn(from: u32, end: u32): bool {
  for (let i = from; i < end; i++) if ((load<u8>(LETTERS + (i >> 3)) >> <u8>(i & 7)) & 1) return true;
  return false;
}

/**
 * Takes the next piece of a document: `size` octets at the input's address, with PAD octets of zeros behind them. Counts
 * its tokens up to the last separator (all, when `final`), except in the stretches that it leaves to the plain path.
 * Returns how many stretches those are; `taken()` tells up to where the piece is done with.
 */
export function update(size: u32, final: bool): u32 {
  attentive = false;
  unknown = false;
  classify(size);
  let end = size;
  if (!final) {
    end = size == 0 ? 0 : separatorBefore(size - 1);
    const block = end >> 6;
    // From the separator on, everything belongs to the next piece.
    if (end < size) {
      store<u64>(WORDS + (block << 3), load<u64>(WORDS + (block << 3)) & ((<u64>1 << (end & 63)) - 1));
      store<u64>(WORDS + (block << 3), 0, 8);
    }
  }
  done = end;
  const left = attentive ? leave(end) : 0;
  count(end);
  return left;
}

let done: u32 = 0;

export function taken(): u32 {
  return done;
}

/** Ends the document: `sums` holds the planes then. Returns the number of planes. */
export function finish(): u32 {
  if (tokens > 0) {
    const kept = hashes;
    // The lanes that round up to four are overwritten or cut off: they are not counted.
    drain(tokens);
    hashes = kept + tokens;
    tokens = 0;
    if (hashes >= BATCH) countBatch();
  }
  if (hashes > 0) {
    memory.fill(HASHES_C + (hashes << 2), 0, (BATCH - hashes) << 2);
    memory.fill(HASHES_B + (hashes << 2), 0, (BATCH - hashes) << 2);
    hashes = BATCH;
    countBatch();
  }
  // Four lanes are added, bit by bit, 64 sums at a time.
  const planes = planesUsed + 3;
  memory.fill(SUMS, 0, planes << 3);
  for (let lane: u32 = 0; lane < 4; lane++) {
    let carry: u64 = 0;
    for (let p: u32 = 0; p < planes; p++) {
      const at = (p << 4) + (lane << 2);
      const x = p < PLANES ? ((<u64>load<u32>(PLANES_B + at)) << 32) | <u64>load<u32>(PLANES_C + at) : 0;
      const s = load<u64>(SUMS + (p << 3));
      const u = s ^ x;
      store<u64>(SUMS + (p << 3), u ^ carry);
      carry = (s & x) | (u & carry);
    }
  }
  return planes;
}

/** SIM-3 for what was counted here alone: bit is 1 where ones > total / 2. */
export function majority(planes: u32): u64 {
  const half = total >> 1;
  let greater: u64 = 0;
  let equal: u64 = 0xffffffffffffffff;
  for (let p: i32 = <i32>planes - 1; p >= 0; p--) {
    const bit: u64 = ((half >> <u64>p) & 1) != 0 ? 0xffffffffffffffff : 0;
    const s = load<u64>(SUMS + (<u32>p << 3));
    greater |= equal & s & ~bit;
    equal &= ~(s ^ bit);
  }
  return greater;
}
