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

/** Prints rows as a Markdown table, the first row being its head. */
export function printTable(rows: readonly (readonly (string | number)[])[]): void {
  const [head, ...body] = rows;
  if (head === undefined) return;
  const line = (row: readonly (string | number)[]): string => `| ${row.join(' | ')} |`;
  console.log([line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...body.map(line)].join('\n'));
  console.log();
}
