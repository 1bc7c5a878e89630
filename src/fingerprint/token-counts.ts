import { wrongType, wrongValue } from '../errors.ts';
import { createStreamingPipeline } from './stream.ts';

/** How often each token occurs in a document. Tokens are told apart by their hashes (step 7). */
export interface TokenCounts {
  /** The hashes of the distinct tokens, ascending. */
  readonly hashes: BigUint64Array;
  /** For each of them, how often the token occurs: 1 or more. */
  readonly counts: Float64Array;
}

/** A part of all hashes: those whose first `bits` bits (0 to 30) are the number `part`. All of them if `bits` is 0. */
export interface HashPart {
  readonly bits: number;
  readonly part: number;
}

/** The token counts of a document, or of one part of its hashes. */
export interface CountedPart extends TokenCounts, HashPart {}

/** Counts the tokens of a document that arrives in parts; made by {@link createTokenCounter}. */
export interface TokenCounter {
  /** Takes the next part of the document: octets or text, as `Fingerprinter` does. */
  update(chunk: string | Uint8Array): TokenCounter;
  /** Ends the document. The fingerprint is `null` if it has no tokens. */
  digest(): { readonly fingerprint: bigint | null; readonly tokens: number; readonly counted: CountedPart };
}

/** What is counted. */
export interface TokenCounterOptions extends Partial<HashPart> {
  /** How many distinct tokens are held at most. A document with more is narrowed to a part of them: `bits` grows. */
  readonly limit?: number;
}

/**
 * Counts the tokens of a document in parts (steps 1 to 5 and 7). Memory is bounded by that of a fingerprinter and 32 octets
 * for each distinct token, or for each of `limit` tokens.
 * @param options - see {@link TokenCounterOptions}
 */
export function createTokenCounter(options: TokenCounterOptions = {}): TokenCounter {
  const { limit = Number.POSITIVE_INFINITY, part = 0 } = options;
  let { bits = 0 } = options;
  let table = createHashTable();
  const narrow = (): void => {
    // The half of the hashes whose next bit is that of `part`, which is 0 unless the caller names the part.
    bits++;
    const kept = createHashTable();
    table.each((high, low, count) => {
      if (isInPart(high)) kept.add(high, low, count);
    });
    table = kept;
  };
  const isInPart = (high: number): boolean => bits === 0 || high >>> (32 - bits) === part;
  const pipeline = createStreamingPipeline((low, high) => {
    if (!isInPart(high)) return;
    table.add(high, low, 1);
    while (table.size > limit && part === 0 && bits < 30) narrow();
  });
  const counter: TokenCounter = {
    update(chunk) {
      if (typeof chunk === 'string') pipeline.updateText(chunk);
      else pipeline.updateOctets(chunk);
      return counter;
    },
    digest() {
      pipeline.end();
      return {
        fingerprint: pipeline.result(),
        tokens: pipeline.tokenCount,
        counted: { ...table.sorted(), bits, part },
      };
    },
  };
  return counter;
}

/**
 * Counts the tokens of a document (steps 1 to 5 and 7), to be compared with {@link overlap}.
 * @param input - octets, which are decoded as UTF-8, or a text as 16-bit units. Extraction (step 0) comes before.
 * @returns how often each token occurs
 * @throws TypeError `wrong-type`
 * @see spec/annexes.md#verification
 */
export function countTokens(input: string | Uint8Array): TokenCounts {
  if (typeof input !== 'string' && !(input instanceof Uint8Array))
    throw wrongType('input', 'a string or a Uint8Array', input);
  const { hashes, counts } = createTokenCounter().update(input).digest().counted;
  return { hashes, counts };
}

/**
 * The share of their tokens that two documents have in common: the weighted Jaccard similarity of the multisets of their
 * tokens, Σ min / Σ max. The order of the tokens does not matter.
 * @param a - the tokens of one document
 * @param b - the tokens of the other one
 * @returns 0 (no common token) to 1 (the same tokens, each equally often)
 * @throws TypeError `wrong-type`; RangeError `no-fingerprint` if neither has a token
 * @see spec/annexes.md#verification
 * @example
 * overlap(countTokens('to be or not to be'), countTokens('to be, to be')); // 4 / 6
 */
export function overlap(a: TokenCounts, b: TokenCounts): number {
  const { common, all } = sumCounts(a, b);
  if (all === 0) throw wrongValue('no-fingerprint', 'a, b', 'a document with tokens', a, 'two without');
  return common / all;
}

/** Σ min and Σ max over all tokens. Those of the parts of two documents add up to those of the whole. */
export function sumCounts(a: TokenCounts, b: TokenCounts): { readonly common: number; readonly all: number } {
  const [left, right] = [lanesOf('a', a), lanesOf('b', b)];
  let [i, j, common, all] = [0, 0, 0, 0];
  while (i < a.counts.length && j < b.counts.length) {
    const highs = left[2 * i + HIGH]! - right[2 * j + HIGH]!;
    const order = highs === 0 ? left[2 * i + LOW]! - right[2 * j + LOW]! : highs;
    if (order === 0) {
      const [x, y] = [a.counts[i++]!, b.counts[j++]!];
      common += Math.min(x, y);
      all += Math.max(x, y);
    } else all += order < 0 ? a.counts[i++]! : b.counts[j++]!;
  }
  for (; i < a.counts.length; i++) all += a.counts[i]!;
  for (; j < b.counts.length; j++) all += b.counts[j]!;
  return { common, all };
}

/** Where the halves of a 64-bit number stand in memory. */
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;
const LOW = 1 - HIGH;

function viewLanes(numbers: BigUint64Array): Uint32Array {
  return new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
}

function lanesOf(name: string, given: TokenCounts): Uint32Array {
  if (!(given?.hashes instanceof BigUint64Array) || !(given.counts instanceof Float64Array))
    throw wrongType(name, 'token counts, as countTokens returns them', given);
  return viewLanes(given.hashes);
}

/** Numbers of 64 bits, each with a count. */
interface HashTable {
  readonly size: number;
  add(high: number, low: number, count: number): void;
  each(visit: (high: number, low: number, count: number) => void): void;
  sorted(): TokenCounts;
}

/**
 * A hash table with linear probing, at most half full. Its random factors keep an author from choosing tokens that all fall
 * in one place: lookup3 can be inverted.
 */
function createHashTable(): HashTable {
  const [factorHigh, factorLow] = [randomFactor(), randomFactor()];
  let bits = 8;
  let keys = new Uint32Array(2 << bits);
  let counts = new Float64Array(1 << bits);
  let size = 0;

  /** Where a key is, or the empty place where it belongs. */
  function placeOf(high: number, low: number): number {
    const mask = counts.length - 1;
    let at = (Math.imul(high, factorHigh) + Math.imul(low, factorLow)) >>> (32 - bits);
    while (counts[at]! > 0 && (keys[2 * at] !== high || keys[2 * at + 1] !== low)) at = (at + 1) & mask;
    return at;
  }

  function grow(): void {
    const [oldKeys, oldCounts] = [keys, counts];
    bits++;
    keys = new Uint32Array(2 << bits);
    counts = new Float64Array(1 << bits);
    for (let i = 0; i < oldCounts.length; i++)
      if (oldCounts[i]! > 0) {
        const at = placeOf(oldKeys[2 * i]!, oldKeys[2 * i + 1]!);
        keys[2 * at] = oldKeys[2 * i]!;
        keys[2 * at + 1] = oldKeys[2 * i + 1]!;
        counts[at] = oldCounts[i]!;
      }
  }

  const table: HashTable = {
    get size() {
      return size;
    },
    add(high, low, count) {
      const at = placeOf(high, low);
      if (counts[at] === 0) {
        keys[2 * at] = high;
        keys[2 * at + 1] = low;
        size++;
      }
      counts[at]! += count;
      if (2 * size > counts.length) grow();
    },
    each(visit) {
      for (let at = 0; at < counts.length; at++)
        if (counts[at]! > 0) visit(keys[2 * at]!, keys[2 * at + 1]!, counts[at]!);
    },
    sorted() {
      const hashes = new BigUint64Array(size);
      const lanes = viewLanes(hashes);
      let filled = 0;
      table.each((high, low) => {
        lanes[2 * filled + HIGH] = high;
        lanes[2 * filled++ + LOW] = low;
      });
      hashes.sort();
      const sorted = new Float64Array(size);
      for (let i = 0; i < size; i++) sorted[i] = counts[placeOf(lanes[2 * i + HIGH]!, lanes[2 * i + LOW]!)]!;
      return { hashes, counts: sorted };
    },
  };
  return table;
}

function randomFactor(): number {
  return Math.floor(Math.random() * 2 ** 31) * 2 + 1;
}
