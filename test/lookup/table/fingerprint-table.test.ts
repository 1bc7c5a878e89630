import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MAX_TAIL_SIZE } from '../../../src/lookup/table/fingerprint-list.ts';
import {
  compacted,
  createFingerprintTable,
  type FingerprintTable,
  REMOVED,
} from '../../../src/lookup/table/fingerprint-table.ts';
import { createKernelSegment, HITS_PER_CALL } from '../../../src/lookup/table/kernel-segment.ts';
import { createHits, type TableSegment } from '../../../src/lookup/table/table-segment.ts';
import { firstRows, IS_SLOW, runs, slowTest } from '../../suite.ts';
import { fingerprint } from '../../twin/arbitraries.ts';
import { twin } from '../../twin/twin.ts';
import { entriesOf, failingClass, flipped, KINDS, randomOf, uniform } from '../data.ts';

function hitLines({ count, positions, distances }: ReturnType<typeof createHits>): string[] {
  return Array.from({ length: count }, (_, i) => `${positions[i]} ${distances[i]}`).sort();
}

function byComparing(values: Iterable<bigint>, query: bigint, k: number): string[] {
  return twin
    .matches(entriesOf(values), query, k)
    .map(({ id, distance }) => `${id} ${distance}`)
    .sort();
}

describe('a segment', () => {
  const make = (values: BigUint64Array): TableSegment =>
    createKernelSegment(values.length, (target) => target.set(values))!;
  const found = (segment: TableSegment, query: bigint, k: number, base = 0): string[] => {
    const hits = createHits();
    segment.query(query, k, hits, base);
    return hitLines(hits);
  };

  test.each(Object.entries(KINDS))('answers queries like comparing all: %s', (_, kind) => {
    for (const size of [1, 2, 17, IS_SLOW ? 300 : 150]) {
      const values = kind(size, size);
      const segment = make(values);
      expect(segment.size).toBe(size);
      const random = randomOf(size);
      for (let k = 0; k <= 8; k++)
        for (const query of [values[random() % size]!, flipped(values[random() % size]!, k + 1, random), ~values[0]!]) {
          const value = BigInt.asUintN(64, query);
          expect(found(segment, value, k), `${size}, k ${k}, ${value}`).toEqual(byComparing(values, value, k));
        }
    }
  });

  test('scans for k from 9 to 64', () => {
    const values = KINDS['clustered']!(100, 5);
    const segment = make(values);
    for (let k = 9; k <= 64; k++) expect(found(segment, values[k]!, k)).toEqual(byComparing(values, values[k]!, k));
  });

  test('finds every number of bits flipped in every block at k = 7', () => {
    const random = randomOf(3);
    const values = uniform(2000, 4);
    const segment = make(values);
    for (let round = 0; round < (IS_SLOW ? 3000 : 600); round++) {
      const place = random() % values.length;
      let query = values[place]!;
      while (twin.distance(query, values[place]!) < 7) query ^= 1n << BigInt(random() % 64);
      const distance = twin.distance(query, values[place]!);
      expect(found(segment, query, distance)).toContain(`${place} ${distance}`);
    }
  });

  test.each([0, 1, 15, 16, 17, 23, 24, 25, 33, 49])('finds the tails of buckets: %i in one', (size) => {
    const rest = uniform(100, 6).map((value) => value | (1n << 63n));
    const values = BigUint64Array.from([...rest, ...Array.from({ length: size }, (_, i) => BigInt(i) << 32n)]);
    const segment = make(values);
    for (const k of [2, 3, 6]) expect(found(segment, 0n, k)).toEqual(byComparing(values, 0n, k));
  });

  test.each(firstRows(2, [0, 1, -1, HITS_PER_CALL]))(
    'returns as many hits as the kernel does at once, and %i more',
    (more) => {
      const size = HITS_PER_CALL + more;
      for (const values of [
        new BigUint64Array(size).fill(9n),
        new BigUint64Array(size).map((_, i) => 1n << BigInt(i % 64)),
        BigUint64Array.from({ length: size + 100 }, (_, i) => (i < 100 ? ~0n : 0n)),
      ])
        for (const k of firstRows(3, [1, 7, 8, 3, 4, 40]))
          expect(found(make(values), 1n, k)).toEqual(byComparing(values, 1n, k));
    },
  );

  slowTest(
    'has more entries in a bucket than the directory can count, with neighbours',
    () => {
      // 70,000 share block 0 and differ by many bits; the next bucket, and two others at one bit, have some near ones.
      const size = 70_000;
      const random = randomOf(4);
      const near = [0n, 1n << 48n, 1n << 49n, 3n << 48n].flatMap((block) =>
        [0n, 1n << 20n, 0b111n, 0b1111n << 8n].map((rest) => block | rest),
      );
      const many = uniform(size, 12).map((value) => value & 0xffff_ffff_ffffn);
      const values = BigUint64Array.from([...many, ...near]);
      const segment = make(values);
      for (const k of [0, 3, 4, 7])
        for (const query of [0n, 1n << 48n, flipped(values[random() % size]!, k, random)])
          expect(found(segment, query, k), `k ${k}, ${query}`).toEqual(byComparing(values, query, k));
    },
    30_000,
  );

  test('counts positions from the base, and adds hits to existing ones', () => {
    const hits = createHits();
    const segment = make(BigUint64Array.of(1n, 2n));
    segment.query(1n, 0, hits, 10);
    segment.query(2n, 0, hits, 20);
    expect(hitLines(hits)).toEqual(['10 0', '21 0']);
    const target = new BigUint64Array(4);
    segment.copy(target, 1);
    expect([...target]).toEqual([0n, 1n, 2n, 0n]);
    expect([segment.get(0), segment.get(1)]).toEqual([1n, 2n]);
  });
});

describe('a table of fingerprints', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  const check = (table: FingerprintTable, model: Map<number, bigint>, query: bigint, k: number): void => {
    const entries = Array.from(model, ([position, fingerprint]) => ({ id: String(position), fingerprint }));
    const expected = twin.matches(entries, query, k).map(({ id, distance }) => `${id} ${distance}`);
    expect(hitLines(table.query(query, k))).toEqual(expected.sort());
  };

  type Step =
    | { readonly kind: 'add'; readonly value: bigint }
    | { readonly kind: 'addAll'; readonly values: readonly bigint[] }
    | { readonly kind: 'fill'; readonly size: number; readonly value: bigint; readonly atOnce: boolean }
    | { readonly kind: 'remove'; readonly place: number; readonly count: number }
    | { readonly kind: 'query'; readonly value: bigint; readonly k: number }
    | { readonly kind: 'compact' };

  const near: fc.Arbitrary<bigint> = fc
    .tuple(fc.constantFrom(0n, 0xffff_ffff_0000_0000n, 0x1234_5678_9abc_def0n), fc.array(fc.nat(63), { maxLength: 6 }))
    .map(([centre, places]) => places.reduce<bigint>((value, place) => value ^ (1n << BigInt(place)), centre));
  const value = fc.oneof({ arbitrary: near, weight: 3 }, fingerprint);
  const step: fc.Arbitrary<Step> = fc.oneof(
    { arbitrary: fc.record({ kind: fc.constant('add' as const), value }), weight: 4 },
    fc.record({ kind: fc.constant('addAll' as const), values: fc.array(value, { maxLength: 30 }) }),
    // Enough to fill the unsorted part, so that segments are made and merged.
    fc.record({
      kind: fc.constant('fill' as const),
      size: fc.constantFrom(MAX_TAIL_SIZE - 1, MAX_TAIL_SIZE, MAX_TAIL_SIZE + 1, 50),
      value,
      atOnce: fc.boolean(),
    }),
    {
      arbitrary: fc.record({
        kind: fc.constant('remove' as const),
        place: fc.nat(),
        count: fc.constantFrom(1, 1, 5000),
      }),
      weight: 3,
    },
    { arbitrary: fc.record({ kind: fc.constant('query' as const), value, k: fc.nat(9) }), weight: 6 },
    fc.record({ kind: fc.constant('compact' as const) }),
  );

  test('adds, removes, merges and compacts in any order', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 25, size: 'max' }),
        fc.constantFrom(undefined, 20, MAX_TAIL_SIZE, 6000),
        (steps, largest) => {
          let table = createFingerprintTable(1, largest);
          let model = new Map<number, bigint>();
          let length = 0;
          for (const todo of steps)
            if (todo.kind === 'add') {
              expect(table.add(todo.value)).toBe(length);
              model.set(length++, todo.value);
            } else if (todo.kind === 'addAll') {
              expect(table.addAll(BigUint64Array.from(todo.values))).toBe(length);
              for (const each of todo.values) model.set(length++, each);
            } else if (todo.kind === 'fill') {
              const values = new BigUint64Array(todo.size).map((_, i) =>
                BigInt.asUintN(64, todo.value + (BigInt(i) << 40n)),
              );
              if (todo.atOnce) expect(table.addAll(values)).toBe(length);
              else for (const each of values) table.add(each);
              for (const each of values) model.set(length++, each);
            } else if (todo.kind === 'remove') {
              for (let i = 0; i < todo.count && length > 0; i++) {
                const place = (todo.place + i) % length;
                expect(table.remove(place)).toBe(model.delete(place));
                expect(table.has(place)).toBe(false);
              }
              expect(table.remove(length)).toBe(false);
            } else if (todo.kind === 'query') check(table, model, todo.value, todo.k);
            else {
              const { table: compact, positions } = compacted(table);
              expect(positions.length).toBe(length);
              const kept = [...model].map(([position, each], i) => {
                expect(positions[position]).toBe(i);
                return each;
              });
              expect(positions.filter((position) => position !== REMOVED).length).toBe(kept.length);
              expect(compact.length).toBe(kept.length);
              table = compact;
              model = new Map(kept.entries());
              length = kept.length;
            }
          expect({ length: table.length, size: table.size }).toEqual({ length, size: model.size });
          const snapshot = table.snapshot();
          for (const [position, each] of model) {
            expect(table.get(position)).toBe(each);
            expect(snapshot.get(position)).toBe(each);
          }
          for (let i = 0; i < length; i++) if (snapshot.has(i) !== model.has(i)) throw new Error(`position ${i}`);
          for (const k of [0, 3, 7]) check(table, model, 0n, k);
        },
      ),
      { numRuns: runs(IS_SLOW ? 60 : 30) },
    );
  });

  test('has snapshots that do not change', () => {
    const table = createFingerprintTable();
    table.addAll(uniform(100));
    table.add(1n);
    table.remove(5);
    const snapshot = table.snapshot();
    const before = Array.from({ length: 101 }, (_, i) => [snapshot.has(i), snapshot.get(i)]);
    table.remove(7);
    table.addAll(uniform(1000, 2));
    compacted(table);
    expect([snapshot.length, snapshot.has(101), snapshot.has(-1)]).toEqual([101, false, false]);
    expect(Array.from({ length: 101 }, (_, i) => [snapshot.has(i), snapshot.get(i)])).toEqual(before);
  });

  test('reads fingerprints in parts that are not in memory', () => {
    const values = uniform(250);
    const table = createFingerprintTable(1, 100);
    table.add(7n);
    let next = 0;
    const lengths: number[] = [];
    expect(
      table.addFrom(250, (target) => {
        lengths.push(target.length);
        target.set(values.subarray(next, next + target.length));
        next += target.length;
      }),
    ).toBe(1);
    expect(lengths).toEqual([100, 100, 50]);
    expect(Array.from({ length: 251 }, (_, i) => table.get(i))).toEqual([7n, ...values]);
    expect(table.addFrom(0, () => expect.unreachable())).toBe(251);
  });

  test('limits the size of segments, and moves each fingerprint only a few times', async () => {
    const sizes: number[] = [];
    vi.resetModules();
    vi.doMock('../../../src/lookup/table/kernel-segment.ts', async (original) => ({
      ...(await original<object>()),
      createKernelSegment(...args: Parameters<typeof createKernelSegment>) {
        sizes.push(args[0]);
        return createKernelSegment(...args);
      },
    }));
    const { createFingerprintTable } = await import('../../../src/lookup/table/fingerprint-table.ts');
    vi.doUnmock('../../../src/lookup/table/kernel-segment.ts');
    const table = createFingerprintTable(1, 10_000);
    for (const part of [6000, 5000, 4900, 90, 25_000, 1, 9999, 10_000]) table.addAll(uniform(part, part));
    expect(Math.max(...sizes)).toBe(10_000);
    expect(table.length).toBe(60_990);
    sizes.length = 0;
    const growing = createFingerprintTable();
    for (let i = 0; i < 50; i++) growing.addAll(uniform(5000, i));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(250_000 * 10);
  });

  test('works without WebAssembly, and without memory for it', async () => {
    const NoMemory = failingClass(new RangeError('WebAssembly.Memory(): could not allocate memory'));
    const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: unknown } };
    for (const wasm of [undefined, { Module: WebAssembly.Module, Memory: NoMemory }]) {
      vi.stubGlobal('WebAssembly', wasm);
      vi.resetModules();
      const { createFingerprintTable } = await import('../../../src/lookup/table/fingerprint-table.ts');
      const table = createFingerprintTable();
      const values = KINDS['clustered']!(500, 1);
      table.addAll(values.subarray(0, 300));
      for (const each of values.subarray(300)) table.add(each);
      for (let k = 0; k <= 9; k++) check(table, new Map(values.entries()), values[400]!, k);
    }
  });

  test('does not change if a fingerprint cannot be read', () => {
    const table = createFingerprintTable();
    for (const each of uniform(MAX_TAIL_SIZE)) table.add(each);
    const failing = (): never => {
      throw new Error('cannot be read');
    };
    expect(() => table.addFrom(MAX_TAIL_SIZE, failing)).toThrow('cannot be read');
    expect(table.length).toBe(MAX_TAIL_SIZE);
    expect(table.add(1n)).toBe(MAX_TAIL_SIZE);
    expect(table.query(1n, 0).count).toBe(1);
  });
});
