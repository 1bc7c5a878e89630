import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createCorpus } from './measure/corpus.ts';
import { TRUE_OVERLAP } from './measure/overlaps.ts';
import type { CollectionSummary } from './results.ts';
import { choose, type Document, filesBelow, readDocuments } from './sources/files.ts';
import packages from './sources/packages.json' with { type: 'json' };
import { fetchPackages, packageFolder } from './sources/packages.ts';
import { makeDocuments } from './sources/seeded.ts';
import { readContracts, readDocstrings, readNarrations, readReleases, readTemplated } from './sources/wider.ts';

/** A named collection of documents. */
export interface Collection extends Pick<CollectionSummary, 'name' | 'title' | 'kind'> {
  readonly documents: readonly Document[];
}

interface Recipe extends Omit<Collection, 'documents'> {
  /** The maximum number of documents. */
  readonly most: number;
  readonly read: () => Document[] | Promise<Document[]>;
}

/** The folder of the collections, out of version control. */
const FOLDER = resolve('build/evaluate/collections');
const SEED = 16;
/** The maximum number of near-duplicates of each other, direct or indirect, in a collection. */
const MAX_FAMILY = 6;

/** A collection of what is `read`, at most so many documents. */
const recipe = (name: string, title: string, kind: Recipe['kind'], most: number, read: Recipe['read']): Recipe => ({
  ...{ name, title, kind, most, read },
});

const help = (language: string, locale = language): Recipe =>
  recipe(`help-${language}`, `help pages of an office suite (${language})`, 'packages', 3000, () =>
    readPackage(`libreoffice-help-${locale}`, 'usr/share/libreoffice/help', language, /\/text\/.*\.html$/),
  );

const manual = (language: string, name = `manpages-${language}`): Recipe =>
  recipe(`manual-${language}`, `pages of one manual (${language})`, 'packages', 1500, () =>
    readPackage(name, 'usr/share/man', language, /\/man\d\//),
  );

const RULES = {
  npm: { '@typescript-eslint/eslint-plugin': '4.33.0 5.62.0 6.21.0 8.20.0', stylelint: '12.0.1 13.13.1' },
};
const CONTRACTS = 'licences in their versions, a constitution with its amendments';

/** Every collection, by name. */
const RECIPES: readonly Recipe[] = [
  recipe('seeded', 'text made from a seed, in five scripts', 'generated', 1500, () => makeDocuments(300, SEED)),
  recipe('mixed', 'documentation of mixed packages of a system', 'packages', 2500, readMixed),
  ...[help('en', 'en-us'), help('de'), help('zh', 'zh-cn'), help('ja'), help('ko'), help('vi')],
  ...[manual('en', 'manpages-dev'), ...['de', 'fr', 'zh', 'ja'].map((language) => manual(language))],
  recipe('revisions', 'documentation of releases of packages', 'revisions', 2500, () =>
    readReleases(packages.releases),
  ),
  recipe('rules', 'pages about lint rules, in versions', 'revisions', 1500, () => readReleases(RULES)),
  recipe('contracts', CONTRACTS, 'revisions', 1500, readContracts),
  recipe('narrations', 'narrations that were handed down (ar)', 'packages', 2500, readNarrations),
  recipe('short', 'docstrings of 15 to 80 words', 'packages', 2500, readDocstrings),
  recipe('templated', 'pages about classes, from one template', 'packages', 1500, readTemplated),
];

/** The names of all collections. */
export const COLLECTIONS: readonly string[] = RECIPES.map(({ name }) => name);

/**
 * Reads a collection; fetched and extracted files are kept for the next run.
 * @param name - one of {@link COLLECTIONS}
 */
export async function loadCollection(name: string): Promise<Collection> {
  const recipe = RECIPES.find((each) => each.name === name);
  if (recipe === undefined) throw new Error(`no collection is called ${name}; there are ${COLLECTIONS.join(', ')}`);
  const { most, read, ...about } = recipe;
  const path = join(FOLDER, `${name}.json`);
  if (existsSync(path)) return { ...about, documents: JSON.parse(readFileSync(path, 'utf8')) as Document[] };
  const documents = thin(choose(await read(), most));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, JSON.stringify(documents));
  return { ...about, documents };
}

/** Thins out families of near-duplicates, such as one licence in each package: a family of n has n² true pairs. */
function thin(documents: readonly Document[]): Document[] {
  const families = documents.map((_, at) => at);
  const familyOf = (at: number): number => (families[at] === at ? at : familyOf(families[at]!));
  for (const { i, j, overlap } of createCorpus(documents).related)
    if (overlap >= TRUE_OVERLAP) families[familyOf(j)] = familyOf(i);
  const sizes = new Int32Array(documents.length);
  return documents.filter((_, at) => ++sizes[familyOf(at)]! <= MAX_FAMILY);
}

/** Any folder as a collection: all files that the library can read. */
export async function loadFolder(path: string): Promise<Collection> {
  const documents = await readDocuments(filesBelow(path), { root: path, language: 'und' });
  return { name: 'folder', title: basename(resolve(path)), kind: 'folder', documents: choose(documents, 5000) };
}

async function readPackage(name: string, folder: string, language: string, paths: RegExp): Promise<Document[]> {
  fetchPackages([name]);
  const root = join(packageFolder(name), folder);
  return readDocuments(
    filesBelow(root).filter((path) => paths.test(path)),
    { root, language },
  );
}

const TEXT = /\.(?:html?|txt|md|rst|gz|Debian|README|TODO)$|\/[^/.]+$/;

/** Copyright files, changelogs, READMEs and manuals, at most 12 files of a package. */
async function readMixed(): Promise<Document[]> {
  fetchPackages(packages.debian);
  const documents: Document[] = [];
  for (const name of packages.debian) {
    const root = join(packageFolder(name), 'usr/share/doc');
    if (!existsSync(root)) continue;
    const paths = filesBelow(root).filter((path) => TEXT.test(path.replace(/\.gz$/, '')));
    const read = await readDocuments(paths.slice(0, 12), { root, language: 'en' });
    documents.push(...read.map((each) => ({ ...each, id: `${name}/${each.id}` })));
  }
  return documents;
}
