import { type PairCounts, readPart } from '../results.ts';
import { labelOf, number, percent, table } from './format.ts';
import { countsWithin, curveOf, reported, truePairsOf } from './scheme.ts';

/** For each kind of work: the collection of the evaluation that is most like it, the label, the threshold, and whether candidates are verified. */
const CHOICES = [
  ['web archive: versions of a page', 'revisions', 'minhash-doc', 6, false],
  ['crawl: 8 octets alone', 'mixed', 'minhash-doc', 6, false],
  ['crawl: 32 octets alone', 'mixed', 'minhash-doc-256', 8, false],
  ['crawl: candidates can be read again', 'mixed', 'minhash-doc', 8, true],
  ['dataset of short rows', 'help-en', 'minhash-doc', 8, true],
  ['digital library: long documents', 'manual-de', 'minhash-doc', 8, true],
  ['Chinese, Japanese, Thai', 'help-ja', 'minhash-doc', 8, true],
] as const;

export function choicesTable(): string {
  const rows = CHOICES.map(([work, collection, candidate, k, isVerified]) => {
    const counts = countsWithin(curveOf(collection, candidate)!, k);
    return [
      work,
      labelOf(candidate),
      `\`${collection}\``,
      candidate === 'minhash-doc-256' ? `${4 * k} of 256` : String(k),
      isVerified ? 'yes' : 'no',
      percent(counts.true, truePairsOf(collection)),
      isVerified ? '0 %' : percent(counts.false, reported(counts)),
      isVerified ? number(reported(counts) / counts.true) : '–',
    ];
  });
  const head = ['work', 'label', 'measured on', 'k', 'verify', 'found', 'false', 'compared for each true pair'];
  return table(head, rows, 3);
}

/** Shares of true and false pairs at each distance, over all collections. */
export function meaningTable(): string {
  const steps = [
    [0, 0],
    [1, 3],
    [4, 6],
    [7, 8],
    [9, 12],
  ] as const;
  const labels = ['simhash-doc', 'minhash-doc'];
  const rows = steps.map(([from, to]) => [
    from === to ? String(from) : `${from} to ${to}`,
    ...labels.flatMap((label) => (['true', 'false'] as const).map((kind) => shareBetween(label, kind, from, to))),
  ]);
  const head = labels.flatMap((label) => [`${labelOf(label)}: true`, 'false']);
  return table(['distance', ...head], rows);
}

/**
 * The share of one kind among all pairs at some distances: the minimum and maximum of collections with 10 such pairs.
 */
function shareBetween(label: string, kind: keyof PairCounts, from: number, to: number): string {
  const collections = readPart('collections').filter((each) => each.kind !== 'generated');
  const shares = collections.flatMap(({ name }) => {
    const curve = curveOf(name, label)!;
    const between = (list: readonly number[]) => list[to]! - (list[from - 1] ?? 0);
    const all = between(curve.true) + between(curve.between) + between(curve.false);
    return all < 10 ? [] : [between(curve[kind]) / all];
  });
  if (shares.length === 0) return '–';
  const [least, most] = [percent(Math.min(...shares)), percent(Math.max(...shares))];
  return least === most ? least : `${least} to ${most}`;
}

/** The labels and other methods in a few numbers, from one collection. */
export function besideTable(): string {
  const measured = readPart('rivals').filter(
    ({ collection, method }) => collection === 'mixed' && method !== 'simhash-doc+bg1',
  );
  const rows = measured.map(({ method, bytes, documentsPerSecond, best }) => [
    method,
    number(bytes),
    number(documentsPerSecond),
    best ? percent(best.recall) : 'none',
  ]);
  return table(['method', 'octets', 'documents/s', 'found at 1 % false'], rows);
}
