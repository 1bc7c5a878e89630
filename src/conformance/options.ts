import { assertInteger, assertOptions, assertString, wrongType, wrongValue } from '../errors.ts';

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

export function assertBaseline(what: string, baseline: unknown): void {
  assertOptions(what, baseline, { suite: 'string', adapter: 'string', failures: 'object' });
}

export function assertReportOptions(options: unknown): void {
  assertOptions('options', options);
  assertVerdict((options as { readonly baseline?: unknown }).baseline);
}

export function assertVerdict(verdict: unknown): void {
  if (verdict !== undefined) assertOptions('baseline', verdict, { passes: 'boolean', known: 'list', problems: 'list' });
}

export function assertResults(what: string, results: unknown): void {
  assertOptions(what, results, { suite: 'object', adapter: 'object', classes: 'list', vectors: 'object' });
}

export function assertClaim(claim: unknown): void {
  assertOptions('claim', claim, { claim: 'string', suite: 'object', adapter: 'object', classes: 'list' });
}

export function assertVector(vector: unknown): void {
  assertOptions('vector', vector, { id: 'string', operation: 'string', rules: 'list', flags: 'list' });
}

export function assertGroups(what: string, groups: unknown): void {
  assertList(what, groups);
  for (const [i, group] of groups.entries())
    assertOptions(`${what}[${i}]`, group, { group: 'string', vectors: 'list' });
}

export function assertAdapter(adapter: unknown): void {
  assertOptions('adapter', adapter, { hello: 'function', request: 'function' });
}

export function assertPaint(paint: unknown): void {
  assertOptions('paint', paint, { strong: 'function', faint: 'function', good: 'function', bad: 'function' });
}

/** Makes an `out-of-range` error with a whole message. */
export function outOfRange(message: string): RangeError {
  return Object.assign(new RangeError(message), { code: 'out-of-range' });
}

export function assertList(what: string, list: unknown): asserts list is readonly unknown[] {
  if (!Array.isArray(list)) throw wrongType(what, 'an array', list);
}

export function assertCommand(command: unknown): void {
  assertList('command', command);
  if (command.length === 0) throw wrongValue('out-of-range', 'command', 'a program', command, 'none');
  for (const [i, each] of command.entries()) assertString(`command[${i}]`, each);
}

export function assertLimits(limits: unknown): void {
  assertOptions('limits', limits);
  for (const [name, value] of Object.entries(limits as object))
    if (value !== undefined) assertInteger(`limits.${name}`, value, 0, Number.MAX_SAFE_INTEGER);
}
