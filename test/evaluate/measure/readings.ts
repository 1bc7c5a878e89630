import { createStreamingPipeline } from '../../../src/fingerprint/stream.ts';
import { variantsIn } from '../../../src/scheme/label.ts';

/** Ways to read the tokens of a text. Candidates weigh the tokens of a reading. */
export const READINGS = ['bare', 'bg1', 'folded', 'shingle2', 'shingle3', 'shingle4'] as const;
export type Reading = (typeof READINGS)[number];

/** The tokens of all documents of a collection by number: the two halves of the hash of each. */
export interface Vocabulary {
  readonly size: number;
  readonly highs: ArrayLike<number>;
  readonly lows: ArrayLike<number>;
  idOf(high: number, low: number): number;
}

export function createVocabulary(): Vocabulary {
  // 53 of the 64 bits tell tokens apart: of a million tokens, two are taken for one at odds of 1 in 18,000.
  const ids = new Map<number, number>();
  const [highs, lows]: [number[], number[]] = [[], []];
  return {
    highs,
    lows,
    get size() {
      return highs.length;
    },
    idOf(high, low) {
      const key = (high >>> 0) * 2 ** 21 + (low >>> 11);
      const known = ids.get(key);
      if (known !== undefined) return known;
      ids.set(key, highs.length);
      highs.push(high >>> 0);
      return lows.push(low >>> 0) - 1;
    },
  };
}

/** How often each token occurs in a document; tokens by their numbers in the vocabulary, ascending. */
export interface CountedTokens {
  readonly ids: Int32Array;
  readonly counts: Int32Array;
  /** Σ counts. */
  readonly total: number;
}

/** Counts the tokens of a text in one reading. */
export function countReading(text: string, reading: Reading, vocabulary: Vocabulary): CountedTokens {
  return countIds(idsOf(text, reading, vocabulary));
}

/** Counts tokens that are given by their numbers. */
export function countIds(ids: readonly number[]): CountedTokens {
  const sorted = Int32Array.from(ids).sort();
  const [distinct, counts]: [number[], number[]] = [[], []];
  for (const id of sorted)
    if (distinct.at(-1) === id) counts[counts.length - 1]!++;
    else {
      distinct.push(id);
      counts.push(1);
    }
  return { ids: Int32Array.from(distinct), counts: Int32Array.from(counts), total: ids.length };
}

/** The tokens of a text in order, by their numbers. */
export function idsOf(text: string, reading: Reading, vocabulary: Vocabulary): number[] {
  const width = reading.startsWith('shingle') ? Number(reading.slice('shingle'.length)) : 1;
  const hashes: [number, number][] = [];
  const pipeline = createStreamingPipeline({
    variants: variantsIn(reading === 'bg1' ? { variant: 'simhash-doc+bg1' } : {}),
    onToken: (low, high) => hashes.push([high, low]),
  });
  pipeline.updateText(reading === 'folded' ? text.toLowerCase() : text);
  pipeline.end();
  if (width === 1) return hashes.map(([high, low]) => vocabulary.idOf(high, low));
  return shingle(hashes, width).map(([high, low]) => vocabulary.idOf(high, low));
}

/** Hashes of windows of hashes, mixed with the finaliser of MurmurHash3: only an even spread matters here. */
function shingle(hashes: readonly [number, number][], width: number): [number, number][] {
  if (hashes.length === 0) return [];
  return Array.from({ length: Math.max(1, hashes.length - width + 1) }, (_, from) => {
    let [high, low] = [0, 0];
    for (const [a, b] of hashes.slice(from, from + width)) {
      high = mix(Math.imul(high, 31) ^ a ^ (low << 7));
      low = mix(Math.imul(low, 31) ^ b ^ (high << 9));
    }
    return [high >>> 0, low >>> 0];
  });
}

function mix(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
