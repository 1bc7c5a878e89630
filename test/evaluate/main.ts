/**
 * Measures what the scheme and its candidates can do: `npm run evaluate`. Documents are made from seeds, fetched from
 * Debian, npm and PyPI, or read from a folder; results are kept in spec/evaluation.
 *
 *     npm run evaluate                           everything
 *     npm run evaluate -- mixed help-en          thresholds of these collections, printed
 *     npm run evaluate -- --folder PATH          the same of any folder
 *     npm run evaluate -- --collections [NAMES]  only writes the collections and their true pairs to build/evaluate
 *     npm run evaluate -- --rivals [NAMES]       only measures other methods beside simhash-doc
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COLLECTIONS, type Collection, loadCollection, loadFolder, pairsFileOf } from './collections.ts';
import { measureCollection } from './measure/collection.ts';
import { createCorpus } from './measure/corpus.ts';
import { loadBook, measureMedia } from './measure/media.ts';
import { type RelatedPair, TRUE_OVERLAP } from './measure/overlaps.ts';
import { measureRevisions } from './measure/revisions.ts';
import { measureDominance, measureEdits, measureLengths, measureStrangers } from './measure/strangers.ts';
import { printThresholds } from './print.ts';
import { keepPart } from './results.ts';
import { measureRivals, RIVAL_COLLECTIONS } from './rivals/rivals.ts';
import { evenly } from './sources/document.ts';

/** Collections whose passages are cut to one length. */
const SOURCES = ['help-en', 'help-de', 'help-zh', 'help-ja', 'manual-de'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { collections: { type: 'boolean' }, folder: { type: 'string' }, rivals: { type: 'boolean' } },
});
const names = positionals.length > 0 ? positionals : values.rivals ? RIVAL_COLLECTIONS : COLLECTIONS;
if (values.folder !== undefined) printThresholds(measureCollection(await loadFolder(values.folder)));
else if (values.collections) for (const name of names) writePairs(await loadCollection(name));
else if (values.rivals) await evaluateRivals(names);
else if (positionals.length > 0)
  for (const name of names) printThresholds(measureCollection(await loadCollection(name)));
else await evaluate();

/** Measures everything and keeps the results, a part as soon as it is whole. */
async function evaluate(): Promise<void> {
  const collections: Collection[] = [];
  for (const name of COLLECTIONS) collections.push(await loadCollection(name));
  evaluatePairs(collections);
  keepPart('revisions', measureRevisions(collections.find(({ name }) => name === 'revisions')!));
  keepPart('media', await measureMedia());
  const sources = collections.filter(({ name }) => SOURCES.includes(name));
  const books: Collection[] = [];
  for (const language of ['en', 'de', 'zh', 'ja']) books.push(await loadBook(language));
  const measure = <T>(some: readonly Collection[], by: (collection: Collection, language: string) => T[]) =>
    some.flatMap((collection) => by(collection, collection.documents[0]!.language));
  keepPart('lengths', measure(sources, measureLengths));
  keepPart('dominance', measure(sources, measureDominance));
  keepPart('strangers', measure([...sources, ...books], measureStrangers));
  keepPart('edits', measure(sources, measureEdits));
  await evaluateRivals(RIVAL_COLLECTIONS);
}

async function evaluateRivals(some: readonly string[]): Promise<void> {
  for (const name of some) writePairs(await loadCollection(name));
  await measureRivals(some);
}

/** All pairs of each collection; the bits of all collections together as well. */
function evaluatePairs(collections: readonly Collection[]): void {
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
  const together = measureCollection(all, ['bare', 'cap8', 'bg1', 'bg1+cap8']);
  keepPart(
    'collections',
    measured.map(({ summary }) => summary),
  );
  keepPart(
    'thresholds',
    measured.flatMap(({ thresholds }) => thresholds),
  );
  keepPart(
    'candidates',
    measured.flatMap(({ candidates }) => candidates),
  );
  keepPart(
    'bits',
    [...measured, together].flatMap(({ bits }) => bits),
  );
}

/** Writes the pairs of a collection for programs in other languages. */
function writePairs({ name, documents }: Collection): void {
  const related = createCorpus(documents).related();
  const isTrue = ({ overlap }: RelatedPair) => overlap >= TRUE_OVERLAP;
  const numbers = (pairs: readonly RelatedPair[]) => pairs.map(({ i, j }) => [i, j]);
  const pairs = { true: numbers(related.filter(isTrue)), between: numbers(related.filter((each) => !isTrue(each))) };
  writeFileSync(pairsFileOf(name), JSON.stringify(pairs));
  const [found, between] = [pairs.true.length, pairs.between.length];
  console.error(`${name}: ${documents.length} documents, ${found} true pairs, ${between} between`);
}
