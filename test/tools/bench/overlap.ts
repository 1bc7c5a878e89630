// Precision and recall of `dupes` on a folder, by comparing all documents with all: npx tsx test/tools/bench/overlap.ts FOLDER [LABEL]

import { DOCUMENT_LABEL } from '../../../src/cli/options.ts';
import { withSession } from '../../../src/cli/session.ts';
import { documentsIn, planWalk } from '../../../src/documents/plan.ts';
import { DEFAULT_LIMITS } from '../../../src/extract/index.ts';
import { type CountedPart, sumCounts } from '../../../src/fingerprint/token-counts.ts';
import { distance, type Fingerprint } from '../../../src/index.ts';

const THRESHOLD = 0.8;
const [, , folder = '/usr/share/doc', label = DOCUMENT_LABEL] = process.argv;

interface Counted {
  readonly path: string;
  readonly fingerprint: Fingerprint;
  readonly counted: CountedPart;
  readonly tokens: number;
}

/** Two documents that are near or overlap. */
interface Pair {
  readonly a: Counted;
  readonly b: Counted;
  readonly distance: number;
  readonly overlap: number;
}

const documents: Counted[] = [];
const hints = { label, limits: DEFAULT_LIMITS, timeout: 60_000, memory: 3 * 2 ** 30 };
const options = { hints, jobs: 1, isHandful: true, json: true, quiet: true };
await withSession(options, async ({ run }) => {
  for await (const { path, result } of run(
    'tokens',
    documentsIn(planWalk({ roots: [folder], isSelected: () => true }).entries),
  ))
    if (!('failure' in result)) {
      const tokens = result.counted.counts.reduce((sum, count) => sum + count, 0);
      documents.push({ path, ...result, tokens });
    }
});

const pairs: Pair[] = [];
for (const [i, a] of documents.entries())
  for (const b of documents.slice(i + 1)) {
    const bits = distance(a.fingerprint, b.fingerprint);
    const most = Math.min(a.tokens, b.tokens) / Math.max(a.tokens, b.tokens);
    if (bits > 8 && most < THRESHOLD) continue;
    const { common, all } = sumCounts(a.counted, b.counted);
    if (bits <= 8 || common / all >= THRESHOLD) pairs.push({ a, b, distance: bits, overlap: common / all });
  }

const percent = (part: number, all: number): string => (all === 0 ? '-' : `${((100 * part) / all).toFixed(1)} %`);
const isTrue = ({ overlap }: Pair): boolean => overlap >= THRESHOLD;
const allTrue = pairs.filter(isTrue).length;
console.log(`${documents.length} documents, ${allTrue} pairs of overlap ${THRESHOLD} or more`);
console.log('| k | pairs | overlap >= 0.8 | overlap < 0.5 | recall |\n| ---: | ---: | ---: | ---: | ---: |');
for (let k = 0; k <= 8; k++) {
  const near = pairs.filter((pair) => pair.distance <= k);
  const right = near.filter(isTrue).length;
  const wrong = near.filter(({ overlap }) => overlap < 0.5).length;
  console.log(
    `| ${k} | ${near.length} | ${percent(right, near.length)} | ${percent(wrong, near.length)} | ${percent(right, allTrue)} |`,
  );
}
console.log(
  '| tokens of the shorter | near at 3 | overlap < 0.5 | near at 7 | overlap < 0.5 |\n| ---: | ---: | ---: | ---: | ---: |',
);
const BINS = [0, 10, 20, 50, 100, 200, 500, 1000, 10_000, Number.POSITIVE_INFINITY];
for (const [i, least] of BINS.slice(0, -1).entries()) {
  const inBin = pairs.filter(({ a, b }) => {
    const tokens = Math.min(a.tokens, b.tokens);
    return tokens >= least && tokens < BINS[i + 1]!;
  });
  const cells = [3, 7].flatMap((k) => {
    const near = inBin.filter((pair) => pair.distance <= k);
    return [near.length, percent(near.filter(({ overlap }) => overlap < 0.5).length, near.length)];
  });
  console.log(`| ${least} to ${BINS[i + 1]! - 1} | ${cells.join(' | ')} |`);
}
/** The share of a document that its most frequent tokens make up. */
const shareOf = ({ counted, tokens }: Counted, few: number): number =>
  counted.counts
    .slice()
    .sort()
    .subarray(-few)
    .reduce((sum, count) => sum + count, 0) / tokens;
console.log('| 4 most frequent tokens of either | near at 7 | overlap < 0.5 |\n| ---: | ---: | ---: |');
for (const [least, most] of [
  [0, 0.1],
  [0.1, 0.2],
  [0.2, 0.3],
  [0.3, 0.4],
  [0.4, 0.5],
  [0.5, 0.6],
  [0.6, 2],
] as const) {
  const near = pairs.filter((pair) => {
    const share = Math.max(shareOf(pair.a, 4), shareOf(pair.b, 4));
    return pair.distance <= 7 && share >= least && share < most;
  });
  console.log(
    `| ${least} to ${most} | ${near.length} | ${percent(near.filter(({ overlap }) => overlap < 0.5).length, near.length)} |`,
  );
}
