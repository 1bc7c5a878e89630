import { formatNumber } from '../../../common/text.ts';

/** Writes a table with the names of its columns, numbers to the right, indented by two; nothing without rows. */
export function table(names: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  if (rows.length === 0) return [];
  const isText = names.map((_, column) => typeof rows[0]![column] === 'string');
  const cells = [
    names,
    ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? formatNumber(cell) : cell))),
  ];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row) => {
    const padded = row.map((cell, column) =>
      isText[column] ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    );
    return `  ${padded.join('  ')}`.trimEnd();
  });
}
