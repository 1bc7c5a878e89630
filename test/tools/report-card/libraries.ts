import { type Card, type Difference, readCards } from './card.ts';

/** The registries, by the client that installs from them. */
export type Registry = 'npm' | 'PyPI' | 'crates.io' | 'Go' | 'Maven Central';

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
  /** For Go: the environment variables of its build. */
  readonly environment?: Readonly<Record<string, string>>;
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
const OPTIONS: Readonly<Record<string, Pick<Library, 'isBare' | 'environment' | 'pythons'>>> = {
  // Its C++ was generated for Python up to 3.8.
  'pypi-simhash-py': { pythons: ['3.8', '3.7', '3.6', '2.7'] },
  'pypi-python-hashes': { pythons: ['2.7'] },
  'pypi-text-dedup': { isBare: true, pythons: PYTHON_3 },
  'pypi-daft': { pythons: PYTHON_3 },
  'pypi-chdb-core': { isBare: true },
  'pypi-iscc-core': { pythons: PYTHON_3 },
  'go-yanyiwu-gosimhash': {
    environment: { GONOSUMDB: 'github.com/yanyiwu/gosimhash', CGO_CXXFLAGS: '-std=c++11' },
  },
};

function libraryOf([id, { library, adapter, chosen, strengths, differs, changes }]: readonly [string, Card]): Library {
  const { runtime: _, installed: __, ...about } = library;
  const registry = about.registry as Registry;
  return { id, ...about, registry, adapter: adapter.command[0]!, ...OPTIONS[id], chosen, strengths, differs, changes };
}

/** The libraries that the report card runs. */
export const LIBRARIES: readonly Library[] = [...readCards()].map(libraryOf);
