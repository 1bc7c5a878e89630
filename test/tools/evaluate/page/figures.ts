import { type PairCounts, readPart } from '../results.ts';
import type { Figure, Panel, Series } from './figure.ts';
import { count, language } from './format.ts';
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
  return [distances(), thresholds(), wordsChanged()];
}

function distances(): Figure {
  const panel = (tag: string, candidate: string): Panel => ({
    title: `${language(tag)}, ${candidate}`,
    series: [
      { name: 'unrelated pages', points: strangerPoints(tag, candidate) },
      { name: 'copies, 2 % of words replaced', points: copyPoints(tag, candidate, 0.02) },
      { name: 'copies, 10 % of words replaced', points: copyPoints(tag, candidate, 0.1) },
    ],
  });
  return {
    name: 'distances',
    title: 'Distances of unrelated pages and of edited copies',
    description:
      'Four histograms of Hamming distances of pages of 400 tokens. Unrelated pages lie around 18 to 32 bits apart, copies with 2 % of their words replaced within about 6 bits, copies with 10 % replaced between the two. Unrelated English pages are nearer with simhash-doc than with minhash-doc.',
    x: { title: 'Hamming distance, bits', domain: [0, 48], ticks: [0, 8, 16, 24, 32, 40, 48] },
    y: { title: 'share of pairs', domain: [0, 0.4], ticks: [0, 0.1, 0.2, 0.3, 0.4], isShare: true },
    isStepped: true,
    panels: [
      panel('en', 'simhash-doc'),
      panel('en', 'minhash-doc'),
      panel('zh', 'simhash-doc+bg1'),
      panel('zh', 'minhash-doc'),
    ],
  };
}

function strangerPoints(tag: string, candidate: string): Series['points'] {
  const found = readPart('strangers').find(
    (each) => each.source === `help-${tag}` && each.candidate === candidate && each.tokens === 400,
  );
  const histogram = found?.histogram ?? [];
  const pairs = histogram.reduce((sum, each) => sum + each, 0);
  return histogram.map((each, x) => ({ x, y: each / pairs }));
}

/** Copies farther apart than the last threshold are not shown. */
function copyPoints(tag: string, candidate: string, share: number): Series['points'] {
  const found = readPart('edits').find(
    (each) =>
      each.language === tag &&
      each.candidate === candidate &&
      each.tokens === 400 &&
      each.edit === 'replaced' &&
      each.share === share,
  );
  if (found === undefined) return [];
  return found.within.map((pairs, k) => ({ x: k, y: (pairs - (found.within[k - 1] ?? 0)) / found.documents }));
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
    y: { title: 'share of pairs', domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], isShare: true },
    panels,
  };
}

function falseShare(counts: PairCounts): number {
  return reported(counts) === 0 ? 0 : counts.false / reported(counts);
}

function wordsChanged(): Figure {
  const panels = ['simhash-doc', 'minhash-doc'].map((candidate): Panel => {
    const edits = readPart('edits').filter((each) => each.candidate === candidate && each.language === 'en');
    const series = ['deleted', 'replaced', 'ocr'].map((edit) => ({
      name: { deleted: 'words deleted', replaced: 'words replaced', ocr: 'words misread' }[edit]!,
      points: edits
        .filter((each) => each.edit === edit && each.tokens === 400)
        .map(({ share, meanDistance }) => ({ x: share, y: meanDistance })),
    }));
    const long = edits.filter((each) => each.edit === 'replaced' && each.tokens !== 400);
    for (const tokens of [...new Set(long.map((each) => each.tokens))])
      series.push({
        name: `replaced in ${count(tokens)} tokens`,
        points: long
          .filter((each) => each.tokens === tokens)
          .map(({ share, meanDistance }) => ({ x: share, y: meanDistance })),
      });
    return { title: `English, 400 tokens, ${candidate}`, series };
  });
  return {
    name: 'words-changed',
    title: 'Distance against the share of words changed',
    description:
      'The mean Hamming distance of a page and its copy grows with the share of words that were deleted, replaced or misread; with simhash-doc it grows faster in short documents, with minhash-doc the length makes little difference.',
    x: { title: 'share of words changed', domain: [0, 0.2], ticks: [0, 0.05, 0.1, 0.15, 0.2], isShare: true },
    y: { title: 'mean distance, bits', domain: [0, 10], ticks: [0, 2, 4, 6, 8, 10] },
    panels,
  };
}
