import { KEY_BITS, TABLES } from '../../../../src/scheme/tables.ts';
import { ANY_WORD } from '../measure/candidates.ts';
import {
  type EditedDistances,
  type MediaDistances,
  type PairCounts,
  readPart,
  type ThresholdCurve,
} from '../results.ts';
import { count, labelOf, language, number, percent, table } from './format.ts';

/** The candidates that the first tables compare. */
const SHOWN = ['simhash-doc', 'simhash-doc+bg1', 'minhash-doc', 'minhash-doc-256', ANY_WORD];
/** Labels of 64 bits. */
const NARROW = ['simhash-doc', 'simhash-doc+bg1', 'minhash-doc'];
/** The labels for scripts with spaces. */
const SPACED = ['simhash-doc', 'minhash-doc'];
/** Thresholds in 64 bits: the default of a lookup, and the loose match. */
const KS = [3, 6];
/** The number of tokens below which 5 % of the words is often none. */
export const MIN_TOKENS = 20;

/** The number of bits that count as one in the tables: distances of 256 bits are shown as if there were 64. */
function unitOf(candidate: string): 1 | 4 {
  return candidate === 'minhash-doc-256' ? 4 : 1;
}

/** The pairs that a curve reports within k bits. */
export function countsAt(curve: ThresholdCurve, k: number): PairCounts {
  return { true: curve.true[k]!, between: curve.between[k]!, false: curve.false[k]! };
}

/** The pairs that a curve reports within k of 64 bits, or four times as many of 256. */
export function countsWithin(curve: ThresholdCurve, k: number): PairCounts {
  return countsAt(curve, k * unitOf(curve.candidate));
}

/** The number of reported pairs. */
export function reported(counts: PairCounts): number {
  return counts.true + counts.between + counts.false;
}

/** True pairs of a collection. */
export function truePairsOf(collection: string): number {
  return readPart('collections').find(({ name }) => name === collection)!.truePairs;
}

/** The curve of a candidate in a collection. */
export function curveOf(collection: string, candidate: string): ThresholdCurve | undefined {
  return readPart('thresholds').find((each) => each.collection === collection && each.candidate === candidate);
}

export function collectionsTable(): string {
  return table(
    ['collection', 'documents are', 'documents', 'tokens: median', 'most', 'true pairs', 'in between', 'false pairs'],
    readPart('collections').map((each) => [
      `\`${each.name}\``,
      each.title,
      count(each.documents),
      count(each.tokens.median),
      count(each.tokens.most),
      count(each.truePairs),
      count(each.betweenPairs),
      count(each.pairs - each.truePairs - each.betweenPairs),
    ]),
    2,
  );
}

/** Recall and the share of false pairs at usual thresholds. */
export function thresholdsTable(): string {
  const rows = readPart('collections').flatMap(({ name, truePairs }) =>
    SHOWN.flatMap((candidate) => {
      const curve = curveOf(name, candidate);
      if (curve === undefined) return [];
      const cells = KS.flatMap((k) => {
        const counts = countsWithin(curve, k);
        return [percent(counts.true, truePairs), percent(counts.false, reported(counts))];
      });
      return [[`\`${name}\``, labelOf(candidate), ...cells]];
    }),
  );
  return table(['collection', 'label', ...KS.flatMap((k) => [`k = ${k}: found`, 'false'])], rows, 2);
}

/** The minimum, the median and the maximum of some shares. */
function spreadOf(values: readonly number[], show: (value: number) => string): string {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return '–';
  return [0, (sorted.length - 1) >> 1, sorted.length - 1].map((at) => show(sorted[at]!)).join(' / ');
}

/** The spread of the results of a label between collections, by either definition of a true pair. */
export function rangesTable(part: 'thresholds' | 'grams'): string {
  const rows = SHOWN.map((candidate) => {
    const curves = readPart(part).filter((each) => each.candidate === candidate);
    const truePairs = (curve: ThresholdCurve) =>
      part === 'grams'
        ? readPart('grams').find((each) => each.collection === curve.collection)!.truePairs
        : truePairsOf(curve.collection);
    const cells = KS.flatMap((k) => {
      const of = (share: (counts: PairCounts, all: number) => number, show: (value: number) => string) =>
        spreadOf(
          curves.map((curve) => share(countsWithin(curve, k), truePairs(curve))),
          show,
        );
      return [
        of((counts, all) => counts.true / all, percent),
        of((counts) => counts.false / reported(counts), percent),
        of((counts) => (counts.true === 0 ? Number.NaN : reported(counts) / counts.true), number),
      ];
    });
    const best = spreadOf(
      curves.map((curve) => curve.best?.recall ?? 0),
      percent,
    );
    return [labelOf(candidate), String(curves.length), best, ...cells];
  });
  const head = KS.flatMap((k) => [`k = ${k}: found`, 'false', 'compared for each true pair']);
  return table(['label', 'collections', 'found at 1 % false', ...head], rows);
}

/** Entries that a lookup within 3 bits reads, in proportion to the number of documents. */
export function entriesTable(): string {
  const rows = readPart('lookups').map(({ source, set, candidate, documents, mean, most99, largestKey }) => [
    `\`${source}\``,
    set,
    labelOf(candidate),
    number((mean * 1e6) / documents),
    number((most99 * 1e6) / documents),
    number((mean * 1e9) / documents),
    number((largestKey * 1e9) / documents),
  ]);
  const head = ['entries read in 10^6: mean', '99 % read at most', 'mean in 10^9', 'largest key in 10^9'];
  return table(['lines of', 'set', 'label', ...head], rows, 3);
}

/** Recall at 1 % false pairs. */
export function criterionTable(): string {
  const collections = readPart('collections').map(({ name }) => name);
  const candidates = [...new Set(readPart('thresholds').map(({ candidate }) => candidate))];
  const rows = candidates.map((candidate) => [
    labelOf(candidate),
    ...collections.map((collection) => bestOf(curveOf(collection, candidate))),
  ]);
  return table(['label', ...collections.map((name) => `\`${name}\``)], rows);
}

function bestOf(curve: ThresholdCurve | undefined): string {
  if (curve === undefined) return '';
  return curve.best === null ? 'none' : `${percent(curve.best.recall)} (${curve.best.k})`;
}

/** One-bit MinHash with several hash seeds, beside the better simhash of the collection. */
export function seedsTable(): string {
  const rows = readPart('collections').map(({ name, truePairs }) => {
    const curves = readPart('seeds').filter(({ collection }) => collection === name);
    const simhash = curveOf(name, 'simhash-doc+bg1') ?? curveOf(name, 'simhash-doc')!;
    const found = (curve: ThresholdCurve, k: number) => curve.true[k]! / truePairs;
    const falseShare = (curve: ThresholdCurve) => curve.false[6]! / reported(countsAt(curve, 6));
    const mean = (shares: readonly number[]) => percent(shares.reduce((sum, share) => sum + share, 0) / shares.length);
    const spread = (shares: readonly number[]) => [
      mean(shares),
      `${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}`,
    ];
    return [
      `\`${name}\``,
      simhash.best === null ? 'none' : percent(simhash.best.recall),
      ...spread(curves.map(({ best }) => best?.recall ?? 0)),
      percent(found(simhash, 3)),
      ...spread(curves.map((curve) => found(curve, 3))),
      percent(found(simhash, 6)),
      percent(falseShare(simhash)),
      mean(curves.map((curve) => found(curve, 6))),
      mean(curves.map(falseShare)),
    ];
  });
  const spread = ['MinHash: mean', 'least to most'];
  return table(
    [
      ...['collection', '1 % false: simhash', ...spread, 'k = 3: simhash', ...spread],
      ...['k = 6: simhash', 'false', 'MinHash: mean', 'false'],
    ],
    rows,
  );
}

/** The k at which verification is shown: the thresholds, and 56 of 256 bits, a wide filter. */
const VERIFIED = [...KS, 14];

/** Pairs found with verification, and pairs compared for each. */
export function verificationTable(): string {
  const rows = readPart('collections').flatMap(({ name, truePairs }) =>
    ['simhash-doc', 'minhash-doc', 'minhash-doc-256'].map((candidate) => {
      const curve = curveOf(name, candidate)!;
      const at = (k: number) => {
        const counts = countsWithin(curve, k);
        return [percent(counts.true, truePairs), counts.true === 0 ? '–' : number(reported(counts) / counts.true)];
      };
      return [`\`${name}\``, labelOf(candidate), ...VERIFIED.flatMap(at)];
    }),
  );
  return table(['collection', 'label', ...VERIFIED.flatMap((k) => [`k = ${k}: found`, 'compared for each'])], rows, 2);
}

/** False pairs that a lookup reports, in proportion to the number of documents. */
export function lookupsTable(): string {
  const rows = readPart('collections').flatMap(({ name, pairs, truePairs, betweenPairs }) =>
    SPACED.flatMap((candidate) =>
      KS.map((k) => {
        const seen = countsWithin(curveOf(name, candidate)!, k).false;
        // If none is found, the share is below 3 / pairs with 95 % confidence.
        const share = Math.max(seen, 3) / (pairs - truePairs - betweenPairs);
        const cells = [1e6, 1e9].map((documents) => `${seen === 0 ? '< ' : ''}${number(share * documents)}`);
        return [`\`${name}\``, labelOf(candidate), String(k), count(seen), ...cells];
      }),
    ),
  );
  return table(['collection', 'label', 'k', 'false pairs', 'per lookup in 10^6', 'in 10^9'], rows, 2);
}

export function strangersTable(): string {
  const rows = readPart('strangers')
    .filter(
      ({ source, tokens, candidate }) =>
        NARROW.includes(candidate) && (source.startsWith('book-') ? tokens === 400 : tokens !== 80),
    )
    .map(({ source, tokens, candidate, documents, histogram }) => {
      const pairs = histogram.reduce((sum, each) => sum + each, 0);
      const bits = histogram.reduce((sum, each, distance) => sum + each * distance, 0);
      const within = (k: number) =>
        percent(
          histogram.slice(0, k + 1).reduce((sum, each) => sum + each, 0),
          pairs,
        );
      return [
        `\`${source}\``,
        labelOf(candidate),
        count(tokens),
        count(documents),
        number(bits / pairs),
        ...KS.map(within),
      ];
    });
  return table(['source', 'label', 'tokens', 'passages', 'mean distance', 'within 3', 'within 6'], rows, 2);
}

const EDITS: Readonly<Record<string, string>> = {
  deleted: 'words deleted',
  replaced: 'words replaced',
  moved: 'a block of words moved',
  paragraph: 'a foreign paragraph added',
  boilerplate: 'navigation added around',
  ocr: 'words misread by OCR',
  case: 'all in capitals',
  punctuation: 'no punctuation',
  hyphens: 'words broken by hyphens',
};

/** Copies of a page of one language. */
export function editsTable(tag: string): string {
  const candidates = [isUnspaced(tag) ? 'simhash-doc+bg1' : 'simhash-doc', 'minhash-doc', 'minhash-doc-256'];
  const edits = readPart('edits').filter((each) => each.language === tag && each.tokens === 400);
  const keys = [...new Set(edits.map(({ edit, share }) => `${edit} ${share}`))];
  const rows = keys.map((key) => {
    const ofKey = edits.filter(({ edit, share }) => `${edit} ${share}` === key);
    const { edit, share, meanOverlap } = ofKey[0]!;
    const cells = candidates.flatMap((candidate) => copyCells(ofKey, candidate));
    return [EDITS[edit] ?? edit, share === 1 ? '' : percent(share), meanOverlap.toFixed(2), ...cells];
  });
  const head = candidates.flatMap((candidate) => [`${labelOf(candidate)}: mean distance`, 'within 3', 'within 6']);
  return `${language(tag)}:\n\n${table(['edit', 'share', 'mean overlap', ...head], rows)}`;
}

function copyCells(edits: readonly EditedDistances[], name: string): string[] {
  const { candidate, meanDistance, within, documents } = edits.find((each) => each.candidate === name)!;
  const unit = unitOf(candidate);
  return [number(meanDistance / unit), ...KS.map((k) => percent(within[k * unit]!, documents))];
}

function isUnspaced(tag: string): boolean {
  return tag === 'zh' || tag === 'ja';
}

/** Long texts, of which words were misread. */
export function longEditsTable(): string {
  const edits = readPart('edits').filter(({ tokens, edit }) => tokens === 4000 && edit === 'ocr');
  const keys = [...new Set(edits.map(({ language: tag, share }) => `${tag} ${share}`))];
  const rows = keys.map((key) => {
    const ofKey = edits.filter(({ language: tag, share }) => `${tag} ${share}` === key);
    const { language: tag, share, meanOverlap } = ofKey[0]!;
    const simhash = isUnspaced(tag) ? 'simhash-doc+bg1' : 'simhash-doc';
    const cells = [simhash, 'minhash-doc'].flatMap((candidate) => copyCells(ofKey, candidate));
    return [language(tag), labelOf(simhash), percent(share), meanOverlap.toFixed(2), ...cells];
  });
  const head = ['simhash', '`minhash-doc`'].flatMap((name) => [`${name}: mean distance`, 'within 3', 'within 6']);
  return table(['language', 'simhash', 'words misread', 'mean overlap', ...head], rows, 2);
}

export function revisionsTable(): string {
  const rows = readPart('revisions').map(({ candidate, overlap: [from, below], pairs, within, meanDistance }) => [
    labelOf(candidate),
    `${from} to ${below > 1 ? 1 : below}`,
    count(pairs),
    number(meanDistance / unitOf(candidate)),
    ...KS.map((k) => percent(within[k * unitOf(candidate)]!, pairs)),
  ]);
  return table(['label', 'overlap', 'pairs', 'mean distance', ...KS.map((k) => `within ${k}`)], rows, 2);
}

export function mediaTable(): string {
  const sound = readPart('media').filter(({ flawed }) => !flawed);
  const row = (name: string, distancesOf: (pair: MediaDistances) => readonly number[]): string[] => {
    const all = sound.flatMap(distancesOf);
    const unspaced = sound.filter((each) => /^(?:ja|zh)/.test(each.language)).flatMap(distancesOf);
    const mean = (list: readonly number[]) => number(list.reduce((sum, each) => sum + each, 0) / list.length);
    const share = (k: number) => percent(all.filter((each) => each <= k).length, all.length);
    return [
      name,
      mean(all),
      ...[1, ...KS].map(share),
      number(Math.max(...all)),
      mean(unspaced),
      number(Math.max(...unspaced)),
    ];
  };
  const labels = Object.keys(sound[0]!.distances);
  const rows = labels.map((label) => row(labelOf(label), ({ distances }) => [distances[label]! / unitOf(label)]));
  const seeded = row('one-bit MinHash, eight seeds', ({ seeds }) => seeds);
  const within = [1, ...KS].map((k) => `within ${k}`);
  const head = ['label', 'mean distance', ...within, 'farthest', 'Chinese, Japanese: mean', 'farthest'];
  const pairs = `${count(sound.length)} pairs of media:`;
  return `${pairs}\n\n${table(head, [...rows, seeded])}`;
}

export function lengthsTable(): string {
  const rows = readPart('lengths')
    .filter(
      ({ candidate, source, tokens }) => SPACED.includes(candidate) && source === 'help-en' && tokens >= MIN_TOKENS,
    )
    .map(({ candidate, tokens, strangers, edited }) => [
      labelOf(candidate),
      count(tokens),
      ...KS.map((k) => percent(strangers[k]!)),
      ...KS.map((k) => percent(edited[k]!)),
    ]);
  return table(
    [
      'label',
      'tokens',
      'strangers within 3',
      'within 6',
      'copies with 5 % of the words replaced: within 3',
      'within 6',
    ],
    rows,
  );
}

export function dominanceTable(): string {
  const rows = readPart('dominance')
    .filter(({ candidate, source }) => SPACED.includes(candidate) && source === 'help-en')
    .map(({ candidate, share, strangers }) => [
      labelOf(candidate),
      percent(share),
      ...KS.map((k) => percent(strangers[k]!)),
    ]);
  return table(['label', 'share of the 4 words', 'strangers within 3', 'within 6'], rows);
}

export function bitsTable(): string {
  const rows = readPart('bits').map(
    ({ collection, candidate, meanBias, meanCorrelation, effectiveBits, sharedKeys }) => [
      `\`${collection}\``,
      labelOf(candidate),
      number(meanBias),
      number(meanCorrelation),
      number(effectiveBits),
      number(sharedKeys * 1e6),
    ],
  );
  const independent = ['64 independent bits', '', '0', '0', '64', number((TABLES / 2 ** KEY_BITS) * 1e6)];
  return table(
    ['collection', 'label', 'bias', 'correlation', 'effective bits', 'share a key, per million'],
    [independent, ...rows],
    2,
  );
}
