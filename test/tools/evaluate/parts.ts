import { writeFileSync } from 'node:fs';
import { LABELS } from '../../../src/index.ts';
import { COLLECTIONS, type Collection, loadCollection, pairsFileOf } from './collections.ts';
import { measureCollection } from './measure/collection.ts';
import { createCorpus } from './measure/corpus.ts';
import { measureLookups } from './measure/lookups.ts';
import { loadBook, measureMedia } from './measure/media.ts';
import { type RelatedPair, TRUE_OVERLAP } from './measure/overlaps.ts';
import { measureRevisions } from './measure/revisions.ts';
import { measureDominance, measureEdits, measureLengths, measureStrangers } from './measure/strangers.ts';
import { writeEvaluationPages } from './page/page.ts';
import { printThresholds } from './print.ts';
import { type CollectionSummary, hasPart, keepPart, type ResultPart, readPart } from './results.ts';
import { measureLabels, measureRivals, RIVAL_COLLECTIONS } from './rivals/rivals.ts';
import { evenly } from './sources/document.ts';

/** Collections whose passages are cut to one length. */
const SOURCES = ['help-en', 'help-de', 'help-zh', 'help-ja'];

/** The number of documents that are looked up. */
const LOOKED_UP = 1_000_000;

/**
 * The measurements that can be made alone. Each keeps the part of its name; `pairs` keeps those of all pairs of a
 * collection.
 */
export const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  pairs: () => evaluatePairs(),
  revisions: async () => keepPart('revisions', measureRevisions(await loadCollection('revisions'))),
  media: async () => keepPart('media', await measureMedia()),
  lengths: async () =>
    keepPart(
      'lengths',
      measureEach(await loadAll(['help-en', 'manual-de', 'help-ja'], loadCollection), measureLengths),
    ),
  dominance: async () =>
    keepPart('dominance', measureEach(await loadAll(['help-en', 'manual-de'], loadCollection), measureDominance)),
  strangers: async () =>
    keepPart(
      'strangers',
      measureEach(
        [...(await loadSources()), await loadCollection('manual-de'), ...(await loadBooks())],
        measureStrangers,
      ),
    ),
  edits: async () => keepPart('edits', measureEach(await loadSources(), measureEdits)),
  lookups: async () =>
    keepPart(
      'lookups',
      measureEach(await loadAll(['short'], loadCollection), (collection) => measureLookups(collection, LOOKED_UP)),
    ),
  rivals: () => evaluateRivals(RIVAL_COLLECTIONS),
};

/** Measures parts one after the other, keeps each as soon as it is whole, and writes the pages of all. */
export async function evaluate(parts: readonly string[]): Promise<void> {
  const unknown = parts.find((part) => !(part in PARTS));
  if (unknown !== undefined)
    throw new Error(`no part is called ${unknown}; there are ${Object.keys(PARTS).join(', ')}`);
  for (const part of parts) await PARTS[part]!();
  await writeEvaluationPages();
}

function measureEach<T>(
  collections: readonly Collection[],
  measure: (collection: Collection, language: string) => T[],
): T[] {
  return collections.flatMap((collection) => measure(collection, collection.documents[0]!.language));
}

async function loadSources(): Promise<Collection[]> {
  return loadAll(SOURCES, loadCollection);
}

async function loadBooks(): Promise<Collection[]> {
  return loadAll(['en', 'de', 'zh', 'ja'], loadBook);
}

async function loadAll(names: readonly string[], load: (name: string) => Promise<Collection>): Promise<Collection[]> {
  const collections: Collection[] = [];
  for (const name of names) collections.push(await load(name));
  return collections;
}

/** Measures all pairs of collections, and keeps the results of others; with all, the bits of some of each together as well. */
export async function evaluatePairs(names: readonly string[] = COLLECTIONS): Promise<void> {
  const collections = await loadAll(names, loadCollection);
  const measured = collections.map((collection) => {
    const result = measureCollection(collection);
    printThresholds(result);
    return result;
  });
  if (names === COLLECTIONS)
    measured.push(
      measureCollection(
        {
          name: 'all',
          title: 'some of each collection',
          kind: 'packages',
          documents: collections.flatMap(({ documents }) => evenly(documents, 250)),
        },
        LABELS,
      ),
    );
  const isOther = (name: string) => !names.includes(name) && (names !== COLLECTIONS || name !== 'all');
  const known = <T>(part: ResultPart, nameOf: (entry: T) => string): T[] =>
    hasPart(part) ? (readPart(part) as unknown as T[]).filter((entry) => isOther(nameOf(entry))) : [];
  const summaries = measured.map(({ summary }) => summary).filter(({ name }) => name !== 'all');
  keepPart('collections', [...known<CollectionSummary>('collections', ({ name }) => name), ...summaries]);
  for (const part of ['thresholds', 'grams', 'seeds', 'bits'] as const) {
    const entries = measured.flatMap((each) =>
      each.summary.name === 'all' && part !== 'bits' ? [] : (each[part] as readonly { readonly collection: string }[]),
    );
    const others = known<{ readonly collection: string }>(part, ({ collection }) => collection);
    keepPart(part, [...others, ...entries] as never);
  }
}

export async function evaluateRivals(some: readonly string[]): Promise<void> {
  for (const name of some) writePairs(await loadCollection(name));
  await measureRivals(some);
}

/** Measures the labels again in the collections with measurements of other methods. */
export async function evaluateLabels(some: readonly string[]): Promise<void> {
  for (const name of some) writePairs(await loadCollection(name));
  await measureLabels(some);
}

/** Writes the pairs of a collection for programs in other languages. */
export function writePairs({ name, documents }: Collection): void {
  const related = createCorpus(documents).related();
  const isTrue = ({ overlap }: RelatedPair) => overlap >= TRUE_OVERLAP;
  const numbers = (pairs: readonly RelatedPair[]) => pairs.map(({ i, j }) => [i, j]);
  const pairs = { true: numbers(related.filter(isTrue)), between: numbers(related.filter((each) => !isTrue(each))) };
  writeFileSync(pairsFileOf(name), JSON.stringify(pairs));
  const [found, between] = [pairs.true.length, pairs.between.length];
  console.error(`${name}: ${documents.length} documents, ${found} true pairs, ${between} between`);
}
