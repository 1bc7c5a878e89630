/** Wrong implementations of minhash-doc: draws and winners; strings, comparison and lookup of 256 bits. */

import { type Draw, type Print, type Steps, steps, widthOf } from '../../twin/twin.ts';
import { type Mutation, mistakesBy, mistakesOfStep } from './mutation.ts';

const MASK = 2n ** 64n - 1n;
const low64 = (x: bigint): bigint => x & MASK;
const low32 = (x: bigint): bigint => x & 0xffffffffn;
const { splitMix } = steps;
const { increment, shifts, factors } = splitMix;

const isWide = (fingerprint: Print | null): boolean => widthOf(fingerprint) === 256;

// ------------------------------------------------------------------------------------------- draws: SplitMix64

const minhash = mistakesOfStep(8);

/** Another seed for a draw, or another number of it. */
const drawOf = mistakesBy(8, (change: (x: bigint, n: number) => readonly [x: bigint, n: number]) => ({
  draw: (x, n, s) => {
    steps.draw(x, n, s);
    const [seed, number] = change(x, n);
    const state = low64(seed + BigInt(number + 1) * s.splitMix.increment);
    return mix(state, (z, shift) => z >> shift);
  },
}));

function mix(state: bigint, shifted: (z: bigint, shift: bigint) => bigint): bigint {
  const first = low64((state ^ shifted(state, shifts[0])) * factors[0]);
  const second = low64((first ^ shifted(first, shifts[1])) * factors[1]);
  return low64(second ^ shifted(second, shifts[2]));
}

const mixedBy = mistakesBy(8, (shifted: (z: bigint, shift: bigint) => bigint) => ({
  draw: (x, n, s) => {
    steps.draw(x, n, s);
    return mix(low64(x + BigInt(n + 1) * increment), shifted);
  },
}));

const drawMistakes: readonly Mutation[] = [
  minhash(
    'draw-murmur',
    'uses the finaliser of MurmurHash3',
    { splitMix: { ...splitMix, factors: [0xff51afd7ed558ccdn, 0xc4ceb9fe1a85ec53n], shifts: [33n, 33n, 33n] } },
    'the first version of SplittableRandom',
  ),
  mixedBy(
    'draw-shift-signed',
    'brings the sign in when it shifts',
    (z, shift) => low64(BigInt.asIntN(64, z) >> shift),
    '>> of Java',
  ),
  drawOf(
    'draw-number-mixed-in',
    'combines the number of the draw with the seed by exclusive or',
    (x, n) => [x ^ BigInt(n), 0],
    'hash functions with a seed',
  ),
  drawOf(
    'draw-low-half',
    'seeds with the lower half of a hash',
    (x, n) => [low32(x), n],
    'generators with a seed of 32 bits',
  ),
  drawOf(
    'draw-octets-reversed',
    'seeds with the octets of a hash in reverse order',
    (x, n) => [BigInt(`0x${(x.toString(16).padStart(16, '0').match(/../g) ?? []).reverse().join('')}`), n],
    'memcpy of a 64-bit number',
  ),
  drawOf(
    'draw-double',
    'seeds with a double of 53 bits',
    (x, n) => [low64(BigInt(Number(x))), n],
    'numbers of JavaScript and JSON',
  ),
];

// ------------------------------------------------------------------------------------------ rounds, bins, winners

/** A winner by its value alone. */
const winsBy = mistakesBy(8, (isBetter: (x: bigint, y: bigint) => boolean) => ({
  wins: (x, y) => x.round < y.round || (x.round === y.round && isBetter(x.value, y.value)),
}));

const changedElements = mistakesBy(8, (change: (hashes: readonly bigint[]) => bigint[]) => ({
  elementsOf: (hashes) => change([...hashes]),
}));

/** The elements of a word changed before they are drawn. */
const seededBy = mistakesBy(8, (change: (x: bigint, word: number) => bigint) => ({
  winnersOfWord: (elements, word, s) =>
    steps.winnersOfWord(
      elements.map((x) => change(x, word)),
      word,
      { ...s, drawNumber: (_word, round) => round },
    ),
}));

const winnerMistakes: readonly Mutation[] = [
  seededBy(
    'words-mixed-in',
    'combines the number of the word with the hash by exclusive or',
    (x, word) => x ^ BigInt(word),
    'hash functions with a seed',
  ),
  minhash(
    'words-little-endian',
    'writes each word of 256 bits with its last octet first',
    {
      joinWordsOfPrint: (words, s) =>
        words.length === 1
          ? words[0]!
          : Uint8Array.from(words.flatMap((word) => [...steps.toBytes(word, s)].reverse())),
    },
    'memcpy of 64-bit numbers',
  ),
  minhash(
    'bins-low',
    'takes the bin from the lowest six bits',
    { binOf: (value, round) => (round < 64 ? Number(value & 63n) : round - 64) },
    'y % 64',
  ),
  minhash(
    'bins-32',
    'takes the bin from the upper bits of the lower half',
    { binOf: (value, round) => (round < 64 ? Number((value >> 26n) & 63n) : round - 64) },
    'shifts by 26 in 32 bits',
  ),
  minhash(
    'bins-fixed',
    'draws into bin r in round r: 64 separate hash functions',
    { binOf: (_value, round) => round % 64 },
    'MinHash without bins',
  ),
  minhash(
    'bins-densified',
    'takes the bit of the next bin for one without a draw in round 0',
    {
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
    'one-permutation hashing with rotation',
  ),
  winsBy(
    'wins-signed',
    'compares draws as signed numbers',
    (x, y) => BigInt.asIntN(64, x) < BigInt.asIntN(64, y),
    'long of Java, int64_t of C',
  ),
  winsBy(
    'wins-by-signed-low-half',
    'compares the lower halves of draws as signed numbers',
    (x, y) => x >> 32n < y >> 32n || (x >> 32n === y >> 32n && BigInt.asIntN(32, x) < BigInt.asIntN(32, y)),
    'numbers of JavaScript',
  ),
  winsBy(
    'wins-by-double',
    'compares draws as doubles',
    (x, y) => Number(x) < Number(y),
    'numbers of JavaScript and JSON',
  ),
  minhash(
    'draw-zero-lost',
    'takes a draw of 0 for an empty bin',
    {
      winnersOfWord: (elements, word, s) =>
        steps.winnersOfWord(elements, word, {
          ...s,
          wins: (x, y) => x.value !== 0n && (y.value === 0n || s.wins(x, y)),
        }),
    },
    'arrays of zeros',
  ),
  changedElements(
    'elements-counted',
    'draws for the second occurrence of a hash with the next hash, and so on',
    (hashes) => {
      const counts = new Map<bigint, number>();
      return hashes.map((hash) => {
        const count = counts.get(hash) ?? 0;
        counts.set(hash, count + 1);
        return low64(hash + BigInt(count));
      });
    },
    'multisets',
  ),
  minhash(
    'elements-late-round-0',
    'makes only the draw of round 0 for the hashes after 512',
    {
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
    },
    { source: 'bins thought to be full after so many hashes', long: ['minhash/hashes-sparse-late'] },
  ),
  changedElements(
    'elements-zero-dropped',
    'drops a hash of 0',
    (hashes) => [...new Set(hashes)].filter((hash) => hash !== 0n),
    'tables in which 0 is an empty place',
  ),
  changedElements(
    'elements-ones-dropped',
    'drops a hash of ones',
    (hashes) => [...new Set(hashes)].filter((hash) => hash !== MASK),
    'tables in which -1 is an empty place',
  ),
  minhash(
    'bit-order-reversed',
    'puts bin 0 at the least significant end of the word',
    { wordOfWinners: (winners, s) => steps.wordOfWinners([...winners].reverse(), s) },
    'word |= bit << bin',
  ),
];

// ---------------------------------------------------------------------------------- step 9: strings of 256 bits

const serialise = mistakesOfStep(9);

const stringMistakes: readonly Mutation[] = [
  serialise(
    'wide-spare-ignored',
    'ignores the spare bits of 256 bits',
    { isSpareBit: (bits) => bits.length > 1 || bits === '0' },
    'most base32 libraries',
  ),
];

// ------------------------------------------------------------------------------------------- step 10: 256 bits

const compare = mistakesOfStep(10);

/** A verdict on 256 bits by other bounds. */
const boundsOf = (close: number, loose: number): Partial<Steps> => ({
  verdict: (d, bits) => {
    if (bits !== 256) return steps.verdict(d, bits);
    if (d <= close) return 'close';
    return d <= loose ? 'loose' : 'none';
  },
});

/** A distance of 256 bits from those of the words. */
const distanceOfWords = mistakesBy(10, (combine: (distances: readonly number[]) => number) => ({
  distance: (a, b) => {
    if (a === null || b === null || !isWide(a)) return steps.distance(a, b);
    const others = steps.wordsOf(b);
    return combine(steps.wordsOf(a).map((word, w) => steps.distance(word, others[w]!)));
  },
}));

const compareMistakes: readonly Mutation[] = [
  compare('wide-close-6', 'calls 256 bits at a distance of 6 close', boundsOf(6, 25), '0.98 rounded up to bits'),
  compare('wide-loose-26', 'calls 256 bits at a distance of 26 loose', boundsOf(5, 26), '0.90 rounded up to bits'),
  distanceOfWords(
    'wide-distance-bounded',
    'stores a distance of 256 bits in an octet',
    (distances) => distances.reduce((sum, d) => sum + d, 0) % 256,
    'uint8_t of C',
  ),
];

// ------------------------------------------------------------------------------------------- step 11: 256 bits

/** Matches entries of 256 bits by the distances of their words. */
const nearBy = mistakesBy(
  11,
  (test: (distances: readonly number[], k: number, words: readonly bigint[], asked: readonly bigint[]) => boolean) => {
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
  },
);

const lookupMistakes: readonly Mutation[] = [
  nearBy(
    'wide-lookup-of-any-word',
    'compares each word with every word of the query',
    (_distances, k, words, asked) => words.some((x) => asked.some((y) => steps.distance(x, y) <= k)),
    'one set of tables for all words',
  ),
];

export const minhashMutations: readonly Mutation[] = [
  ...drawMistakes,
  ...winnerMistakes,
  ...stringMistakes,
  ...compareMistakes,
  ...lookupMistakes,
];
