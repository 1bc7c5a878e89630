import { describe, expect, test } from 'vitest';
import { createLayout, instantiateKernel } from '../../../src/lookup/segment/kernel.ts';
import { KINDS, uniform } from '../data.ts';

const BUCKETS = 65536;
const KEY = 0x9e3779b97f4a7c15n;

function load(values: BigUint64Array) {
  const size = values.length;
  const layout = createLayout();
  const at = {
    fingerprints: layout.reserve(8 * size),
    starts: layout.reserve(4 * (BUCKETS + 2)),
    filters: layout.reserve(4 * size + 16),
    positions: layout.reserve(4 * size),
    firsts: layout.reserve(4 * size),
    room: layout.reserve(2176 + 9 * size + 64 + 16 * (size + 4)),
  };
  const { kernel, memory } = instantiateKernel(layout.end())!;
  new BigUint64Array(memory.buffer, at.fingerprints, size).set(values);
  kernel.setSegment(at.fingerprints, size, 16);
  const words = (address: number, length: number) => [...new Uint32Array(memory.buffer, address, length)];
  return {
    kernel,
    at,
    sort(table: number, inParts: boolean): number {
      const { fingerprints, starts, filters, positions, room } = at;
      kernel.setPairs(table, starts, filters, positions, 512, 2048);
      if (!inParts) return kernel.partition(fingerprints, size, table, 16, starts, filters, positions);
      kernel.countParts(fingerprints, size, table, room);
      return kernel.partitionParts(fingerprints, size, table, starts, filters, positions, room);
    },
    sorted(): { starts: number[]; filters: number[]; positions: number[] } {
      const starts = words(at.starts, BUCKETS + 1);
      const count = starts[BUCKETS]!;
      return { starts, filters: words(at.filters, count), positions: words(at.positions, count) };
    },
    firsts: () => words(at.firsts, size),
    forget: () => new Uint32Array(memory.buffer, at.firsts, size).fill(0),
  };
}

const SETS: readonly (readonly [string, BigUint64Array])[] = [
  ...Object.entries(KINDS).map(([name, kind]) => [name, kind(500, 3)] as const),
  ['none', new BigUint64Array(0)],
  ['40,000', uniform(40_000)],
];

describe('sorting in two steps', () => {
  test.each(SETS)('gives the result of one step: %s', (_, values) => {
    const { kernel, at, sort, sorted } = load(values);
    for (const withCopies of [true, false]) {
      for (const table of [0, 1, 2, 3]) {
        const largest = sort(table, false);
        const expected = sorted();
        expect(sort(table, true)).toBe(largest);
        const found = sorted();
        for (const name of ['starts', 'filters', 'positions'] as const)
          expect(found[name].join() === expected[name].join(), `${name} of table ${table}`).toBe(true);
      }
      if (!withCopies) break;
      kernel.group(at.firsts, at.room, KEY);
      kernel.dropCopies(at.firsts);
    }
  });
});

describe('copies', () => {
  const many = uniform(20_000).map((value, i) => (i % 3 === 0 ? BigInt(i % 60) << 48n : value));

  test.each([...SETS, ['a bucket that is large without copies', many] as const])(
    'are found by any table: %s',
    (_, values) => {
      const { kernel, at, sort, firsts, forget } = load(values);
      const seen = new Map<bigint, number>();
      const expected = Array.from(values, (value, i) => {
        const first = seen.get(value);
        if (first === undefined) seen.set(value, i);
        return first === undefined ? 0 : first + 1;
      });
      for (const table of [0, 1, 2, 3]) {
        sort(table, false);
        expect(kernel.group(at.firsts, at.room, KEY)).toBe(expected.filter((first) => first > 0).length);
        expect(firsts().join() === expected.join(), `table ${table}`).toBe(true);
        forget();
      }
    },
  );
});
