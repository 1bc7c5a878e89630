import { HIGH_LANE, LOW_LANE, viewLanes } from '../common/lanes.ts';
import { wrongType, wrongValue } from '../errors.ts';
import type { Fingerprint } from '../scheme/labels/fingerprint.ts';
import { type LabelOption, schemeIn } from '../scheme/labels/label.ts';
import { createHashTable, type TokenCounts } from './hash-table.ts';
import type { OnTokens } from './pipeline.ts';
import { closePipeline, openPipeline, type TakenPipeline } from './pool.ts';

export type { TokenCounts };

/** A part of all hashes: those whose first `bits` bits (0 to 30) are the number `part`. All of them if `bits` is 0. */
export interface HashPart {
  readonly bits: number;
  readonly part: number;
}

export interface CountedPart extends TokenCounts, HashPart {}

/** Counts the tokens of a document that arrives in parts; made by {@link createTokenCounter}. */
interface TokenCounter {
  update(chunk: string | Uint8Array): TokenCounter;
  digest(): { readonly fingerprint: Fingerprint | null; readonly tokens: number; readonly counted: CountedPart };
}

/**
 * Counts tokens (steps 1 to 5 and 7) in a fingerprinter and 32 bytes for each distinct token, or for each of `limit` tokens: a
 * document with more is narrowed to a part of them, and `bits` grows.
 */
export function createTokenCounter(
  options: Partial<HashPart> & LabelOption & { readonly limit?: number } = {},
): TokenCounter {
  const { limit = Number.POSITIVE_INFINITY, part = 0 } = options;
  let { bits = 0 } = options;
  let table = createHashTable();
  const narrow = (): void => {
    // The half of the hashes whose next bit equals `part`, 0 unless the caller sets the part.
    bits++;
    const kept = createHashTable();
    table.each((high, low, count) => {
      if (isInPart(high)) kept.add(high, low, count);
    });
    table = kept;
  };
  const isInPart = (high: number): boolean => bits === 0 || high >>> (32 - bits) === part;
  const onTokens: OnTokens = (lows, highs, count) => {
    for (let i = 0; i < count; i++) {
      if (!isInPart(highs[i]!)) continue;
      table.add(highs[i]!, lows[i]!, 1);
      while (table.size > limit && part === 0 && bits < 30) narrow();
    }
  };
  const scheme = schemeIn(options);
  // The first part shows whether the document is small: most arrive whole, or in large parts.
  let pipeline: TakenPipeline | undefined;
  const counter: TokenCounter = {
    update(chunk) {
      pipeline ??= openPipeline(chunk.length, scheme, onTokens);
      pipeline.update(chunk);
      return counter;
    },
    digest() {
      pipeline ??= openPipeline(0, scheme, onTokens);
      pipeline.end();
      const [fingerprint, tokens] = [pipeline.result(), pipeline.tokenCount];
      closePipeline(pipeline);
      return { fingerprint, tokens, counted: { ...table.sorted(), bits, part } };
    },
  };
  return counter;
}

/**
 * Counts the tokens of a document (steps 1 to 5 and 7), to be compared with {@link overlap}.
 * @param input - bytes, which are decoded as UTF-8, or a text as 16-bit units. Extraction (step 0) comes before.
 * @param options - the label whose tokens are counted; minhash-doc has the tokens of `simhash-doc+bg1`
 * @returns the number of occurrences of each token
 * @throws TypeError `wrong-type`; RangeError `invalid-label`
 * @see spec/verification.md#verification
 * @example
 * countTokens('to be or not to be').counts; // Float64Array.of(1, 2, 2, 1)
 */
export function countTokens(input: string | Uint8Array, options?: LabelOption): TokenCounts {
  if (typeof input !== 'string' && !(input instanceof Uint8Array))
    throw wrongType('input', 'a string or a Uint8Array', input);
  schemeIn(options);
  const { hashes, counts } = createTokenCounter(options).update(input).digest().counted;
  return { hashes, counts };
}

/**
 * Computes the share of tokens that two documents have in common: the weighted Jaccard similarity of the multisets of their
 * tokens, Σ min / Σ max. The order of the tokens does not matter.
 * @param a - the tokens of one document
 * @param b - the tokens of the other one
 * @returns 0 (no common token) to 1 (the same tokens, each equally often)
 * @throws TypeError `wrong-type`; RangeError `no-fingerprint` if neither has a token
 * @see spec/verification.md#verification
 * @example
 * overlap(countTokens('to be or not to be'), countTokens('to be, to be')); // 4 / 6
 */
export function overlap(a: TokenCounts, b: TokenCounts): number {
  const { common, all } = sumCounts(a, b);
  if (all === 0) throw wrongValue('no-fingerprint', 'a and b', 'tokens in at least one of them', a, 'none');
  return common / all;
}

/** Returns Σ min and Σ max of the counts over all tokens. The sums of the parts of two documents add up to the sums of the whole. */
export function sumCounts(a: TokenCounts, b: TokenCounts): { readonly common: number; readonly all: number } {
  const [left, right] = [lanesOf('a', a), lanesOf('b', b)];
  let [i, j, common, all] = [0, 0, 0, 0];
  while (i < a.counts.length && j < b.counts.length) {
    const highs = left[2 * i + HIGH_LANE]! - right[2 * j + HIGH_LANE]!;
    const order = highs === 0 ? left[2 * i + LOW_LANE]! - right[2 * j + LOW_LANE]! : highs;
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

function lanesOf(name: string, given: TokenCounts): Uint32Array {
  if (!(given?.hashes instanceof BigUint64Array) || !(given.counts instanceof Float64Array))
    throw wrongType(name, 'token counts, as countTokens returns them', given);
  return viewLanes(given.hashes);
}
