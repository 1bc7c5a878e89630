import { nextTurn } from '../documents/in-order.ts';
import { createResidue, type Residue } from '../fingerprint/residue.ts';
import { createTokenOverlap, createTokenReader, type TokenHashes } from '../fingerprint/token-overlap.ts';
import type { Components } from '../lookup/find-clusters.ts';
import { schemeOf } from '../scheme/labels/label.ts';
import { sureDistance } from './answer.ts';
import { createKeptIndex, FEW } from './kept-index.ts';
import { type Marks, marksOf, type Reason, reasonOf, viewMarks } from './marks.ts';
import type { BandOf } from './near/bands.ts';
import { createDistance, type FingerprintColumn } from './near/column.ts';
import { searchComponents } from './near/near-search.ts';
import { createTokenFilter } from './rare-tokens.ts';

export interface ReadableTexts {
  readonly fingerprints: FingerprintColumn;
  /** The bands of the texts, for an overlap of {@link MIN_BANDED_OVERLAP} or more. */
  readonly bandOf?: BandOf | undefined;
  readonly tokensOf: (text: number) => number;
  /** The words and the marks of all texts, if they are known: then texts are not read. */
  readonly known?: KnownTexts | undefined;
  readonly prepare?: (components: Components) => Promise<void>;
  /** Reads texts, which are in ascending order. */
  readonly read: (texts: readonly number[], visit: (text: number, content: string) => void) => Promise<void>;
  readonly onChanged: (text: number) => never;
}

export interface KnownTexts {
  tokensOf(text: number): TokenHashes;
  marksOf(text: number): Marks;
}

export const PREFERENCES = ['first', 'longest'] as const;

export interface RemovalCriteria {
  readonly label: string;
  readonly k: number;
  readonly minOverlap: number;
  /** True if texts match that are different by VER-5. */
  readonly ignoresDifferences: boolean;
  /** True if texts whose words differ only in case do not match. */
  readonly matchCase: boolean;
  readonly keep: (typeof PREFERENCES)[number];
  /** The bytes of tokens that are held at most, apart from two texts. Default: 96 MiB. */
  readonly maxHeld?: number;
  /** The number of texts, the first ones, that are kept; then others are removed only for one of these. Default: 0. */
  readonly references?: number;
}

export interface RemovalListener {
  onRemoved(text: number, kept: number, distance: number, overlap: number): void;
  /** Called with a text that is kept although most of its words are in one that is kept before. */
  onDifferent?(text: number, kept: number, reason: Reason): void;
}

/** The bytes of the tokens that are read together, and of those that are held at most by default. */
const BATCH = 8 << 20;
const MAX_HELD = 96 << 20;

const sizeOfTokens = (tokens: number): number => 100 + 8 * tokens;

/**
 * Finds the texts to remove. In the order of preference, a text is kept unless it matches one that is kept before; it is
 * removed for the first of these. Two texts match if their fingerprints are near, their words overlap enough (VER-1), and
 * they are not different (VER-5).
 * Kept texts are found by what they must have in common with a match (`kept-index.ts`), not pair by pair.
 */
export async function findRemovals(
  texts: ReadableTexts,
  criteria: RemovalCriteria,
  listener: RemovalListener,
): Promise<void> {
  const { k, minOverlap, maxHeld = MAX_HELD } = criteria;
  const components = searchComponents(texts.fingerprints, { k, sure: sureDistance(k, minOverlap) }, texts.bandOf);
  await texts.prepare?.(components);
  const removeIn = createRemoval(texts, criteria, listener);
  const sizeOf = (members: readonly number[]): number =>
    members.reduce((sum, text) => sum + sizeOfTokens(texts.tokensOf(text)), 0);
  let batch: (readonly number[])[] = [];
  let size = 0;
  for (const members of components) {
    const own = sizeOf(members);
    if (batch.length > 0 && size + own > Math.min(BATCH, maxHeld)) {
      await removeIn(batch, true);
      batch = [];
      size = 0;
    }
    // Of a component that does not fit into memory, the texts that have to be compared are read again.
    if (own > maxHeld) await removeIn([members], false);
    else {
      batch.push(members);
      size += own;
    }
  }
  await removeIn(batch, true);
}

type Case = Pick<Residue, 'letters' | 'capitals'>;

interface Facts {
  readonly marks: Marks;
  /** Undefined if case does not matter. */
  readonly letterCase: Case | undefined;
}

const TURN = 1 << 14;

/** The number of kept texts at either end of the list that a text is compared with before all near ones, to tell why it is kept. */
const LOOK = 4;

/** Makes the function that removes texts in some components; `isHolding` is false if their tokens do not fit into memory. */
function createRemoval(texts: ReadableTexts, criteria: RemovalCriteria, listener: RemovalListener) {
  const { fingerprints, tokensOf } = texts;
  const { k, minOverlap, ignoresDifferences, keep, maxHeld = MAX_HELD, references = 0 } = criteria;
  const matchCase = criteria.matchCase && !ignoresDifferences;
  const store = createTokenStore(matchCase ? { ...texts, known: undefined } : texts, criteria.label, maxHeld);
  const distanceOf = createDistance(fingerprints);
  const { load, overlapAtLeast } = createTokenOverlap();
  let [compared, loaded] = [0, -1];

  async function readFacts(list: readonly number[], isHolding: boolean): Promise<Map<number, Facts>> {
    const facts = new Map<number, Facts>();
    await store.read(list, isHolding, (text, content) => {
      const marks = content === null ? texts.known!.marksOf(text) : viewMarks(marksOf(content, tokensOf(text)), 0);
      const letterCase = matchCase ? createResidue().update(content!).digest() : undefined;
      facts.set(text, { marks, letterCase });
    });
    return facts;
  }

  type Match = { readonly distance: number; readonly overlap: number };

  /** Compares a text with another one; null if they are far from each other or their overlap is too small. */
  function compare(text: number, other: number): Match | null | Promise<Match | null> {
    const distance = distanceOf(text, other);
    const [own, theirs] = [tokensOf(text), tokensOf(other)];
    if (distance > k || Math.min(own, theirs) < minOverlap * Math.max(own, theirs)) return null;
    const finish = (): Match | null => {
      if (text !== loaded) load(store.get(text));
      loaded = text;
      const overlap = overlapAtLeast(store.get(other), minOverlap);
      return overlap < 0 ? null : { distance, overlap };
    };
    return store.has(text) && store.has(other) ? finish() : store.hold(text, other).then(finish);
  }

  const differInCase = (a: Facts, b: Facts): boolean =>
    a.letterCase !== undefined &&
    a.letterCase.letters === b.letterCase!.letters &&
    a.letterCase.capitals !== b.letterCase!.capitals;

  async function removeInComponent(members: readonly number[], facts: ReadonlyMap<number, Facts>): Promise<void> {
    const isLongest = keep === 'longest' && references === 0;
    const order = isLongest ? [...members].sort((a, b) => tokensOf(b) - tokensOf(a) || a - b) : members;
    const known = order.map((text) => facts.get(text)!);
    const filter = createTokenFilter(order.length, minOverlap);
    const index = createKeptIndex(
      known.map(({ marks }) => marks),
      { fingerprints, order, k, sure: sureDistance(k, minOverlap), isChecked: !ignoresDifferences },
      filter,
    );
    const kept: number[] = [];
    // The number of kept texts with the same words, and those with these in the same case.
    const [sizes, inSameCase] = [new Map<string, number>(), new Map<string, number[]>()];
    const keyOf = ({ letters, capitals }: Case): string => `${letters} ${capitals}`;
    function keepText(position: number): void {
      index.add(position);
      kept.push(position);
      const { letterCase } = known[position]!;
      if (letterCase === undefined) return;
      sizes.set(letterCase.letters, 1 + (sizes.get(letterCase.letters) ?? 0));
      const same = inSameCase.get(keyOf(letterCase));
      if (same === undefined) inSameCase.set(keyOf(letterCase), [position]);
      else same.push(position);
    }
    /** Returns the kept texts in the same case if all have the same words, and if they are few: no others are candidates then. */
    function candidatesInCase({ letterCase }: Facts): readonly number[] | undefined {
      if (letterCase === undefined || sizes.get(letterCase.letters) !== kept.length) return undefined;
      const same = inSameCase.get(keyOf(letterCase)) ?? [];
      return same.length <= FEW ? same : undefined;
    }
    function* likelyFor(position: number): Generator<number, void> {
      const some = candidatesInCase(known[position]!);
      if (some !== undefined) return yield* some;
      yield* kept.length <= 2 * LOOK ? kept : [...kept.slice(0, LOOK), ...kept.slice(-LOOK)];
      if (kept.length > 2 * LOOK) yield* index.nearOnesFor(position);
    }
    for (const [position, text] of order.entries()) {
      if (text < references) {
        keepText(position);
        continue;
      }
      const own = known[position]!;
      if (filter.isCrowded()) await filter.grow((visit) => store.visit(order, visit), kept);
      let isRemoved = false;
      for (const other of candidatesInCase(own) ?? index.candidatesFor(position)) {
        const before = order[other]!;
        const theirs = known[other]!;
        if (differInCase(own, theirs)) continue;
        if (!ignoresDifferences && reasonOf(own.marks, theirs.marks) !== null) continue;
        if (++compared % TURN === 0) await nextTurn();
        const comparison = compare(text, before);
        const match = comparison instanceof Promise ? await comparison : comparison;
        if (match === null) continue;
        listener.onRemoved(text, before, match.distance, match.overlap);
        isRemoved = true;
        break;
      }
      if (isRemoved) continue;
      if (listener.onDifferent !== undefined && !ignoresDifferences) {
        for (const other of likelyFor(position)) {
          if (differInCase(own, known[other]!)) continue;
          const reason = reasonOf(own.marks, known[other]!.marks);
          if (reason === null || (await compare(text, order[other]!)) === null) continue;
          listener.onDifferent(text, order[other]!, reason);
          break;
        }
      }
      if (references === 0) keepText(position);
    }
  }

  return async (batch: readonly (readonly number[])[], isHolding: boolean): Promise<void> => {
    const facts = await readFacts(ascending(batch.flat()), isHolding);
    for (const members of batch) await removeInComponent(members, facts);
  };
}

const ascending = (list: readonly number[]): number[] => Array.from(new Uint32Array(list).sort());

/** The length of the arrays that hold tokens. */
const PAGE = 1 << 18;

const NO_ROOM = { pairs: new Uint32Array(0), start: 0 };

function createTokenStore({ read, tokensOf, known, onChanged }: ReadableTexts, label: string, maxHeld: number) {
  const readTokens = createTokenReader(schemeOf(label));
  const held = new Map<number, TokenHashes>();
  // The pages are used again for other texts.
  const pages: Uint32Array[] = [];
  let [page, filled, size] = [0, 0, 0];

  function reserve(text: number): TokenHashes {
    const count = tokensOf(text);
    const length = 2 * count;
    size += sizeOfTokens(count);
    const isLong = length > PAGE;
    if (!isLong && filled + length > PAGE) [page, filled] = [page + 1, 0];
    if (!isLong && page === pages.length) pages.push(new Uint32Array(PAGE));
    const tokens = isLong
      ? { pairs: new Uint32Array(length), start: 0, count }
      : { pairs: pages[page]!, start: filled, count };
    if (!isLong) filled += length;
    held.set(text, tokens);
    return tokens;
  }

  function clear(): void {
    held.clear();
    [page, filled, size] = [0, 0, 0];
  }

  async function readEach(
    list: readonly number[],
    isHolding: boolean,
    visit?: (text: number, content: string) => void,
  ): Promise<void> {
    await read(list, (text, content) => {
      const count = readTokens(content, isHolding ? reserve(text) : NO_ROOM);
      if (count !== tokensOf(text)) onChanged(text);
      visit?.(text, content);
    });
  }

  return {
    has: (text: number): boolean => known !== undefined || held.has(text),
    get: (text: number): TokenHashes => known?.tokensOf(text) ?? held.get(text)!,
    /** Holds the tokens of two texts, instead of all others if these take too much memory. */
    async hold(a: number, b: number): Promise<void> {
      if (size > maxHeld) clear();
      await readEach(ascending([a, b].filter((text) => !held.has(text))), true);
    },
    /** Visits the tokens of texts in any order, by the places of the texts in the list; tokens that are not held are read again. */
    async visit(list: readonly number[], visit: (place: number, tokens: TokenHashes) => void): Promise<void> {
      const places = new Map<number, number>();
      for (const [place, text] of list.entries()) {
        const tokens = known?.tokensOf(text) ?? held.get(text);
        if (tokens === undefined) places.set(text, place);
        else visit(place, tokens);
      }
      if (places.size === 0) return;
      let pairs = new Uint32Array(0);
      await read(ascending([...places.keys()]), (text, content) => {
        const count = tokensOf(text);
        if (pairs.length < 2 * count) pairs = new Uint32Array(4 * count);
        if (readTokens(content, { pairs, start: 0 }) !== count) onChanged(text);
        visit(places.get(text)!, { pairs, start: 0, count });
      });
    },
    /** Reads texts in ascending order, instead of those that are held, and holds their tokens if `isHolding`. */
    async read(
      list: readonly number[],
      isHolding: boolean,
      visit: (text: number, content: string | null) => void,
    ): Promise<void> {
      if (known !== undefined) {
        // Their content is null.
        for (const text of list) visit(text, null);
        return;
      }
      clear();
      await readEach(list, isHolding, visit);
    },
  };
}
