import { didYouMean } from '../../common/suggest.ts';
import { assertOptions } from '../../errors.ts';
import { assertGroups, outOfRange } from '../checks.ts';
import type { Vector, VectorGroup, VectorOf } from '../vector.ts';
import { isLarge, isOfScalars } from './accumulate.ts';

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
  const lists = ['groups', 'ids', 'operations', 'rules', 'flags'];
  assertOptions('selection', selection, Object.fromEntries(lists.map((name) => [name, 'list?' as const])));
  const { groups, ids, operations, rules, flags } = selection;
  const vectors = all.flatMap((group) => group.vectors);
  checkNames('group', groups, new Set(all.map(({ group }) => group)));
  checkNames('operation', operations, new Set(vectors.map(({ operation }) => operation)));
  const known = vectors.flatMap((vector) => vector.rules.flatMap((rule) => [rule, rule.slice(0, 3)]));
  checkNames('rule', rules, new Set(known));
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
  const expected = what === 'rule' ? 'expected one such as TOK-2, from spec/' : `expected one of ${sorted.join(', ')}`;
  throw outOfRange(`no such ${what}: ${JSON.stringify(unknown)}${hint || `; ${expected}`}`);
}

export type GroupedVector = ReturnType<typeof listLiveVectors>[number];

/** Lists the vectors that are not retired; `large` and `scalars` include large ones (see `isLarge`) and those over all scalar values. */
export function listLiveVectors(groups: readonly VectorGroup[], large = false, scalars = true) {
  const isRun = (vector: Vector): boolean =>
    vector.status !== 'retired' &&
    (large || !isLarge(vector)) &&
    (scalars || vector.operation !== 'accumulate' || !isOfScalars(vector.input));
  return groups.flatMap(({ group, vectors }) => vectors.filter(isRun).map((vector) => ({ group, vector })));
}

const SUFFIX = '/document';

/** The first version of the suite had no documents of steps; the second added them to its vectors. */
const [FIRST, SECOND] = ['0.1.0', '0.2.0'];

export function isDocumentOfStep(id: string): boolean {
  return id.endsWith(SUFFIX) && id.indexOf('/') !== id.lastIndexOf('/');
}

/** Makes the vector that asks for the fingerprint of a step's input (vectors/README.md, "Documents of steps"). */
function documentOf({ id, since, status, title, rules, flags, input, document, agrees }: Vector): Vector[] {
  if (document === undefined) return [];
  const made = {
    id: id + SUFFIX,
    since: since === FIRST ? SECOND : since,
    ...(status !== undefined && { status }),
    operation: 'fingerprint',
    title: `As a document: ${title}`,
    ...{ rules, flags, input, expected: { fingerprint: document }, agrees },
  };
  return [made as VectorOf<'fingerprint'>];
}

/** Adds the documents of steps after the vectors of their group, so that a report shows failures of the step itself first. */
export function withDocuments(groups: readonly VectorGroup[]): VectorGroup[] {
  return groups.map((group) => ({
    ...group,
    vectors: [...group.vectors, ...group.vectors.flatMap(documentOf)],
  }));
}
