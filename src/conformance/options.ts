import { assertInteger, assertOptions, assertString, wrongType, wrongValue } from '../errors.ts';

/** Throws `wrong-type` unless this looks like the report of a run. */
export function assertReport(report: unknown): void {
  assertOptions('report', report, {
    suite: 'object',
    adapter: 'object',
    counts: 'object',
    classes: 'list',
    resemblances: 'list',
    outcomes: 'list',
  });
}

/** Throws `wrong-type` unless this looks like a baseline. */
export function assertBaseline(what: string, baseline: unknown): void {
  assertOptions(what, baseline, { suite: 'string', adapter: 'string', failures: 'object' });
}

/** Throws `wrong-type` unless these look like options of a report writer. */
export function assertReportOptions(options: unknown): void {
  assertOptions('options', options);
  assertVerdict((options as { readonly baseline?: unknown }).baseline);
}

/** Throws `wrong-type` unless this is undefined or looks like the verdict of a baseline. */
export function assertVerdict(verdict: unknown): void {
  if (verdict !== undefined) assertOptions('baseline', verdict, { passes: 'boolean', known: 'list', problems: 'list' });
}

/** Throws `wrong-type` unless this looks like the results of a run. */
export function assertResults(what: string, results: unknown): void {
  assertOptions(what, results, { suite: 'object', adapter: 'object', classes: 'list', vectors: 'object' });
}

/** Throws `wrong-type` unless this looks like a claim. */
export function assertClaim(claim: unknown): void {
  assertOptions('claim', claim, { claim: 'string', suite: 'object', adapter: 'object', classes: 'list' });
}

/** Throws `wrong-type` unless this looks like a vector. */
export function assertVector(vector: unknown): void {
  assertOptions('vector', vector, { id: 'string', operation: 'string', rules: 'list', flags: 'list' });
}

/** Throws `wrong-type` unless this is a list of objects that look like groups of vectors. */
export function assertGroups(what: string, groups: unknown): void {
  assertList(what, groups);
  for (const [i, group] of groups.entries())
    assertOptions(`${what}[${i}]`, group, { group: 'string', vectors: 'list' });
}

/** Throws `wrong-type` unless this looks like an adapter. */
export function assertAdapter(adapter: unknown): void {
  assertOptions('adapter', adapter, { hello: 'function', request: 'function' });
}

/** Throws `wrong-type` unless this looks like colours. */
export function assertPaint(paint: unknown): void {
  assertOptions('paint', paint, { strong: 'function', faint: 'function', good: 'function', bad: 'function' });
}

/** Throws `wrong-type` unless this is a list. */
export function assertList(what: string, list: unknown): asserts list is readonly unknown[] {
  if (!Array.isArray(list)) throw wrongType(what, 'an array', list);
}

/** Throws `wrong-type` or `out-of-range` unless this is a program with its arguments. */
export function assertCommand(command: unknown): void {
  assertList('command', command);
  if (command.length === 0) throw wrongValue('out-of-range', 'command', 'a program', command, 'none');
  for (const [i, each] of command.entries()) assertString(`command[${i}]`, each);
}

/** Throws `wrong-type` or `out-of-range` unless all limits that are given are integers of 0 or more. */
export function assertLimits(limits: unknown): void {
  assertOptions('limits', limits);
  for (const [name, value] of Object.entries(limits as object))
    if (value !== undefined) assertInteger(`limits.${name}`, value, 0, Number.MAX_SAFE_INTEGER);
}
