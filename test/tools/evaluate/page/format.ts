/** A table in Markdown; all columns but the first `left` are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], left = 1): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at < left ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** A share as per cent: two digits, or a bound where nothing was found. */
export function percent(part: number, whole = 1): string {
  if (whole === 0) return '–';
  const share = (100 * part) / whole;
  if (share === 0) return '0 %';
  if (share < 0.01) return '< 0.01 %';
  return `${share >= 9.95 ? Math.round(share) : Number(share.toPrecision(2))} %`;
}

/** A number with two digits, in groups of three. */
export function number(value: number): string {
  if (value === 0) return '0';
  if (value < 0.001) return '< 0.001';
  if (value < 100) return String(Number(value.toPrecision(2)));
  return Math.round(Number(value.toPrecision(3))).toLocaleString('en');
}

/** A whole number in groups of three. */
export function count(value: number): string {
  return value.toLocaleString('en');
}

/** Languages by their names in English. */
export function language(tag: string): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(tag)!;
}

/** A label as code, any other candidate by its name. */
export function labelOf(candidate: string): string {
  return candidate.replace(/^(?:sim|min)hash-doc[^,]*/, '`$&`');
}
