import type { Components } from '../lookup/find-clusters.ts';
import type { Collection } from './collect.ts';
import { divide } from './divide.ts';
import { type Candidate, createFindNear, type FindNear } from './near.ts';
import { searchComponents } from './search.ts';
import type { Verifier } from './verify/verifier.ts';

/** Two documents that are near each other, and confirmed if there is a verifier. */
export interface Match {
  /** The document that was compared with its candidates: it comes first in the order of what to keep. */
  readonly kept: number;
  readonly other: number;
  readonly distance: number;
  /** Null where only fingerprints are compared. */
  readonly overlap: number | null;
}

/** What a search among the documents of `dupes` is about. */
export interface Search extends MatchSearch {
  readonly collection: Collection;
  readonly verifier: Verifier | null;
}

/** What is searched for, and what confirms it. */
export interface MatchSearch {
  readonly collection: { readonly fingerprints: BigUint64Array };
  /** Whether a document belongs to the set that others are compared with. */
  readonly isReference: (document: number) => boolean;
  /** The largest distance. */
  readonly k: number;
  readonly minOverlap: number;
  /** How many candidates of a document may turn out to be false before its others are skipped. */
  readonly maxRejected: number;
  /** How many worker threads search for pairs at most. */
  readonly maxWorkers?: number | undefined;
  /** Null to compare fingerprints only. */
  readonly verifier: Omit<Verifier, 'isRepetitive'> | null;
  /** Sorts documents by how much they are to be kept. */
  readonly inKeepOrder: (documents: readonly number[]) => readonly number[];
  /** Whether only matches between the reference set and other documents count. */
  readonly isAgainst: boolean;
}

/** Which of the matches are wanted: those that group documents, those that link them, or all. */
export type Aim = 'groups' | 'chains' | 'pairs';

/** What happened besides the matches. */
export interface SearchCounts {
  /** How many documents had so many false candidates that others were skipped. */
  limited: number;
}

/** How many candidates are read ahead. */
const AHEAD = 256;

/**
 * Finds the matches, component by component: every candidate lies in the same connected component of near fingerprints. Where
 * documents are read, those of as many components are read together as can be held; one that is larger is divided first.
 * @param components - where they are known already
 */
export async function* findMatches(
  search: MatchSearch,
  aim: Aim,
  counts: SearchCounts,
  components?: Components,
): AsyncGenerator<Match, undefined> {
  const { verifier } = search;
  let batch: (readonly number[])[] = [];
  let size = 0;
  async function* matchesOfBatch(): AsyncGenerator<Match, undefined> {
    await verifier?.prefetch(batch.flat());
    for (const members of batch) yield* matchesIn(members, search, aim, counts);
    batch = [];
    size = 0;
    return undefined;
  }
  for await (const { members, size: memberSize } of componentsOf(search, components)) {
    if (verifier === null || size + memberSize > verifier.maxHeld) yield* matchesOfBatch();
    batch.push(members);
    size += memberSize;
  }
  yield* matchesOfBatch();
  return undefined;
}

/** Documents that may match one another, but no other ones. */
interface Members {
  readonly members: readonly number[];
  /** The most octets that their tokens take. */
  readonly size: number;
}

/** The connected components. One whose tokens cannot be held is surveyed, and falls into those of pairs that may match. */
async function* componentsOf(search: MatchSearch, components?: Components): AsyncGenerator<Members, undefined> {
  const { collection, k, verifier, isAgainst, isReference, maxWorkers: most } = search;
  const isWanted = (members: readonly number[]): boolean =>
    !isAgainst || (members.some(isReference) && !members.every(isReference));
  const sizeOf = (members: readonly number[]): number =>
    verifier === null ? 0 : members.reduce((sum, document) => sum + verifier.sizeOf(document), 0);
  for (const members of components ?? (await searchComponents(collection.fingerprints, { k, most }))) {
    if (!isWanted(members)) continue;
    const size = sizeOf(members);
    if (verifier === null || size <= verifier.maxHeld) yield { members, size };
    else
      for await (const part of divide(members, { ...search, fingerprints: collection.fingerprints, verifier }))
        if (isWanted(part)) yield { members: part, size: sizeOf(part) };
  }
  return undefined;
}

/** What decides which documents of a component are compared. */
interface Policy {
  /** From which position on the candidates of a document stand. */
  from(position: number): number;
  /** Whether a document is compared with others, or with that one. */
  isOpen(position: number, other?: number): boolean;
  /** Takes a match into account. Returns whether the document needs no further candidates. */
  accept(position: number, other: number): boolean;
}

/** A connected component of near fingerprints, made ready for the search. */
interface Component {
  /** The documents by position: those that look for candidates first. */
  readonly order: readonly number[];
  /** How many documents look for candidates. */
  readonly leaders: number;
  readonly findNear: FindNear;
}

async function* matchesIn(
  members: readonly number[],
  search: MatchSearch,
  aim: Aim,
  counts: SearchCounts,
): AsyncGenerator<Match, undefined> {
  const component = prepare(members, search);
  const size = component.order.length;
  if (search.isAgainst) yield* apply(againstPolicy(aim, component.leaders), component, search, counts);
  else if (aim === 'chains') yield* apply(chainPolicy(size), component, search, counts);
  else {
    const done = new Uint8Array(size);
    // The same tokens have the same matches: the first document that has them stands for all.
    const findSame: FindNear = (position, from) =>
      component.findNear(position, from).filter(({ distance }) => distance === 0);
    if (aim === 'pairs')
      yield* apply(donePolicy(done, true), { ...component, findNear: findSame }, { ...search, minOverlap: 1 }, counts);
    yield* apply(donePolicy(done, aim === 'groups'), component, search, counts);
  }
  return undefined;
}

function prepare(members: readonly number[], search: MatchSearch): Component {
  const { collection, k, isAgainst, isReference, inKeepOrder } = search;
  const sorted = inKeepOrder(members);
  // With a reference set, each other document looks for its nearest references, which stand after it.
  const order = isAgainst ? [...sorted.filter((each) => !isReference(each)), ...sorted.filter(isReference)] : sorted;
  const fingerprints = BigUint64Array.from(order, (document) => collection.fingerprints[document]!);
  const leaders = isAgainst ? order.findIndex(isReference) : order.length;
  return { order, leaders, findNear: createFindNear(fingerprints, k) };
}

async function* apply(
  policy: Policy,
  component: Component,
  search: MatchSearch,
  counts: SearchCounts,
): AsyncGenerator<Match, undefined> {
  const { order, leaders, findNear } = component;
  const { verifier, minOverlap } = search;
  for (let position = 0; position < leaders; position++) {
    if (!policy.isOpen(position)) continue;
    const kept = order[position]!;
    const isOpen = ({ position: other }: Candidate): boolean => policy.isOpen(position, other);
    const mayMatch = (candidate: Candidate): boolean =>
      isOpen(candidate) && verifier?.mayOverlap(kept, order[candidate.position]!, minOverlap) !== false;
    const candidates = findNear(position, policy.from(position)).filter(mayMatch);
    const compared = { kept, candidates, order, isOpen };
    for await (const { candidate, match } of confirm(compared, search, counts)) {
      yield match;
      if (policy.accept(position, candidate.position)) break;
    }
  }
  return undefined;
}

/** A document and its candidates. */
interface Compared {
  readonly kept: number;
  readonly candidates: readonly Candidate[];
  readonly order: readonly number[];
  /** Whether a candidate still has to be compared. */
  readonly isOpen: (candidate: Candidate) => boolean;
}

/** Compares a document with its candidates, until too many are false. */
async function* confirm(
  { kept, candidates, order, isOpen }: Compared,
  { verifier, minOverlap, maxRejected }: MatchSearch,
  counts: SearchCounts,
): AsyncGenerator<{ readonly candidate: Candidate; readonly match: Match }, undefined> {
  let rejected = 0;
  for (const [index, candidate] of candidates.entries()) {
    const ahead = index % AHEAD === 0 ? candidates.slice(index, index + AHEAD) : [];
    if (ahead.length > 0) await verifier?.prefetch(ahead.map((each) => order[each.position]!));
    if (!isOpen(candidate)) continue;
    const other = order[candidate.position]!;
    const overlap = verifier === null ? null : await verifier.overlap(kept, other);
    if (verifier !== null && overlap === null) continue;
    if (overlap === null || overlap >= minOverlap)
      yield { candidate, match: { kept, other, distance: candidate.distance, overlap } };
    else if (++rejected >= maxRejected) {
      if (index + 1 < candidates.length) counts.limited++;
      return undefined;
    }
  }
  return undefined;
}

/** Leaves out the documents that are done, to which matches are added if `isAdding`. */
function donePolicy(done: Uint8Array, isAdding: boolean): Policy {
  return {
    from: (position) => position + 1,
    isOpen: (position, other = position) => done[other] === 0,
    accept(_, other) {
      if (isAdding) done[other] = 1;
      return false;
    },
  };
}

/** Compares documents with references: for groups, until one is found. */
function againstPolicy(aim: Aim, references: number): Policy {
  return { from: () => references, isOpen: () => true, accept: () => aim === 'groups' };
}

/** Links documents that are not linked yet. */
function chainPolicy(size: number): Policy {
  const union = createUnion(size);
  return {
    from: (position) => position + 1,
    isOpen: (position, other) => other === undefined || union.rootOf(position) !== union.rootOf(other),
    accept(position, other) {
      union.link(position, other);
      return false;
    },
  };
}

/** Sets of positions that can be joined. */
interface Union {
  rootOf(position: number): number;
  link(a: number, b: number): void;
}

/** Makes a {@link Union}: every position is a set of its own. The root of a set is its smallest position. */
function createUnion(size: number): Union {
  const parents = Uint32Array.from({ length: size }, (_, position) => position);
  const rootOf = (position: number): number => {
    let at = position;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  };
  return {
    rootOf,
    link(a, b) {
      const [x, y] = [rootOf(a), rootOf(b)];
      parents[Math.max(x, y)] = Math.min(x, y);
    },
  };
}

/** The part of an overlap that is shown: less is not shown as more, so that 1 is 1. */
export function roundOverlap(overlap: number): number {
  return Math.floor(overlap * 10_000) / 10_000;
}
