import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a function some times after a warm-up and returns the median time of one run in seconds. */
export function median(run: () => unknown, rounds = 5): number {
  run();
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    run();
    return (performance.now() - start) / 1000;
  }).sort((a, b) => a - b);
  return times[times.length >> 1]!;
}

/**
 * The best time of each of some functions, in seconds. They take turns, so that other work of the machine affects all
 * of them.
 */
export function bestTimes(runs: readonly (() => unknown)[], rounds = 7): number[] {
  const best = runs.map(() => Infinity);
  for (let round = 0; round <= rounds; round++)
    for (const [i, run] of runs.entries()) {
      const start = performance.now();
      run();
      // The first round only warms up.
      if (round > 0) best[i] = Math.min(best[i]!, (performance.now() - start) / 1000);
    }
  return best;
}

/** Prints rows as a Markdown table, the first row being its head. */
export function printTable(rows: readonly (readonly (string | number)[])[]): void {
  const [head, ...body] = rows;
  if (head === undefined) return;
  const line = (row: readonly (string | number)[]): string => `| ${row.join(' | ')} |`;
  console.log([line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...body.map(line)].join('\n'));
  console.log();
}

/** Runs a function with a temporary folder, and deletes the folder even if it fails. */
export async function inFolder<T>(run: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-bench-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the value of an option `--NAME=VALUE` of the command line, or undefined without it. */
export function optionOf(name: string): string | undefined {
  const start = `--${name}=`;
  return process.argv.find((argument) => argument.startsWith(start))?.slice(start.length);
}
