import { writeFileSync } from 'node:fs';
import { LABELS } from '../../src/index.ts';
import { COLLECTIONS, type Collection, loadCollection, pairsFileOf } from './collections.ts';
import { measureCollection } from './measure/collection.ts';
import { createCorpus } from './measure/corpus.ts';
import { loadBook, measureMedia } from './measure/media.ts';
import { type RelatedPair, TRUE_OVERLAP } from './measure/overlaps.ts';
import { measureRevisions } from './measure/revisions.ts';
import { measureDominance, measureEdits, measureLengths, measureStrangers } from './measure/strangers.ts';
import { writeEvaluationPages } from './page/page.ts';
import { printThresholds } from './print.ts';
import { keepPart } from './results.ts';
import { measureLabels, measureRivals, RIVAL_COLLECTIONS } from './rivals/rivals.ts';
import { evenly } from './sources/document.ts';

/** Collections whose passages are cut to one length. */
const SOURCES = ['help-en', 'help-de', 'help-zh', 'help-ja'];

/** What can be measured alone. Each keeps the part of its name; `pairs` those of all pairs of a collection. */
export const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  pairs: evaluatePairs,
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

/** All pairs of each collection; the bits of all collections together as well. */
async function evaluatePairs(): Promise<void> {
  const collections = await loadAll(COLLECTIONS, loadCollection);
  const measured = collections.map((collection) => {
    const result = measureCollection(collection);
    printThresholds(result);
    return result;
  });
  const all: Collection = {
    name: 'all',
    title: 'some of each collection',
    kind: 'packages',
    documents: collections.flatMap(({ documents }) => evenly(documents, 250)),
  };
  const together = measureCollection(all, LABELS);
  keepPart(
    'collections',
    measured.map(({ summary }) => summary),
  );
  keepPart(
    'thresholds',
    measured.flatMap(({ thresholds }) => thresholds),
  );
  keepPart(
    'seeds',
    measured.flatMap(({ seeds }) => seeds),
  );
  keepPart(
    'bits',
    [...measured, together].flatMap(({ bits }) => bits),
  );
}

export async function evaluateRivals(some: readonly string[]): Promise<void> {
  for (const name of some) writePairs(await loadCollection(name));
  await measureRivals(some);
}

/** Measures the labels again, where other methods have been measured. */
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
