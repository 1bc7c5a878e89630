import { fingerprintOfCounters } from '../scheme/simhash.ts';
import { createLocatorScan, findLocator } from '../scheme/strip-locators.ts';
import { createCodePointTable, FLAG_LETTER, FLAG_SEPARATOR, FLAG_UNSURE, FLAG_WORD, fill } from './code-points.ts';
import { createPipeline } from './stream.ts';
import type { Engine, Rest } from './types.ts';

// The engine where there is no WebAssembly with SIMD. It does text that needs no normalisation by itself, and leaves the
// stretches that may to the plain pipeline. It goes about it as the kernel in WebAssembly does, with
// bitmaps of 32 octets instead of 64, two octets at a time, and one hash at a time.

/** Small, so that all that belongs to a piece stays in the first caches. */
const CAPACITY = 1 << 14;
/** Zeros before the input, so that looking back needs no test, */
const BASE = 64;
/** and behind it. */
const PAD = 128;

// What an octet is. The first two are as in the table of code points.
const WORD = FLAG_WORD;
const LETTER = FLAG_LETTER;
/** White space, control characters, and what else of ASCII is neither uric nor part of a word. */
const SEPARATOR = 4;
/** Locators hang on it: `:` `@` `.` `-`. */
const TRIGGER = 8;
const HIGH = 16;

const kinds = new Uint8Array(256);
for (let octet = 0; octet < 256; octet++) {
  const one = String.fromCharCode(octet);
  if (octet >= 0x80) kinds[octet] = HIGH;
  else if (/[a-z]/i.test(one)) kinds[octet] = WORD | LETTER;
  else if (/[0-9_]/.test(one)) kinds[octet] = WORD;
  else if (/[:@.-]/.test(one)) kinds[octet] = TRIGGER;
  else if (octet <= 0x20 || /["<>\\^`{|}\x7f]/.test(one)) kinds[octet] = SEPARATOR;
}

/** The last two letters of the prefixes of form 3 (LOC-8). */
const prefixEnds = new Set(
  ['rk', 'iv', 'id', 'ta', 'oi', 'dl', 'fo', 'bn', 'sn', 'et', 'to', 'wh', 'el', 'rn'].map(
    (pair) => (pair.charCodeAt(0) << 8) | pair.charCodeAt(1),
  ),
);

/**
 * By two octets as the machine reads them: a bit for each that is a word character, and 16 bits higher one for
 * {@link TRIGGER} or {@link HIGH}; the first octet has the lower one.
 */
const pairs = new Int32Array(0x10000);
const pair = new Uint8Array(2);
const pairAsNumber = new Uint16Array(pair.buffer);
for (let at = 0; at < 0x10000; at++) {
  pair[0] = at;
  pair[1] = at >> 8;
  let bits = 0;
  for (let octet = 0; octet < 2; octet++) {
    const kind = kinds[pair[octet]!]!;
    if ((kind & WORD) !== 0) bits |= 1 << octet;
    if ((kind & (TRIGGER | HIGH)) !== 0) bits |= 0x10000 << octet;
  }
  pairs[pairAsNumber[0]!] = bits;
}

/** Masks of the three words of a token of up to 12 octets, by its length. */
const masks = new Int32Array(3 * 13);
for (let length = 0; length <= 12; length++)
  for (let word = 0; word < 3; word++) {
    const octets = Math.min(Math.max(length - 4 * word, 0), 4);
    masks[3 * length + word] = octets === 4 ? -1 : (1 << (8 * octets)) - 1;
  }

/** Beside the place of a spot: step 3 may change it. */
const UNSURE = 1;

/** Stretches closer together than this are left as one: to leave one costs about as much as so many octets. */
const GAP = 64;
const SPACE = Uint8Array.of(0x20);

const table = createCodePointTable(new Uint16Array(0x110000));
const { entries } = table;

/** How many octets the code point takes that {@link entryAt} read last. */
let length = 0;

/** The entry of the code point at a place; 0 where the octets are ill-formed there. */
function entryAt(octets: Uint8Array, at: number): number {
  const lead = octets[at]!;
  const second = octets[at + 1]!;
  let codePoint = 0;
  length = 1;
  if (lead < 0xe0) {
    if (lead < 0xc2 || (second & 0xc0) !== 0x80) return 0;
    length = 2;
    codePoint = ((lead & 0x1f) << 6) | (second & 0x3f);
  } else {
    const third = octets[at + 2]!;
    if ((second & 0xc0) !== 0x80 || (third & 0xc0) !== 0x80) return 0;
    if (lead < 0xf0) {
      codePoint = ((lead & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
      if (codePoint < 0x800 || codePoint >> 11 === 0x1b) return 0;
      length = 3;
    } else {
      const fourth = octets[at + 3]!;
      codePoint = ((lead & 0x07) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f);
      if (lead > 0xf4 || (fourth & 0xc0) !== 0x80 || codePoint < 0x10000 || codePoint > 0x10ffff) return 0;
      length = 4;
    }
  }
  const entry = entries[codePoint]!;
  return entry !== 0 ? entry : learnt(codePoint);
}

function learnt(codePoint: number): number {
  fill(table, codePoint);
  return entries[codePoint]!;
}

function isAlphanumeric(octet: number): boolean {
  return (kinds[octet]! & WORD) !== 0 && octet !== 0x5f;
}

/** Whether a locator may have its `:`, `@`, third `.` or last `-` at a place. */
function mayLocate(octets: Uint8Array, at: number): boolean {
  switch (octets[at]) {
    case 0x3a: {
      const behind = octets[at + 1]!;
      if (behind <= 0x20) return false;
      if (behind === 0x2f && octets[at + 2] === 0x2f) return true;
      return prefixEnds.has(((octets[at - 2]! | 0x20) << 8) | octets[at - 1]! | 0x20);
    }
    case 0x40: {
      // A label and a dot have to follow; a long label is left to the plain pipeline.
      let end = at + 1;
      while (end < at + 64 && (isAlphanumeric(octets[end]!) || octets[end] === 0x2d)) end++;
      return end > at + 1 && (octets[end] === 0x2e || end === at + 64);
    }
    case 0x2e: {
      const before = octets[at - 1]!;
      if (before === 0x30) return octets[at - 2] === 0x31;
      return (before | 0x20) === 0x77 && (octets[at - 2]! | 0x20) === 0x77 && (octets[at - 3]! | 0x20) === 0x77;
    }
    default:
      return octets[at - 5] === 0x2d && octets[at - 10] === 0x2d && octets[at - 15] === 0x2d;
  }
}

/** Whether a run of 32 ASCII letters and digits stands between two places. */
function hasLongRun(octets: Uint8Array, from: number, end: number): boolean {
  let run = 0;
  for (let at = from; at < end; at++) {
    run = isAlphanumeric(octets[at]!) ? run + 1 : 0;
    if (run === 32) return true;
  }
  return false;
}

/** The place of the lowest bit that is set; there is one. */
function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** Makes an engine that needs nothing but the language. */
export function createPlainEngine(): Engine {
  const buffer = new ArrayBuffer(BASE + CAPACITY + PAD);
  const octets = new Uint8Array(buffer);
  const twos = new Uint16Array(buffer);
  const view = new DataView(buffer);
  /** Bitmaps, a bit for each octet: word characters, and, outside ASCII, letters, and where the text can be cut. */
  const words = new Int32Array(CAPACITY / 32 + 2);
  const letters = new Int32Array(CAPACITY / 32 + 2);
  const separators = new Int32Array(CAPACITY / 32 + 2);
  /** Where steps 3 and 4 may have work, twice the place, and UNSURE for step 3. */
  const spots = new Int32Array(CAPACITY + 64);
  /** Where runs of word characters begin and end, in turn. */
  const edges = new Int32Array(CAPACITY + 64);
  const hashesC = new Int32Array(CAPACITY / 2 + 8);
  const hashesB = new Int32Array(CAPACITY / 2 + 8);
  /** Plane p holds bit p of how often each hash bit was 1. */
  const planesC = new Int32Array(56);
  const planesB = new Int32Array(56);
  let total = 0;

  /** {@link pairs} for 16 octets, put together. */
  function ofSixteen(at: number): number {
    return (
      pairs[twos[at]!]! |
      (pairs[twos[at + 1]!]! << 2) |
      (pairs[twos[at + 2]!]! << 4) |
      (pairs[twos[at + 3]!]! << 6) |
      (pairs[twos[at + 4]!]! << 8) |
      (pairs[twos[at + 5]!]! << 10) |
      (pairs[twos[at + 6]!]! << 12) |
      (pairs[twos[at + 7]!]! << 14)
    );
  }

  /** Steps 1 and 2: fills the bitmaps for `size` octets. Returns the number of spots. */
  function classify(size: number): number {
    let found = 0;
    // What a sequence that crosses a block leaves for the next one.
    let carryWords = 0;
    let carryLetters = 0;
    let carryTaken = 0;
    let lastOrder = 0;
    let lastEnd = -1;
    let asciiBefore = 0;
    const blocks = (size + 31) >> 5;
    for (let block = 0; block < blocks; block++) {
      const base = block << 5;
      const lower = ofSixteen((BASE + base) >> 1);
      const upper = ofSixteen((BASE + base + 16) >> 1);
      let word = (lower & 0xffff) | (upper << 16);
      let special = (lower >>> 16) | (upper & ~0xffff);
      // Thirty-two letters and digits in a row: form 7.
      if ((word & 1) !== 0 || word === -1) {
        const run = Math.clz32(~asciiBefore) + (word === -1 ? 32 : lowest(~word));
        if (run >= 32 && hasLongRun(octets, BASE + base - 32, BASE + base + 32)) spots[found++] = 2 * base;
      }
      asciiBefore = word;
      let cuts = 0;
      let letter = carryLetters;
      word |= carryWords;
      special &= ~carryTaken;
      carryWords = 0;
      carryLetters = 0;
      carryTaken = 0;
      while (special !== 0) {
        const place = lowest(special);
        const at = BASE + base + place;
        if (octets[at]! < 0x80) {
          special &= special - 1;
          if (mayLocate(octets, at)) spots[found++] = 2 * (base + place);
          continue;
        }
        const entry = entryAt(octets, at);
        const run = (1 << length) - 1;
        const order = entry >> 8;
        if ((entry & FLAG_UNSURE) !== 0 || (order !== 0 && order < lastOrder && at === lastEnd))
          spots[found++] = 2 * (base + place) + UNSURE;
        lastOrder = order;
        lastEnd = at + length;
        const wordRun = -(entry & FLAG_WORD) & run;
        const letterRun = -((entry & FLAG_LETTER) >> 1) & run;
        word |= wordRun << place;
        letter |= letterRun << place;
        // (Ill-formed: a break, but not if it is cut off by the end of the piece, to come again.)
        if ((entry & (FLAG_SEPARATOR | FLAG_UNSURE)) === FLAG_SEPARATOR || (entry === 0 && base + place + 3 < size))
          cuts |= 1 << place;
        special &= ~(run << place);
        if (place + length > 32) {
          carryWords = wordRun >> (32 - place);
          carryLetters = letterRun >> (32 - place);
          carryTaken = run >> (32 - place);
        }
      }
      words[block] = word;
      letters[block] = letter;
      separators[block] = cuts;
    }
    words[blocks] = 0;
    // (A sequence that the end of the document cuts off is ill-formed: no bit stands behind the end.)
    return found;
  }

  function isSeparator(at: number): boolean {
    return kinds[octets[BASE + at]!] === SEPARATOR || ((separators[at >> 5]! >>> at) & 1) !== 0;
  }

  /** The last place up to `at` where the text can be cut, or `least` where there is none. */
  function separatorBefore(at: number, least: number): number {
    while (at > least && !isSeparator(at)) at--;
    return at;
  }

  /** The first place behind `at` where the text can be cut, or `end` where there is none. */
  function separatorBehind(at: number, end: number): number {
    do at++;
    while (at < end && !isSeparator(at));
    return at;
  }

  /** Takes the word bits between two places away. */
  function clear(from: number, end: number): void {
    const first = from >> 5;
    const last = end >> 5;
    const before = (1 << from) - 1;
    const behind = -1 << end;
    if (first === last) words[first]! &= before | behind;
    else {
      words[first]! &= before;
      words.fill(0, first + 1, last);
      words[last]! &= behind;
    }
  }

  /** Strips locators from the stretches around the spots, and leaves those that step 3 may change to the plain pipeline. */
  function treatStretches(found: number, end: number, rest: Rest): void {
    let done = 0;
    // What is to be left, as far as it is known.
    let from = -1;
    let to = 0;
    for (let i = 0; i < found; ) {
      const spot = spots[i]! >> 1;
      if (spot >= end) break;
      const begin = separatorBefore(spot, done);
      done = separatorBehind(spot, end);
      let unsure = 0;
      for (; i < found && spots[i]! >> 1 < done; i++) unsure |= spots[i]! & UNSURE;
      if (unsure === 0) {
        strip(begin, done);
        continue;
      }
      if (from >= 0 && begin - to > GAP) leave(rest, from, to);
      if (from < 0 || begin - to > GAP) from = begin;
      to = done;
    }
    if (from >= 0) leave(rest, from, to);
  }

  /** Step 4 for a stretch: takes the word bits of its locators away. */
  function strip(from: number, end: number): void {
    const scan = createLocatorScan();
    for (let at = BASE + from; at < BASE + end; at = scan.resume) {
      findLocator(scan, octets, at, BASE + end, true);
      if (scan.resume > scan.clean) clear(scan.clean - BASE, scan.resume - BASE);
    }
  }

  function leave(rest: Rest, from: number, end: number): void {
    clear(from, end);
    rest.pipeline ??= createPipeline();
    rest.pipeline.updateOctets(octets.subarray(BASE + from, BASE + end));
    rest.pipeline.updateOctets(SPACE);
  }

  /** Step 5: fills `edges` for what the bitmap shows before `end`, and returns their number. */
  function findEdges(end: number): number {
    let found = 0;
    let carry = 0;
    const blocks = end >> 5;
    words[blocks]! &= ~(-1 << end);
    words[blocks + 1] = 0;
    for (let block = 0; block <= blocks + 1; block++) {
      const word = words[block]!;
      let edge = word ^ ((word << 1) | carry);
      carry = word >>> 31;
      const base = (block << 5) + 31 + BASE;
      while (edge !== 0) {
        const bit = edge & -edge;
        edges[found++] = base - Math.clz32(bit);
        edge ^= bit;
      }
    }
    return found;
  }

  function isLetter(at: number): boolean {
    return (kinds[octets[at]!]! & LETTER) !== 0 || ((letters[(at - BASE) >> 5]! >>> (at - BASE)) & 1) !== 0;
  }

  function hasLetter(from: number, end: number): boolean {
    for (let at = from; at < end; at++) if (isLetter(at)) return true;
    return false;
  }

  /** Step 7: the hashes of the tokens between the edges. Returns how many those are. */
  function hash(found: number): number {
    let count = 0;
    for (let i = 0; i < found; i += 2) {
      let at = edges[i]!;
      const end = edges[i + 1]!;
      // Most words begin with a letter.
      if (!isLetter(at) && !hasLetter(at + 1, end)) continue;
      let left = end - at;
      let a = (0xdeadbeef + left) | 0;
      let b = a;
      let c = a;
      while (left > 12) {
        a = (a + view.getInt32(at, true)) | 0;
        b = (b + view.getInt32(at + 4, true)) | 0;
        c = (c + view.getInt32(at + 8, true)) | 0;
        a = (a - c) ^ ((c << 4) | (c >>> 28));
        c = (c + b) | 0;
        b = (b - a) ^ ((a << 6) | (a >>> 26));
        a = (a + c) | 0;
        c = (c - b) ^ ((b << 8) | (b >>> 24));
        b = (b + a) | 0;
        a = (a - c) ^ ((c << 16) | (c >>> 16));
        c = (c + b) | 0;
        b = (b - a) ^ ((a << 19) | (a >>> 13));
        a = (a + c) | 0;
        c = (c - b) ^ ((b << 4) | (b >>> 28));
        b = (b + a) | 0;
        left -= 12;
        at += 12;
      }
      a = (a + (view.getInt32(at, true) & masks[3 * left]!)) | 0;
      b = (b + (view.getInt32(at + 4, true) & masks[3 * left + 1]!)) | 0;
      c = (c + (view.getInt32(at + 8, true) & masks[3 * left + 2]!)) | 0;
      c = ((c ^ b) - ((b << 14) | (b >>> 18))) | 0;
      a = ((a ^ c) - ((c << 11) | (c >>> 21))) | 0;
      b = ((b ^ a) - ((a << 25) | (a >>> 7))) | 0;
      c = ((c ^ b) - ((b << 16) | (b >>> 16))) | 0;
      a = ((a ^ c) - ((c << 4) | (c >>> 28))) | 0;
      b = ((b ^ a) - ((a << 14) | (a >>> 18))) | 0;
      c = ((c ^ b) - ((b << 24) | (b >>> 8))) | 0;
      hashesC[count] = c;
      hashesB[count++] = b;
    }
    return count;
  }

  return {
    input: octets.subarray(BASE),
    capacity: CAPACITY,
    isLarge: false,
    reset() {
      total = 0;
      planesC.fill(0);
      planesB.fill(0);
    },
    update(size, final, rest) {
      octets.fill(0, BASE + size, BASE + size + PAD);
      const found = classify(size);
      const end = final ? size : separatorBefore(Math.max(size - 1, 0), 0);
      if (found > 0) treatStretches(found, end, rest);
      const count = hash(findEdges(end));
      hashesC.fill(0, count, count + 8);
      hashesB.fill(0, count, count + 8);
      countWords(hashesC, count, planesC);
      countWords(hashesB, count, planesB);
      total += count;
      return end;
    },
    tokenCount: () => total,
    finish() {},
    counters: () => countersOfPlanes(planesC, planesB, total),
    majority: () => fingerprintOfCounters(countersOfPlanes(planesC, planesB, total)),
  };
}

/** SIM-1: adds words to bit planes, eight at a time, by carry-save adders. Up to seven words behind them are zeros. */
function countWords(words: Int32Array, size: number, planes: Int32Array): void {
  let ones = planes[0]!;
  let twos = planes[1]!;
  let fours = planes[2]!;
  for (let i = 0; i < size; i += 8) {
    let x = words[i]!;
    let y = words[i + 1]!;
    let u = ones ^ x;
    const twosA = (ones & x) | (u & y);
    ones = u ^ y;
    x = words[i + 2]!;
    y = words[i + 3]!;
    u = ones ^ x;
    const twosB = (ones & x) | (u & y);
    ones = u ^ y;
    u = twos ^ twosA;
    const foursA = (twos & twosA) | (u & twosB);
    twos = u ^ twosB;
    x = words[i + 4]!;
    y = words[i + 5]!;
    u = ones ^ x;
    const twosC = (ones & x) | (u & y);
    ones = u ^ y;
    x = words[i + 6]!;
    y = words[i + 7]!;
    u = ones ^ x;
    const twosD = (ones & x) | (u & y);
    ones = u ^ y;
    u = twos ^ twosC;
    const foursB = (twos & twosC) | (u & twosD);
    twos = u ^ twosD;
    u = fours ^ foursA;
    let carry = (fours & foursA) | (u & foursB);
    fours = u ^ foursB;
    for (let plane = 3; carry !== 0; plane++) {
      const old = planes[plane]!;
      planes[plane] = old ^ carry;
      carry &= old;
    }
  }
  planes[0] = ones;
  planes[1] = twos;
  planes[2] = fours;
}

/** The 64 counters, bit 0 first: each is the ones less the zeros. */
function countersOfPlanes(planesC: Int32Array, planesB: Int32Array, total: number): number[] {
  const counters = new Array<number>(64).fill(-total);
  for (let plane = 0, weight = 2; plane < planesC.length; plane++, weight *= 2) {
    const b = planesB[plane]!;
    const c = planesC[plane]!;
    if ((b | c) === 0) continue;
    for (let bit = 0; bit < 32; bit++) {
      if ((b >>> (31 - bit)) & 1) counters[bit]! += weight;
      if ((c >>> (31 - bit)) & 1) counters[32 + bit]! += weight;
    }
  }
  return counters;
}
