import { MAX_K, type Panel, type Series } from './figure.ts';
import { countsWithin, curveOf, reported } from './scheme.ts';

/** The collections of the plots, by the names that they have in the tables. */
const SHOWN: Readonly<Record<string, string>> = {
  mixed: 'documentation of many packages',
  'help-en': 'English help of an office suite',
  'manual-de': 'pages of one German manual',
  revisions: 'releases of packages',
};

/** The panels of the plot of spec/evaluation.md. */
export function makePanels(): Panel[] {
  return Object.entries(SHOWN).map(([collection, about]) => {
    const series = ['simhash-doc', 'minhash-doc', 'minhash-doc-256'].flatMap((label): Series[] => {
      const curve = curveOf(collection, label)!;
      const counts = Array.from({ length: MAX_K + 1 }, (_, k) => countsWithin(curve, k));
      return [
        { name: `${label}: found`, shares: counts.map((each) => each.true / curve.truePairs) },
        { name: `${label}: false`, shares: counts.map((each) => each.false / Math.max(1, reported(each))) },
      ];
    });
    return { title: `${collection}: ${about}`, series };
  });
}
