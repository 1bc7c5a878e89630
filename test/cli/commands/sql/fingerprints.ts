import { expect } from 'vitest';
import { findAll, findClusters } from '../../../../src/lookup/index.ts';
import { run } from '../../command.ts';

/** Makes a function that returns the statements of `simhash-doc sql` for a dialect. */
export const sqlFor =
  (dialect: string) =>
  async (...options: string[]): Promise<string[]> => {
    const { code, stdout } = await run(['sql', '--dialect', dialect, ...options]);
    expect(code).toBe(0);
    return stdout.split(/;\n/).slice(0, -1);
  };

/** Fingerprints, a share of which are copies, near others, or alike in half of their bits. Their positions are their ids. */
export function skewed(count: number, seed = 1): BigUint64Array {
  const fingerprints = new BigUint64Array(count);
  let state = BigInt(seed);
  const random = (): bigint => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return state ^ (state >> 29n);
  };
  for (let i = 0; i < count; i++) {
    const kind = i < 10 ? 0 : Number(random() % 100n);
    const other = fingerprints[Number(random() % BigInt(Math.max(1, i)))]!;
    const flipped = (): bigint => 1n << (random() % 64n);
    if (kind < 70) fingerprints[i] = random() ^ (random() << 32n);
    else if (kind < 80) fingerprints[i] = other;
    else if (kind < 97) fingerprints[i] = other ^ flipped() ^ flipped() ^ flipped();
    else fingerprints[i] = 0x8234567800000000n | (random() & 0xffffffffn);
  }
  return fingerprints;
}

/** The pairs that SQL has to find, sorted. */
export function expectedPairs(fingerprints: BigUint64Array, k: number): string[] {
  return Array.from(findAll(fingerprints, { k }), ({ a, b, distance }) => `${a} ${b} ${distance}`).sort();
}

/** The rows of query, fingerprint and distance that SQL has to find, sorted. */
export function expectedMatches(queries: BigUint64Array, fingerprints: BigUint64Array, k: number): string[] {
  const rows = [...queries].flatMap((query, q) =>
    Array.from(fingerprints, (fingerprint, id) => {
      const distance = (query ^ fingerprint).toString(2).replaceAll('0', '').length;
      return distance <= k ? `${q} ${id} ${distance}` : '';
    }),
  );
  return rows.filter((row) => row !== '').sort();
}

/** Checks that rows of cluster and id are the clusters of {@link findClusters}. */
export function expectClusters(rows: readonly string[], fingerprints: BigUint64Array): void {
  const clusters = new Map<string, number[]>();
  for (const row of rows) {
    const [cluster, id] = row.split(' ');
    clusters.set(cluster!, [...(clusters.get(cluster!) ?? []), Number(id)]);
  }
  const expected = findClusters(fingerprints, { k: 3 }).map(({ members }) => [...members].sort((a, b) => a - b));
  expect([...clusters.values()].map(String).sort()).toEqual(expected.map(String).sort());
}

/** A fingerprint as SQL has it. */
export function signed(fingerprint: bigint): bigint {
  return BigInt.asIntN(64, fingerprint);
}
