import { readdirSync, readFileSync } from 'node:fs';
import { escapeHtml, formatNumber, joinWithAnd } from '../../common/text.ts';
import { claimedClasses } from '../../conformance/judge/classes.ts';
import type { Results } from '../../conformance/report/files/results.ts';
import { loadManifest, suiteOf } from '../../conformance/suite/load.ts';
import { code, type Heading, heading, link, table } from './html.ts';

/** The document whose page has the results. */
export const STATUS = 'spec/status.md';

const HEADING = { id: 'results', title: 'Results of implementations', depth: 2 } as const;

/** Writes a table of the implementations of this repository, from the results in vectors/claims. */
export function claimTable(root: URL): { html: string; headings: readonly Heading[] } {
  const folder = new URL('vectors/claims/', root);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const rows = files
    .sort()
    .map((file) => row(file, JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Results));
  const { version, digest } = suiteOf(loadManifest());
  const html = `${heading(HEADING)}<p>These are the results of programs that were run, each linked. The vectors of this site are version ${escapeHtml(version)}, digest ${code(short(digest))}:
other digests are those of earlier ones. Random cases are compared with the reference.</p>
${table(
  HEADING.title,
  ['Implementation', 'Language', 'Conforms to the classes', 'Right', 'Not offered', 'Random cases', 'Date', 'Vectors'],
  rows,
)}
`;
  return { html, headings: [HEADING] };
}

function row(file: string, { adapter, suite, date, counts, classes, random }: Results): string[] {
  return [
    link(`../vectors/claims/${file}`, escapeHtml(`${adapter.name} ${adapter.version}`)),
    escapeHtml(adapter.language),
    escapeHtml(joinWithAnd(claimedClasses(classes))).replaceAll(' ≤ ', '\u00a0≤\u00a0'),
    `${formatNumber(counts.passed)} of ${formatNumber(counts.passed + counts.failed)}`,
    formatNumber(counts.unsupported),
    random === null ? '–' : formatNumber(random.compared),
    `<time>${date.slice(0, 10)}</time>`,
    `${escapeHtml(suite.version)} ${code(short(suite.digest))}`,
  ];
}

function short(digest: string): string {
  return digest.slice(0, 8);
}
