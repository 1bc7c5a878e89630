import { existsSync } from 'node:fs';
import { type Card, type Difference, readCards } from './card.ts';

/** The registries, by the client that installs from them. */
export type Registry = 'npm' | 'PyPI' | 'crates.io' | 'Go';

/**
 * A library, in a pinned version. What is said about it is written by hand into its report in vectors/reports/: `library` but for
 * `runtime` and `installed`, `chosen` (the functions that are called, and the reason), `strengths`, `differs` (the steps that
 * differ, from its source and its answers; that it normalises no text and strips no locators is left out) and `changes` (what its
 * user would need to get fingerprints of simhash-doc). The rest of the report is measured.
 */
export interface Library {
  /** The name of its report, and of its folder in build/report-card/. */
  readonly id: string;
  readonly registry: Registry;
  /** The name in its registry. */
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  /** The year of this version, if it is known. */
  readonly released?: number;
  /** Other packages that it or its adapter needs, in a pinned version. */
  readonly with?: Readonly<Record<string, string>>;
  /** For PyPI: installed without its dependencies, except for `with`; the rest is hundreds of MB that is not called. */
  readonly isBare?: boolean;
  /** The adapter, in test/tools/report-card/adapters/. */
  readonly adapter: string;
  /** For PyPI: the versions of Python that it runs with, the best first. */
  readonly pythons?: readonly string[];
  readonly chosen: string;
  readonly strengths: string;
  readonly differs: readonly Difference[];
  readonly changes: readonly string[];
}

const PYTHON_3 = ['3.11', '3.12', '3.10'];

/** How some are installed, by their ids. */
const OPTIONS: Readonly<Record<string, Pick<Library, 'isBare' | 'pythons'>>> = {
  'pypi-text-dedup': { isBare: true, pythons: PYTHON_3 },
  'pypi-daft': { pythons: PYTHON_3 },
  'pypi-chdb-core': { isBare: true },
  'pypi-iscc-core': { pythons: PYTHON_3 },
};

function libraryOf([id, { library, adapter, chosen, strengths, differs, changes }]: readonly [string, Card]): Library {
  const { runtime: _, installed: __, ...about } = library;
  const registry = about.registry as Registry;
  return { id, ...about, registry, adapter: adapter.command[0]!, ...OPTIONS[id], chosen, strengths, differs, changes };
}

/** The libraries that the report card runs. The reports of others, which few use or today's machines no longer run, stay as they were measured. */
export const LIBRARIES: readonly Library[] = [...readCards()]
  .map(libraryOf)
  .filter(({ adapter }) => existsSync(new URL(`adapters/${adapter}`, import.meta.url)));
