import type { PairCounts } from '../results.ts';
import type { Figure, Panel, Series } from './figure.ts';
import { countsWithin, curveOf, reported, truePairsOf } from './scheme.ts';

/** The collections of the plots, by the names that they have in the tables. */
const SHOWN: Readonly<Record<string, string>> = {
  mixed: 'documentation of many packages',
  'help-en': 'English help of an office suite',
  'manual-de': 'pages of one German manual',
  revisions: 'releases of packages',
};

/** The plots of spec/evaluation.md. */
export function makeFigures(): Figure[] {
  return [thresholds()];
}

function thresholds(): Figure {
  const panels = Object.entries(SHOWN).map(([collection, about]): Panel => {
    const series = ['simhash-doc', 'minhash-doc', 'minhash-doc-256'].flatMap((label): Series[] => {
      const counts = Array.from({ length: 15 }, (_, k) => countsWithin(curveOf(collection, label)!, k));
      const shares = {
        found: counts.map((each) => each.true / truePairsOf(collection)),
        false: counts.map(falseShare),
      };
      return (['found', 'false'] as const).map((kind) => ({
        name: `${label}: ${kind}`,
        points: shares[kind].map((y, x) => ({ x, y })),
      }));
    });
    return { title: `${collection}: ${about}`, series };
  });
  return {
    name: 'thresholds',
    title: 'Found and false pairs by distance',
    description:
      'For four collections, the share of true pairs that are found within k bits, and the share of false pairs among those reported. With simhash-doc the false pairs grow before half of the true ones are found; with minhash-doc nearly all true pairs are found before the false ones grow, and with minhash-doc-256 the gap is wider.',
    x: { title: 'k of 64 bits; of 256 bits four times as many', domain: [0, 14], ticks: [0, 3, 6, 8, 10, 12, 14] },
    y: { title: 'share of pairs', domain: [-0.04, 1.04], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], isShare: true },
    panels,
  };
}

function falseShare(counts: PairCounts): number {
  return reported(counts) === 0 ? 0 : counts.false / reported(counts);
}
