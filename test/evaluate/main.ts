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
import { measureCollection } from './measure/collection.ts';
import { createCorpus } from './measure/corpus.ts';
import { type RelatedPair, TRUE_OVERLAP } from './measure/overlaps.ts';
import { printThresholds } from './print.ts';
import { keepPart, type Results } from './results.ts';

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

/** Measures everything and keeps the results. */
async function evaluate(): Promise<void> {
  const kept: Pick<Results, 'collections' | 'thresholds' | 'candidates' | 'bits'> = {
    collections: [],
    thresholds: [],
    candidates: [],
    bits: [],
  };
  for (const name of COLLECTIONS) {
    const measured = measureCollection(await loadCollection(name));
    printThresholds(measured);
    kept.collections = [...kept.collections, measured.summary];
    kept.thresholds = [...kept.thresholds, ...measured.thresholds];
    kept.candidates = [...kept.candidates, ...measured.candidates];
    kept.bits = [...kept.bits, ...measured.bits];
  }
  for (const part of ['collections', 'thresholds', 'candidates', 'bits'] as const) keepPart(part, kept[part]);
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
