import { assertString } from '../../errors.ts';
import { assertShape, outOfRange } from '../checks.ts';
import { visibleLine } from '../report/printable-text.ts';
import type { Report } from '../report/report.ts';

/**
 * Reads a skip list: each line has the id of a vector, or a pattern in which `*` stands for any characters. A comment begins
 * with `#`.
 * @param text - the content of the file
 * @param name - the name of the file, for messages
 * @param ids - the ids of all vectors
 * @returns the ids that the list names
 * @throws TypeError `wrong-type`; RangeError `out-of-range` for a line that names no vector
 * @example
 * const skipped = readSkipList('fingerprint/*  # not yet', 'skip.txt', ids);
 */
export function readSkipList(text: string, name: string, ids: readonly string[]): ReadonlySet<string> {
  assertString('text', text);
  const skipped = new Set<string>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const pattern = line.replace(/#.*$/, '').trim();
    if (pattern === '') continue;
    const parts = pattern.split('*').map((part) => part.replace(/[^\w/-]/g, '\\$&'));
    const expression = new RegExp(`^${parts.join('.*')}$`);
    const found = ids.filter((id) => expression.test(id));
    if (found.length === 0) throw outOfRange(`${name}: line ${i + 1}: no such vector: ${JSON.stringify(pattern)}`);
    for (const id of found) skipped.add(id);
  }
  return skipped;
}

const MAX_REASON = 100;

/**
 * Writes the skip list of a run: the vectors that failed or were not run, each with the reason in a comment.
 * @param report - the report of a run
 * @throws TypeError `wrong-type`
 * @example
 * writeFileSync('skip.txt', writeSkipList(report));
 */
export function writeSkipList(report: Report): string {
  assertShape('report', report);
  const { adapter, suite, outcomes } = report;
  const skipped = outcomes.filter(({ status }) => status !== 'pass' && status !== 'unsupported');
  const lines = skipped.map(({ id, status, detail, title }) => {
    const reason = visibleLine(`${status}: ${detail ?? title}`);
    return `${id}  # ${reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason}`;
  });
  const head = `# Vectors that ${adapter.name} ${adapter.version} does not pass, by suite ${suite.version}. Nothing can be claimed while one is skipped.`;
  return `${[visibleLine(head), ...lines].join('\n')}\n`;
}
