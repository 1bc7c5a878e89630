import type { Scheme } from '../scheme/labels/label.ts';
import { createHashTable, randomFactor } from './hash-table.ts';
import type { OnTokens } from './pipeline.ts';
import { returnPipeline, takePipeline } from './pool.ts';

/** The numbers of a distinct token: the two halves of its hash and its count. */
export const NUMBERS_PER_TOKEN = 3;

/** The distinct tokens of a text, from `start` on in an array, with {@link NUMBERS_PER_TOKEN} for each, in ascending order. */
export interface SortedTokens {
  readonly data: Uint32Array | Float64Array;
  readonly start: number;
  /** The number of distinct tokens. */
  readonly size: number;
  /** The number of all tokens. */
  readonly total: number;
}

/** The number of tokens up to which they are sorted at once; a text with more is counted by a hash table before. */
const MAX_SORTED = 1 << 12;

// Random factors, as in the hash table: the order, which is the same for all texts, cannot be foreseen, so that nobody can
// choose tokens that all sort into one place. Both halves of a hash can be computed from those that are sorted.
const [FACTOR_HIGH, FACTOR_LOW] = [randomFactor(), randomFactor()];

/** The hashes of the tokens of a text, from `start` on in an array: the lower half of each, and the upper one. */
export interface TokenHashes {
  readonly pairs: Uint32Array;
  readonly start: number;
  readonly count: number;
}

/**
 * Makes functions that return the distinct tokens of a text (steps 1 to 5 and 7), or of their hashes, in an array that the next
 * call overwrites.
 */
export function createTokenSorter({ bg1, label }: Scheme) {
  // The tokens do not depend on how a fingerprint is made of them, and these counters take the least time.
  const scheme: Scheme = { label, bg1, method: 'simhash', words: 1, bits: 64 };
  const buffer = createBuffer(MAX_SORTED);
  let table: ReturnType<typeof createHashTable> | undefined;

  function add(low: number, high: number): void {
    if (buffer.size === MAX_SORTED) table = moveTo(table, buffer);
    push(buffer, (Math.imul(high, FACTOR_HIGH) + Math.imul(low, FACTOR_LOW)) >>> 0, low, 1);
  }

  const onTokens: OnTokens = (lows, highs, count) => {
    for (let i = 0; i < count; i++) add(lows[i]!, highs[i]!);
  };

  function take(total: number): SortedTokens {
    let sorted = buffer;
    if (table !== undefined) {
      const counted = moveTo(table, buffer);
      const distinct = createBuffer(counted.size);
      counted.each((first, second, count) => push(distinct, first, second, count));
      sorted = distinct;
    }
    const tokens = { data: sorted.data, start: 0, size: sort(sorted), total };
    buffer.size = 0;
    table = undefined;
    return tokens;
  }

  return {
    ofText(text: string): SortedTokens {
      const pipeline = takePipeline(text.length, scheme, onTokens);
      pipeline.updateText(text);
      pipeline.end();
      const total = pipeline.tokenCount;
      returnPipeline(pipeline);
      return take(total);
    },
    ofHashes({ pairs, start, count }: TokenHashes): SortedTokens {
      for (let at = start, end = start + 2 * count; at < end; at += 2) add(pairs[at]!, pairs[at + 1]!);
      return take(count);
    },
  };
}

type Buffer = ReturnType<typeof createBuffer>;

/** Makes a buffer of tokens and their counts. It is plain data, with functions on it: closures take three times as long. */
function createBuffer(capacity: number) {
  return {
    size: 0,
    firsts: new Uint32Array(capacity),
    seconds: new Uint32Array(capacity),
    counts: new Uint32Array(capacity),
    data: new Uint32Array(NUMBERS_PER_TOKEN * capacity),
    /** The start of each bucket. */
    starts: new Uint32Array((2 << Math.ceil(Math.log2(capacity + 1))) + 1),
  };
}

function push(buffer: Buffer, first: number, second: number, count: number): void {
  const at = buffer.size++;
  buffer.firsts[at] = first;
  buffer.seconds[at] = second;
  buffer.counts[at] = count;
}

function moveTo(table = createHashTable(), buffer: Buffer): ReturnType<typeof createHashTable> {
  for (let i = 0; i < buffer.size; i++) table.add(buffer.firsts[i]!, buffer.seconds[i]!, buffer.counts[i]!);
  buffer.size = 0;
  return table;
}

/** Sorts the tokens into buckets by their first bits, and then by insertion; returns how many are distinct. */
function sort({ size, firsts, seconds, counts, data, starts }: Buffer): number {
  const bits = Math.max(1, 32 - Math.clz32(size));
  const shift = 32 - bits;
  const buckets = 1 << bits;
  starts.fill(0, 0, buckets + 1);
  for (let i = 0; i < size; i++) starts[(firsts[i]! >>> shift) + 1]!++;
  for (let bucket = 1; bucket <= buckets; bucket++) starts[bucket]! += starts[bucket - 1]!;
  for (let i = 0; i < size; i++) {
    const first = firsts[i]!;
    const at = NUMBERS_PER_TOKEN * starts[first >>> shift]!++;
    data[at] = first;
    data[at + 1] = seconds[i]!;
    data[at + 2] = counts[i]!;
  }
  return insert(data, size);
}

/** Sorts tokens of which none is far from its place, and joins equal ones; returns how many are left. */
function insert(data: Uint32Array, size: number): number {
  let end = 0;
  for (let from = 0; from < NUMBERS_PER_TOKEN * size; from += NUMBERS_PER_TOKEN) {
    const first = data[from]!;
    const second = data[from + 1]!;
    const count = data[from + 2]!;
    let at = end;
    while (at > 0 && (data[at - 3]! > first || (data[at - 3] === first && data[at - 2]! > second))) at -= 3;
    if (at > 0 && data[at - 3] === first && data[at - 2] === second) {
      data[at - 1]! += count;
      continue;
    }
    for (let to = end + 2; to >= at + 3; to--) data[to] = data[to - 3]!;
    data[at] = first;
    data[at + 1] = second;
    data[at + 2] = count;
    end += NUMBERS_PER_TOKEN;
  }
  return end / NUMBERS_PER_TOKEN;
}

/**
 * Computes the overlap of two documents (VER-1), or returns -1 if it is less than `min`, which a part of the tokens decides
 * for most pairs.
 */
export function overlapAtLeast(a: SortedTokens, b: SortedTokens, min: number): number {
  // The common part c has c / (total - c) >= min; so a larger rest cannot be missing.
  const needed = (min * (a.total + b.total)) / (1 + min) - 1e-6;
  let [spareA, spareB] = [a.total - needed, b.total - needed];
  const [left, right] = [a.data, b.data];
  const [endA, endB] = [a.start + NUMBERS_PER_TOKEN * a.size, b.start + NUMBERS_PER_TOKEN * b.size];
  let [i, j, common] = [a.start, b.start, 0];
  while (i < endA && j < endB) {
    const firsts = left[i]! - right[j]!;
    const order = firsts === 0 ? left[i + 1]! - right[j + 1]! : firsts;
    if (order === 0) {
      const [x, y] = [left[i + 2]!, right[j + 2]!];
      common += Math.min(x, y);
      if (x > y) spareA -= x - y;
      else spareB -= y - x;
      i += NUMBERS_PER_TOKEN;
      j += NUMBERS_PER_TOKEN;
    } else if (order < 0) {
      spareA -= left[i + 2]!;
      i += NUMBERS_PER_TOKEN;
    } else {
      spareB -= right[j + 2]!;
      j += NUMBERS_PER_TOKEN;
    }
    if (spareA < 0 || spareB < 0) return -1;
  }
  const overlap = common / (a.total + b.total - common);
  return overlap >= min ? overlap : -1;
}
