import { readdirSync, readFileSync } from 'node:fs';
import { escapeHtml, formatNumber, joinWithAnd } from '../../common/text.ts';
import { type Counts, claimedClasses } from '../../conformance/judge/conformance-classes.ts';
import type { Results } from '../../conformance/records/results-file.ts';
import { namedStep } from '../../conformance/report/printable-text.ts';
import { loadManifest, suiteOf } from '../../conformance/suite/load-suite.ts';
import { type Citations, playgroundLink } from './citations.ts';
import { code, type Heading, heading, link, relativeLink, table } from './html.ts';

/** The report on a library (vectors/schema/report.schema.json), as far as it is shown in tables. */
interface Report extends Results {
  readonly library: { readonly registry: string; readonly package: string; readonly version: string };
  readonly differs: readonly { readonly step: number; readonly how: string }[];
  readonly groups: Readonly<Record<string, Counts>>;
  readonly firstDifference: Readonly<Record<'id' | 'place' | 'expected' | 'actual', string>> | null;
}

export const REPORT_CARD = 'report-card/index.html';

function readFolder<R extends Results>(folder: URL): [name: string, results: R][] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => {
    return [file.slice(0, -'.json'.length), JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as R];
  });
}

const HEADINGS = [
  { id: 'first-differences', title: 'The first difference of each', depth: 2 },
  { id: 'classes', title: 'Class by class', depth: 2 },
  { id: 'steps', title: 'Step by step', depth: 2 },
] as const;

export function reportTables(root: URL, citations: Citations): { html: string; headings: readonly Heading[] } {
  const reports = readFolder<Report>(new URL('vectors/reports/', root));
  const names = reports.map(([name, { library }]) =>
    link(`#${name}`, `${escapeHtml(library.package)} <small>${escapeHtml(library.registry)}</small>`),
  );
  const classes = [...new Set(reports.flatMap(([, report]) => report.classes.map((each) => each.class)))];
  const groups = [...new Set(reports.flatMap(([, report]) => Object.keys(report.groups)))];
  const cellsOf = (row: (report: Report) => readonly string[]): string[][] =>
    reports.map(([, report], i) => [names[i]!, ...row(report)]);
  const [first, byClass, byStep] = HEADINGS;
  const html = `${heading(first)}${table(
    first.title,
    ['Library', 'First step that differs', 'First vector that differs', 'Expected', 'Its answer'],
    cellsOf((report) => differenceCells(report, citations)),
  )}
${heading(byClass)}<p>Right answers of all answers, in each ${link('../vectors/README.html#classes', 'conformance class')}. A dash stands for
what a library does not take.</p>
${table(
  byClass.title,
  ['Library', ...classes.map(escapeHtml)],
  cellsOf((report) => classes.map((name) => countsCell(report.classes.find((each) => each.class === name)?.counts))),
)}
${heading(byStep)}<p>Right answers of all answers, in each ${link('../vectors/index.html', 'group of vectors')}, in the order of the steps.</p>
${table(
  byStep.title,
  ['Group', ...names],
  groups.map((group) => [
    link(`../vectors/${group}.html`, escapeHtml(group)),
    ...reports.map(([, report]) => countsCell(report.groups[group])),
  ]),
)}
`;
  return { html, headings: HEADINGS };
}

function differenceCells({ differs, firstDifference }: Report, citations: Citations): string[] {
  const step =
    differs[0] === undefined
      ? 'none'
      : `${escapeHtml(namedStep(differs[0].step))}: ${escapeHtml(differs[0].how).replace(/`([^`]+)`/g, '<code>$1</code>')}`;
  if (firstDifference === null) return [step, 'none', '', ''];
  const { id, place, expected, actual } = firstDifference;
  const vector = link(relativeLink(REPORT_CARD, citations.placeOf(id)), escapeHtml(id));
  const where = place === '' ? '' : `${code(place)}: `;
  return [step, `${vector} ${playgroundLink(REPORT_CARD, id)}`, where + code(expected), where + code(actual)];
}

function countsCell(counts: Counts | undefined): string {
  if (counts === undefined || counts.passed + counts.failed === 0) return '–';
  const { passed, failed } = counts;
  const text = `${formatNumber(passed)} of ${formatNumber(passed + failed)}`;
  return `<span class="${failed === 0 ? 'right' : passed === 0 ? 'wrong' : 'partly'}">${failed === 0 ? '✓ ' : ''}${text}</span>`;
}

export const STATUS = 'spec/status.md';
const HEADING = { id: 'results', title: 'Results of implementations', depth: 2 } as const;

export function claimTable(root: URL): { html: string; headings: readonly Heading[] } {
  const rows = readFolder(new URL('vectors/claims/', root)).map(([name, results]) => row(name, results));
  const { version, digest } = suiteOf(loadManifest());
  const html = `${heading(HEADING)}<p>These are the results of programs that were run, each linked. The vectors of this site are version ${escapeHtml(version)}, digest ${code(short(digest))}:
other digests belong to earlier ones. Random cases are compared with the reference.</p>
${table(
  HEADING.title,
  ['Implementation', 'Language', 'Conforms to the classes', 'Right', 'Not offered', 'Random cases', 'Date', 'Vectors'],
  rows,
)}
`;
  return { html, headings: [HEADING] };
}

function row(name: string, { adapter, suite, date, counts, classes, random }: Results): string[] {
  return [
    link(`../vectors/claims/${name}.json`, escapeHtml(`${adapter.name} ${adapter.version}`)),
    escapeHtml(adapter.language),
    escapeHtml(joinWithAnd(claimedClasses(classes))).replaceAll(' ≤ ', '\u00a0≤\u00a0'),
    `${formatNumber(counts.passed)} of ${formatNumber(counts.passed + counts.failed)}`,
    formatNumber(counts.unsupported),
    random === null ? '–' : formatNumber(random.compared),
    `<time>${date.slice(0, 10)}</time>`,
    `${escapeHtml(suite.version)} ${code(short(suite.digest))}`,
  ];
}

const short = (digest: string): string => digest.slice(0, 8);
