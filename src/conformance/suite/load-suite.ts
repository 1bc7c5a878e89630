import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { assertOptions } from '../../errors.ts';
import type { VectorGroup } from '../vector.ts';
import { withDocuments } from './select-vectors.ts';

/** The folder of the vectors, relative to src/ as to dist/. */
export const VECTORS = new URL('../../../vectors/', import.meta.url);
const PACKED = new URL('../../../dist/vectors.json.br', import.meta.url);
const OTHERS: ReadonlySet<string> = new Set(['flags.json', 'manifest.json', 'mutants.json']);

/** The content of vectors/manifest.json. */
export interface SuiteManifest {
  /** The version of the suite (vectors/README.md). */
  readonly suite: string;
  /** SHA-256 of the specification (vectors/README.md, "Vector format"). */
  readonly specification: string;
  /** The number of vectors in each group. */
  readonly groups: Readonly<Record<string, number>>;
  /** SHA-256 of each vector by its id. */
  readonly vectors: Readonly<Record<string, string>>;
}

let packed: Readonly<Record<string, string>> | undefined;

function unpack(): Readonly<Record<string, string>> {
  packed ??= JSON.parse(brotliDecompressSync(readFileSync(PACKED)).toString()) as Readonly<Record<string, string>>;
  return packed;
}

export function readText(name: string): string {
  const file = new URL(name, VECTORS);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const text = unpack()[name];
  if (text === undefined) throw new Error(`vectors/${name}: expected a file of the suite`);
  return text;
}

/** Lists the files of a folder of `vectors/`, whose name ends with a slash. */
export function listFiles(folder: string): string[] {
  const place = new URL(folder, VECTORS);
  if (existsSync(place)) return readdirSync(place);
  const names = Object.keys(unpack()).filter((name) => name.startsWith(folder));
  return names.map((name) => name.slice(folder.length)).filter((name) => !name.includes('/'));
}

export function readVectors(name: string): unknown {
  return JSON.parse(readText(name));
}

/**
 * Loads the vectors of this package, in the order of the manifest, which follows the steps. The vectors of a group are
 * followed by their documents of steps (vectors/README.md, "Documents of steps").
 * @throws Error if a file is missing, or is not in the manifest
 * @example
 * const [{ vectors }] = loadGroups();
 */
export function loadGroups(): VectorGroup[] {
  return withDocuments(loadFiles());
}

export function loadFiles(): VectorGroup[] {
  const groups = Object.keys(loadManifest().groups);
  const files = listFiles('').filter((name) => name.endsWith('.json') && !OTHERS.has(name));
  const strays = files.filter((name) => !groups.includes(name.slice(0, -'.json'.length)));
  if (strays.length > 0) throw new Error(`not in vectors/manifest.json: ${strays.join(', ')}`);
  return groups.map((group) => readVectors(`${group}.json`) as VectorGroup);
}

/**
 * Loads the manifest.
 * @throws Error if the file is missing
 * @example
 * const { version } = suiteOf(loadManifest());
 */
export function loadManifest(): SuiteManifest {
  return readVectors('manifest.json') as SuiteManifest;
}

/** A known wrong implementation. */
export interface Mutant {
  readonly name: string;
  /** The mistake, in one sentence. */
  readonly title: string;
  /** The first step that it gets wrong. */
  readonly step: number;
  /** A library, or a kind of library, that does or did so. */
  readonly source?: string;
  /** The names of its outcomes (see `nameOfOutcome` and `abbreviate`) by the ids of vectors that it fails. */
  readonly outcomes: Readonly<Record<string, string>>;
  /** The ids of vectors that it may fail, with an outcome that is not known. */
  readonly unknown: readonly string[];
}

/** The content of vectors/mutants.json. Places in `mutants` are written as ranges: `0-4 7`. */
interface MutantsFile {
  readonly mutants: readonly Pick<Mutant, 'name' | 'title' | 'step' | 'source'>[];
  /** By the id of a vector and the name of an outcome: the mutants with that outcome. */
  readonly outcomes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By the id of a vector: the mutants whose outcome is not known. */
  readonly unknown: Readonly<Record<string, string>>;
}

let mutantsFile: MutantsFile | undefined;

/**
 * Loads the known wrong implementations; none if the file is missing.
 * @param ids - the vectors whose outcomes are wanted; fewer load faster. Default all.
 */
export function loadMutants(ids?: ReadonlySet<string>): readonly Mutant[] {
  const exists = existsSync(new URL('mutants.json', VECTORS));
  mutantsFile ??= exists ? (readVectors('mutants.json') as MutantsFile) : { mutants: [], outcomes: {}, unknown: {} };
  const file = mutantsFile;
  const outcomes = file.mutants.map((): Record<string, string> => ({}));
  const unknown = file.mutants.map((): string[] => []);
  const wanted = <T>([id]: readonly [string, T]): boolean => ids === undefined || ids.has(id);
  for (const [id, named] of Object.entries(file.outcomes).filter(wanted))
    for (const [name, ranges] of Object.entries(named))
      for (const mutant of placesOf(ranges)) outcomes[mutant]![id] = name;
  for (const [id, ranges] of Object.entries(file.unknown).filter(wanted))
    for (const mutant of placesOf(ranges)) unknown[mutant]!.push(id);
  return file.mutants.map((mutant, i) => ({ ...mutant, outcomes: outcomes[i]!, unknown: unknown[i]! }));
}

function* placesOf(ranges: string): Generator<number> {
  for (const range of ranges.split(' ')) {
    const [first, last = first] = range.split('-').map(Number) as [number, number?];
    for (let place = first; place <= last; place++) yield place;
  }
}

/** Loads the kinds of bugs that vectors detect. */
export function loadFlags(): readonly { readonly name: string; readonly kind: string; readonly effect: string }[] {
  return (readVectors('flags.json') as { readonly flags: ReturnType<typeof loadFlags> }).flags;
}

/** A version of the suite of vectors. */
export interface Suite {
  readonly version: string;
  /** One digest for all vectors (vectors/README.md, "Vector format"). */
  readonly digest: string;
  /** SHA-256 of the specification that the vectors test; absent in results of suites that did not name it. */
  readonly specification?: string;
}

/**
 * Identifies the suite of a manifest.
 * @throws TypeError `wrong-type`
 * @example
 * const { version } = suiteOf(loadManifest());
 */
export function suiteOf(manifest: SuiteManifest): Suite {
  assertOptions('manifest', manifest, { suite: 'string', specification: 'string', vectors: 'object' });
  const { suite, specification, vectors } = manifest;
  return { version: suite, digest: digestOfSuite(vectors), specification };
}

export function digestOfSuite(vectors: Readonly<Record<string, string>>): string {
  const lines = Object.entries(vectors)
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .map(([id, digest]) => `${digest}  ${id}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}
