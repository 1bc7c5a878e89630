import type { MeasuredCollection } from './measure/collection.ts';

/** Prints recall and the share of false pairs at some thresholds, one candidate a line. */
export function printThresholds({ summary, thresholds, candidates }: MeasuredCollection): void {
  const { name, documents, tokens, truePairs, betweenPairs } = summary;
  console.log(
    `${name}: ${documents} documents, median ${tokens.median} tokens, ${truePairs} true pairs, ${betweenPairs} between`,
  );
  const shown = [0, 1, 3, 5, 6, 8, 10];
  console.log(
    `${'false share, recall'.padEnd(20)} ${shown.map((k) => `k = ${k}`.padStart(12)).join('')}   at 1 % false`,
  );
  for (const curve of thresholds) {
    const cells = shown.map((k) => {
      const reported = curve.true[k]! + curve.between[k]! + curve.false[k]!;
      return `${percent(curve.false[k]!, reported)} ${percent(curve.true[k]!, truePairs)}`.padStart(12);
    });
    const best = curve.best === null ? 'none' : `k = ${curve.best.k}: ${percent(curve.best.recall, 1)}`;
    const { falsePerTrue } = candidates.find((each) => each.candidate === curve.candidate && each.k === 6) ?? {};
    const odds = typeof falsePerTrue !== 'number' ? '' : `   ${falsePerTrue.toPrecision(2)} false per true at 6`;
    console.log(`${curve.candidate.padEnd(20)} ${cells.join('')}   ${best}${odds}`);
  }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}`;
}
