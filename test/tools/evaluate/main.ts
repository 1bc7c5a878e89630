/**
 * Measures the scheme beside other methods: `npm run evaluate`. Documents are made from seeds, fetched from Debian, npm
 * and PyPI, or read from a folder; results are kept in spec/evaluation.
 *
 *     npm run evaluate                    everything
 *     npm run evaluate -- --part edits    only this part: see PARTS
 *     npm run evaluate -- --folder PATH   thresholds of the documents of a folder, printed
 *     npm run evaluate -- --recall PATH   what dupes finds in a folder, beside brute force
 */
import { parseArgs } from 'node:util';
import { COLLECTIONS, type Collection, loadCollection, loadFolder } from './collections.ts';
import { type MeasuredCollection, measureCollection } from './measure/collection.ts';
import { measureJudged } from './measure/judged.ts';
import { measureLookups } from './measure/lookups.ts';
import { measureMedia } from './measure/media.ts';
import { printRecall } from './measure/recall.ts';
import { measureEdits, measureStrangers } from './measure/strangers.ts';
import { percent } from './page/format.ts';
import { writeEvaluationPages } from './page/page.ts';
import { bestOf, countsWithin, reported } from './page/scheme.ts';
import { keepPart } from './results.ts';
import { measureRemovals } from './rivals/removals.ts';
import { measureRivals } from './rivals/rivals.ts';

/** Collections whose passages are cut to one length. */
const SOURCES = ['help-en', 'help-de', 'help-zh', 'help-ja'];
/** The number of documents that are looked up. */
const LOOKED_UP = 1_000_000;

/** The measurements that can be made alone. Each keeps the part of its name; `pairs` keeps those of all pairs of a collection. */
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  pairs: measurePairs,
  media: async () => keepPart('media', await measureMedia()),
  strangers: async () => keepPart('strangers', measureEach(await load([...SOURCES, 'manual-de']), measureStrangers)),
  edits: async () => keepPart('edits', measureEach(await load(SOURCES), measureEdits)),
  lookups: async () => keepPart('lookups', measureLookups(await loadCollection('short'), LOOKED_UP)),
  rivals: measureRivals,
  removals: measureRemovals,
  judged: async () => keepPart('judged', measureJudged()),
};

async function load(names: readonly string[]): Promise<Collection[]> {
  const collections: Collection[] = [];
  for (const name of names) collections.push(await loadCollection(name));
  return collections;
}

function measureEach<T>(
  collections: readonly Collection[],
  measure: (collection: Collection, language: string) => T[],
): T[] {
  return collections.flatMap((collection) => measure(collection, collection.documents[0]!.language));
}

/** Measures all pairs of each collection. */
async function measurePairs(): Promise<void> {
  const measured: MeasuredCollection[] = [];
  for (const collection of await load(COLLECTIONS)) {
    measured.push(measureCollection(collection));
    printThresholds(measured.at(-1)!);
  }
  const of = <K extends keyof MeasuredCollection>(key: K) => measured.map((each) => each[key]);
  keepPart('collections', of('summary'));
  keepPart('thresholds', of('thresholds').flat());
  keepPart('grams', of('grams').flat());
  keepPart('seeds', of('seeds').flat());
}

/** Prints recall, and the share of false pairs in brackets, at some thresholds; 256 bits at four times those. */
function printThresholds({ summary, thresholds }: MeasuredCollection): void {
  const { name, documents, truePairs, betweenPairs } = summary;
  console.log(`${name}: ${documents} documents, ${truePairs} true pairs, ${betweenPairs} between`);
  const rows = thresholds.map((curve) => {
    const cells = [0, 1, 3, 5, 6, 8, 10].map((k) => {
      const counts = countsWithin(curve, k);
      return [`k = ${k}`, `${percent(counts.true, truePairs)} (${percent(counts.false, reported(counts))})`];
    });
    return { candidate: curve.candidate, ...Object.fromEntries(cells), 'at 1 % false': bestOf(curve) };
  });
  console.table(rows);
}

const { values } = parseArgs({
  options: { folder: { type: 'string' }, part: { type: 'string', multiple: true }, recall: { type: 'string' } },
});
if (values.recall !== undefined) printRecall(values.recall);
else if (values.folder !== undefined) printThresholds(measureCollection(await loadFolder(values.folder)));
else {
  const parts = values.part ?? Object.keys(PARTS);
  const unknown = parts.find((part) => !(part in PARTS));
  if (unknown !== undefined)
    throw new Error(`no part is called ${unknown}; there are ${Object.keys(PARTS).join(', ')}`);
  // Each is kept as soon as it is whole.
  for (const part of parts) await PARTS[part]!();
  writeEvaluationPages();
}
