import type { Scheme } from '../scheme/labels/label.ts';
import { randomFactor } from './hash-table.ts';
import type { OnTokens } from './pipeline.ts';
import { returnPipeline, takePipeline } from './pool.ts';

/** The hashes of the tokens of a text, from `start` on in an array: the lower half of each, and the upper one. */
export interface TokenHashes {
  readonly pairs: Uint32Array;
  readonly start: number;
  readonly count: number;
}

/** The bits of the number of slots for texts with many tokens; if the distinct ones do not fit, more are tried. */
const MAX_FIRST_BITS = 16;

export function createTokenOverlap() {
  // Random factors keep an author from choosing tokens that all collide.
  const [factorHigh, factorLow] = [randomFactor(), randomFactor()];
  // An open hash table, at most half full: the tokens, how often each occurs, and how often it is not matched yet.
  let [keys, counts, left] = [new Uint32Array(0), new Uint32Array(0), new Uint32Array(0)];
  let [bits, total] = [0, 0];

  function slotOf(low: number, high: number): number {
    const mask = (1 << bits) - 1;
    let slot = (Math.imul(high, factorHigh) + Math.imul(low, factorLow)) >>> (32 - bits);
    while (counts[slot] !== 0 && (keys[2 * slot] !== low || keys[2 * slot + 1] !== high)) slot = (slot + 1) & mask;
    return slot;
  }

  function fill({ pairs, start, count }: TokenHashes): boolean {
    const size = 1 << bits;
    if (counts.length < size)
      [keys, counts, left] = [new Uint32Array(2 * size), new Uint32Array(size), new Uint32Array(size)];
    counts.fill(0, 0, size);
    let distinct = 0;
    for (let at = start, end = start + 2 * count; at < end; at += 2) {
      const slot = slotOf(pairs[at]!, pairs[at + 1]!);
      if (counts[slot]!++ > 0) continue;
      keys[2 * slot] = pairs[at]!;
      keys[2 * slot + 1] = pairs[at + 1]!;
      if (2 * ++distinct > size) return false;
    }
    return true;
  }

  return {
    load(tokens: TokenHashes): void {
      total = tokens.count;
      bits = Math.min(MAX_FIRST_BITS, Math.ceil(Math.log2(2 * total + 1)));
      while (!fill(tokens)) bits++;
    },
    /** Computes the overlap with another text (VER-1), or returns -1 if it is less than `min`, which a part of the tokens may decide. */
    overlapAtLeast({ pairs, start, count }: TokenHashes, min: number): number {
      left.set(counts.subarray(0, 1 << bits));
      // The common part c has c / (total + count - c) >= min.
      let spare = count - ((min * (total + count)) / (1 + min) - 1e-6);
      let common = 0;
      for (let at = start, end = start + 2 * count; at < end; at += 2) {
        const slot = slotOf(pairs[at]!, pairs[at + 1]!);
        if (left[slot]! > 0) {
          left[slot]!--;
          common++;
        } else if (--spare < 0) return -1;
      }
      const overlap = common / (total + count - common);
      return overlap >= min ? overlap : -1;
    },
  };
}

/** Makes a function that writes the tokens of a text (steps 1 to 5 and 7) as far as there is room, and returns their number. */
export function createTokenReader({ bg1, label }: Scheme) {
  // The tokens do not depend on how a fingerprint is made of them, and this method takes the least time.
  const scheme: Scheme = { label, bg1, method: 'simhash', words: 1, bits: 64 };
  let pairs: Uint32Array = new Uint32Array(0);
  let at = 0;
  const onTokens: OnTokens = (lows, highs, count) => {
    for (let i = 0; i < count; i++) {
      pairs[at++] = lows[i]!;
      pairs[at++] = highs[i]!;
    }
  };
  return (text: string, target: Pick<TokenHashes, 'pairs' | 'start'>): number => {
    pairs = target.pairs;
    at = target.start;
    const pipeline = takePipeline(text.length, scheme, onTokens);
    pipeline.update(text);
    pipeline.end();
    returnPipeline(pipeline);
    return (at - target.start) / 2;
  };
}
