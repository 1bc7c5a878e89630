/**
 * Measures the scheme and its candidates: `npm run evaluate`. Documents are made from seeds, fetched from
 * Debian, npm and PyPI, or read from a folder; results are kept in spec/evaluation.
 *
 *     npm run evaluate                           everything
 *     npm run evaluate -- --part edits           only this part: see PARTS
 *     npm run evaluate -- mixed help-en          thresholds of these collections, printed
 *     npm run evaluate -- --folder PATH          the same of any folder
 *     npm run evaluate -- --collections [NAMES]  only writes the collections and their true pairs to build/evaluate
 *     npm run evaluate -- --pairs [NAMES]        all pairs of these collections; others are kept
 *     npm run evaluate -- --rivals [NAMES]       only measures other methods
 *     npm run evaluate -- --labels [NAMES]       only measures the labels
 */
import { parseArgs } from 'node:util';
import { COLLECTIONS, loadCollection, loadFolder } from './collections.ts';
import { measureCollection } from './measure/collection.ts';
import { writeEvaluationPages } from './page/page.ts';
import { evaluate, evaluateLabels, evaluatePairs, evaluateRivals, PARTS, writePairs } from './parts.ts';
import { printThresholds } from './print.ts';
import { RIVAL_COLLECTIONS } from './rivals/rivals.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    collections: { type: 'boolean' },
    folder: { type: 'string' },
    pairs: { type: 'boolean' },
    rivals: { type: 'boolean' },
    labels: { type: 'boolean' },
    part: { type: 'string', multiple: true },
  },
});
const names = positionals.length > 0 ? positionals : values.rivals || values.labels ? RIVAL_COLLECTIONS : COLLECTIONS;
if (values.folder !== undefined) printThresholds(measureCollection(await loadFolder(values.folder)));
else if (values.collections) for (const name of names) writePairs(await loadCollection(name));
else if (values.pairs) {
  await evaluatePairs(names);
  await writeEvaluationPages();
} else if (values.rivals) await evaluateRivals(names);
else if (values.labels) await evaluateLabels(names);
else if (positionals.length > 0)
  for (const name of names) printThresholds(measureCollection(await loadCollection(name)));
else await evaluate(values.part ?? Object.keys(PARTS));
