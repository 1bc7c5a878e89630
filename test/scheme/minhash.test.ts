import { expect, test } from 'vitest';
import { addElement, createBins, fingerprintOfBins } from '../../src/fingerprint/bins.ts';
import { distance, draw, findWinners, fingerprint, minhash, serialise, toHex, truncate } from '../../src/index.ts';

/** Hashes that look random. */
const hashes = (count: number, seed = 0n): bigint[] =>
  Array.from({ length: count }, (_, i) => draw(seed + BigInt(i), 0));

test('draws are the published values of SplitMix64', () => {
  expect([0, 1, 2, 3].map((n) => draw(1234567n, n))).toEqual([
    ...[6457827717110365317n, 3203168211198807973n, 9817491932198370423n, 4593380528125082431n],
  ]);
});

test('fingerprints are the values of three independent programs', () => {
  const fox = 'The quick brown fox jumps over the lazy dog.';
  const wide = fingerprint(fox, { label: 'minhash-doc-256' })!;
  expect(serialise(wide)).toBe('EZEFOEQ2U2YJ7LG5UOZXYXVBMH7YDKPKR26BDSUOE5VLGHBGL6WQ');
  expect(serialise(truncate(wide))).toBe('EZEFOEQ2U2YJ6');
});

test('a word does not depend on the others, and repeated hashes make no difference', () => {
  for (const count of [1, 2, 10, 700]) {
    const list = hashes(count);
    const wide = minhash(list, 4)!;
    expect(truncate(wide)).toBe(minhash(list, 1));
    expect(minhash([...list, ...list.toReversed()], 4)).toEqual(wide);
  }
});

test('the fingerprint of a union has winners of its parts', () => {
  const [x, y] = [hashes(5), hashes(9, 1000n)];
  const parts = [x, y].map((list) => findWinners(list, 4));
  const whole = findWinners([...x, ...y], 4);
  for (const [i, winner] of whole.entries()) {
    const [a, b] = [parts[0]![i]!, parts[1]![i]!];
    const isFirst = a.round < b.round || (a.round === b.round && a.draw < b.draw);
    expect(winner).toEqual(isFirst ? a : b);
  }
});

test('a winner names its element, its round and its draw', () => {
  const list = hashes(3);
  for (const [i, winner] of findWinners(list, 4).entries()) {
    expect(list).toContain(winner.hash);
    expect(draw(winner.hash, 128 * Math.floor(i / 64) + winner.round)).toBe(winner.draw);
    expect(winner.round < 64 ? Number(winner.draw >> 58n) : winner.round - 64).toBe(i % 64);
  }
});

test('the distance estimates the share of common elements', () => {
  const all = hashes(600);
  const [a, b] = [minhash(all.slice(0, 400), 4)!, minhash(all.slice(200), 4)!];
  // J is 200/600, the expected distance 128 (1 - J) = 85, its standard deviation 7.5.
  expect(Math.abs(distance(a, b) - 85)).toBeLessThan(30);
});

test('bins agree with the readable steps at extreme hashes', () => {
  const extremes = [...hashes(2), 0n, 2n ** 64n - 1n, 1n << 63n];
  for (const words of [1, 4] as const) {
    const bins = createBins(words);
    for (const hash of extremes) addElement(bins, Number(hash & 0xffffffffn), Number(hash >> 32n));
    expect(fingerprintOfBins(bins)).toEqual(minhash(extremes, words));
  }
});

test('the caller may change its input and its result', () => {
  const list = hashes(4);
  const first = minhash(list, 4)!;
  const text = toHex(first);
  first.fill(0);
  expect(toHex(minhash(list, 4)!)).toBe(text);
});
