import { READER_LIMITS } from '../../../src/documents/limits-by-format.ts';
import type { ExtractionLimits } from '../../../src/extract/index.ts';

/** The option of the command that sets each limit. */
const OPTIONS: Readonly<Record<keyof ExtractionLimits, string>> = {
  bytes: '--max-size',
  inflated: '--max-inflated',
  ratio: '--max-ratio',
  depth: '--max-depth',
  nesting: '--max-nesting',
  pages: '--max-pages',
};

/** The table of SECURITY.md that says which limits apply to which reader. */
export function limitsTable(): string {
  const limits = Object.keys(OPTIONS) as (keyof ExtractionLimits)[];
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['reader', ...limits.map((limit) => `\`${OPTIONS[limit]}\``)]),
    row(['---', ...limits.map(() => '---')]),
    ...Object.entries(READER_LIMITS).map(([reader, own]) =>
      row([reader, ...limits.map((limit) => (own.includes(limit) ? 'yes' : ''))]),
    ),
  ].join('\n');
}
