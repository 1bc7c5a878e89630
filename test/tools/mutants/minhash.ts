/** Wrong implementations of minhash-doc: draws and winners; strings, comparison and lookup of 256 bits. */

import { type Draw, type Print, type Steps, steps, widthOf } from '../../twin/twin.ts';
import type { Changes } from './mutation.ts';

const MASK = 2n ** 64n - 1n;
const low64 = (x: bigint): bigint => x & MASK;
const low32 = (x: bigint): bigint => x & 0xffffffffn;
const { splitMix } = steps;
const { increment, shifts, factors } = splitMix;

const isWide = (fingerprint: Print | null): boolean => widthOf(fingerprint) === 256;

/** Another seed for a draw, or another number of it. */
const drawOf = (change: (x: bigint, n: number) => readonly [x: bigint, n: number]): Partial<Steps> => ({
  draw: (x, n, s) => {
    steps.draw(x, n, s);
    const [seed, number] = change(x, n);
    const state = low64(seed + BigInt(number + 1) * s.splitMix.increment);
    return mix(state, (z, shift) => z >> shift);
  },
});

function mix(state: bigint, shifted: (z: bigint, shift: bigint) => bigint): bigint {
  const first = low64((state ^ shifted(state, shifts[0])) * factors[0]);
  const second = low64((first ^ shifted(first, shifts[1])) * factors[1]);
  return low64(second ^ shifted(second, shifts[2]));
}

const mixedBy = (shifted: (z: bigint, shift: bigint) => bigint): Partial<Steps> => ({
  draw: (x, n, s) => {
    steps.draw(x, n, s);
    return mix(low64(x + BigInt(n + 1) * increment), shifted);
  },
});

const drawChanges: Changes = {
  'draw-murmur': {
    splitMix: { ...splitMix, factors: [0xff51afd7ed558ccdn, 0xc4ceb9fe1a85ec53n], shifts: [33n, 33n, 33n] },
  },
  'draw-shift-signed': mixedBy((z, shift) => low64(BigInt.asIntN(64, z) >> shift)),
  'draw-number-mixed-in': drawOf((x, n) => [x ^ BigInt(n), 0]),
  'draw-low-half': drawOf((x, n) => [low32(x), n]),
  'draw-octets-reversed': drawOf((x, n) => [
    BigInt(`0x${(x.toString(16).padStart(16, '0').match(/../g) ?? []).reverse().join('')}`),
    n,
  ]),
  'draw-double': drawOf((x, n) => [low64(BigInt(Number(x))), n]),
};

// ------------------------------------------------------------------------------------------ rounds, bins, winners

/** A winner by its value alone. */
const winsBy = (isBetter: (x: bigint, y: bigint) => boolean): Partial<Steps> => ({
  wins: (x, y) => x.round < y.round || (x.round === y.round && isBetter(x.value, y.value)),
});

const changedElements = (change: (hashes: readonly bigint[]) => bigint[]): Partial<Steps> => ({
  elementsOf: (hashes) => change([...hashes]),
});

/** The elements of a word changed before they are drawn. */
const seededBy = (change: (x: bigint, word: number) => bigint): Partial<Steps> => ({
  winnersOfWord: (elements, word, s) =>
    steps.winnersOfWord(
      elements.map((x) => change(x, word)),
      word,
      { ...s, drawNumber: (_word, round) => round },
    ),
});

const winnerChanges: Changes = {
  'words-mixed-in': seededBy((x, word) => x ^ BigInt(word)),
  'words-little-endian': {
    joinWordsOfPrint: (words, s) =>
      words.length === 1 ? words[0]! : Uint8Array.from(words.flatMap((word) => [...steps.toBytes(word, s)].reverse())),
  },
  'bins-low': { binOf: (value, round) => (round < 64 ? Number(value & 63n) : round - 64) },
  'bins-32': { binOf: (value, round) => (round < 64 ? Number((value >> 26n) & 63n) : round - 64) },
  'bins-fixed': { binOf: (_value, round) => round % 64 },
  'bins-densified': {
    rounds: 1,
    winnersOfWord: (elements, word, s) => {
      const winners = steps.winnersOfWord(elements, word, { ...s, rounds: 1 });
      const next = (bin: number): Draw => {
        const winner = winners[bin % 64]!;
        return winner.round === 0 ? winner : next(bin + 1);
      };
      return winners.map((_, bin) => next(bin));
    },
  },
  'wins-signed': winsBy((x, y) => BigInt.asIntN(64, x) < BigInt.asIntN(64, y)),
  'wins-by-signed-low-half': winsBy(
    (x, y) => x >> 32n < y >> 32n || (x >> 32n === y >> 32n && BigInt.asIntN(32, x) < BigInt.asIntN(32, y)),
  ),
  'wins-by-double': winsBy((x, y) => Number(x) < Number(y)),
  'draw-zero-lost': {
    winnersOfWord: (elements, word, s) =>
      steps.winnersOfWord(elements, word, {
        ...s,
        wins: (x, y) => x.value !== 0n && (y.value === 0n || s.wins(x, y)),
      }),
  },
  'elements-counted': changedElements((hashes) => {
    const counts = new Map<bigint, number>();
    return hashes.map((hash) => {
      const count = counts.get(hash) ?? 0;
      counts.set(hash, count + 1);
      return low64(hash + BigInt(count));
    });
  }),
  'elements-late-round-0': {
    winnersOfWord: (elements, word, s) => {
      const winners = steps.winnersOfWord(elements.slice(0, 512), word, s);
      for (const x of elements.slice(512)) {
        const value = s.draw(x, s.drawNumber(word, 0), s);
        const bin = s.binOf(value, 0);
        const challenger = { round: 0, bin, value };
        if (s.wins(challenger, winners[bin]!)) winners[bin] = challenger;
      }
      return winners;
    },
    long: ['minhash/hashes-sparse-late'],
  },
  'elements-zero-dropped': changedElements((hashes) => [...new Set(hashes)].filter((hash) => hash !== 0n)),
  'elements-ones-dropped': changedElements((hashes) => [...new Set(hashes)].filter((hash) => hash !== MASK)),
  'bit-order-reversed': { wordOfWinners: (winners, s) => steps.wordOfWinners([...winners].reverse(), s) },
};

const stringChanges: Changes = {
  'wide-spare-ignored': { isSpareBit: (bits) => bits.length > 1 || bits === '0' },
};

/** A verdict on 256 bits by other bounds. */
const boundsOf = (close: number, loose: number): Partial<Steps> => ({
  verdict: (d, bits) => {
    if (bits !== 256) return steps.verdict(d, bits);
    if (d <= close) return 'close';
    return d <= loose ? 'loose' : 'none';
  },
});

/** A distance of 256 bits from those of the words. */
const distanceOfWords = (combine: (distances: readonly number[]) => number): Partial<Steps> => ({
  distance: (a, b) => {
    if (a === null || b === null || !isWide(a)) return steps.distance(a, b);
    const others = steps.wordsOf(b);
    return combine(steps.wordsOf(a).map((word, w) => steps.distance(word, others[w]!)));
  },
});

const compareChanges: Changes = {
  'wide-close-6': boundsOf(6, 25),
  'wide-loose-26': boundsOf(5, 26),
  'wide-distance-bounded': distanceOfWords((distances) => distances.reduce((sum, d) => sum + d, 0) % 256),
};

// ------------------------------------------------------------------------------------------- step 11: 256 bits

/** Matches entries of 256 bits by the distances of their words. */
const nearBy = (
  test: (distances: readonly number[], k: number, words: readonly bigint[], asked: readonly bigint[]) => boolean,
): Partial<Steps> => {
  const isNear: Steps['isNear'] = (fingerprint, query, k, s) => {
    if (!isWide(query)) return steps.isNear(fingerprint, query, k, s);
    const [words, asked] = [steps.wordsOf(fingerprint), steps.wordsOf(query)];
    return test(
      words.map((word, w) => steps.distance(word, asked[w]!)),
      k,
      words,
      asked,
    );
  };
  // Compares every entry with the query: a match by this test may share no key with it.
  return { isNear, lookup: (entries, query, k, s) => s.matches(entries, query, k, s) };
};

const lookupChanges: Changes = {
  'wide-lookup-of-any-word': nearBy((_distances, k, words, asked) =>
    words.some((x) => asked.some((y) => steps.distance(x, y) <= k)),
  ),
};

export const minhashChanges: Changes = {
  ...drawChanges,
  ...winnerChanges,
  ...stringChanges,
  ...compareChanges,
  ...lookupChanges,
};
