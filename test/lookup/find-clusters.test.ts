import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cluster, findClusters } from '../../src/lookup/find-clusters.ts';
import { firstRows, forAll, IS_SLOW, slowTest } from '../suite.ts';
import { twin } from '../twin/twin.ts';
import { flipped, KINDS } from './data.ts';

/** The definition, literally: components from neighbour to neighbour, and sums by addition. */
function clustersByComparing(values: BigUint64Array, k: number, maxSpread?: number): Cluster[] {
  const left = new Set(values.keys());
  const clusters: Cluster[] = [];
  for (const start of left) {
    const members: number[] = [];
    const ways = [start];
    left.delete(start);
    for (let at = ways.pop(); at !== undefined; at = ways.pop()) {
      members.push(at);
      for (const other of left)
        if (twin.distance(values[at]!, values[other]!) <= k) {
          ways.push(other);
          left.delete(other);
        }
    }
    if (members.length < 2) continue;
    members.sort((a, b) => a - b);
    const sum = (i: number): number => members.reduce((total, j) => total + twin.distance(values[i]!, values[j]!), 0);
    const sums = new Map(members.map((i) => [i, sum(i)]));
    const order = [...members].sort((a, b) => sums.get(a)! - sums.get(b)! || a - b);
    const spread = Math.max(...members.map((i) => twin.distance(values[i]!, values[order[0]!]!)));
    if (maxSpread === undefined || spread <= maxSpread) clusters.push({ representative: order[0]!, members });
    else {
      const free = new Set(members);
      for (const representative of order) {
        if (!free.has(representative)) continue;
        const part = [...free].filter((i) => twin.distance(values[i]!, values[representative]!) <= maxSpread);
        for (const i of part) free.delete(i);
        if (part.length > 1) clusters.push({ representative, members: part });
      }
    }
  }
  return clusters.sort((a, b) => a.members[0]! - b.members[0]!);
}

describe('findClusters', () => {
  test.each(firstRows(4, Object.entries(KINDS)))('finds the clusters of %s', (_, make) => {
    const values = make(120, 4);
    for (const k of firstRows(2, [3, 7, 0, 1]))
      for (const maxSpread of firstRows(3, [undefined, 0, 5, 2, 12]))
        expect(findClusters(values, { k, ...(maxSpread !== undefined && { maxSpread }) }), `${k} ${maxSpread}`).toEqual(
          clustersByComparing(values, k, maxSpread),
        );
  });

  test('finds random chains', () => {
    const walk = fc
      .tuple(fc.array(fc.tuple(fc.nat(63), fc.nat(63), fc.nat(5)), { maxLength: 40, size: 'max' }))
      .map(([steps]) => {
        const values = [0n];
        for (const [one, other, back] of steps)
          values.push(values[Math.max(0, values.length - 1 - back)]! ^ (1n << BigInt(one)) ^ (1n << BigInt(other)));
        return BigUint64Array.from(values);
      });
    forAll([walk, fc.nat(4), fc.option(fc.nat(10), { nil: undefined })], IS_SLOW ? 100 : 30, (values, k, maxSpread) => {
      const options = { k, ...(maxSpread !== undefined && { maxSpread }) };
      const clusters = findClusters(values, options);
      expect(clusters).toEqual(clustersByComparing(values, k, maxSpread));
      const members = clusters.flatMap((cluster) => cluster.members);
      expect(new Set(members).size).toBe(members.length);
      if (maxSpread !== undefined)
        for (const cluster of clusters)
          for (const i of cluster.members)
            expect(twin.distance(values[i]!, values[cluster.representative]!)).toBeLessThanOrEqual(maxSpread);
    });
  });

  test('joins equal fingerprints, and returns no single ones', () => {
    expect(findClusters([5n, 9n, 5n, 2n ** 60n, 5n], { k: 0 })).toEqual([{ representative: 0, members: [0, 2, 4] }]);
    expect(findClusters([5n, 6n], { k: 0 })).toEqual([]);
    expect(findClusters([])).toEqual([]);
    const same = findClusters(new BigUint64Array(1e5).fill(3n), { maxSpread: 0 });
    expect(same.map(({ representative, members }) => [representative, members.length])).toEqual([[0, 1e5]]);
  });

  slowTest(
    'finds a long chain in less than quadratic time',
    () => {
      let last = 0n;
      let state = 1;
      const next = (): number => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return state >>> 8;
      };
      const chain = new BigUint64Array(100_000).map(() => {
        last = flipped(last, 3, next);
        return last;
      });
      expect(findClusters(chain).map(({ members }) => members.length)).toEqual([100_000]);
      expect(findClusters(chain, { maxSpread: 4 }).length).toBeGreaterThan(1000);
    },
    30_000,
  );
});
