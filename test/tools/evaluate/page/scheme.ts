import { ANY_WORD, within } from '../measure/candidates.ts';
import { meanOf } from '../measure/strangers.ts';
import {
  type EditedDistances,
  type MediaDistances,
  type PairCounts,
  readPart,
  type ThresholdCurve,
} from '../results.ts';
import { count, labelOf, language, number, percent, table } from './format.ts';

/** The candidates of the ranges. */
const SHOWN = ['simhash-doc', 'simhash-doc+bg1', 'minhash-doc', 'minhash-doc-256', ANY_WORD];
/** Thresholds in 64 bits: the default of a lookup, and the loose match. */
const KS = [3, 6];
/** Thresholds of minhash-doc-256 for edited copies: the loose match, and two that are wider. */
const WIDE = [24, 48, 64];

/** The number of bits that count as one in the tables: distances of 256 bits are shown as if there were 64. */
function unitOf(candidate: string): 1 | 4 {
  return candidate === 'minhash-doc-256' ? 4 : 1;
}

/** The pairs that a curve reports within k of 64 bits, or four times as many of 256. */
export function countsWithin(curve: ThresholdCurve, k: number): PairCounts {
  const at = k * unitOf(curve.candidate);
  return { true: curve.true[at]!, between: curve.between[at]!, false: curve.false[at]! };
}

/** The number of reported pairs. */
export function reported(counts: PairCounts): number {
  return counts.true + counts.between + counts.false;
}

/** The reported pairs for each true one; not a number without any. */
export function comparedFor(counts: PairCounts): number {
  return counts.true === 0 ? Number.NaN : reported(counts) / counts.true;
}

/** The curve of a candidate in a collection. */
export function curveOf(collection: string, candidate: string): ThresholdCurve | undefined {
  return readPart('thresholds').find((each) => each.collection === collection && each.candidate === candidate);
}

/** Simhash as it serves a collection best: with bg1 in scripts without spaces. */
export function simhashOf(collection: string): ThresholdCurve {
  return curveOf(collection, 'simhash-doc+bg1') ?? curveOf(collection, 'simhash-doc')!;
}

/** What one-bit MinHash finds in a collection with each hash seed, at 1 % false pairs or within k bits. */
export function seedShares(collection: string, k?: number): readonly number[] {
  return readPart('seeds')
    .filter((each) => each.collection === collection)
    .map((each) => (k === undefined ? (each.best?.recall ?? 0) : each.true[k]! / each.truePairs));
}

/** Each collection, and what is found at 1 % false pairs. */
export function collectionsTable(): string {
  return table(
    [
      ...['collection', 'documents are', 'documents', 'true pairs', 'simhash', '`minhash-doc`', 'eight seeds: mean'],
      ...['least', '`minhash-doc-256`'],
    ],
    readPart('collections').map(({ name, title, documents, truePairs }) => {
      const seeds = seedShares(name);
      return [
        ...[`\`${name}\``, title, count(documents), count(truePairs), bestOf(simhashOf(name))],
        ...[bestOf(curveOf(name, 'minhash-doc')!), percent(meanOf(seeds)), percent(Math.min(...seeds))],
        bestOf(curveOf(name, 'minhash-doc-256')!),
      ];
    }),
    2,
  );
}

/** What is found at 1 % false pairs, and the k that finds it. */
export function bestOf({ best }: ThresholdCurve): string {
  return best === null ? 'none' : `${percent(best.recall)} (${best.k})`;
}

/** The results of collections: the worst with its name, the median, and the best. */
export function spreadOf(
  values: readonly (readonly [collection: string, value: number])[],
  show: (value: number) => string,
  worst: 'least' | 'most',
): string {
  const sorted = values.filter(([, value]) => !Number.isNaN(value)).sort(([, a], [, b]) => a - b);
  if (worst === 'most') sorted.reverse();
  const [[name, value], [, median], [, best]] = [0, (sorted.length - 1) >> 1, sorted.length - 1].map(
    (at) => sorted[at]!,
  ) as [(typeof sorted)[0], (typeof sorted)[0], (typeof sorted)[0]];
  if (value === best) return show(value);
  return `${show(value)} (\`${name}\`) / ${show(median)} / ${show(best)}`;
}

/** The same for what curves report within k bits. */
export function spreadWithin(
  curves: readonly ThresholdCurve[],
  k: number,
  worst: 'least' | 'most',
  of: (counts: PairCounts, curve: ThresholdCurve) => number,
  show: (value: number) => string = percent,
): string {
  const values = curves.map((curve) => [curve.collection, of(countsWithin(curve, k), curve)] as const);
  return spreadOf(values, show, worst);
}

/** The spread of the results of a label between collections, by either definition of a true pair. */
export function rangesTable(part: 'thresholds' | 'grams'): string {
  const ks = part === 'grams' ? [6] : KS;
  const shown = part === 'grams' ? ['simhash-doc', 'minhash-doc', 'minhash-doc-256'] : SHOWN;
  const rows = shown.flatMap((candidate) => {
    const curves = readPart(part).filter((each) => each.candidate === candidate);
    if (curves.length === 0) return [];
    const cells = ks.flatMap((k) => [
      spreadWithin(curves, k, 'least', (counts, { truePairs }) => counts.true / truePairs),
      spreadWithin(curves, k, 'most', (counts) => counts.false / reported(counts)),
    ]);
    const best = spreadWithin(curves, 0, 'least', (_, curve) => curve.best?.recall ?? 0);
    const compared = spreadWithin(curves, 8, 'most', comparedFor, number);
    return [[labelOf(candidate), String(curves.length), best, ...cells, compared]];
  });
  const head = ks.flatMap((k) => [`k = ${k}: found`, 'false']);
  const [found, compared] = ['found at 1 % false', 'k = 8: compared for each true pair'];
  return table(['label', 'collections', found, ...head, compared], rows);
}

/** Entries that a lookup within 3 bits reads, in proportion to the number of documents. */
export function entriesTable(): string {
  const rows = readPart('lookups').map(({ set, candidate, documents, mean, most99, largestKey }) => [
    set,
    labelOf(candidate),
    number((mean * 1e6) / documents),
    number((most99 * 1e6) / documents),
    number((mean * 1e9) / documents),
    number((largestKey * 1e9) / documents),
  ]);
  const head = ['entries read in 10^6: mean', '99 % read at most', 'mean in 10^9', 'largest key in 10^9'];
  return table(['set', 'label', ...head], rows, 2);
}

/** The shares of unrelated passages that are near each other, by length: the worst source, the median and the best. */
export function strangersTable(): string {
  const strangers = readPart('strangers');
  const rows = [400, 4000, 40_000].flatMap((length) =>
    ['simhash-doc', 'minhash-doc', 'minhash-doc-256'].map((label) => {
      const measured = strangers.filter(({ tokens, candidate }) => tokens === length && candidate === label);
      const within = (bits: number) =>
        spreadOf(
          measured.map(({ source, histogram }) => [source, shareOf(histogram, bits)]),
          percent,
          'most',
        );
      return [count(length), labelOf(label), ...[6, 12].map((k) => within(k * unitOf(label)))];
    }),
  );
  return table(['tokens', 'label', 'within 6', 'within 12'], rows, 2);
}

/** The share of a histogram up to a distance. */
function shareOf(histogram: readonly number[], bits: number): number {
  return within(histogram, [bits])[0]! / within(histogram, [histogram.length])[0]!;
}

const EDITS: Readonly<Record<string, string>> = {
  replaced: 'words replaced',
  boilerplate: 'navigation added around',
  ocr: 'words misread by OCR',
};

/** Copies of English pages and paragraphs, and long texts in four languages of which words were misread. */
export function editsTable(): string {
  const edits = readPart('edits');
  const keyOf = ({ language: tag, tokens, edit, share }: EditedDistances) => `${tokens} ${tag} ${edit} ${share}`;
  const rows = [...new Set(edits.map(keyOf))].map((key) => {
    const ofKey = edits.filter((each) => keyOf(each) === key);
    const { edit, share, tokens, language: tag, meanOverlap } = ofKey[0]!;
    const about = [EDITS[edit]!, `${language(tag)}, ${count(tokens)}`, percent(share), meanOverlap.toFixed(2)];
    const of = (label: string) => ofKey.find(({ candidate }) => candidate === label);
    const cells = [of('simhash-doc+bg1') ?? of('simhash-doc')!, of('minhash-doc')!].flatMap(
      ({ meanDistance, within, documents }) => [number(meanDistance), percent(within[6]!, documents)],
    );
    const wide = of('minhash-doc-256')!;
    return [...about, ...cells, ...WIDE.map((bits) => percent(wide.within[bits]!, wide.documents))];
  });
  const head = ['simhash', '`minhash-doc`'].flatMap((name) => [`${name}: mean distance`, 'within 6']);
  const wide = WIDE.map((bits, at) => `${at === 0 ? '`minhash-doc-256`: ' : ''}within ${bits} of 256`);
  return table(['edit', 'tokens', 'share', 'mean overlap', ...head, ...wide], rows, 2);
}

export function mediaTable(): string {
  const pairs = readPart('media');
  const row = (name: string, distancesOf: (pair: MediaDistances) => readonly number[]): string[] => {
    const all = pairs.flatMap(distancesOf);
    const unspaced = pairs.filter((each) => /^(?:ja|zh)/.test(each.language)).flatMap(distancesOf);
    const share = (k: number) => percent(all.filter((each) => each <= k).length, all.length);
    return [
      ...[name, number(meanOf(all)), ...KS.map(share), number(Math.max(...all))],
      ...[number(meanOf(unspaced)), number(Math.max(...unspaced))],
    ];
  };
  const labels = Object.keys(pairs[0]!.distances);
  const rows = labels.map((label) => row(labelOf(label), ({ distances }) => [distances[label]! / unitOf(label)]));
  const seeded = row('one-bit MinHash, eight seeds', ({ seeds }) => seeds);
  const head = ['mean distance', 'within 3', 'within 6', 'farthest', 'Chinese, Japanese: mean', 'farthest'];
  return `${count(pairs.length)} pairs of media:\n\n${table(['label', ...head], [...rows, seeded])}`;
}

/** The labels and other methods: what they find at 1 % false pairs in the collections where all were measured. */
export function rivalsTable(): string {
  const measured = readPart('rivals').filter(({ method }) => method !== 'simhash-doc+bg1');
  const rows = [...new Set(measured.map(({ method }) => method))].map((name) => {
    const of = measured.filter(({ method }) => method === name);
    const speeds = of.map(({ documentsPerSecond }) => documentsPerSecond).sort((a, b) => a - b);
    const found = of.map(({ collection, best }) => [collection, best?.recall ?? 0] as const);
    return [
      ...[labelOf(name), number(of[0]!.bytes), number(speeds[speeds.length >> 1]!)],
      spreadOf(found, percent, 'least'),
    ];
  });
  const versions = new Set(measured.map((each) => each.package).filter((name) => name !== 'simhash-doc'));
  const head = ['method', 'octets', 'documents/s: median', 'found at 1 % false'];
  return `${table(head, rows)}\n\nPackages of PyPI: ${[...versions].join(', ')}.`;
}

/** What programs remove as duplicates in each collection: removed, right, wrong and missed documents. */
export function removalsTable(): string {
  const measured = readPart('removals');
  const namesOf = (key: 'collection' | 'method') => [...new Set(measured.map((each) => each[key]))];
  const rows = namesOf('collection').map((name) => {
    const of = measured.filter(({ collection }) => collection === name);
    const cells = of.map(({ removed, right, wrong, missed }) => [removed, right, wrong, missed].map(count).join('/'));
    return [`\`${name}\``, count(of[0]!.documents), ...cells];
  });
  const versions = measured.filter(({ collection }) => collection === 'revisions');
  const shares = versions.map(({ method, versions, removed }) => `${method} ${percent(versions, removed)}`);
  const said = `Other versions of a kept document, among those removed from \`revisions\`: ${shares.join(', ')}.`;
  return `${table(['collection', 'documents', ...namesOf('method')], rows)}\n\n${said}`;
}

/** Pairs that people judged: the reported ones that are the same, and those that are different. */
export function judgedTable(): string {
  const measured = readPart('judged').filter(({ method }) => method !== 'simhash-doc+bg1');
  const rows = [...new Set(measured.map(({ records }) => records))].map((records) => {
    const of = measured.filter((each) => each.records === records);
    const { pairs, same } = of[0]!;
    return [records, count(pairs), count(same), ...of.map((each) => `${each.found}/${each.false}`)];
  });
  return table(['records', 'pairs', 'same', ...new Set(measured.map(({ method }) => labelOf(method)))], rows);
}
