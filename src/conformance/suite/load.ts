import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { assertOptions } from '../../errors.ts';
import type { Mutant } from '../diagnosis/resemblance.ts';
import type { VectorGroup } from '../types.ts';

/** The folder of the vectors that ship with the package: the same from src/ and from dist/. */
export const VECTORS = new URL('../../../vectors/', import.meta.url);

/** Files of vectors/ that hold no vectors. */
const OTHERS: ReadonlySet<string> = new Set(['flags.json', 'manifest.json', 'mutants.json']);

/** What vectors/manifest.json holds. */
export interface Manifest {
  /** The version of the suite (spec/conformance.md). */
  readonly suite: string;
  /** The number of vectors in each group. */
  readonly groups: Readonly<Record<string, number>>;
  /** SHA-256 of each vector by its id. */
  readonly vectors: Readonly<Record<string, string>>;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, VECTORS), 'utf8'));
}

/**
 * Loads the vectors that ship with the package, in the order of the manifest, which is that of the steps.
 * @throws Error when a file is missing or the manifest names other files than there are
 */
export function loadGroups(): VectorGroup[] {
  const groups = Object.keys(loadManifest().groups);
  const files = readdirSync(VECTORS).filter((name) => name.endsWith('.json') && !OTHERS.has(name));
  const strays = files.filter((name) => !groups.includes(name.slice(0, -'.json'.length)));
  if (strays.length > 0) throw new Error(`vectors/manifest.json does not name ${strays.join(', ')}`);
  return groups.map((group) => readJson(`${group}.json`) as VectorGroup);
}

/** Loads the manifest. */
export function loadManifest(): Manifest {
  return readJson('manifest.json') as Manifest;
}

/** Loads the known wrong implementations, with what the vectors come to under each; none where the file is missing. */
export function loadMutants(): readonly Mutant[] {
  if (!existsSync(new URL('mutants.json', VECTORS))) return [];
  return (readJson('mutants.json') as { readonly mutants: readonly Mutant[] }).mutants;
}

/** A kind of bug that vectors look for (vectors/flags.json). */
export interface Flag {
  readonly name: string;
  readonly kind: string;
  readonly effect: string;
}

/** Loads what the flags of vectors mean. */
export function loadFlags(): readonly Flag[] {
  return (readJson('flags.json') as { readonly flags: readonly Flag[] }).flags;
}

/** The suite that ships with the package: its version, and one digest for all of its vectors. */
export function suiteOf(manifest: Manifest): { readonly version: string; readonly digest: string } {
  assertOptions('manifest', manifest, { suite: 'string', vectors: 'object' });
  return { version: manifest.suite, digest: digestOfSuite(manifest.vectors) };
}

/** The digest of a suite: SHA-256 over the ids and digests of its vectors, in the order of their ids. */
export function digestOfSuite(vectors: Readonly<Record<string, string>>): string {
  const lines = Object.entries(vectors)
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .map(([id, digest]) => `${digest}  ${id}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}
