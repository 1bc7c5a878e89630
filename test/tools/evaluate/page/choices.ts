import { type PairCounts, readPart } from '../results.ts';
import { labelOf, number, percent, table } from './format.ts';
import { comparedFor, curveOf, reported, spreadWithin } from './scheme.ts';

/** For each kind of work: the label, the threshold of 64 bits, whether candidates are verified, and the collections. */
const CHOICES = [
  ['8 octets alone, a cheap first look', 'minhash-doc', 3, false, /./],
  ['8 octets alone', 'minhash-doc', 6, false, /./],
  ['32 octets alone', 'minhash-doc-256', 8, false, /./],
  ['candidates can be read again: 8 octets', 'minhash-doc', 8, true, /./],
  ['candidates can be read again: 32 octets', 'minhash-doc-256', 12, true, /./],
  ['the same in Chinese and Japanese', 'minhash-doc-256', 12, true, /-(?:zh|ja)$/],
  ['versions of documents, laws and licences', 'minhash-doc', 6, false, /revisions|contracts/],
] as const;

/** What each choice gives: the worst collection with its name, the median and the best. */
export function choicesTable(): string {
  const rows = CHOICES.map(([work, candidate, k, isVerified, names]) => {
    const curves = readPart('thresholds').filter((each) => each.candidate === candidate && names.test(each.collection));
    return [
      work,
      labelOf(candidate),
      candidate === 'minhash-doc-256' ? `${4 * k} of 256` : String(k),
      isVerified ? 'yes' : 'no',
      spreadWithin(curves, k, 'least', (counts, { truePairs }) => counts.true / truePairs),
      isVerified ? '0 %' : spreadWithin(curves, k, 'most', (counts) => counts.false / reported(counts)),
      isVerified ? spreadWithin(curves, k, 'most', comparedFor, number) : '–',
    ];
  });
  return table(['work', 'label', 'k', 'verify', 'found', 'false', 'compared for each true pair'], rows, 2);
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
