import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { findRelatedPairs, TRUE_OVERLAP } from './measure/overlaps.ts';
import { countReading, createVocabulary } from './measure/readings.ts';
import type { CollectionSummary } from './results.ts';
import { choose, type Document } from './sources/document.ts';
import { filesBelow, readDocuments } from './sources/files.ts';
import { MIXED_PACKAGES } from './sources/mixed-packages.ts';
import { fetchPackages, packageFolder } from './sources/packages.ts';
import { readReleases } from './sources/releases.ts';
import { makeDocuments } from './sources/seeded.ts';
import { readContracts, readDesigns, readDocstrings, readNarrations, readTemplated } from './sources/wider.ts';

/** A named collection of documents. */
export interface Collection extends Pick<CollectionSummary, 'name' | 'title' | 'kind'> {
  readonly documents: readonly Document[];
}

interface Recipe extends Omit<Collection, 'documents'> {
  /** The maximum number of documents. */
  readonly most: number;
  readonly read: () => Document[] | Promise<Document[]>;
}

/** The folder of the collections for programs in other languages, out of version control. */
const FOLDER = resolve('build/evaluate/collections');
const SEED = 16;
/** The maximum number of near-duplicates of each other, direct or indirect, in a collection. */
const MAX_FAMILY = 6;

/** Every collection, by name. */
const RECIPES: readonly Recipe[] = [
  {
    name: 'seeded',
    title: 'text made from a seed, in five scripts',
    kind: 'generated',
    most: 1500,
    read: () => makeDocuments(300, SEED),
  },
  {
    name: 'mixed',
    title: 'documentation of mixed packages of a system',
    kind: 'packages',
    most: 2500,
    read: readMixed,
  },
  ...(['en-us', 'de', 'zh-cn', 'ja', 'ko', 'hi', 'vi'] as const).map((locale) => help(locale)),
  ...(['en', 'de', 'fr'] as const).map((language) => manual(language)),
  {
    name: 'revisions',
    title: 'documentation of releases of packages',
    kind: 'revisions',
    most: 2500,
    read: readReleases,
  },
  {
    name: 'contracts',
    title: 'licences in their versions, a constitution with its amendments',
    kind: 'revisions',
    most: 1500,
    read: readContracts,
  },
  {
    name: 'narrations',
    title: 'narrations that were handed down (ar)',
    kind: 'packages',
    most: 2500,
    read: readNarrations,
  },
  { name: 'short', title: 'docstrings of 15 to 80 words', kind: 'packages', most: 2500, read: readDocstrings },
  {
    name: 'templated',
    title: 'pages about classes, from one template',
    kind: 'packages',
    most: 1500,
    read: readTemplated,
  },
  {
    name: 'designs',
    title: 'pages of manuals, each in five web designs',
    kind: 'revisions',
    most: 1500,
    read: readDesigns,
  },
];

function help(locale: 'en-us' | 'de' | 'zh-cn' | 'ja' | 'ko' | 'hi' | 'vi'): Recipe {
  const language = locale.slice(0, 2);
  const name = `libreoffice-help-${locale}`;
  return {
    name: `help-${language}`,
    title: `help pages of an office suite (${language})`,
    kind: 'packages',
    most: 3000,
    read: () => readPackage(name, 'usr/share/libreoffice/help', language, /\/text\/.*\.html$/),
  };
}

function manual(language: 'en' | 'de' | 'fr'): Recipe {
  const name = language === 'en' ? 'manpages-dev' : `manpages-${language}`;
  return {
    name: `manual-${language}`,
    title: `pages of one manual (${language})`,
    kind: 'packages',
    most: 1500,
    read: () => readPackage(name, 'usr/share/man', language, /\/man\d\//),
  };
}

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
  if (existsSync(fileOf(name))) return { ...about, documents: readLines(fileOf(name)) };
  const documents = thin(choose(await read(), most));
  writeLines(name, documents);
  return { ...about, documents };
}

/** Thins out families of near-duplicates, such as one licence in each package: a family of n has n² true pairs. */
function thin(documents: readonly Document[]): Document[] {
  const vocabulary = createVocabulary();
  const related = findRelatedPairs(documents.map(({ text }) => countReading(text, 'bg1', vocabulary)));
  const families = documents.map((_, at) => at);
  const familyOf = (at: number): number => (families[at] === at ? at : familyOf(families[at]!));
  for (const { i, j, overlap } of related) if (overlap >= TRUE_OVERLAP) families[familyOf(j)] = familyOf(i);
  const sizes = new Int32Array(documents.length);
  return documents.filter((_, at) => ++sizes[familyOf(at)]! <= MAX_FAMILY);
}

/** Any folder as a collection: all files that the library can read. */
export async function loadFolder(path: string): Promise<Collection> {
  const documents = await readDocuments(filesBelow(path), { root: path, language: 'und' });
  return { name: 'folder', title: basename(resolve(path)), kind: 'folder', documents: choose(documents, 5000) };
}

/** Returns the file with the documents of a collection: JSON Lines, one document a line. */
function fileOf(name: string): string {
  return join(FOLDER, `${name}.jsonl`);
}

/**
 * Returns the file with the pairs of a collection: `{ "true": [[i, j], ...], "between": [[i, j], ...] }`, i < j being
 * lines of its documents, from 0. All other pairs are false.
 */
export function pairsFileOf(name: string): string {
  return join(FOLDER, `${name}.pairs.json`);
}

function readLines(path: string): Document[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Document);
}

function writeLines(name: string, documents: readonly Document[]): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(name), documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
}

async function readPackage(name: string, folder: string, language: string, paths: RegExp): Promise<Document[]> {
  fetchPackages([name]);
  const root = join(packageFolder(name), folder);
  return readDocuments(
    filesBelow(root).filter((path) => paths.test(path)),
    { root, language },
  );
}

/** Copyright files, changelogs, READMEs and manuals, at most 12 files of a package. */
async function readMixed(): Promise<Document[]> {
  fetchPackages(MIXED_PACKAGES);
  const documents: Document[] = [];
  for (const name of MIXED_PACKAGES) {
    const root = join(packageFolder(name), 'usr/share/doc');
    if (!existsSync(root)) continue;
    const paths = filesBelow(root).filter(isText);
    const read = await readDocuments(paths.slice(0, 12), { root, language: 'en' });
    documents.push(...read.map((each) => ({ ...each, id: `${name}/${each.id}` })));
  }
  return documents;
}

function isText(path: string): boolean {
  return /\.(?:html?|txt|md|rst|gz|Debian|README|TODO)$|\/[^/.]+$/.test(path.replace(/\.gz$/, ''));
}
