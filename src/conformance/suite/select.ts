import { assertOptions } from '../../errors.ts';
import { assertGroups } from '../options.ts';
import type { Vector, VectorGroup } from '../types.ts';

/** Which vectors are meant; all where nothing is given. Each list is of alternatives; all that is given has to hold. */
export interface Selection {
  /** Names of groups. */
  readonly groups?: readonly string[];
  /** Parts of ids. */
  readonly ids?: readonly string[];
  readonly operations?: readonly string[];
  /** Identifiers of rules, or prefixes of them that end before the number: `TOK` or `TOK-1`. */
  readonly rules?: readonly string[];
  readonly flags?: readonly string[];
}

/**
 * Chooses vectors.
 * @param all - groups of vectors
 * @param selection - see {@link Selection}
 * @returns the groups in their order, those without a chosen vector left out
 * @throws TypeError `wrong-type`; RangeError `out-of-range` when a group, operation, rule or flag occurs in no vector
 */
export function selectVectors(all: readonly VectorGroup[], selection: Selection): VectorGroup[] {
  assertGroups('all', all);
  assertOptions('selection', selection, {
    groups: 'list?',
    ids: 'list?',
    operations: 'list?',
    rules: 'list?',
    flags: 'list?',
  });
  const { groups, ids, operations, rules, flags } = selection;
  const vectors = all.flatMap((group) => group.vectors);
  checkNames('group', groups, new Set(all.map(({ group }) => group)));
  checkNames('operation', operations, new Set(vectors.map(({ operation }) => operation)));
  checkNames(
    'rule',
    rules,
    new Set(vectors.flatMap((vector) => vector.rules.flatMap((rule) => [rule, rule.slice(0, 3)]))),
  );
  checkNames('flag', flags, new Set(vectors.flatMap((vector) => vector.flags)));
  const chosen = (vector: Vector): boolean =>
    meets(operations, (name) => name === vector.operation) &&
    meets(ids, (part) => vector.id.includes(part)) &&
    meets(rules, (rule) => vector.rules.some((each) => each === rule || each.slice(0, 3) === rule)) &&
    meets(flags, (flag) => vector.flags.includes(flag));
  return all
    .filter(({ group }) => meets(groups, (name) => name === group))
    .map((group) => ({ ...group, vectors: group.vectors.filter(chosen) }))
    .filter((group) => group.vectors.length > 0);
}

function meets(names: readonly string[] | undefined, test: (name: string) => boolean): boolean {
  return names === undefined || names.some(test);
}

function checkNames(what: string, names: readonly string[] | undefined, known: ReadonlySet<string>): void {
  const unknown = names?.find((name) => !known.has(name));
  if (unknown === undefined) return;
  const message = `no such ${what}: ${JSON.stringify(unknown)}; expected one of ${[...known].sort().join(', ')}`;
  throw Object.assign(new RangeError(message), { code: 'out-of-range' });
}
