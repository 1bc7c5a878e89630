import { nextTurn } from '../documents/in-order.ts';
import type { Difference } from '../fingerprint/residue.ts';
import { sureDistance } from './answer.ts';
import type { Collection } from './collect.ts';
import { createKeptIndex, type KeptIndex } from './kept-index.ts';
import type { Marks, Reason } from './marks.ts';
import type { Candidates, FindNear } from './near/candidates.ts';
import { createDistance, type FingerprintColumn, pick } from './near/column.ts';
import { distanceLimit } from './near/distance-limit.ts';
import { firstFrom } from './near/keys.ts';
import { createFindNear, searchComponents } from './near/near-search.ts';
import type { WideSearch } from './near/wide.ts';
import { createFilteredNear, createTokenFilter, type TokenFilter } from './rare-tokens.ts';
import type { Reasons } from './reasons.ts';
import type { Parts, Verifier } from './verify/verifier.ts';

export interface DuplicateMatch {
  /** The document that was compared with its candidates: the preferred one of the two. */
  readonly kept: number;
  readonly other: number;
  readonly distance: number;
  readonly overlap: number | null;
  /** The differences other than in the words. */
  readonly differs: readonly (Difference | Reason)[];
}

export interface DuplicateSearch extends MatchSearch {
  readonly collection: Collection;
  readonly verifier: Verifier | null;
}

export interface MatchSearch {
  readonly collection: { readonly fingerprints: FingerprintColumn };
  readonly isReference: (document: number) => boolean;
  readonly k: number;
  readonly minOverlap: number;
  /** The number of bytes of tokens that are read together for small components. Default: `maxHeld` of the verifier. */
  readonly batch?: number;
  /** The verifier; null to compare fingerprints only. */
  readonly verifier: Omit<Verifier, 'isRepetitive'> | null;
  /** Sorts documents, the one to keep first. */
  readonly inKeepOrder: (documents: readonly number[]) => readonly number[];
  /** True if only matches between the reference set and other documents count. */
  readonly isAgainst: boolean;
  /** True if documents that differ other than in the words also match. */
  readonly ignoresDifferences: boolean;
  /** Tells why near-duplicates are different documents (VER-5); absent if that is not asked. */
  readonly reasons?: Reasons | undefined;
}

const TURN = 1 << 14;

export function isDuplicate(
  { differs }: Pick<DuplicateMatch, 'differs'>,
  { ignoresDifferences }: Pick<MatchSearch, 'ignoresDifferences'>,
): boolean {
  return ignoresDifferences || differs.length === 0;
}

/** Finds the matches by components of near fingerprints, of which as many are read together as can be held. */
export async function* findMatches(
  search: MatchSearch,
  mode: 'groups' | 'pairs',
): AsyncGenerator<DuplicateMatch, undefined> {
  const { verifier, batch: max = verifier?.maxHeld ?? 0 } = search;
  let batch: (readonly number[])[] = [];
  let size = 0;
  async function* matchesOfBatch(): AsyncGenerator<DuplicateMatch, undefined> {
    if (batch.length === 0) return;
    verifier?.release();
    search.reasons?.release();
    await verifier?.prefetch(batch.flat());
    for (const members of batch) yield* matchesIn(members, search, mode);
    batch = [];
    size = 0;
  }
  for (const members of searchComponents(search.collection.fingerprints, nearSearchOf(search))) {
    if (search.isAgainst && !(members.some(search.isReference) && !members.every(search.isReference))) continue;
    const memberSize = members.reduce((sum, document) => sum + (verifier?.sizeOf(document) ?? 0), 0);
    if (verifier === null || size + memberSize > max) yield* matchesOfBatch();
    batch.push(members);
    size += memberSize;
  }
  yield* matchesOfBatch();
}

function nearSearchOf({ k, minOverlap, verifier }: MatchSearch): WideSearch {
  return { k, sure: verifier === null ? k : sureDistance(k, minOverlap) };
}

interface Policy {
  /** Tests whether a document is compared with others, or with that one. */
  isOpen(position: number, other?: number): boolean;
  /** Takes a match into account; returns false if it is not reported. */
  accept(position: number, other: number, match: DuplicateMatch): boolean;
  /** Finds the documents that one is compared with. Default: all near ones. */
  readonly findCandidates?: FindNear;
}

interface Component {
  /** The documents by position: those that are compared with candidates first. */
  readonly order: readonly number[];
  readonly leaders: number;
  readonly fingerprints: FingerprintColumn;
  readonly findNear: FindNear;
  /** Finds fewer documents than are near, once these are many; null if only fingerprints are compared. */
  readonly filter: TokenFilter | null;
}

async function* matchesIn(
  members: readonly number[],
  search: MatchSearch,
  mode: 'groups' | 'pairs',
): AsyncGenerator<DuplicateMatch, undefined> {
  const component = prepare(members, search);
  const size = component.order.length;
  if (search.isAgainst) yield* mode === 'groups' ? bestOf(component, search) : apply(ALL, component, search);
  else if (mode === 'groups') yield* apply(groupPolicy(component, search), component, search);
  else {
    // Documents with the same words have the same matches, so the first one represents all.
    const done = new Uint8Array(size);
    yield* apply(copyPolicy(done, true), component, { ...search, minOverlap: 1 }, 0);
    yield* apply(copyPolicy(done, false), component, search);
  }
}

function prepare(members: readonly number[], search: MatchSearch): Component {
  const { collection, minOverlap, verifier, isAgainst, isReference, inKeepOrder } = search;
  const sorted = inKeepOrder(members);
  // With a reference set, each other document is compared with the references, which come after it.
  const order = isAgainst ? [...sorted.filter((each) => !isReference(each)), ...sorted.filter(isReference)] : sorted;
  const fingerprints = pick(collection.fingerprints, order);
  const leaders = isAgainst ? order.findIndex(isReference) : order.length;
  const findNear = createFindNear(fingerprints, nearSearchOf(search));
  const filter = verifier === null ? null : createTokenFilter(order.length, minOverlap);
  return { order, leaders, fingerprints, findNear, filter };
}

/** Makes the filter of a component find fewer documents, if the tokens of all are held. */
async function growFilter(
  { order, leaders }: Component,
  filter: TokenFilter,
  { verifier, isAgainst }: MatchSearch,
): Promise<void> {
  const hashesOf = (document: number) => verifier!.hashesOf(document);
  if (!order.every((document) => hashesOf(document) !== null)) return filter.turnOff();
  const positions = [...order.keys()].slice(isAgainst ? leaders : 0);
  await filter.grow(async (visit) => {
    for (const [position, document] of order.entries()) visit(position, hashesOf(document)!);
  }, positions);
}

const createFiltered = (
  { filter, ...component }: Component,
  { k }: MatchSearch,
  findNear = component.findNear,
): FindNear => createFilteredNear(component.fingerprints, k, filter, findNear);

/** A range of positions: `to` is not in it. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Divides positions into ranges whose documents fill at most half of the memory, so that two can be compared. */
function rangesOf(from: number, to: number, { order }: Component, { verifier }: MatchSearch): Range[] {
  if (verifier === null) return [{ from, to }];
  const ranges: Range[] = [];
  let [start, size] = [from, 0];
  for (let position = from; position < to; position++) {
    const own = verifier.sizeOf(order[position]!);
    if (size > 0 && size + own > verifier.maxHeld / 2) {
      ranges.push({ from: start, to: position });
      [start, size] = [position, 0];
    }
    size += own;
  }
  ranges.push({ from: start, to });
  return ranges;
}

/** Compares each open document with the open ones after it, range by range: each is read once for each range before it. */
async function* apply(
  policy: Policy,
  component: Component,
  search: MatchSearch,
  max = search.k,
): AsyncGenerator<DuplicateMatch, undefined> {
  const { order, leaders } = component;
  const { verifier, isAgainst } = search;
  const ranges = rangesOf(0, leaders, component, search);
  const others = isAgainst ? rangesOf(leaders, order.length, component, search) : ranges;
  for (const [index, left] of ranges.entries())
    for (const right of isAgainst ? others : others.slice(index)) {
      if (ranges.length + others.length > 2)
        await verifier?.prefetch([...order.slice(left.from, left.to), ...order.slice(right.from, right.to)]);
      yield* applyTo(left, right, policy, component, search, max);
    }
}

async function* applyTo(
  left: Range,
  right: Range,
  policy: Policy,
  component: Component,
  search: MatchSearch,
  max: number,
): AsyncGenerator<DuplicateMatch, undefined> {
  const { order, filter } = component;
  const { verifier, minOverlap } = search;
  const { findCandidates = createFiltered(component, search) } = policy;
  let compared = 0;
  const isTooFar = createTooFar([left, right], component, search);
  for (let position = left.from; position < left.to; position++) {
    if (!policy.isOpen(position)) continue;
    if (filter?.isCrowded()) await growFilter(component, filter, search);
    const kept = order[position]!;
    const near = findCandidates(position, Math.max(position + 1, right.from), right.to);
    for (let i = 0; i < near.length; i++) {
      const candidate = near.positionAt(i);
      const distance = near.distanceAt(i);
      if (distance > max || isTooFar(position, candidate, distance) || !policy.isOpen(position, candidate)) continue;
      const other = order[candidate]!;
      if (++compared % TURN === 0) await nextTurn();
      const found = verifier === null ? UNVERIFIED : verifier.compare(kept, other, minOverlap);
      const comparison = found instanceof Promise ? await found : found;
      if (comparison === null) continue;
      const match: DuplicateMatch = {
        kept,
        other,
        distance,
        ...comparison,
        differs: await differencesIn(search, kept, other, comparison),
      };
      if (policy.accept(position, candidate, match)) yield match;
    }
  }
}

/** Returns the differences of documents that match; if their words have none, the reason by VER-5. */
function differencesIn(
  { reasons, ignoresDifferences }: MatchSearch,
  kept: number,
  other: number,
  { overlap, differs }: Pick<DuplicateMatch, 'overlap' | 'differs'>,
): DuplicateMatch['differs'] | Promise<DuplicateMatch['differs']> {
  // With the same words in the same order, the pieces are also the same.
  if (reasons === undefined || ignoresDifferences || differs.length > 0 || overlap === null || overlap === 1)
    return differs;
  return reasons.read(kept, other).then((reason) => (reason === null ? [] : [reason]));
}

/** Makes a test of candidates whose distance is greater than their lengths permit, before their tokens are compared. */
function createTooFar(
  ranges: readonly Range[],
  { order }: Component,
  { collection, verifier, minOverlap }: MatchSearch,
): (a: number, b: number, distance: number) => boolean {
  if (verifier === null || collection.fingerprints.words === 1) return () => false;
  const [tokens, distinct] = [new Float64Array(order.length), new Float64Array(order.length)];
  for (const { from, to } of ranges)
    for (let position = from; position < to; position++) {
      const lengths = verifier.lengthsOf(order[position]!);
      tokens[position] = lengths?.tokens ?? Number.NaN;
      distinct[position] = lengths?.distinct ?? Number.NaN;
    }
  // Comparisons with NaN are false, so a document that is not held is compared.
  return (a, b, distance) => distance > distanceLimit(tokens[a]! + tokens[b]!, distinct[a]! + distinct[b]!, minOverlap);
}

const UNVERIFIED = { overlap: null, differs: [] } as const;

const ALL: Policy = { isOpen: () => true, accept: () => true };

/** Finds for each document the reference that it matches best: a duplicate if there is one, then the largest overlap. */
async function* bestOf(component: Component, search: MatchSearch): AsyncGenerator<DuplicateMatch, undefined> {
  const best = new Map<number, DuplicateMatch>();
  for await (const match of apply(ALL, component, search)) {
    const known = best.get(match.kept);
    if (known === undefined || compareMatches(match, known, search) < 0) best.set(match.kept, match);
  }
  yield* best.values();
}

function compareMatches(a: DuplicateMatch, b: DuplicateMatch, search: MatchSearch): number {
  const difference = Number(isDuplicate(b, search)) - Number(isDuplicate(a, search));
  return difference || (b.overlap ?? 0) - (a.overlap ?? 0) || a.distance - b.distance || a.other - b.other;
}

/** The states of documents that are grouped. A match that is not a duplicate is shown once, and stays open for its own copies. */
const DONE = 1;
const SHOWN = 2;

/** Groups documents. Those that were shown are found by what their duplicates have in common. */
function groupPolicy(component: Component, search: MatchSearch): Policy {
  const { order, fingerprints } = component;
  const states = new Uint8Array(order.length);
  const partsAt = (position: number): Parts | undefined => search.verifier?.partsOf(order[position]!);
  const near = createOpenNear(component, states, search);
  const findNear = createFiltered(component, search, near.find);
  const shown = createShown();
  const different = createDifferent(component, search);
  function* shownFor(position: number): Generator<number, void> {
    yield* shown.candidatesFor(partsAt(position));
    yield* different.candidatesFor(position);
  }
  const distanceOf = createDistance(fingerprints);
  return {
    isOpen: (position, other = position) => states[other] !== DONE,
    accept(_, other, match) {
      const isDone = isDuplicate(match, search);
      const isShown = states[other] === SHOWN;
      if (!isShown) near.close();
      if (!isShown && !isDone && isReason(match.differs[0])) different.add(other);
      else if (!isShown && !isDone) shown.add(other, partsAt(other));
      if (isDone) states[other] = DONE;
      else states[other] = SHOWN;
      return isDone || !isShown;
    },
    findCandidates(position, from, to = order.length) {
      const found = findNear(position, from, to);
      if (shown.isEmpty() && different.isEmpty()) return found;
      const list: (readonly [position: number, distance: number])[] = [];
      for (let i = 0; i < found.length; i++)
        if (states[found.positionAt(i)] === 0) list.push([found.positionAt(i), found.distanceAt(i)]);
      for (const other of shownFor(position))
        if (other >= from && other < to && states[other] === SHOWN && distanceOf(position, other) <= search.k)
          list.push([other, distanceOf(position, other)]);
      list.sort(([a], [b]) => a - b);
      return { length: list.length, positionAt: (i) => list[i]![0], distanceAt: (i) => list[i]![1] };
    },
  };
}

/** Tests whether a difference is one by VER-5 that the strict rule does not have. */
const isReason = (difference: Difference | Reason | undefined): boolean =>
  difference === 'title' || difference === 'words';

/** Lists the documents that were shown as different ones by VER-5, and finds those that may be duplicates of another one. */
function createDifferent({ order, fingerprints }: Component, { reasons, k, minOverlap }: MatchSearch) {
  const all: number[] = [];
  // Those in the index come first. It finds what comes before a document, so it has them from the last to the first.
  let [indexed, index]: [Map<number, number>, KeptIndex | null] = [new Map(), null];
  let positions: readonly number[] = [];
  const marksAt = (position: number): Marks | null | undefined => reasons?.marksOf(order[position]!);

  function remake(): void {
    positions = [...all].sort((a, b) => b - a);
    indexed = new Map(positions.map((position, place) => [position, place]));
    const texts = { fingerprints, order: positions, k, sure: sureDistance(k, minOverlap), isChecked: true };
    index = createKeptIndex(
      positions.map((position) => marksAt(position)!),
      texts,
    );
    for (const place of positions.keys()) index.add(place);
  }

  return {
    isEmpty: (): boolean => all.length === 0,
    add(position: number): void {
      // A text that could not be read is a duplicate of none.
      if (marksAt(position)) all.push(position);
    },
    *candidatesFor(position: number): Generator<number, void> {
      if (all.length > 2 * positions.length) remake();
      const place = indexed.get(position);
      if (place === undefined) yield* all;
      else {
        for (const other of index!.candidatesFor(place)) yield positions[other]!;
        for (let i = positions.length; i < all.length; i++) yield all[i]!;
      }
    },
  };
}

const MIN_REMADE = 64;

/** Finds the open documents near another one, and some others: once most are not open, the search is made again without these. */
function createOpenNear({ order, fingerprints, findNear }: Component, states: Uint8Array, search: MatchSearch) {
  let find = findNear;
  // The positions that are searched, and after these the ones that were shown; null for all.
  let searched: readonly number[] | null = null;
  let places = new Uint32Array(0);
  let [size, open] = [order.length, order.length];

  function remake(): void {
    const positions = [...order.keys()];
    const list = positions.filter((position) => states[position] === 0);
    size = list.length;
    for (const position of positions) if (states[position] === SHOWN) list.push(position);
    searched = list;
    places = new Uint32Array(order.length);
    for (const [place, position] of list.entries()) places[position] = place;
    find = createFindNear(pick(fingerprints, list), nearSearchOf(search), size);
  }

  const placeFrom = (list: readonly number[], position: number): number => firstFrom(list, 0, size, position);
  return {
    close: (): void => void open--,
    find(position: number, from: number, to = order.length): Candidates {
      if (size >= MIN_REMADE && open < size / 2) remake();
      if (searched === null) return find(position, from, to);
      const list = searched;
      const { length, positionAt, distanceAt } = find(places[position]!, placeFrom(list, from), placeFrom(list, to));
      return { length, positionAt: (i) => list[positionAt(i)]!, distanceAt };
    },
  };
}

/** Makes lists of the documents that were shown, by their parts: first by the rest, then by the words, then by the order. */
function createShown() {
  const [all, unknown]: [number[], number[]] = [[], []];
  const byRest = new Map<string, Map<string, Map<string, number[]>>>();
  return {
    isEmpty: (): boolean => all.length === 0,
    add(position: number, parts: Parts | undefined): void {
      all.push(position);
      if (parts === undefined) {
        unknown.push(position);
        return;
      }
      const byWords = byRest.get(parts.rest) ?? new Map<string, Map<string, number[]>>();
      const byOrder = byWords.get(parts.words) ?? new Map<string, number[]>();
      const list = byOrder.get(parts.order) ?? [];
      list.push(position);
      byRest.set(parts.rest, byWords.set(parts.words, byOrder.set(parts.order, list)));
    },
    *candidatesFor(parts: Parts | undefined): Generator<number, void> {
      yield* parts === undefined ? all : unknown;
      if (parts === undefined) return;
      for (const [words, byOrder] of byRest.get(parts.rest) ?? [])
        for (const list of words === parts.words ? [byOrder.get(parts.order) ?? []] : byOrder.values()) yield* list;
    },
  };
}

function copyPolicy(done: Uint8Array, isAdding: boolean): Policy {
  return {
    isOpen: (position, other = position) => done[other] === 0,
    accept(_, other) {
      if (isAdding) done[other] = 1;
      return true;
    },
  };
}

/** Rounds an overlap down to four digits for output, so that only 1 is shown as 1. */
export function roundOverlap(overlap: number): number {
  return Math.floor(overlap * 10_000) / 10_000;
}
