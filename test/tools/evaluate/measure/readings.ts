import { createStreamingPipeline } from '../../../../src/fingerprint/stream.ts';
import { schemeOf } from '../../../../src/scheme/labels/label.ts';

/** The tokens of all documents of a collection by number: the two halves of the hash of each. */
export interface Vocabulary {
  readonly size: number;
  readonly highs: ArrayLike<number>;
  readonly lows: ArrayLike<number>;
  idOf(high: number, low: number): number;
}

export function createVocabulary(): Vocabulary {
  // 53 of the 64 bits distinguish tokens: two of a million tokens collide at odds of 1 in 18,000.
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

/** The count of each token in a document; tokens by their numbers in the vocabulary, ascending. */
export interface CountedTokens {
  readonly ids: Int32Array;
  readonly counts: Int32Array;
  /** Σ counts. */
  readonly total: number;
}

export function countTokensOf(text: string, vocabulary: Vocabulary): CountedTokens {
  return countIds(idsOf(text, vocabulary));
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

/**
 * The tokens of a text in order, by their numbers: those of bg1. In scripts with spaces these are the same as those of the bare
 * scheme; in others a bare token is a clause, and one changed character would make two clauses unlike.
 */
export function idsOf(text: string, vocabulary: Vocabulary): number[] {
  const ids: number[] = [];
  const pipeline = createStreamingPipeline({
    scheme: schemeOf('simhash-doc+bg1'),
    onTokens(lows, highs, count) {
      for (let i = 0; i < count; i++) ids.push(vocabulary.idOf(highs[i]!, lows[i]!));
    },
  });
  pipeline.update(text);
  pipeline.end();
  return ids;
}

/** The numbers of the 5-grams of tokens; a shorter text is one gram. */
export function gramsOf(ids: readonly number[], grams: Vocabulary): number[] {
  return Array.from({ length: ids.length === 0 ? 0 : Math.max(1, ids.length - 4) }, (_, at) => {
    let [high, low] = [0, 0];
    for (const id of ids.slice(at, at + 5)) {
      high = Math.imul(high ^ id, 0x9e3779b1) ^ (high >>> 15);
      low = Math.imul(low ^ (id + 1), 0x85ebca6b) ^ (low >>> 13);
    }
    return grams.idOf(high, low);
  });
}
