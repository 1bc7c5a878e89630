import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { tableKey } from '../../src/index.ts';
import { findAll } from '../../src/lookup/find-all.ts';
import { kernelPairs, LARGE_BUCKET, MANY } from '../../src/lookup/pairs/kernel-pairs.ts';
import { eachPair, PAIRS_PER_BATCH, type PairBatches } from '../../src/lookup/pairs/pair-batches.ts';
import { plainPairs } from '../../src/lookup/pairs/plain-pairs.ts';
import { firstRows, forAll, IS_SLOW, runs, slowTest } from '../suite.ts';
import { fingerprint } from '../twin/arbitraries.ts';
import { expectLines, failingClass, flipped, KINDS, lines, pairsByComparing, randomOf, uniform } from './data.ts';

/** The types of the project do not declare it. */
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: unknown } };

const PATHS: Readonly<Record<string, (values: BigUint64Array, k: number) => PairBatches>> = {
  kernel: (values, k) => kernelPairs(values, k)!,
  plain: plainPairs,
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe.each(Object.entries(PATHS))('pairs by %s', (_, search) => {
  const found = (values: BigUint64Array, k: number): string[] => lines(eachPair(search(values, k)));

  test.each(Object.entries(KINDS))('are those of comparing all: %s', (_, make) => {
    for (const size of firstRows(2, [2, IS_SLOW ? 300 : 150, 0, 1, 5])) {
      const values = make(size, size);
      for (const k of firstRows(4, [0, 3, 5, 7, 1, 2, 4, 6]))
        expectLines(found(values, k), pairsByComparing(values, k), `${size}, k ${k}`);
    }
  });

  test('are found in random sets with copies', () => {
    const set = fc
      .tuple(fc.array(fingerprint, { maxLength: 12 }), fc.infiniteStream(fc.nat()), fc.nat(60))
      .map(([centres, stream, size]) => {
        const next = (): number => stream.next().value;
        return BigUint64Array.from({ length: centres.length && size }, () =>
          flipped(centres[next() % centres.length]!, 4, next),
        );
      });
    forAll([set, fc.nat(7)], runs(150), (values, k) => {
      expectLines(found(values, k), pairsByComparing(values, k));
    });
  });

  test.each([-1, 0, 1, PAIRS_PER_BATCH])('fill a batch, and %i more', (more) => {
    const count = PAIRS_PER_BATCH + more;
    const half = uniform(count);
    // In the first table, in the last, and across buckets.
    for (const [mask, k] of [
      [1n, 3],
      [0x8000_8000_8000n << 16n, 3],
      [0x0101_0101_0001_0001n, 7],
    ] as const) {
      const values = BigUint64Array.from([...half, ...half.map((value) => value ^ mask)]);
      const expected = Array.from(half, (_, i) => `${i} ${i + count} ${mask.toString(2).replaceAll('0', '').length}`);
      expectLines(found(values, k), expected.sort());
    }
    const copies = new BigUint64Array(count + 1).fill(5n);
    expect(found(copies, 3)).toEqual(Array.from({ length: count }, (_, i) => `0 ${i + 1} 0`).sort());
  });
});

describe('small buckets of the kernel', () => {
  slowTest('have pairs at any two places, and of two buckets that differ in a bit', () => {
    for (let size = 2; size <= 13; size++)
      for (let b = 1; b < size; b++)
        for (let a = 0; a < b; a++) {
          const values = uniform(size, size).map((value) => value & 0xffff_ffff_ffffn);
          values[b] = values[a]! ^ 0b11n;
          expect(lines(eachPair(kernelPairs(values, 3)!))).toEqual([`${a} ${b} 2`]);
          const apart = values.map(
            (value, i) => (i > a ? value | (1n << 48n) : value) ^ (i === b ? 0x1_0001_0000n : 0n),
          );
          expect(lines(eachPair(kernelPairs(apart, 5)!))).toEqual([`${a} ${b} 5`]);
        }
  });

  test.each(firstRows(4, [2, 3, 65, 200, 4, 5, 63, 64, 66]))('have copies at any place of %i', (size) => {
    const random = randomOf(size);
    for (let round = 0; round < (IS_SLOW ? 30 : 8); round++) {
      const values = uniform(size, round).map((value) => value & 0xffff_ffff_ffffn);
      for (let i = random() % 4; i >= 0; i--) values[random() % size] = values[random() % size]!;
      values[random() % size]! ^= 1n;
      for (const k of [0, 3, 4]) expectLines(lines(eachPair(kernelPairs(values, k)!)), pairsByComparing(values, k));
    }
  });
});

describe('large buckets of the kernel', () => {
  const pairs = (values: BigUint64Array, k: number): string[] => lines(eachPair(kernelPairs(values, k)!));

  test.each([LARGE_BUCKET - 1, LARGE_BUCKET, LARGE_BUCKET + 1])('have %i fingerprints', (size) => {
    const values = new BigUint64Array(
      new Set(uniform(size, 3).map((value) => (value & 0xffff_ffff_ffffn) | (7n << 48n))),
    );
    for (const k of firstRows(3, [3, 0, 4, 1, 2])) expectLines(pairs(values, k), pairsByComparing(values, k));
  });

  test.each(firstRows(1, [0, 3, 1, 2]))('have many pairs in all sub-blocks of block %i', (block) => {
    const random = randomOf(block);
    const centres = uniform(30, block);
    const below = BigInt(48 - 16 * block);
    const values = new BigUint64Array(3000).map(
      () => (flipped(centres[random() % 30]!, 3, random) & ~(0xffffn << below)) | (0xbeefn << below),
    );
    for (const k of firstRows(2, [3, 0, 2])) {
      const expected = pairsByComparing(values, k);
      expectLines(pairs(values, k), expected);
      if (k === 3) expect(expected.length).toBeGreaterThan(3 * PAIRS_PER_BATCH);
    }
  });

  test('have one key of 28 bits, or follow each other', () => {
    for (const table of firstRows(1, [0, 15, 6])) {
      const values = KINDS[`one key of table ${table}`]!(2000, table);
      expectLines(pairs(values, 3), pairsByComparing(values, 3));
    }
    const random = randomOf(9);
    const centres = uniform(60, 4).map((value, i) => (value & 0xffff_ffff_ffffn) | (BigInt(i % 2) << 48n));
    const values =
      centres.length === 0 ? centres : uniform(1600, 5).map(() => flipped(centres[random() % 60]!, 3, random, 0, 48));
    expectLines(pairs(values, 3), pairsByComparing(values, 3));
  });

  test('have copies', () => {
    const values = uniform(2000, 3).map((value, i) => (i % 3 === 0 ? value : uniform(1)[0]! ^ BigInt(i % 7)));
    const same = values.map((value) => (value & 0xffff_ffff_ffffn) | (0x1234n << 48n));
    expectLines(pairs(same, 3), pairsByComparing(same, 3));
  });

  slowTest('have many fingerprints that share the half by which copies are found', () => {
    const values = new BigUint64Array(5000).map((_, i) => (BigInt(i % 4000) << 32n) | 0xabcd_ef01n);
    expectLines(pairs(values, 0), pairsByComparing(values, 0));
  });
});

describe('floods of fingerprints that share most of their bits', () => {
  /** Numbers of 22 bits of which any two differ in at least 4 (a code of Hsiao): no pairs, in any comparison. */
  const apart = (x: number): number => {
    const columns = [7, 11, 13, 14, 19, 21, 22, 25, 26, 28, 35, 37, 38, 41, 42, 44];
    return x * 64 + columns.reduce((parity, column, bit) => parity ^ ((x >> bit) & 1 ? column : 0), 0);
  };

  test.each(firstRows(1, [3, 0, 1, 2]))(
    'have all values of the 12 last bits of block %i, and some near ones',
    (block) => {
      const below = BigInt(48 - 16 * block);
      const [all, count] = IS_SLOW ? [4600, 4300] : [1200, 1100];
      const values = new BigUint64Array(all).map(
        (_, i) => (BigInt(i % count) << below) ^ (i >= count ? 1n << BigInt(i % 64) : 0n) ^ 0x0123_4567_89ab_0000n,
      );
      for (const k of firstRows(1, [1, 0, 2])) {
        const expected = pairsByComparing(values, k, 2);
        for (const search of Object.values(PATHS)) expectLines(lines(eachPair(search(values, k))), expected);
      }
    },
  );

  test.each(firstRows(1, [3, 6]))('are many with few pairs, k = %i', (k) => {
    const [all, count] = IS_SLOW ? [5000, 4000] : [1300, 1100];
    const values = new BigUint64Array(all).map(
      (_, i) => BigInt(apart(i % count)) ^ (i < count ? 0n : 1n << BigInt(i % 60)),
    );
    const expected = pairsByComparing(values, k, k);
    for (const search of Object.values(PATHS)) expectLines(lines(eachPair(search(values, k))), expected);
  });

  slowTest('are consecutive numbers, which are separated quickly, whatever the random key', () => {
    const values = BigUint64Array.from({ length: 65_536 }, (_, i) => 0x0123_4567_89ab_0000n + BigInt(i));
    const start = process.cpuUsage();
    for (let round = 0; round < 12; round++) expect([...findAll(values, { k: 0 })]).toEqual([]);
    // A tenth of a second each, or seconds each if many get the same slots.
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(12);
  });

  /** Counts the comparisons by modules that are loaded afterwards: each counts the ones of two halves. */
  function countComparisons(): { made: number } {
    const comparisons = { made: 0 };
    vi.resetModules();
    vi.doMock('../../src/scheme/compare.ts', async (original) => {
      const compare = await original<typeof import('../../src/scheme/compare.ts')>();
      const ones = (bits: number): number => {
        comparisons.made += 0.5;
        return compare.ones(bits);
      };
      return { ...compare, ones };
    });
    return comparisons;
  }

  slowTest('take much less than sixteen times as many comparisons for four times as many fingerprints', async () => {
    const counted = countComparisons();
    const { kernelPairs, HUGE_BUCKET } = await import('../../src/lookup/pairs/kernel-pairs.ts');
    const { plainPairs } = await import('../../src/lookup/pairs/plain-pairs.ts');
    vi.doUnmock('../../src/scheme/compare.ts');
    const flood = (size: number): BigUint64Array =>
      BigUint64Array.from({ length: size }, (_, i) => 0x0123_4567_8000_0000n | BigInt(apart(i)));
    const comparisons = (search: () => PairBatches | undefined): number => {
      counted.made = 0;
      for (const { count } of search()!) expect(count).toBe(0);
      return counted.made;
    };
    const size = 8192;
    const [few, many] = [flood(size), flood(4 * size)];
    const plain = [few, many].map((values) => comparisons(() => plainPairs(values, 3)));
    // The comparisons that the kernel leaves to the host: it takes buckets of at most HUGE_BUCKET.
    const kernel = [few, many].map(
      (values) => comparisons(() => kernelPairs(values, 3)) + comparedByKernel(values, HUGE_BUCKET),
    );
    for (const [small, large] of [plain, kernel] as [number, number][]) {
      expect(small).toBeGreaterThan(0);
      expect(large / small).toBeLessThan(5);
      expect(large).toBeLessThan((4 * size) ** 2 / 8);
    }
  });

  slowTest('are split by the host for k above 3', async () => {
    const counted = countComparisons();
    const left: number[][] = [];
    let isSplit = true;
    vi.doMock('../../src/lookup/pairs/split-pairs.ts', async (original) => {
      const split = await original<typeof import('../../src/lookup/pairs/split-pairs.ts')>();
      const splitIfFewer: typeof split.splitIfFewer = (...args) => {
        left.push([args[1].a.length, args[1].b?.length ?? 0]);
        return isSplit ? split.splitIfFewer(...args) : undefined;
      };
      return { ...split, splitIfFewer };
    });
    const { kernelPairs } = await import('../../src/lookup/pairs/kernel-pairs.ts');
    vi.doUnmock('../../src/scheme/compare.ts');
    vi.doUnmock('../../src/lookup/pairs/split-pairs.ts');
    // Two buckets of block 0 that differ in a bit, and pairs within the first, within the second, and of one with the other.
    const half = 17_000;
    const values = uniform(2 * half, 7).map((value, i) => (value & 0xffff_ffff_ffffn) | (i < half ? 0n : 1n << 48n));
    values[100] = values[7]! ^ 0x8000_0010_0011n;
    values[half + 100] = values[half + 7]! ^ 0x8000_0010_0011n;
    values[half + 200] = values[9]! ^ 0x1_8000_0010_0001n;
    const expected = [`7 100 4`, `9 ${half + 200} 4`, `${half + 7} ${half + 100} 4`].sort();
    expect(lines(eachPair(kernelPairs(values, 4)!))).toEqual(expected);
    expect(left).toEqual([
      [half, 0],
      [half, half],
      [half, 0],
    ]);
    expect(counted.made).toBeLessThan(0.15 * ((2 * half) ** 2 / 2));
    // The kernel compares what the host does not take.
    isSplit = false;
    expect(lines(eachPair(kernelPairs(values, 4)!))).toEqual(expected);
    expect(left.length).toBe(6);
  });

  /** Counts the comparisons that the kernel makes: all within the buckets of both levels, but not in those that are too large. */
  function comparedByKernel(values: BigUint64Array, max: number): number {
    let sum = 0;
    for (let table = 0; table < 16; table++) {
      const sizes = new Map<number, number>();
      for (const value of values) {
        const key = tableKey(value, table);
        sizes.set(key, (sizes.get(key) ?? 0) + 1);
      }
      for (const size of sizes.values()) if (size <= max) sum += (size * (size - 1)) / 2;
    }
    return sum;
  }
});

describe('findAll', () => {
  test('uses 3 as k by default', () => {
    const values = KINDS['clustered']!(200, 1);
    expect(lines(findAll(values))).toEqual(pairsByComparing(values, 3));
  });

  test('takes numbers in any iterable', () => {
    expect([...findAll(new Set([1n, 3n, 2n ** 64n - 1n]))]).toEqual([{ a: 0, b: 1, distance: 1 }]);
    expect([...findAll([])]).toEqual([]);
    const shared = new BigUint64Array(new SharedArrayBuffer(24), 8);
    expect([...findAll(shared)]).toEqual([{ a: 0, b: 1, distance: 0 }]);
  });

  test('falls back if there is no WebAssembly, or it cannot be compiled', async () => {
    const values = KINDS['clustered']!(300, 2);
    const Refusing = failingClass(new TypeError('compiling is forbidden'));
    for (const wasm of [undefined, { ...WebAssembly, Module: Refusing }]) {
      vi.stubGlobal('WebAssembly', wasm);
      vi.resetModules();
      const { hasLookupKernel } = await import('../../src/lookup/table/table-kernel.ts');
      const { findAll } = await import('../../src/lookup/find-all.ts');
      expect(hasLookupKernel()).toBe(false);
      expect(lines(findAll(values, { k: 7 }))).toEqual(pairsByComparing(values, 7));
    }
  });

  test('falls back if there is no memory for the kernel', async () => {
    const NoMemory = failingClass(new RangeError('WebAssembly.Memory(): could not allocate memory'));
    vi.stubGlobal('WebAssembly', { ...WebAssembly, Module: WebAssembly.Module, Memory: NoMemory });
    vi.resetModules();
    const { kernelPairs } = await import('../../src/lookup/pairs/kernel-pairs.ts');
    const { findAll } = await import('../../src/lookup/find-all.ts');
    const values = KINDS['clustered']!(100, 3);
    expect(kernelPairs(values, 3)).toBe(undefined);
    expect(lines(findAll(values))).toEqual(pairsByComparing(values, 3));
  });

  slowTest(
    'sorts many fingerprints in two steps, with copies, uniform and with large buckets',
    () => {
      const half = uniform(MANY / 2 + 100);
      for (const mask of [2n ** 64n - 1n, 0xff0f_0fff_ffff_0f0fn]) {
        const values = BigUint64Array.from([
          ...half,
          ...half.map((value, i) => (i % 2 === 0 ? value : value ^ 7n)),
        ]).map((value) => value & mask);
        const expected = lines(eachPair(plainPairs(values, 3)));
        expect(expected.length).toBeGreaterThan(MANY / 4);
        expectLines(lines(eachPair(kernelPairs(values, 3)!)), expected);
      }
    },
    60_000,
  );

  slowTest(
    'returns a million pairs for a million copies, and no more for a million copies of each of two',
    () => {
      let pairs = 0;
      for (const { a, distance } of findAll(new BigUint64Array(1e6).fill(42n))) {
        if (a !== 0 || distance !== 0) throw new Error(`${a} ${distance}`);
        pairs++;
      }
      expect(pairs).toBe(1e6 - 1);
      let near = 0;
      for (const { distance } of findAll(new BigUint64Array(1e6).map((_, i) => BigInt(i & 1))))
        if (distance > 0) near++;
      expect(near).toBe(1);
    },
    20_000,
  );

  test('finds pairs on demand', () => {
    // Some 5e9 pairs: only a search that stops early ends.
    const values = new BigUint64Array(1e5).map((_, i) => (BigInt(i) << 20n) | 1n);
    let pairs = 0;
    for (const _ of findAll(values, { k: 7 })) if (++pairs === 10_000) break;
    expect(pairs).toBe(10_000);
  });
});
