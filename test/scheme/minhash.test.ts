import { expect, test } from 'vitest';
import { draw, findWinners, minhash, toHex } from '../../src/index.ts';

/** Hashes that look random. */
const hashes = (count: number, seed = 0n): bigint[] =>
  Array.from({ length: count }, (_, i) => draw(seed + BigInt(i), 0));

test('the fingerprint of a union has winners of its parts', () => {
  const [x, y] = [hashes(5), hashes(9, 1000n)];
  const parts = [x, y].map((list) => findWinners(list, 4));
  for (const [i, winner] of findWinners([...x, ...y], 4).entries()) {
    const [a, b] = [parts[0]![i]!, parts[1]![i]!];
    expect(winner).toEqual(a.round < b.round || (a.round === b.round && a.draw < b.draw) ? a : b);
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

test('the caller may change its input and its result', () => {
  const list = hashes(4);
  const first = minhash(list, 4)!;
  const text = toHex(first);
  first.fill(0);
  expect(toHex(minhash(list, 4)!)).toBe(text);
});
