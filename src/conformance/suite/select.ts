import { didYouMean } from '../../common/suggest.ts';
import { assertOptions } from '../../errors.ts';
import { assertGroups, outOfRange } from '../options.ts';
import type { Vector, VectorGroup } from '../types.ts';
import { isLarge } from './accumulate.ts';
import { isOfScalars } from './scalars.ts';

/** The vectors to choose; all by default. A vector has to match one item of every list that is given. */
export interface Selection {
  /** Names of groups. */
  readonly groups?: readonly string[];
  /** Substrings of ids. */
  readonly ids?: readonly string[];
  readonly operations?: readonly string[];
  /** Identifiers of rules, `TOK-2`, or their prefixes, `TOK`. */
  readonly rules?: readonly string[];
  readonly flags?: readonly string[];
}

/**
 * Chooses vectors.
 * @param all - groups of vectors
 * @param selection - see {@link Selection}
 * @returns the groups with a chosen vector, in their order
 * @throws TypeError `wrong-type`; RangeError `out-of-range` when a group, operation, rule or flag occurs in no vector
 * @example
 * selectVectors(loadGroups(), { groups: ['simhash'] });
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
  const sorted = [...known].sort();
  const hint = didYouMean(unknown, sorted);
  const expected = what === 'rule' ? 'spec/rules.md lists them' : `expected one of ${sorted.join(', ')}`;
  throw outOfRange(`no such ${what}: ${JSON.stringify(unknown)}${hint || `; ${expected}`}`);
}

export interface GroupedVector {
  readonly group: string;
  readonly vector: Vector;
}

/** Lists the vectors that are not retired; `large` and `scalars` include large ones (see `isLarge`) and those over all scalar values. */
export function listLiveVectors(groups: readonly VectorGroup[], large = false, scalars = true): GroupedVector[] {
  const isRun = (vector: Vector): boolean =>
    vector.status !== 'retired' &&
    (large || !isLarge(vector)) &&
    (scalars || vector.operation !== 'accumulate' || !isOfScalars(vector.input));
  return groups.flatMap(({ group, vectors }) => vectors.filter(isRun).map((vector) => ({ group, vector })));
}
