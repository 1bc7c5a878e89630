import { rotatedHigh, rotatedLow, type TableReader } from './columns.ts';

/** The four tables of one word of a segment. */
export type WordTables = readonly [TableReader, TableReader, TableReader, TableReader];

/** A query for one word. */
export interface WordQuery {
  readonly high: number;
  readonly low: number;
  readonly k: number;
}

/** The masks of 16 bits with so many bits set, or fewer. */
const MASKS: readonly (readonly number[])[] = [0, 1, 2, 3].map((most) =>
  Array.from({ length: 65536 }, (_, mask) => mask).filter((mask) => ones(mask) <= most),
);

/** Counts the bits that are set in 32. */
function ones(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The distinct numbers by which buckets of so many bits differ where blocks differ by one of the masks; made when needed. */
const steps: (readonly number[])[][] = MASKS.map(() => []);

function stepsOf(most: number, bits: number): readonly number[] {
  const known = steps[most]!;
  known[bits] ??= [...new Set(MASKS[most]!.map((mask) => mask >>> (16 - bits)))];
  return known[bits];
}

/** What opening a bucket costs, in entries. */
const BUCKET_COST = 400;

/** How the buckets that a query reads differ from its own; undefined if it compares all entries. */
export type Plan = readonly number[] | undefined;

/**
 * Plans a query: which buckets of the four tables to read, unless comparing all entries costs less. Two words that differ in
 * at most k bits have a block in which they differ in at most k / 4.
 */
export function planWord([{ bits, count }]: WordTables, k: number): Plan {
  const most = Math.floor(k / 4);
  if (most >= MASKS.length) return undefined;
  const plan = stepsOf(most, bits);
  return 4 * plan.length * (count / 2 ** bits + BUCKET_COST) > count + BUCKET_COST ? undefined : plan;
}

/** How many entries a planned query compares. */
export function workOf(tables: WordTables, plan: Plan, { high, low }: WordQuery): number {
  if (plan === undefined) return tables[0].count;
  let work = 0;
  for (let block = 0; block < 4; block++) {
    const { starts, bits } = tables[block]!;
    const own = bucketOf(rotatedHigh(high, low, block), bits);
    for (const step of plan) work += starts[(own ^ step) + 1]! - starts[own ^ step]!;
  }
  return work;
}

/** The bucket of a word, given by its first 32 bits. */
function bucketOf(high: number, bits: number): number {
  return bits === 0 ? 0 : high >>> (32 - bits);
}

/** Called for each document found, perhaps more than once: its number in the segment and the distance of the word. */
export type Found = (ordinal: number, distance: number) => void;

/** Answers a planned query. */
export function findWord(tables: WordTables, plan: Plan, query: WordQuery, found: Found): void {
  if (plan === undefined) {
    scanAll(tables[0], query, found);
    return;
  }
  const known = new Known();
  for (let block = 0; block < 4; block++) {
    const table = tables[block]!;
    const high = rotatedHigh(query.high, query.low, block);
    const low = rotatedLow(query.high, query.low, block);
    const own = bucketOf(high, table.bits);
    for (const step of plan) {
      const near = findNear(table, own ^ step, { high, low, k: query.k });
      if (near.length === 0) continue;
      if (block === 0) report(table, near, found);
      for (const { high, low, distance } of distinct(near)) {
        const word = { high: rotatedHigh(high, low, (4 - block) % 4), low: rotatedLow(high, low, (4 - block) % 4) };
        if (known.add(word) && block > 0) findEqual(tables[0], { ...word, distance }, found);
      }
    }
  }
}

/** A word as two numbers. */
interface Word {
  readonly high: number;
  readonly low: number;
}

/** Words that were found before, in another table. */
class Known {
  #lows: Map<number, Set<number>> | undefined;

  /** Adds a word; returns whether it is new. */
  add({ high, low }: Word): boolean {
    this.#lows ??= new Map();
    const lows = this.#lows.get(high);
    if (lows === undefined) this.#lows.set(high, new Set([low]));
    else if (lows.has(low)) return false;
    else lows.add(low);
    return true;
  }
}

let lows = new Uint32Array(1 << 16);
let middles = new Uint16Array(1 << 16);
let blocks = new Uint16Array(1 << 16);
let ordinals = new Uint32Array(1 << 16);

function reserve(count: number): void {
  if (lows.length >= count) return;
  lows = new Uint32Array(2 * count);
  middles = new Uint16Array(2 * count);
  blocks = new Uint16Array(2 * count);
  ordinals = new Uint32Array(2 * count);
}

/** An entry that is near. */
interface Near {
  /** Its place in the table. */
  readonly entry: number;
  readonly distance: number;
  /** Its word as the table has it, rotated. */
  readonly high: number;
  readonly low: number;
}

const NONE: readonly Near[] = [];

/** Finds the entries of a bucket that are near. Their other columns are read only if the last 32 bits of one are. */
function findNear(table: TableReader, bucket: number, { high, low, k }: WordQuery): readonly Near[] {
  const { starts } = table;
  const from = starts[bucket]!;
  const count = starts[bucket + 1]! - from;
  if (count === 0) return NONE;
  reserve(count);
  const held = table.heldLow(count);
  const entries = held ?? lows;
  // The place of the first of them.
  const start = held === undefined ? 0 : from;
  if (held === undefined) table.readLow(lows, from, count);
  const first = firstNear(entries, start, start + count, low, k);
  if (first === start + count) return NONE;
  table.readMiddle(middles, from, count);
  table.readBlock(blocks, from, count);
  const near: Near[] = [];
  for (let i = first; i < start + count; i = firstNear(entries, i + 1, start + count, low, k)) {
    const word = ((blocks[i - start]! << 16) | middles[i - start]!) >>> 0;
    const distance = ones(entries[i]! ^ low) + ones(word ^ high);
    if (distance <= k) near.push({ entry: from + i - start, distance, high: word, low: entries[i]! });
  }
  return near;
}

/** Leaves out entries with the word of the one before. */
function distinct(near: readonly Near[]): readonly Near[] {
  return near.filter(({ high, low }, i) => i === 0 || high !== near[i - 1]!.high || low !== near[i - 1]!.low);
}

/** The first entry, from a place on, whose last 32 bits are near; `end` if none is. */
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

/** Reports the documents of entries of the table of block 0, in ascending order. */
function report(table: TableReader, near: readonly Near[], found: Found): void {
  for (let i = 0; i < near.length; ) {
    // Entries next to each other are read together.
    const { entry, distance } = near[i]!;
    let end = i + 1;
    while (end < near.length && near[end]!.entry === entry + end - i) end++;
    reserve(end - i);
    table.readOrdinals(ordinals, entry, end - i);
    for (let at = i; at < end; at++) found(ordinals[at - i]!, at === i ? distance : near[at]!.distance);
    i = end;
  }
}

/** Finds the documents with a word, by the table of block 0. */
function findEqual(
  table: TableReader,
  { high, low, distance }: Word & { readonly distance: number },
  found: Found,
): void {
  const equal = findNear(table, bucketOf(high, table.bits), { high, low, k: 0 });
  report(
    table,
    equal.map((each) => ({ ...each, distance })),
    found,
  );
}

const SCANNED = 1 << 16;

/** Compares all entries. */
function scanAll(table: TableReader, { high, low, k }: WordQuery, found: Found): void {
  reserve(SCANNED);
  for (let from = 0; from < table.count; from += SCANNED) {
    const count = Math.min(SCANNED, table.count - from);
    table.readLow(lows, from, count);
    let i = firstNear(lows, 0, count, low, k);
    if (i === count) continue;
    table.readMiddle(middles, from, count);
    table.readBlock(blocks, from, count);
    table.readOrdinals(ordinals, from, count);
    for (; i < count; i = firstNear(lows, i + 1, count, low, k)) {
      const distance = ones(lows[i]! ^ low) + ones(((blocks[i]! << 16) | middles[i]!) ^ high);
      if (distance <= k) found(ordinals[i]!, distance);
    }
  }
}
