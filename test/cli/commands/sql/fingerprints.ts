import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { findDuplicatePairs } from '../../../../src/duplicates/index.ts';
import { distance, fingerprint } from '../../../../src/index.ts';
import { findAll, findClusters } from '../../../../src/lookup/index.ts';
import { folder, stdoutOf } from '../../command.ts';

/** Makes a function that returns the statements of `simhash-doc sql` for a dialect. */
export const sqlFor =
  (dialect: string) =>
  async (...options: string[]): Promise<string[]> => {
    return (await stdoutOf(['sql', '--dialect', dialect, ...options])).split(/;\n/).slice(0, -1);
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

const SPECIFICATION = new URL('../../../../spec/', import.meta.url);
const LABEL = 'minhash-doc-256';

/** Sections of the specification, each with two revisions: in one, every 60th word is another, and in one every 15th. */
function revisions(): string[] {
  const files = readdirSync(SPECIFICATION).filter((name) => name.endsWith('.md'));
  const sections = files.flatMap((name) => readFileSync(new URL(name, SPECIFICATION), 'utf8').split(/^(?=## )/m));
  const long = [...new Set(sections)].map((each) => each.split(/\s+/)).filter((words) => words.length > 150);
  return long
    .slice(0, 60)
    .flatMap((words) =>
      [Number.POSITIVE_INFINITY, 60, 15].map((step) =>
        words.map((word, i) => (i % step === 7 ? `edited${i}` : word)).join(' '),
      ),
    );
}

/** Writes what `hash --json` prints of revised documents in one file, whose path repeats. Returns its folder and their pairs within `k`. */
export async function hashedRevisions(k: number): Promise<{ cwd: string; count: number; expected: string[] }> {
  const texts = revisions();
  const cwd = folder({ 'rows.jsonl': texts.map((text) => `${JSON.stringify({ text })}\n`).join('') });
  const stdout = await stdoutOf(['hash', '--json', '--label', LABEL, '--text-field', 'text', join(cwd, 'rows.jsonl')]);
  writeFileSync(join(cwd, "it's.jsonl"), `{"path":"x","error":{"code":"no-text-field","message":""}}\n${stdout}`);
  const fingerprints = texts.map((text) => fingerprint(text, { label: LABEL })!);
  const expected = fingerprints.flatMap((a, i) =>
    fingerprints.slice(i + 1).flatMap((b, j) => {
      const apart = distance(a, b);
      return apart <= k ? [`${i + 1} ${i + j + 2} ${apart}`] : [];
    }),
  );
  // Candidates have every verified pair of the library that is within k.
  const items = texts.map((text, i) => ({ id: `${i + 1}`, text }));
  const verified: string[] = [];
  for await (const pair of findDuplicatePairs(items))
    if (pair.distance <= k) verified.push(`${pair.a} ${pair.b} ${pair.distance}`);
  expect(verified.length).toBeGreaterThan(40);
  expect(expected).toEqual(expect.arrayContaining(verified));
  return { cwd, count: texts.length, expected: expected.sort() };
}

export const LOAD = ['--label', LABEL, '--load', "it's.jsonl"];

/** Names the documents of pairs by their rows. */
export const withMembers = (pairs: string): string =>
  `SELECT x.member AS a, y.member AS b, p.distance AS distance FROM (${pairs}) p
   JOIN fingerprints x ON x.id = p.a JOIN fingerprints y ON y.id = p.b`;

/** Sorts the two rows of each pair, and the pairs: rows need not be numbered in their order. */
export const inOrder = (rows: readonly string[]): string[] =>
  rows
    .map((row) => row.split(' ').map(Number))
    .map(([a, b, apart]) => [Math.min(a!, b!), Math.max(a!, b!), apart].join(' '))
    .sort();
