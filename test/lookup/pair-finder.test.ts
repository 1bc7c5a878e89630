import { describe, expect, test } from 'vitest';
import { createPairFinder } from '../../src/lookup/pair-finder.ts';
import { MAX_TAIL_SIZE } from '../../src/lookup/segment/tail.ts';
import { IS_SLOW, slowTest } from '../suite.ts';
import { codeOf, KINDS, lines, pairsByComparing, uniform } from './data.ts';

describe('createPairFinder', () => {
  test.each(Object.entries(KINDS))('over all calls the pairs of findAll: %s', (_, make) => {
    for (const size of [1, 2, IS_SLOW ? 400 : 150]) {
      const values = make(size, size);
      for (const k of [0, 1, 3, 6, 7]) {
        const finder = createPairFinder({ k });
        const pairs = Array.from(values, (value) => finder.add(value)).flat();
        expect(lines(pairs)).toEqual(pairsByComparing(values, k));
        expect(finder.length).toBe(size);
      }
    }
  });

  test('each pair comes when its second fingerprint does, the nearest first', () => {
    const finder = createPairFinder();
    expect(finder.add(0n)).toEqual([]);
    expect(finder.add(7n)).toEqual([{ a: 0, b: 1, distance: 3 }]);
    expect(finder.add(1n)).toEqual([
      { a: 0, b: 2, distance: 1 },
      { a: 1, b: 2, distance: 2 },
    ]);
    // A copy is paired with the first of its kind alone.
    expect(finder.add(7n)).toEqual([{ a: 1, b: 3, distance: 0 }]);
    expect(finder.add(7n)).toEqual([{ a: 1, b: 4, distance: 0 }]);
    expect(finder.add(3n)).toEqual([
      { a: 1, b: 5, distance: 1 },
      { a: 2, b: 5, distance: 1 },
      { a: 0, b: 5, distance: 2 },
    ]);
  });

  test('across the sizes at which tables are made', () => {
    const half = uniform(MAX_TAIL_SIZE + 10);
    const values = BigUint64Array.from([...half, ...half.map((value) => value ^ 0x8000_0001n)]);
    const finder = createPairFinder();
    const pairs = Array.from(values, (value) => finder.add(value)).flat();
    expect(lines(pairs)).toEqual(Array.from(half, (_, i) => `${i} ${i + half.length} 2`).sort());
  });

  slowTest(
    'a million equal ones do not take a square of their number',
    () => {
      const finder = createPairFinder();
      let pairs = 0;
      for (let i = 0; i < 1e6; i++) pairs += finder.add(5n).length;
      expect(pairs).toBe(1e6 - 1);
    },
    20_000,
  );

  test('one that would be compared with too many is refused, and others are paired', () => {
    const maxWork = MAX_TAIL_SIZE + 2000;
    const finder = createPairFinder({ maxWork });
    const apart = uniform(MAX_TAIL_SIZE, 2).map((value) => value | (1n << 63n));
    for (const value of apart) finder.add(value);
    // All these share block 0: each is compared with all before it, and with few others.
    const flood = uniform(maxWork, 3).map((value) => value & 0xffff_ffff_ffffn);
    const taken = flood.findIndex((value) => codeOf(() => finder.add(value)) === 'too-much-work');
    expect(taken).toBeGreaterThan(maxWork - 500);
    expect(finder.length).toBe(apart.length + taken);
    expect(finder.add(apart[0]! ^ 3n)).toContainEqual({ a: 0, b: apart.length + taken, distance: 2 });
  });

  test('refuses invalid arguments', () => {
    expect(codeOf(() => createPairFinder({ k: 8 }))).toBe('out-of-range');
    expect(codeOf(() => createPairFinder({ maxWork: 0 }))).toBe('out-of-range');
    expect(codeOf(() => createPairFinder({ maxWork: '1' as never }))).toBe('wrong-type');
    expect(codeOf(() => createPairFinder({ k: null as never }))).toBe('wrong-type');
    const finder = createPairFinder();
    expect(codeOf(() => finder.add(5 as never))).toBe('wrong-type');
    expect(codeOf(() => finder.add(null as never))).toBe('no-fingerprint');
    expect(finder.length).toBe(0);
  });
});
