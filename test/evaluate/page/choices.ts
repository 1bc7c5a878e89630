import { readPart } from '../results.ts';
import { labelOf, number, percent, table } from './format.ts';
import { countsWithin, curveOf, reported, truePairsOf } from './scheme.ts';

interface Choice {
  readonly work: string;
  /** The collection of the evaluation that is most like it. */
  readonly collection: string;
  readonly candidate: string;
  readonly k: number;
  readonly isVerified: boolean;
}

/** What to use for which work. */
const CHOICES: readonly Choice[] = [
  { work: 'web archive: versions of a page', collection: 'revisions', candidate: 'bare', k: 6, isVerified: true },
  { work: 'crawl: fingerprints alone', collection: 'mixed', candidate: 'cap8', k: 3, isVerified: false },
  { work: 'crawl: candidates can be read again', collection: 'mixed', candidate: 'cap8', k: 7, isVerified: true },
  { work: 'dataset of short rows', collection: 'help-en', candidate: 'cap8', k: 7, isVerified: true },
  { work: 'digital library: long documents', collection: 'manual-de', candidate: 'cap8', k: 7, isVerified: true },
  { work: 'Chinese, Japanese, Thai', collection: 'help-ja', candidate: 'bg1+cap8', k: 7, isVerified: true },
];

export function choicesTable(): string {
  const rows = CHOICES.flatMap(({ work, collection, candidate, k, isVerified }) => {
    const curve = curveOf(collection, candidate);
    if (curve === undefined) return [];
    const counts = countsWithin(curve, k);
    return [
      [
        work,
        labelOf(candidate),
        `\`${collection}\``,
        String(k),
        isVerified ? 'yes' : 'no',
        percent(counts.true, truePairsOf(collection)),
        isVerified ? '0 %' : percent(counts.false, reported(counts)),
        isVerified ? number(reported(counts) / counts.true) : '–',
      ],
    ];
  });
  const head = ['work', 'label', 'measured on', 'k', 'verify', 'found', 'false', 'compared for each true pair'];
  return table(head, rows, 3);
}

/** What a distance means: how the pairs of all collections at it divide. */
export function meaningTable(): string {
  const steps = [
    [0, 0],
    [1, 3],
    [4, 6],
    [7, 8],
    [9, 12],
  ] as const;
  const collections = readPart('collections').filter(({ kind }) => kind !== 'generated');
  const rows = steps.map(([from, to]) => [
    from === to ? String(from) : `${from} to ${to}`,
    ...['simhash-doc', 'minhash-doc'].map((candidate) => {
      const shares = collections.flatMap(({ name }) => {
        const curve = curveOf(name, candidate);
        if (curve === undefined) return [];
        const between = (list: readonly number[]) => list[to]! - (list[from - 1] ?? 0);
        const all = between(curve.true) + between(curve.between) + between(curve.false);
        return all < 10 ? [] : [between(curve.true) / all];
      });
      return shares.length === 0 ? '–' : `${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}`;
    }),
  ]);
  return table(['distance', '`simhash-doc`: share of true pairs', '`minhash-doc`: share of true pairs'], rows);
}

/** simhash-doc and others in a few numbers, from one collection. */
export function besideTable(): string {
  const rows = readPart('rivals')
    .filter(({ collection, missing }) => collection === 'mixed' && missing === undefined)
    .map(({ method, octets, documentsPerSecond, best }) => [
      method,
      number(octets!),
      number(documentsPerSecond!),
      best ? percent(best.recall) : 'none',
    ]);
  return table(['method', 'octets', 'documents/s', 'found at 1 % false'], rows);
}
