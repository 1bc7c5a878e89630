/** Wrong implementations of minhash-doc: draws and winners; strings, comparison and lookup of 256 bits. */

import { type Draw, type Entry, type Print, type Steps, steps, TwinError, widthOf } from '../../twin/twin.ts';
import { printOf } from '../generate/oracle.ts';
import { type Mutation, mistakesBy, mistakesOfOperations, mistakesOfStep } from './mutation.ts';

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

const chains = new Map<bigint, bigint[]>();

const drawMistakes: readonly Mutation[] = [
  minhash('draw-increment', 'uses an even constant in SplitMix64', {
    splitMix: { ...splitMix, increment: increment + 1n },
  }),
  minhash('draw-increment-32', 'uses the constant of 32 bits, 9e3779b9', {
    splitMix: { ...splitMix, increment: 0x9e3779b9n },
  }),
  minhash('draw-factors-swapped', 'exchanges the factors of SplitMix64', {
    splitMix: { ...splitMix, factors: [factors[1], factors[0]] },
  }),
  minhash(
    'draw-murmur',
    'uses the finaliser of MurmurHash3',
    { splitMix: { ...splitMix, factors: [0xff51afd7ed558ccdn, 0xc4ceb9fe1a85ec53n], shifts: [33n, 33n, 33n] } },
    'the first version of SplittableRandom',
  ),
  minhash('draw-shift-first', 'shifts by 31 first', { splitMix: { ...splitMix, shifts: [31n, 27n, 31n] } }),
  minhash('draw-shift-second', 'shifts by 28 in the second place', {
    splitMix: { ...splitMix, shifts: [30n, 28n, 31n] },
  }),
  minhash('draw-shift-last', 'shifts by 32 at last', { splitMix: { ...splitMix, shifts: [30n, 27n, 32n] } }),
  minhash('draw-shift-none', 'leaves out the last shift', { splitMix: { ...splitMix, shifts: [30n, 27n, 64n] } }),
  mixedBy(
    'draw-shift-signed',
    'brings the sign in when it shifts',
    (z, shift) => low64(BigInt.asIntN(64, z) >> shift),
    '>> of Java',
  ),
  mixedBy('draw-rotated', 'rotates in the place of a shift', (z, shift) => low64((z >> shift) | (z << (64n - shift)))),
  drawOf('draw-from-seed', 'counts outputs from the seed itself: output n is that of n - 1', (x, n) => [x, n - 1]),
  drawOf('draw-next', 'drops the first output', (x, n) => [x, n + 1]),
  drawOf('draw-number-added', 'adds the number of the draw to the seed', (x, n) => [low64(x + BigInt(n)), 0]),
  drawOf(
    'draw-number-mixed-in',
    'combines the number of the draw with the seed by exclusive or',
    (x, n) => [x ^ BigInt(n), 0],
    'hash functions with a seed',
  ),
  minhash('draw-chained', 'makes each draw from the one before', {
    draw: (x, n, s) => {
      steps.draw(x, n, s);
      const chain = chains.get(x) ?? [steps.draw(x, 0, s)];
      chains.set(x, chain);
      while (chain.length <= n) chain.push(steps.draw(chain.at(-1)!, 0, s));
      return chain[n]!;
    },
  }),
  drawOf(
    'draw-low-half',
    'seeds with the lower half of a hash',
    (x, n) => [low32(x), n],
    'generators with a seed of 32 bits',
  ),
  drawOf('draw-halves-swapped', 'seeds with the halves of a hash exchanged', (x, n) => [
    low64(x << 32n) | (x >> 32n),
    n,
  ]),
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
  minhash('draw-31-bits', 'uses draws of 63 bits', { draw: (x, n, s) => steps.draw(x, n, s) & (MASK >> 1n) }),
  minhash('draw-any-number', 'makes draws beyond 511', {
    draw: (x, n, s) => (n > 511 ? steps.draw(low64(x + BigInt(n - 511) * increment), 511, s) : steps.draw(x, n, s)),
  }),
  minhash('draw-negative', 'makes draws below 0', {
    draw: (x, n, s) => (n < 0 ? steps.draw(low64(x + BigInt(n) * increment), 0, s) : steps.draw(x, n, s)),
  }),
];

// ------------------------------------------------------------------------------------------ rounds, bins, winners

/** A winner by its value alone. */
const winsBy = mistakesBy(8, (isBetter: (x: bigint, y: bigint) => boolean) => ({
  wins: (x, y) => x.round < y.round || (x.round === y.round && isBetter(x.value, y.value)),
}));

/** Winners of which some are taken for missing, or filled in another way. */
const changedWinners = (change: (winners: readonly Draw[], elements: readonly bigint[]) => Draw[]): Partial<Steps> => ({
  winnersOfWord: (elements, word, s) => change(steps.winnersOfWord(elements, word, s), elements),
});

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
  minhash('words-64', 'begins each word 64 draws after the one before', {
    drawNumber: (word, round) => 64 * word + round,
  }),
  minhash('words-alike', 'makes the same draws for every word', { drawNumber: (_word, round) => round }),
  minhash('words-interleaved', 'draws for the four words in turn', { drawNumber: (word, round) => 4 * round + word }),
  minhash('words-from-last', 'makes the draws of word 3 for word 0', {
    drawNumber: (word, round) => 128 * (3 - word) + round,
  }),
  seededBy('words-added', 'adds the number of the word to the hash', (x, word) => low64(x + BigInt(word))),
  seededBy(
    'words-mixed-in',
    'combines the number of the word with the hash by exclusive or',
    (x, word) => x ^ BigInt(word),
    'hash functions with a seed',
  ),
  minhash('words-reversed', 'writes word 3 first', {
    joinWordsOfPrint: (words, s) => steps.joinWordsOfPrint([...words].reverse(), s),
  }),
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
  minhash('words-same-bits', 'gives word 0 four times', {
    joinWordsOfPrint: (words, s) =>
      steps.joinWordsOfPrint(
        words.map(() => words[0]!),
        s,
      ),
  }),
  minhash(
    'bins-low',
    'takes the bin from the lowest six bits',
    { binOf: (value, round) => (round < 64 ? Number(value & 63n) : round - 64) },
    'y % 64',
  ),
  minhash('bins-low-shifted', 'takes the bin from the six bits above the lowest', {
    binOf: (value, round) => (round < 64 ? Number((value >> 1n) & 63n) : round - 64),
  }),
  minhash(
    'bins-32',
    'takes the bin from the upper bits of the lower half',
    { binOf: (value, round) => (round < 64 ? Number((value >> 26n) & 63n) : round - 64) },
    'shifts by 26 in 32 bits',
  ),
  minhash('bins-scaled', 'takes the bin from the remainder of the upper half', {
    binOf: (value, round) => (round < 64 ? Number((value >> 32n) & 63n) : round - 64),
  }),
  minhash('bins-always-drawn', 'draws into any bin in all 128 rounds', { binOf: (value) => Number(value >> 58n) }),
  minhash('bins-late-reversed', 'gives round 64 to bin 63 and round 127 to bin 0', {
    binOf: (value, round) => (round < 64 ? Number(value >> 58n) : 127 - round),
  }),
  minhash('bins-late-next', 'gives round 64 to bin 1', {
    binOf: (value, round) => (round < 64 ? Number(value >> 58n) : (round - 63) % 64),
  }),
  minhash(
    'bins-fixed',
    'draws into bin r in round r: 64 separate hash functions',
    { binOf: (_value, round) => round % 64 },
    'MinHash without bins',
  ),
  minhash('rounds-63', 'ends drawing into any bin after round 62', {
    binOf: (value, round) => (round < 63 ? Number(value >> 58n) : round - 63),
    rounds: 127,
  }),
  minhash('rounds-65', 'draws into any bin in round 64, too', {
    binOf: (value, round) => (round < 65 ? Number(value >> 58n) : round - 65),
    rounds: 129,
    draw: (x, n, s) => steps.draw(n === 512 ? low64(x + increment) : x, Math.min(n, 511), s),
  }),
  minhash('rounds-32', 'draws into any bin in 32 rounds', {
    binOf: (value, round) => (round < 32 ? Number(value >> 58n) : round - 32),
    rounds: 96,
  }),
  minhash('rounds-64-alone', 'gives 0 for a bin without a draw in 64 rounds', { rounds: 64 }),
  minhash('rounds-1', 'gives 0 for a bin without a draw in round 0', { rounds: 1 }),
  minhash('rounds-127', 'forgets round 127', { rounds: 127 }),
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
  minhash('wins-latest', 'lets the latest round win', {
    wins: (x, y) => x.round > y.round || (x.round === y.round && x.value < y.value),
  }),
  minhash('wins-any-round', 'lets the smallest draw of all rounds win', { wins: (x, y) => x.value < y.value }),
  minhash('wins-early-rounds', 'lets the smallest draw of the rounds below 64 win', {
    wins: (x, y) => {
      const [a, b] = [Math.max(x.round, 63), Math.max(y.round, 63)];
      return a < b || (a === b && x.value < y.value);
    },
  }),
  winsBy('wins-largest', 'lets the largest draw win', (x, y) => x > y),
  minhash('wins-first', 'keeps the first draw of a round', { wins: (x, y) => x.round < y.round }),
  minhash('wins-last', 'keeps the last draw of a round', { wins: (x, y) => x.round <= y.round }),
  winsBy(
    'wins-signed',
    'compares draws as signed numbers',
    (x, y) => BigInt.asIntN(64, x) < BigInt.asIntN(64, y),
    'long of Java, int64_t of C',
  ),
  winsBy('wins-by-high-half', 'compares the upper halves of draws', (x, y) => x >> 32n < y >> 32n),
  winsBy('wins-by-low-half', 'compares the lower halves of draws', (x, y) => low32(x) < low32(y)),
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
  winsBy(
    'wins-by-double-last',
    'compares draws as doubles and lets the later one of equals win',
    (x, y) => Number(x) <= Number(y),
  ),
  winsBy('wins-without-lowest-bit', 'compares draws without the bit that they give', (x, y) => x >> 1n < y >> 1n),
  minhash('draw-largest-lost', 'takes the largest draw for an empty bin', {
    winnersOfWord: (elements, word, s) =>
      steps.winnersOfWord(elements, word, {
        ...s,
        // (It never wins, nor does it bar another.)
        wins: (x, y) => x.value !== MASK && (y.value === MASK || s.wins(x, y)),
        drawBit: s.drawBit,
      }),
  }),
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
  changedElements('elements-low-half', 'tells hashes apart by their lower halves', (hashes) => [
    ...new Map(hashes.map((hash) => [low32(hash), hash])).values(),
  ]),
  changedElements('elements-512', 'draws for no more than 512 hashes', (hashes) => [...new Set(hashes)].slice(0, 512), {
    long: ['minhash/hashes-more', 'minhash/hashes-sparse-late', 'minhash/hashes-sparse-first'],
  }),
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
  changedElements('elements-last-lost', 'does not draw for the last of several hashes', (hashes) => {
    const different = [...new Set(hashes)];
    return different.length > 1 ? different.slice(0, -1) : different;
  }),
  minhash('bit-highest', 'takes the most significant bit of the winner', {
    drawBit: (value) => (value >> 63n === 1n ? '1' : '0'),
  }),
  minhash('bit-below-bin', 'takes the bit below those of the bin', {
    drawBit: (value) => ((value >> 57n) & 1n ? '1' : '0'),
  }),
  minhash('bit-second', 'takes the second lowest bit of the winner', {
    drawBit: (value) => ((value >> 1n) & 1n ? '1' : '0'),
  }),
  minhash('bit-parity', 'takes the parity of the winner', {
    drawBit: (value) => (value.toString(2).replaceAll('0', '').length % 2 === 1 ? '1' : '0'),
  }),
  minhash('bit-inverted', 'gives 1 for an even winner', { drawBit: (value) => (value & 1n ? '0' : '1') }),
  minhash(
    'bit-order-reversed',
    'puts bin 0 at the least significant end of the word',
    { wordOfWinners: (winners, s) => steps.wordOfWinners([...winners].reverse(), s) },
    'word |= bit << bin',
  ),
  minhash('bit-order-in-octets', 'puts bin 0 at the least significant end of its octet', {
    wordOfWinners: (winners, s) =>
      steps.wordOfWinners(
        winners.map((_, i) => winners[8 * Math.floor(i / 8) + 7 - (i % 8)]!),
        s,
      ),
  }),
  minhash('one-bit-short', 'loses the last bin', {
    ...changedWinners((winners) => winners.map((winner) => (winner.bin === 63 ? { ...winner, value: 0n } : winner))),
  }),
  minhash('minhash-none-as-zero', 'gives zeros for a document without tokens', {
    minhash: (hashes, words, s) => {
      const result = steps.minhash(hashes, words, s);
      return { ...result, fingerprint: result.fingerprint ?? (words === 1 ? 0n : new Uint8Array(32)) };
    },
  }),
  minhash('minhash-without-pairs', 'makes minhash-doc of the tokens of step 5, without bg1', {
    schemeOf: (label) => ({ ...steps.schemeOf(label), bg1: label === 'simhash-doc+bg1' }),
  }),
  minhash('minhash-as-simhash', 'makes the simhash of the tokens under the label minhash-doc', {
    minhash: (hashes, words, s) =>
      words === 1 ? { fingerprint: s.simhash(hashes, s), draws: [] } : steps.minhash(hashes, words, s),
  }),
  minhash('minhash-narrow', 'makes 64 bits under the label minhash-doc-256', {
    schemeOf: (label) => ({ ...steps.schemeOf(label), ...(label === 'minhash-doc-256' && { words: 1 }) }),
  }),
];

// ---------------------------------------------------------------------------------- step 9: strings of 256 bits

const serialise = mistakesOfStep(9);

const refuse = (): never => {
  throw new TwinError('invalid-fingerprint', 'refused');
};

const stringMistakes: readonly Mutation[] = [
  serialise('truncate-last', 'truncates to the last eight octets', {
    truncate: (fingerprint, s) => s.fromBytes(s.toBytes(fingerprint, s).slice(-8), s) as bigint,
  }),
  serialise('truncate-string', 'truncates the string to 13 characters', {
    truncate: (fingerprint, s) => s.parse(s.serialise(fingerprint, s).slice(0, 13), s) as bigint,
  }),
  serialise('truncate-string-mended', 'truncates the string to 13 characters and ignores the spare bit', {
    truncate: (fingerprint, s) => s.parse(s.serialise(fingerprint, s).slice(0, 12).padEnd(13, 'A'), s) as bigint,
  }),
  serialise('truncate-folded', 'truncates by exclusive or of the words', {
    truncate: (fingerprint) => steps.wordsOf(fingerprint).reduce((x, y) => x ^ y, 0n),
  }),
  serialise('truncate-reversed', 'reverses the octets that it keeps', {
    truncate: (fingerprint, s) => s.fromBytes(s.toBytes(fingerprint, s).slice(0, 8).reverse(), s) as bigint,
  }),
  mistakesOfOperations(9)('truncate-none-as-zero', 'truncates a document without a fingerprint to 64 zeros', (p) => ({
    truncate: ({ fingerprint }) => ({
      fingerprint: fingerprint === null ? '0'.repeat(16) : p.toHex(p.truncate(printOf(fingerprint))),
    }),
  })),
  serialise('wide-as-words', 'writes and reads 256 bits as four strings of 13 characters', {
    serialise: (fingerprint, s) =>
      steps
        .wordsOf(fingerprint)
        .map((word) => steps.serialise(word, s))
        .join(''),
    parse: (text, s, bytes) => {
      if (bytes !== 32) return steps.parse(text, s, bytes);
      const bare = text.replace(/====$/, '');
      if (bare.length !== 52) return refuse();
      const words = [0, 13, 26, 39].map((at) => steps.parse(bare.slice(at, at + 13), s) as bigint);
      return steps.joinWordsOfPrint(words, s);
    },
  }),
  serialise('wide-padding-of-64', 'reads three equals signs after 52 characters, not four', {
    isTrailer: (trailer) => trailer === '' || trailer === '===',
  }),
  serialise('wide-padding-refused', 'refuses equals signs after 52 characters', {
    isTrailer: (trailer, bytes) => steps.isTrailer(trailer, bytes) && (bytes !== 32 || trailer === ''),
  }),
  serialise('wide-padding-any', 'reads up to six equals signs after 52 characters', {
    isTrailer: (trailer, bytes) => (bytes === 32 ? /^={0,6}$/.test(trailer) : steps.isTrailer(trailer, bytes)),
  }),
  serialise('wide-padding-written', 'writes four equals signs after 52 characters', {
    serialise: (fingerprint, s) => steps.serialise(fingerprint, s) + (isWide(fingerprint) ? '====' : ''),
  }),
  serialise('wide-spare-lowest', 'checks only the lowest spare bit of 256 bits', {
    isSpareBit: (bits) => !bits.endsWith('1'),
  }),
  serialise('wide-spare-highest', 'checks only the highest spare bit of 256 bits', {
    isSpareBit: (bits) => !bits.startsWith('1'),
  }),
  serialise(
    'wide-spare-ignored',
    'ignores the spare bits of 256 bits',
    { isSpareBit: (bits) => bits.length > 1 || bits === '0' },
    'most base32 libraries',
  ),
  serialise('wide-short-read', 'reads 13 characters as the first word of 256 bits', {
    parse: (text, s, bytes) =>
      bytes === 32 && text.length === 13
        ? steps.joinWordsOfPrint([steps.parse(text, s) as bigint, 0n, 0n, 0n], s)
        : steps.parse(text, s, bytes),
  }),
  serialise('wide-read-as-64', 'reads 52 characters as 64 bits', {
    parse: (text, s, bytes = 8) => {
      if (bytes !== 8 || text.length !== 52) return steps.parse(text, s, bytes);
      return steps.truncate(steps.parse(text, s, 32), s);
    },
  }),
  serialise('wide-hex-read-as-64', 'reads 64 hexadecimal digits as 64 bits', {
    fromHex: (text, s, bytes) => steps.fromHex(bytes === 8 && text.length === 64 ? text.slice(0, 16) : text, s, bytes),
  }),
  serialise('wide-hex-short-read', 'reads 16 hexadecimal digits as the first word of 256 bits', {
    fromHex: (text, s, bytes) =>
      steps.fromHex(bytes === 32 && text.length === 16 ? text.padEnd(64, '0') : text, s, bytes),
  }),
  serialise('width-by-length', 'takes the number of bits from the length of a string, not from the label', {
    bytesOfLabel: () => 8,
    parse: (text, s) => steps.parse(text, s, text.length > 20 ? 32 : 8),
    fromHex: (text, s) => steps.fromHex(text, s, text.length > 32 ? 32 : 8),
  }),
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
  compare('wide-bounds-of-64', 'calls 256 bits close at 1 and loose at 6, as 64 bits', boundsOf(1, 6)),
  compare(
    'wide-bounds-times-4',
    'calls 256 bits close at 4 and loose at 24, four times the bounds of 64 bits',
    boundsOf(4, 24),
  ),
  compare('wide-close-4', 'does not call 256 bits at a distance of 5 close', boundsOf(4, 25)),
  compare('wide-close-6', 'calls 256 bits at a distance of 6 close', boundsOf(6, 25), '0.98 rounded up to bits'),
  compare('wide-loose-24', 'does not call 256 bits at a distance of 25 loose', boundsOf(5, 24)),
  compare('wide-loose-26', 'calls 256 bits at a distance of 26 loose', boundsOf(5, 26), '0.90 rounded up to bits'),
  compare('wide-similarity-of-64', 'divides the distance of 256 bits by 64', {
    similarity: (a, b, s) => 1 - s.distance(a, b) / 64,
  }),
  compare('wide-similarity-as-jaccard', 'returns the estimate of shared words as the similarity', {
    similarity: (a, b, s) => 1 - ((isWide(a) ? 2 : 1) * s.distance(a, b)) / widthOf(a),
  }),
  distanceOfWords('wide-distance-of-word-0', 'compares only the first word of 256 bits', ([first]) => first!),
  distanceOfWords('wide-distance-smallest', 'uses the smallest distance of the words', (distances) =>
    Math.min(...distances),
  ),
  distanceOfWords(
    'wide-distance-mean',
    'uses the mean distance of the words',
    (distances) => distances.reduce((sum, d) => sum + d, 0) / 4,
  ),
  distanceOfWords('wide-distance-without-last', 'leaves out the last word', (distances) =>
    distances.slice(0, 3).reduce((sum, d) => sum + d, 0),
  ),
  distanceOfWords(
    'wide-distance-bounded',
    'stores a distance of 256 bits in an octet',
    (distances) => distances.reduce((sum, d) => sum + d, 0) % 256,
    'uint8_t of C',
  ),
  compare('compares-truncated', 'truncates 256 bits to compare them with 64', {
    compare: (a, b, s) => {
      const [x, y] = [s.parseLabelled(a, s), s.parseLabelled(b, s)];
      const cut = ({ label, fingerprint }: { label: string; fingerprint: Print }): string =>
        label === 'minhash-doc-256' && x.label !== y.label
          ? s.formatLabelled('minhash-doc', s.truncate(fingerprint, s), s)
          : s.formatLabelled(label, fingerprint, s);
      return steps.compare(cut(x), cut(y), s);
    },
  }),
  compare('compares-methods', 'compares fingerprints of minhash-doc and simhash-doc', {
    compare: (a, b, s) => {
      const [x, y] = [s.parseLabelled(a, s), s.parseLabelled(b, s)];
      const isMixed = x.label !== y.label && !isWide(x.fingerprint) && !isWide(y.fingerprint);
      return steps.compare(a, isMixed ? s.formatLabelled(x.label, y.fingerprint, s) : b, s);
    },
  }),
];

// ------------------------------------------------------------------------------------------- step 11: 256 bits

const lookup = mistakesOfStep(11);

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

const wordDistances = ({ fingerprint }: Entry, query: Print): number[] => {
  const asked = steps.wordsOf(query);
  return steps.wordsOf(fingerprint).map((word, w) => steps.distance(word, asked[w]!));
};

const sum = (distances: readonly number[]): number => distances.reduce((total, d) => total + d, 0);

const lookupMistakes: readonly Mutation[] = [
  nearBy('wide-lookup-of-sum', 'finds entries whose 256 bits are within k', (distances, k) => sum(distances) <= k),
  nearBy('wide-lookup-of-all', 'finds entries all of whose words are within k', (distances, k) =>
    distances.every((d) => d <= k),
  ),
  nearBy(
    'wide-lookup-of-two',
    'finds entries two of whose words are within k',
    (distances, k) => distances.filter((d) => d <= k).length >= 2,
  ),
  nearBy('wide-lookup-of-word-0', 'looks up only the first word', ([first], k) => first! <= k),
  nearBy('wide-lookup-without-last', 'looks up the first three words', (distances, k) =>
    distances.slice(0, 3).some((d) => d <= k),
  ),
  nearBy('wide-lookup-without-first', 'looks up the last three words', (distances, k) =>
    distances.slice(1).some((d) => d <= k),
  ),
  nearBy(
    'wide-lookup-of-any-word',
    'compares each word with every word of the query',
    (_distances, k, words, asked) => words.some((x) => asked.some((y) => steps.distance(x, y) <= k)),
    'one set of tables for all words',
  ),
  nearBy('wide-lookup-strict', 'finds entries with a word nearer than k, but not at k', (distances, k) =>
    distances.some((d) => d < k),
  ),
  lookup('wide-order-of-words', 'orders entries by the smallest distance of their words', {
    matches: (entries, query, k, s) => {
      const found = steps.matches(entries, query, k, s);
      const nearest = (entry: Entry): number => Math.min(...wordDistances(entry, query));
      return isWide(query) ? found.sort((x, y) => nearest(x) - nearest(y) || s.compareMatches(x, y, s)) : found;
    },
  }),
  lookup('wide-distance-told-of-word', 'tells the smallest distance of the words', {
    matches: (entries, query, k, s) =>
      steps
        .matches(entries, query, k, s)
        .map((match) => ({ ...match, distance: Math.min(...wordDistances(match, query)) })),
  }),
  lookup('wide-once-per-word', 'lists an entry once for each word that finds it', {
    matches: (entries, query, k, s) =>
      steps
        .matches(entries, query, k, s)
        .flatMap((match) => wordDistances(match, query).flatMap((d) => (d <= k ? [match] : []))),
  }),
  mistakesOfOperations(11)('wide-k-256', 'takes distances of up to 256 for 256 bits', (p) => ({
    lookup: ({ entries, query, k = 3 }) => {
      if (entries.some(({ id }) => id === '')) throw new TwinError('out-of-range', 'an empty identifier');
      const known = entries.map(({ id, fingerprint }) => ({ id, fingerprint: printOf(fingerprint) }));
      const asked = printOf(query);
      if (k < 0 || k > widthOf(asked)) throw new TwinError('out-of-range', `distance ${k}`);
      const found = p.matches(known, asked, k);
      return {
        completeTo: k,
        matches: found.map((match) => ({ ...match, fingerprint: p.toHex(match.fingerprint) })),
      };
    },
  })),
];

export const minhashMutations: readonly Mutation[] = [
  ...drawMistakes,
  ...winnerMistakes,
  ...stringMistakes,
  ...compareMistakes,
  ...lookupMistakes,
];
