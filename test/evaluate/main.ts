/**
 * Measures what the scheme and its candidates can do: `npm run evaluate`. Documents are made from seeds, fetched from
 * Debian, npm and PyPI, or read from a folder; results are kept in spec/evaluation.
 *
 *     npm run evaluate                           everything
 *     npm run evaluate -- mixed help-en          thresholds of these collections, printed
 *     npm run evaluate -- --folder PATH          the same of any folder
 *     npm run evaluate -- --collections [NAMES]  only writes the collections and their true pairs to build/evaluate
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COLLECTIONS, type Collection, loadCollection, loadFolder, pairsFileOf } from './collections.ts';
import { type MeasuredCollection, measureCollection } from './measure/collection.ts';
import { createCorpus } from './measure/corpus.ts';
import { measureMedia } from './measure/media.ts';
import { type RelatedPair, TRUE_OVERLAP } from './measure/overlaps.ts';
import { measureRevisions } from './measure/revisions.ts';
import { measureDominance, measureEdits, measureLengths, measureStrangers } from './measure/strangers.ts';
import { printThresholds } from './print.ts';
import { keepPart } from './results.ts';

/** Collections whose passages are cut to one length. */
const SOURCES = ['help-en', 'help-de', 'help-zh', 'help-ja', 'manual-de'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { collections: { type: 'boolean' }, folder: { type: 'string' } },
});
const names = positionals.length > 0 ? positionals : COLLECTIONS;
if (values.folder !== undefined) printThresholds(measureCollection(await loadFolder(values.folder)));
else if (values.collections) for (const name of names) writePairs(await loadCollection(name));
else if (positionals.length > 0)
  for (const name of names) printThresholds(measureCollection(await loadCollection(name)));
else await evaluate();

/** Measures everything and keeps the results, a part as soon as it is whole. */
async function evaluate(): Promise<void> {
  const measured: MeasuredCollection[] = [];
  for (const name of COLLECTIONS) {
    const result = measureCollection(await loadCollection(name));
    printThresholds(result);
    measured.push(result);
  }
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
    measured.flatMap(({ bits }) => bits),
  );
  keepPart('revisions', measureRevisions(await loadCollection('revisions')));
  const sources = await Promise.all(SOURCES.map(loadCollection));
  keepPart(
    'lengths',
    sources.flatMap((source) => measureLengths(source, languageOf(source))),
  );
  keepPart(
    'dominance',
    sources.flatMap((source) => measureDominance(source, languageOf(source))),
  );
  keepPart(
    'strangers',
    sources.flatMap((source) => measureStrangers(source, languageOf(source))),
  );
  keepPart(
    'edits',
    sources.flatMap((source) => measureEdits(source, languageOf(source))),
  );
  keepPart('media', await measureMedia());
}

function languageOf({ documents }: Collection): string {
  return documents[0]!.language;
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
