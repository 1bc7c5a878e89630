import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HIGH_LANE, LOW_LANE, viewLanes } from '../../src/common/lanes.ts';
import { createBandList, MIN_BANDED } from '../../src/duplicates/near/bands.ts';
import type { Candidates } from '../../src/duplicates/near/candidates.ts';
import { distanceLimit } from '../../src/duplicates/near/distance-limit.ts';
import { compareInKernel } from '../../src/duplicates/near/near-kernel.ts';
import { compareAll, createWideNear, wideComponents } from '../../src/duplicates/near/wide.ts';
import { forAll, IS_SLOW } from '../suite.ts';
import { createRandom } from '../tools/bench/corpus.ts';

const WORDS = 4;
const random = createRandom(7);
const word = (): bigint => (BigInt(random()) << 32n) | BigInt(random());

/** Random fingerprints, followed by a neighbour of each of the first ones, so many bits away. */
function makeFingerprints(size: number, neighbours: number, distance: number): BigUint64Array {
  const values = BigUint64Array.from({ length: WORDS * (size + neighbours) }, word);
  for (let i = 0; i < neighbours; i++) {
    values.copyWithin(WORDS * (size + i), WORDS * i, WORDS * (i + 1));
    const bits = new Set<number>();
    while (bits.size < distance) bits.add(random() % 256);
    for (const bit of bits) values[WORDS * (size + i) + (bit >> 6)]! ^= 1n << BigInt(bit & 63);
  }
  return values;
}

function distanceOf(values: BigUint64Array, a: number, b: number): number {
  let distance = 0;
  for (let i = 0; i < WORDS; i++)
    for (let rest = values[WORDS * a + i]! ^ values[WORDS * b + i]!; rest > 0n; rest &= rest - 1n) distance++;
  return distance;
}

describe('fingerprints of 256 bits', () => {
  test('that are few have the components of all pairs', () => {
    // Ten fingerprints, each a copy of one of three with some bits of the first word set.
    const cases = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 0, max: 0xff })), { minLength: 2, maxLength: 40 });
    const bases = BigUint64Array.from({ length: 3 * WORDS }, word);
    forAll([cases, fc.integer({ min: 0, max: 6 })], IS_SLOW ? 1000 : 100, (list, k) => {
      const values = new BigUint64Array(WORDS * list.length);
      for (const [i, [base, bits]] of list.entries()) {
        values.set(bases.subarray(WORDS * base, WORDS * (base + 1)), WORDS * i);
        values[WORDS * i]! ^= BigInt(bits);
      }
      const roots = list.map((_, i) => i);
      for (const a of roots.keys())
        for (let b = 0; b < a; b++)
          if (distanceOf(values, a, b) <= k) {
            const [from, to] = [Math.max(roots[a]!, roots[b]!), Math.min(roots[a]!, roots[b]!)];
            for (const i of roots.keys()) if (roots[i] === from) roots[i] = to;
          }
      const expected = [...new Set(roots)]
        .map((root) => [...roots.keys()].filter((i) => roots[i] === root))
        .filter(({ length }) => length > 1);
      expect([...wideComponents(values, { k })]).toEqual(expected);
    });
  });

  const [size, neighbours] = [12_000, 2_000];

  test.each([
    [0, 0],
    [26, 4],
    [40, 60],
  ])('that are many and %i bits apart: at most %i of 2,000 pairs are missed', (distance, most) => {
    const values = makeFingerprints(size, neighbours, distance);
    const found = [...wideComponents(values, { k: 48 })];
    for (const members of found) expect(members).toEqual([members[0], members[0]! + size]);
    expect(found.length).toBeGreaterThanOrEqual(neighbours - most);
    const findNear = createWideNear(values, { k: 48 });
    let near = 0;
    for (let i = 0; i < neighbours; i++) {
      const { length, positionAt, distanceAt } = findNear(i, i + 1);
      if (length === 0) continue;
      expect([length, positionAt(0), distanceAt(0)]).toEqual([1, i + size, distance]);
      near++;
    }
    expect(near).toBe(found.length);
  });

  test('that are too many for keys are found by bands: of 2,000 pairs with 4 of 5 winning draws in common, at most 6 are missed', () => {
    const pairs = 2000;
    const bands = createBandList();
    const values = new BigUint64Array(WORDS * (MIN_BANDED + pairs));
    const lanes = viewLanes(values);
    const draws = new Uint32Array(256);
    const originals: Uint32Array[] = [];
    for (let document = 0; document < MIN_BANDED + pairs; document++) {
      const original = originals[document - MIN_BANDED];
      for (let bin = 0; bin < 256; bin++) {
        draws[bin] = original === undefined || random() % 5 === 0 ? random() : original[bin]!;
        const lane = 2 * (WORDS * document + (bin >> 6)) + ((bin & 32) === 0 ? HIGH_LANE : LOW_LANE);
        lanes[lane] = (lanes[lane]! << 1) | (draws[bin]! & 1);
      }
      bands.read(draws);
      bands.push();
      if (document < pairs) originals.push(draws.slice());
    }
    const found = [...wideComponents(values, { k: 48 }, bands.bandOf)];
    for (const members of found) expect(members).toEqual([members[0], members[0]! + MIN_BANDED]);
    expect(found.length).toBeGreaterThanOrEqual(pairs - 6);
  });

  test('that decide alone have keys short enough for the largest distance', () => {
    const values = makeFingerprints(size, neighbours, 64);
    expect([...wideComponents(values, { k: 64, sure: 64 })].length).toBeGreaterThanOrEqual(neighbours - 10);
  });
});

test('the distance limit is far above the mean for an overlap of 0.8', () => {
  // Without repetitions, 4 of 5 tokens are common: 25.6 bits differ in the mean, with a deviation of 4.8.
  expect(distanceLimit(200, 200, 0.8)).toBeCloseTo(40, 0);
  // Repeated tokens may be the common ones.
  expect(distanceLimit(400, 200, 0.8)).toBeCloseTo(65.1, 0);
  expect(distanceLimit(200, 200, 1)).toBe(0);
});

test('the kernel finds what the plain code finds', () => {
  const size = 300;
  const lanes = new Uint32Array(makeFingerprints(size, size, 40).buffer);
  const plain = compareAll(lanes, 2 * size, 118);
  const kernel = compareInKernel(lanes, 118)!;
  const listOf = ({ length, positionAt, distanceAt }: Candidates) =>
    Array.from({ length }, (_, i) => [positionAt(i), distanceAt(i)]);
  let found = 0;
  for (const [position, from, to] of [
    [0, 1],
    [7, 0],
    [7, 8, 8],
    [3, 9, 5],
    [299, 300, 600],
    [599, 600],
    [599, 0, 600],
  ] as const) {
    // The plain code leaves out the position itself.
    const others = listOf(kernel(position, from, to)).filter(([other]) => other !== position);
    expect(others).toEqual(listOf(plain(position, from, to)));
    found += others.length;
  }
  expect(found).toBeGreaterThan(20);
});
