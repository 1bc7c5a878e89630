import type { MeasuredCollection } from './measure/collection.ts';

/** Prints recall and the share of false pairs at some thresholds, one candidate a line; 256 bits at four times those. */
export function printThresholds({ summary, thresholds }: MeasuredCollection): void {
  const { name, documents, tokens, truePairs, betweenPairs } = summary;
  console.log(
    `${name}: ${documents} documents, median ${tokens.median} tokens, ${truePairs} true pairs, ${betweenPairs} between`,
  );
  const shown = [0, 1, 3, 5, 6, 8, 10];
  console.log(
    `${'false share, recall'.padEnd(26)} ${shown.map((k) => `k = ${k}`.padStart(12)).join('')}   at 1 % false`,
  );
  for (const curve of thresholds) {
    const scale = (curve.true.length - 1) / 16;
    const cells = shown.map((each) => {
      const k = scale * each;
      const reported = curve.true[k]! + curve.between[k]! + curve.false[k]!;
      return `${percent(curve.false[k]!, reported)} ${percent(curve.true[k]!, truePairs)}`.padStart(12);
    });
    const best = curve.best === null ? 'none' : `k = ${curve.best.k}: ${percent(curve.best.recall, 1)}`;
    console.log(`${curve.candidate.padEnd(26)} ${cells.join('')}   ${best}`);
  }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}`;
}
