/**
 * Measures what the scheme and its candidates can do: `npm run evaluate`. Documents are made from seeds, fetched from
 * Debian, npm and PyPI, or read from a folder; results are kept in spec/evaluation.
 *
 *     npm run evaluate                          everything
 *     npm run evaluate -- --collections         only writes the collections and their true pairs to build/evaluate
 *     npm run evaluate -- --collections mixed   only this one
 *     npm run evaluate -- --rivals              only measures other methods beside simhash-doc
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COLLECTIONS, type Collection, loadCollection, pairsFileOf } from './collections.ts';
import { findRelatedPairs, type RelatedPair, TRUE_OVERLAP } from './measure/overlaps.ts';
import { countReading, createVocabulary } from './measure/readings.ts';
import { measureRivals, RIVAL_COLLECTIONS } from './rivals/rivals.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { collections: { type: 'boolean' }, rivals: { type: 'boolean' } },
});
const names = positionals.length > 0 ? positionals : values.rivals ? RIVAL_COLLECTIONS : COLLECTIONS;
if (values.collections || values.rivals) for (const name of names) writePairs(await loadCollection(name));
if (values.rivals) await measureRivals(names);

/** Writes the pairs of a collection for programs in other languages. */
function writePairs({ name, documents }: Collection): void {
  const vocabulary = createVocabulary();
  const related = findRelatedPairs(documents.map(({ text }) => countReading(text, 'bare', vocabulary)));
  const isTrue = ({ overlap }: RelatedPair) => overlap >= TRUE_OVERLAP;
  const numbers = (pairs: readonly RelatedPair[]) => pairs.map(({ i, j }) => [i, j]);
  const pairs = { true: numbers(related.filter(isTrue)), between: numbers(related.filter((each) => !isTrue(each))) };
  writeFileSync(pairsFileOf(name), JSON.stringify(pairs));
  console.error(
    `${name}: ${documents.length} documents, ${pairs.true.length} true pairs, ${pairs.between.length} between`,
  );
}
