import { readdirSync, readFileSync } from 'node:fs';
import type { Results } from '../../../src/conformance/records/results-file.ts';
import { VECTORS } from '../../../src/conformance/suite/load-suite.ts';

/** The folder of the reports. */
export const REPORTS = new URL('reports/', VECTORS);

/** The answers of a library to one operation. */
export interface Asked {
  readonly operation: string;
  /** Its step; null for whole documents. */
  readonly step: number | null;
  readonly passed: number;
  readonly failed: number;
  /** Known mistakes with the same failures: how many it shares, and how many more it would have. */
  readonly like: readonly { readonly mutant: string; readonly same: number; readonly missing: number }[];
}

/** A step in which a library differs, in words. */
export interface Difference {
  readonly step: number;
  readonly how: string;
  /** Names of known mistakes (vectors/mutants.json). */
  readonly like?: readonly string[];
}

/** A vector that a library answers wrongly. */
export interface FirstDifference {
  readonly id: string;
  /** The place in the result, such as `tokens[3]`; `''` for the whole. */
  readonly place: string;
  /** The expected value, with invisible characters escaped. */
  readonly expected: string;
  readonly actual: string;
}

/** The report on a library that was run: its results without the single vectors, and the findings of other runs. */
export interface Card extends Results {
  readonly $schema: string;
  readonly library: {
    readonly registry: string;
    readonly package: string;
    readonly version: string;
    readonly licence: string;
    readonly released?: number;
    readonly with?: Readonly<Record<string, string>>;
    readonly runtime: string;
    /** The packages that were installed with it; later runs install the same. */
    readonly installed: Readonly<Record<string, string>>;
  };
  readonly chosen: string;
  readonly strengths: string;
  /** The steps that differ, from its source and its answers. */
  readonly differs: readonly Difference[];
  readonly asked: readonly Asked[];
  /** The first vector, in the order of the suite, whose answer is wrong; null if none is. */
  readonly firstDifference: FirstDifference | null;
  /** The agreement if the library is given our tokens, or our hashes; null if it takes none. */
  readonly given: { readonly tokens: Asked | null; readonly hashes: Asked | null };
  readonly changes: readonly string[];
}

/** The report on a library that was not run. */
export interface Note {
  readonly $schema: string;
  readonly kind: 'simhash-doc-library';
  readonly date: string;
  readonly name: string;
  readonly language: string;
  readonly status: 'read' | 'not installed';
  /** The source that was read, with its commit or version. */
  readonly source: string;
  readonly about: string;
  /** The message of a library that does not install. */
  readonly error?: string;
}

/** Reads all reports of a folder, by name. */
function readAll<T>(folder: URL): Map<string, T> {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return new Map(names.map((name) => [name.slice(0, -5), JSON.parse(readFileSync(new URL(name, folder), 'utf8'))]));
}

/** Reads the reports on libraries that were run. */
export function readCards(): ReadonlyMap<string, Card> {
  return readAll(REPORTS);
}

/** Reads the reports on libraries that were not run. */
export function readNotes(): ReadonlyMap<string, Note> {
  return readAll(new URL('not-run/', REPORTS));
}
