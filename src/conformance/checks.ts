import { assertOptions, assertString, type Members, wrongType, wrongValue } from '../errors.ts';

const SHAPES = {
  adapter: { hello: 'function', request: 'function' },
  claim: { claim: 'string', suite: 'object', adapter: 'object', classes: 'list' },
  paint: { strong: 'function', faint: 'function', good: 'function', bad: 'function' },
  report: {
    ...{ suite: 'object', adapter: 'object', counts: 'object' },
    ...{ classes: 'list', resemblances: 'list', outcomes: 'list' },
  },
  results: { suite: 'object', adapter: 'object', classes: 'list', vectors: 'object' },
  vector: { id: 'string', operation: 'string', rules: 'list', flags: 'list' },
} as const satisfies Readonly<Record<string, Members>>;

export function assertShape(kind: keyof typeof SHAPES, value: unknown, what: string = kind): void {
  assertOptions(what, value, SHAPES[kind]);
}

export function assertGroups(what: string, groups: unknown): void {
  assertList(what, groups);
  for (const [i, group] of groups.entries())
    assertOptions(`${what}[${i}]`, group, { group: 'string', vectors: 'list' });
}

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
