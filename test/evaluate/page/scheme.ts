import { type PairCounts, readPart, type ThresholdCurve } from '../results.ts';
import { count, labelOf, language, number, percent, table } from './format.ts';

/** The candidates that the first tables compare. */
const SHOWN = ['bare', 'cap8', 'bg1+cap8'];
/** Thresholds: the default filter, the loose match, and the default of `dupes`. */
const KS = [3, 6, 7];
/** Below, 5 % of the words is often none. */
export const MIN_TOKENS = 20;
/** Collections in a script without spaces. There alone `bg1` changes something. */
const UNSPACED = ['seeded', 'help-zh', 'help-ja'];

/** The pairs that a curve reports within k bits. */
export function countsAt(curve: ThresholdCurve, k: number): PairCounts {
  return { true: curve.true[k]!, between: curve.between[k]!, false: curve.false[k]! };
}

/** How many pairs are reported. */
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

/** Recall and the share of false pairs for registered labels. */
export function thresholdsTable(): string {
  const rows = readPart('collections').flatMap(({ name, truePairs }) =>
    SHOWN.filter((candidate) => candidate !== 'bg1+cap8' || UNSPACED.includes(name)).flatMap((candidate) => {
      const curve = curveOf(name, candidate);
      if (curve === undefined) return [];
      const cells = KS.flatMap((k) => {
        const counts = countsAt(curve, k);
        return [percent(counts.true, truePairs), percent(counts.false, reported(counts))];
      });
      return [[`\`${name}\``, labelOf(candidate), ...cells]];
    }),
  );
  return table(['collection', 'label', ...KS.flatMap((k) => [`k = ${k}: found`, 'false'])], rows, 2);
}

/** The criterion for the registry: recall at 1 % false pairs. */
export function criterionTable(): string {
  const collections = readPart('collections').map(({ name }) => name);
  const candidates = [...new Set(readPart('thresholds').map(({ candidate }) => candidate))];
  const rows = candidates.map((candidate) => [
    labelOf(candidate),
    ...collections.map((collection) => {
      const curve = curveOf(collection, candidate);
      if (curve === undefined) return '';
      return curve.best === null ? 'none' : `${percent(curve.best.recall)} (${curve.best.k})`;
    }),
  ]);
  return table(['candidate', ...collections.map((name) => `\`${name}\``)], rows);
}

/** What verification costs and leaves. */
export function verificationTable(): string {
  const rows = readPart('collections').flatMap(({ name, truePairs }) =>
    ['bare', 'cap8'].flatMap((candidate) => {
      const curve = curveOf(name, candidate);
      if (curve === undefined) return [];
      const at = (k: number) => {
        const counts = countsAt(curve, k);
        return [percent(counts.true, truePairs), counts.true === 0 ? '–' : number(reported(counts) / counts.true)];
      };
      return [[`\`${name}\``, labelOf(candidate), ...KS.flatMap(at)]];
    }),
  );
  return table(['collection', 'label', ...KS.flatMap((k) => [`k = ${k}: found`, 'compared for each'])], rows, 2);
}

export function candidatesTable(): string {
  const rows = readPart('candidates')
    .filter(({ candidate, k }) => ['bare', 'cap8'].includes(candidate) && (k === 3 || k === 6))
    .map((each) => [
      `\`${each.collection}\``,
      labelOf(each.candidate),
      String(each.k),
      percent(each.recall),
      each.falsePerTrue === null ? '–' : number(each.falsePerTrue),
      `${each.isModelled ? '≈ ' : ''}${number(each.perLookup.million)}`,
      `${each.isModelled ? '≈ ' : ''}${number(each.perLookup.billion)}`,
    ]);
  return table(
    ['collection', 'label', 'k', 'found', 'false pairs per true pair', 'strangers per lookup in 10^6', 'in 10^9'],
    rows,
    2,
  );
}

export function strangersTable(): string {
  const within = (histogram: readonly number[], k: number): string => {
    const pairs = histogram.reduce((sum, each) => sum + each, 0);
    return percent(
      histogram.slice(0, k + 1).reduce((sum, each) => sum + each, 0),
      pairs,
    );
  };
  const rows = readPart('strangers')
    .filter(
      ({ source, tokens, candidate }) =>
        SHOWN.includes(candidate) && (source.startsWith('book-') ? tokens === 400 : tokens !== 80),
    )
    .map(({ source, tokens, candidate, documents, histogram }) => [
      `\`${source}\``,
      labelOf(candidate),
      count(tokens),
      count(documents),
      ...[1, 3, 6].map((k) => within(histogram, k)),
    ]);
  return table(['source', 'label', 'tokens', 'passages', 'within 1', 'within 3', 'within 6'], rows, 2);
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
  const candidates = tag === 'zh' || tag === 'ja' ? ['bare', 'bg1', 'bg1+cap8'] : ['bare', 'cap8'];
  const edits = readPart('edits').filter((each) => each.language === tag && each.tokens === 400);
  const keys = [...new Set(edits.map(({ edit, share }) => `${edit} ${share}`))];
  const rows = keys.map((key) => {
    const ofKey = edits.filter(({ edit, share }) => `${edit} ${share}` === key);
    const { edit, share, meanOverlap } = ofKey[0]!;
    const cells = candidates.flatMap((candidate) => {
      const found = ofKey.find((each) => each.candidate === candidate);
      if (found === undefined) return ['', '', ''];
      return [
        number(found.meanDistance),
        percent(found.within[3]!, found.documents),
        percent(found.within[6]!, found.documents),
      ];
    });
    return [EDITS[edit] ?? edit, share === 1 ? '' : percent(share), meanOverlap.toFixed(2), ...cells];
  });
  const head = candidates.flatMap((candidate) => [`${labelOf(candidate)}: mean distance`, 'within 3', 'within 6']);
  return `${language(tag)}:\n\n${table(['edit', 'share', 'mean overlap', ...head], rows)}`;
}

export function revisionsTable(): string {
  const rows = readPart('revisions')
    .filter(({ candidate }) => ['bare', 'cap8'].includes(candidate))
    .map(({ candidate, overlap: [from, below], pairs, within, meanDistance }) => [
      labelOf(candidate),
      `${from} to ${below > 1 ? 1 : below}`,
      count(pairs),
      number(meanDistance),
      ...KS.map((k) => percent(within[k]!, pairs)),
    ]);
  return table(['label', 'overlap', 'pairs', 'mean distance', ...KS.map((k) => `within ${k}`)], rows, 2);
}

export function mediaTable(): string {
  const sound = readPart('media').filter(({ flawed }) => !flawed);
  const candidates = Object.keys(sound[0]!.distances);
  const rows = candidates.map((candidate) => {
    const distances = sound.flatMap((each) => each.distances[candidate] ?? []).sort((a, b) => a - b);
    const unspaced = sound
      .filter((each) => /^(?:ja|zh)/.test(each.language))
      .flatMap((each) => each.distances[candidate] ?? []);
    const share = (list: readonly number[], k: number) => percent(list.filter((each) => each <= k).length, list.length);
    return [
      labelOf(candidate),
      count(distances.length),
      share(distances, 3),
      share(distances, 6),
      String(distances.at(-1)),
      share(unspaced, 3),
      String(Math.max(...unspaced)),
    ];
  });
  return table(
    ['candidate', 'pairs of media', 'within 3', 'within 6', 'farthest', 'Chinese, Japanese: within 3', 'farthest'],
    rows,
  );
}

export function lengthsTable(): string {
  const rows = readPart('lengths')

    .filter(
      ({ candidate, source, tokens }) =>
        ['bare', 'cap8'].includes(candidate) && source === 'help-en' && tokens >= MIN_TOKENS,
    )
    .map(({ candidate, tokens, strangers, edited }) => [
      labelOf(candidate),
      count(tokens),
      ...[3, 6].map((k) => percent(strangers[k]!)),
      ...[3, 6].map((k) => percent(edited[k]!)),
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
    .filter(({ candidate, source }) => ['bare', 'cap8', 'once'].includes(candidate) && source === 'help-en')
    .map(({ candidate, share, strangers }) => [
      labelOf(candidate),
      percent(share),
      ...[1, 3, 6].map((k) => percent(strangers[k]!)),
    ]);
  return table(['candidate', 'share of the 4 words', 'strangers within 1', 'within 3', 'within 6'], rows);
}

export function bitsTable(): string {
  const rows = readPart('bits')
    .filter(({ candidate }) => ['bare', 'cap8'].includes(candidate))
    .map(({ collection, candidate, meanBias, meanCorrelation, effectiveBits, odds }) => [
      `\`${collection}\``,
      labelOf(candidate),
      number(meanBias),
      number(meanCorrelation),
      number(effectiveBits),
      ...odds.map(({ measured }) => number(measured.collisions)),
    ]);
  const { odds } = readPart('bits')[0]!;
  const independent = odds.map(({ uniform }) => number(uniform.collisions));
  return table(
    [
      'collection',
      'label',
      'bias',
      'correlation',
      'effective bits',
      ...odds.map(({ documents }) => `of ${number(documents)}`),
    ],
    [['64 independent bits', '', '0', '0', '64', ...independent], ...rows],
    2,
  );
}
