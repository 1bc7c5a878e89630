import { enlarge } from '../../../../common/bytes.ts';
import { ones } from '../../../../scheme/compare.ts';
import { createEntries, highAt, rotatedHigh, rotatedLow, type TableReader } from './fingerprint-columns.ts';

export type WordTables = readonly [TableReader, TableReader, TableReader, TableReader];

export interface WordQuery {
  readonly high: number;
  readonly low: number;
  readonly k: number;
}

const MAX_BITS = 3;

/** The distinct differences of buckets of this many bits whose blocks differ in at most so many bits; computed on demand. */
const steps: (readonly number[])[][] = Array.from({ length: MAX_BITS + 1 }, () => []);

function stepsOf(max: number, bits: number): readonly number[] {
  const known = steps[max]!;
  // The shortest mask of each difference is the one with zeros below it.
  known[bits] ??= Array.from({ length: 1 << bits }, (_, step) => step).filter((step) => ones(step) <= max);
  return known[bits];
}

/** The cost of opening a bucket, in entries. */
const BUCKET_COST = 400;

/** The differences of the buckets that a query reads from its own; undefined if it compares all entries. */
export type Plan = readonly number[] | undefined;

/**
 * Plans a query: which buckets of the four tables to read, unless comparing all entries costs less. Two words that
 * differ in at most k bits have a block in which they differ in at most k / 4.
 */
export function planWord([{ bits, count }]: WordTables, k: number): Plan {
  const max = Math.floor(k / 4);
  if (max > MAX_BITS) return undefined;
  const plan = stepsOf(max, bits);
  return 4 * plan.length * (count / 2 ** bits + BUCKET_COST) > count + BUCKET_COST ? undefined : plan;
}

export function workOf(tables: WordTables, plan: Plan, { high, low }: WordQuery): number {
  if (plan === undefined) return tables[0].count;
  let work = 0;
  for (let block = 0; block < 4; block++) {
    const table = tables[block]!;
    const starts = table.starts();
    const own = bucketOf(rotatedHigh(high, low, block), table.bits);
    for (const step of plan) work += starts[(own ^ step) + 1]! - starts[own ^ step]!;
  }
  return work;
}

function bucketOf(high: number, bits: number): number {
  return bits === 0 ? 0 : high >>> (32 - bits);
}

/** Receives each document that is found: its number in the segment and the distance of the word. */
export interface WordsFound {
  add(ordinal: number, distance: number): void;
}

export function findWord(tables: WordTables, plan: Plan, query: WordQuery, found: WordsFound): void {
  const { high, low, k } = query;
  if (plan === undefined) {
    scanAll(tables[0], query, found);
    return;
  }
  for (let block = 0; block < 4; block++) {
    const table = tables[block]!;
    const rotated = rotatedHigh(high, low, block);
    const own = bucketOf(rotated, table.bits);
    for (const step of plan) {
      findNear(table, own ^ step, rotated, rotatedLow(high, low, block), k, near);
      if (block === 0) report(table, near, found);
      else reportEqual(tables[0], block, query, found);
    }
  }
}

/** Reports the documents with the words in `near`, which were found in the table of `block`, each word once. */
function reportEqual(first: TableReader, block: number, { high, low, k }: WordQuery, found: WordsFound): void {
  const { count, highs, lows, distances } = near;
  for (let i = 0; i < count; i++) {
    // Entries with one word are next to each other.
    if (i > 0 && highs[i] === highs[i - 1] && lows[i] === lows[i - 1]) continue;
    const wordHigh = rotatedHigh(highs[i]!, lows[i]!, 4 - block);
    const wordLow = rotatedLow(highs[i]!, lows[i]!, 4 - block);
    if (isFoundBefore(wordHigh ^ high, wordLow ^ low, block, first.bits, Math.floor(k / 4))) continue;
    findNear(first, bucketOf(wordHigh, first.bits), wordHigh, wordLow, 0, equal);
    equal.distances.fill(distances[i]!, 0, equal.count);
    report(first, equal, found);
  }
}

/** Tests whether a word is in a bucket that was read of the table of an earlier block; `high` and `low` are what differs. */
function isFoundBefore(high: number, low: number, block: number, bits: number, max: number): boolean {
  for (let before = 0; before < block; before++)
    if (ones(bucketOf(rotatedHigh(high, low, before), bits)) <= max) return true;
  return false;
}

let read = createEntries(1 << 16);

function reserve(count: number): void {
  if (read.capacity < count) read = createEntries(2 * count);
}

/** Entries of a table that are near a word. The next search overwrites them. */
class Near {
  count = 0;
  entries = new Uint32Array(64);
  distances = new Uint8Array(64);
  highs = new Uint32Array(64);
  lows = new Uint32Array(64);

  add(entry: number, distance: number, high: number, low: number): void {
    if (this.count === this.entries.length) this.#grow();
    this.entries[this.count] = entry;
    this.distances[this.count] = distance;
    this.highs[this.count] = high;
    this.lows[this.count++] = low;
  }

  #grow(): void {
    this.entries = enlarge(this.entries, 2 * this.count);
    this.distances = enlarge(this.distances, 2 * this.count);
    this.highs = enlarge(this.highs, 2 * this.count);
    this.lows = enlarge(this.lows, 2 * this.count);
  }
}

const near = new Near();
const equal = new Near();

/** Finds the entries of a bucket that are near. Their other columns are read only if the last 32 bits of one are. */
function findNear(table: TableReader, bucket: number, high: number, low: number, k: number, into: Near): void {
  into.count = 0;
  const starts = table.starts();
  const from = starts[bucket]!;
  const count = starts[bucket + 1]! - from;
  if (count === 0) return;
  reserve(count);
  const held = table.heldLow(count);
  const entries = held ?? read.low.values;
  // The place of the first of them.
  const start = held === undefined ? 0 : from;
  if (held === undefined) table.readLow(read, from, count);
  const first = firstNear(entries, start, start + count, low, k);
  if (first === start + count) return;
  table.readHigh(read, from, count);
  for (let i = first; i < start + count; i = firstNear(entries, i + 1, start + count, low, k)) {
    const word = highAt(read, i - start);
    const distance = ones(entries[i]! ^ low) + ones(word ^ high);
    if (distance <= k) into.add(from + i - start, distance, word, entries[i]!);
  }
}

function firstNear(entries: Uint32Array, from: number, end: number, low: number, k: number): number {
  let i = from;
  for (; i < end; i++) {
    const value = entries[i]! ^ low;
    let bits = value - ((value >>> 1) & 0x55555555);
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    if (Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24 <= k) break;
  }
  return i;
}

function report(table: TableReader, { count, entries, distances }: Near, found: WordsFound): void {
  for (let i = 0; i < count; ) {
    // Entries next to each other are read together.
    const entry = entries[i]!;
    let end = i + 1;
    while (end < count && entries[end] === entry + end - i) end++;
    reserve(end - i);
    table.readOrdinals(read, entry, end - i);
    for (let at = i; at < end; at++) found.add(read.ordinals.values[at - i]!, distances[at]!);
    i = end;
  }
}

const SCANNED = 1 << 16;

function scanAll(table: TableReader, { high, low, k }: WordQuery, found: WordsFound): void {
  reserve(SCANNED);
  const lows = read.low.values;
  for (let from = 0; from < table.count; from += SCANNED) {
    const count = Math.min(SCANNED, table.count - from);
    table.readLow(read, from, count);
    let i = firstNear(lows, 0, count, low, k);
    if (i === count) continue;
    table.readHigh(read, from, count);
    table.readOrdinals(read, from, count);
    for (; i < count; i = firstNear(lows, i + 1, count, low, k)) {
      const distance = ones(lows[i]! ^ low) + ones(highAt(read, i) ^ high);
      if (distance <= k) found.add(read.ordinals.values[i]!, distance);
    }
  }
}
