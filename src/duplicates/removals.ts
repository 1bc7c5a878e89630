import { nextTurn } from '../documents/in-order.ts';
import { createResidue, digestNumbersAndLocators } from '../fingerprint/residue.ts';
import {
  createTokenSorter,
  NUMBERS_PER_TOKEN,
  overlapAtLeast,
  type SortedTokens,
  type TokenHashes,
} from '../fingerprint/sorted-tokens.ts';
import type { Components } from '../lookup/find-clusters.ts';
import { randomWords } from '../lookup/keyed-hash.ts';
import { schemeOf } from '../scheme/labels/label.ts';
import { createCandidateList, type FindNear } from './near/candidates.ts';
import { createDistance, type FingerprintColumn, pick } from './near/column.ts';
import { distanceLimit } from './near/limit.ts';
import { createFindNear, searchComponents } from './near/search.ts';

/** Texts whose fingerprints are known, and that can be read again. */
export interface ReadableTexts {
  readonly fingerprints: FingerprintColumn;
  readonly tokensOf: (text: number) => number;
  /** The words and the rest of all texts, if they are known: then texts are read only for what else they differ in. */
  readonly known?: KnownTexts | undefined;
  /** Called before texts in components are read. */
  readonly prepare?: (components: Components) => Promise<void>;
  /** Reads texts, which are in ascending order. */
  readonly read: (texts: readonly number[], visit: (text: number, content: string) => void) => Promise<void>;
  /** Throws the error for a text that has changed since its fingerprint was computed. */
  readonly onChanged: (text: number) => never;
}

export interface KnownTexts {
  tokensOf(text: number): TokenHashes;
  /** Writes the words of the numbers and locators of a text, as `digestNumbersAndLocators` does. */
  putRest(text: number, words: Uint32Array, at: number): void;
}

/** The text to keep of several that match. */
export const PREFERENCES = ['first', 'longest'] as const;

/** The criteria by which a text matches one that is kept. */
export interface RemovalCriteria {
  readonly label: string;
  /** The largest distance of the fingerprints. */
  readonly k: number;
  readonly minOverlap: number;
  /** True if texts that differ other than in their words match. */
  readonly ignoresDifferences: boolean;
  /** True if texts whose words differ only in case do not match. */
  readonly matchCase: boolean;
  readonly keep: (typeof PREFERENCES)[number];
  /** The bytes of tokens that are held at most, apart from those of two texts. Default: 96 MiB. */
  readonly maxHeld?: number;
}

/** Called with a text that is removed, and its match with the one that is kept in its place. */
export type OnRemoved = (text: number, kept: number, distance: number, overlap: number) => void;

/** The bytes of the tokens that are read together, and of those that are held at most by default. */
const BATCH = 8 << 20;
const MAX_HELD = 96 << 20;

/** Estimates the bytes of the tokens of a text. */
const sizeOfTokens = (tokens: number): number => 100 + 4 * NUMBERS_PER_TOKEN * tokens;

/**
 * Finds the texts to remove. In the order of preference, a text is kept unless it matches one that is kept before; it is
 * removed for the first of these. Two texts match if their fingerprints are near, their words overlap enough (Annex F), and
 * they do not differ otherwise.
 *
 * Texts of a component of near fingerprints are divided into groups of those that have the same numbers and locators, since
 * others never match, and groups into classes of those that have the same words. The texts of a class have the same overlap
 * with any other, so classes are compared, not texts. Two texts of one class match if all else is the same. So the time does
 * not grow with the number of pairs of texts that differ in numbers, locators, other characters, the order of words, or case.
 * Classes are recognised by hashes of 64 bits with a random key; as everywhere, so are words (step 7).
 */
export async function findRemovals(
  texts: ReadableTexts,
  criteria: RemovalCriteria,
  onRemoved: OnRemoved,
): Promise<void> {
  const { k, maxHeld = MAX_HELD } = criteria;
  const components = searchComponents(texts.fingerprints, { k, isExact: false });
  await texts.prepare?.(components);
  const removeIn = createRemoval(texts, criteria, onRemoved);
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

/** Texts with the same words, in a component, by their positions in the order of preference. */
interface TextClass {
  /** The place among the classes of the group, which are in the order of their first members. */
  index: number;
  readonly members: number[];
  /** Equal for classes with the same words, which differ in their order or case. */
  readonly bag: number;
  /** Equal for classes whose words are the same but for case; undefined if case does not matter. */
  readonly letters: string | undefined;
  /** The first class that matches this one and whose first member is kept. */
  cover?: { readonly by: TextClass; readonly distance: number; readonly overlap: number };
}

/** The words of a text's key: those of its numbers and locators, and of its bag of words. */
const [REST, BAG] = [4, 4];
const KEY = REST + BAG;

function compareWords(words: Uint32Array, a: number, b: number, count: number): number {
  for (let i = 0; i < count; i++) if (words[a + i] !== words[b + i]) return words[a + i]! - words[b + i]!;
  return 0;
}

const compareStrings = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Divides positions into those that compare equal, each in ascending order. */
function runsOf(positions: readonly number[], compare: (a: number, b: number) => number): number[][] {
  if (positions.length === 2) {
    const [a, b] = positions as [number, number];
    return compare(a, b) === 0 ? [[a, b]] : [[a], [b]];
  }
  const sorted = [...positions].sort((a, b) => compare(a, b) || a - b);
  const runs: number[][] = [];
  for (let from = 0, to = 1; to <= sorted.length; to++) {
    if (to < sorted.length && compare(sorted[from]!, sorted[to]!) === 0) continue;
    runs.push(sorted.slice(from, to));
    from = to;
  }
  return runs;
}

/** The keys of texts, by their positions in a list. */
interface Keys {
  readonly words: Uint32Array;
  /** The letters and the capitals of each; empty if case does not matter. */
  readonly letters: readonly string[];
  readonly capitals: readonly string[];
}

/** Makes the function that removes texts in some components; `isHolding` is false if their tokens do not fit into memory. */
function createRemoval(texts: ReadableTexts, criteria: RemovalCriteria, onRemoved: OnRemoved) {
  const { tokensOf } = texts;
  const { ignoresDifferences, keep } = criteria;
  const matchCase = criteria.matchCase && !ignoresDifferences;
  const store = createTokenStore(matchCase ? { ...texts, known: undefined } : texts, criteria.label);
  const cover = createCovering(texts, criteria, store);

  /** Reads texts, and returns their keys in the order of the list. */
  async function readKeys(list: readonly number[], isHolding: boolean): Promise<Keys> {
    const words = new Uint32Array(KEY * list.length);
    const [letters, capitals]: [string[], string[]] = [[], []];
    let at = 0;
    await store.read(list, isHolding, (text, content, tokens) => {
      if (!ignoresDifferences) {
        if (content === null) texts.known!.putRest(text, words, at);
        else digestNumbersAndLocators(content, words, at);
      }
      hashBag(tokens, words, at + REST);
      at += KEY;
      if (!matchCase) return;
      const residue = createResidue().update(content!).digest();
      letters.push(residue.letters);
      capitals.push(residue.capitals);
    });
    return { words, letters, capitals };
  }

  /** Divides texts into groups, each of two or more positions in the order of preference. */
  function groupsOf(places: readonly number[], { words }: Keys): number[][] {
    const compare = (a: number, b: number): number => compareWords(words, KEY * places[a]!, KEY * places[b]!, REST);
    const positions = Array.from(places, (_, position) => position);
    return runsOf(positions, compare).filter((group) => group.length > 1);
  }

  /** Divides a group into classes, in the order of their first members. */
  function classesOf(group: readonly number[], places: readonly number[], keys: Keys): TextClass[] {
    const { words, letters, capitals } = keys;
    const textOf = (position: number): string => `${letters[places[position]!]} ${capitals[places[position]!]}`;
    const bags = runsOf(group, (a, b) => compareWords(words, KEY * places[a]! + REST, KEY * places[b]! + REST, BAG));
    const classes = bags.flatMap((bag, index) =>
      (matchCase ? runsOf(bag, (a, b) => compareStrings(textOf(a), textOf(b))) : [bag]).map(
        (members): TextClass => ({ index: 0, members, bag: index, letters: letters[places[members[0]!]!] }),
      ),
    );
    classes.sort((a, b) => a.members[0]! - b.members[0]!);
    for (const [index, each] of classes.entries()) each.index = index;
    return classes;
  }

  /** Removes the texts of a class that match one that is kept. */
  function removeInClass({ members, cover: covering }: TextClass, order: readonly number[]): void | Promise<void> {
    const coverPosition = covering?.by.members[0] ?? Number.POSITIVE_INFINITY;
    const removeCovered = (text: number): void => {
      const { by, distance, overlap } = covering!;
      onRemoved(text, order[by.members[0]!]!, distance, overlap);
    };
    const [first, ...others] = members.map((position) => order[position]!) as [number, ...number[]];
    if (coverPosition < members[0]!) for (const text of [first, ...others]) removeCovered(text);
    else if (ignoresDifferences) for (const text of others) onRemoved(text, first, 0, 1);
    else if (others.length > 0)
      return readContents([first, ...others]).then((contents) => {
        const kept = new Map([[contents.get(first)!, first]]);
        for (const [index, text] of others.entries()) {
          const content = contents.get(text)!;
          const same = kept.get(content);
          if (same !== undefined) onRemoved(text, same, 0, 1);
          else if (coverPosition < members[index + 1]!) removeCovered(text);
          else kept.set(content, text);
        }
      });
  }

  /** Digests what texts with the same words may differ in. */
  async function readContents(list: readonly number[]): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    await texts.read(ascending(list), (text, content) => {
      const { letters, capitals, characters } = createResidue().update(content).digest();
      found.set(text, `${letters} ${capitals} ${characters}`);
    });
    return found;
  }

  return async (batch: readonly (readonly number[])[], isHolding: boolean): Promise<void> => {
    const list = ascending(batch.flat());
    const keys = await readKeys(list, isHolding);
    const placeOf = createSearch(list);
    for (const members of batch) {
      const order = [...members].sort((a, b) => (keep === 'longest' ? tokensOf(b) - tokensOf(a) : 0) || a - b);
      const places = order.map(placeOf);
      for (const group of groupsOf(places, keys)) {
        const classes = classesOf(group, places, keys);
        if (classes.length > 1)
          await cover(
            classes,
            classes.map(({ members: [first] }) => order[first!]!),
            isHolding,
          );
        for (const each of classes) {
          const done = removeInClass(each, order);
          if (done !== undefined) await done;
        }
      }
    }
  };
}

const ascending = (list: readonly number[]): number[] => Array.from(Uint32Array.from(list).sort());

/** Makes a function that finds the place of a number in an ascending list. */
function createSearch(list: readonly number[]): (value: number) => number {
  return (value) => {
    let [from, to] = [0, list.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (list[middle]! < value) from = middle + 1;
      else to = middle;
    }
    return from;
  };
}

/** A range of classes: `to` is not in it. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The number of comparisons after which timers and streams run. */
const TURN = 1 << 14;

/** The number of classes up to which all fingerprints are compared without preparing a search. */
const FEW = 32;

/** Makes the function that finds for each class of a group, given by its first text, the first class that covers it. */
function createCovering(
  { fingerprints, tokensOf }: ReadableTexts,
  { k, minOverlap, ignoresDifferences, maxHeld = MAX_HELD, ...criteria }: RemovalCriteria,
  store: ReturnType<typeof createTokenStore>,
) {
  const matchCase = criteria.matchCase && !ignoresDifferences;
  const distanceOf = createDistance(fingerprints);
  const few = createCandidateList();
  let compared = 0;

  function createFind(firsts: readonly number[]): FindNear {
    if (firsts.length > FEW) return createFindNear(pick(fingerprints, firsts), { k, isExact: false });
    return (position, from, to = firsts.length) => {
      few.clear();
      for (let other = from; other < to; other++) {
        const distance = distanceOf(firsts[position]!, firsts[other]!);
        if (distance <= k) few.push(other, distance);
      }
      return few;
    };
  }

  /** Returns the overlap of two texts, or -1 if it is too small. */
  function compare(a: number, b: number, distance: number): number {
    const [left, right] = [store.get(a), store.get(b)];
    if (Math.min(left.total, right.total) / Math.max(left.total, right.total) < minOverlap) return -1;
    const isTooFar =
      fingerprints.words === 4 &&
      distance > distanceLimit(left.total + right.total, left.size + right.size, minOverlap);
    return isTooFar ? -1 : overlapAtLeast(left, right, minOverlap);
  }

  /** Divides texts into ranges that fill at most half of the memory, so that two can be compared. */
  function rangesOf(firsts: readonly number[]): Range[] {
    const ranges: Range[] = [];
    let [from, size] = [0, 0];
    for (const [to, text] of firsts.entries()) {
      const own = sizeOfTokens(tokensOf(text));
      if (size > 0 && size + own > maxHeld / 2) {
        ranges.push({ from, to });
        [from, size] = [to, 0];
      }
      size += own;
    }
    return [...ranges, { from, to: firsts.length }];
  }

  return async (classes: readonly TextClass[], firsts: readonly number[], isHeld: boolean): Promise<void> => {
    // Texts that differ in case do not match.
    if (matchCase && classes.every(({ letters }) => letters === classes[0]!.letters)) return;
    const findNear = createFind(firsts);
    // Only a class of several texts can have one that comes after a later class.
    const hasCopies = classes.some(({ members }) => members.length > 1);
    const ranges = isHeld ? [{ from: 0, to: firsts.length }] : rangesOf(firsts);
    for (const left of ranges)
      for (const right of [left, ...ranges.filter((other) => (hasCopies ? other !== left : other.from > left.from))]) {
        if (!isHeld && (ranges.length > 1 || right === left)) {
          const wanted = [left, ...(right === left ? [] : [right])].flatMap(({ from, to }) => firsts.slice(from, to));
          await store.read(ascending(wanted), true);
        }
        for (let position = left.from; position < left.to; position++) {
          const by = classes[position]!;
          if (by.cover !== undefined && by.cover.by.index < by.index) continue;
          const near = findNear(position, hasCopies ? right.from : Math.max(position + 1, right.from), right.to);
          for (let i = 0; i < near.length; i++) {
            const each = classes[near.positionAt(i)]!;
            if (each === by || each.cover !== undefined) continue;
            // They differ in the order or the case of their words.
            if (matchCase && (each.letters === by.letters || each.bag === by.bag)) continue;
            const distance = near.distanceAt(i);
            if (++compared % TURN === 0) await nextTurn();
            const overlap = compare(firsts[position]!, firsts[each.index]!, distance);
            if (overlap >= 0) each.cover = { by, distance, overlap };
          }
        }
      }
  };
}

/** The length of the arrays that hold tokens. */
const PAGE = 1 << 18;

/** Makes a store of the tokens of texts. */
function createTokenStore({ read, tokensOf, known, onChanged }: ReadableTexts, label: string) {
  const sorter = createTokenSorter(schemeOf(label));
  const held = new Map<number, SortedTokens>();
  // The pages are used again for other texts.
  const pages: Uint32Array[] = [];
  let [page, filled] = [0, 0];

  function hold(text: number, { data, size, total }: SortedTokens): void {
    const length = NUMBERS_PER_TOKEN * size;
    const isLong = length > PAGE;
    if (!isLong && filled + length > PAGE) [page, filled] = [page + 1, 0];
    if (!isLong && page === pages.length) pages.push(new Uint32Array(PAGE));
    const target = isLong ? new Uint32Array(length) : pages[page]!;
    const start = isLong ? 0 : filled;
    target.set(data.subarray(0, length), start);
    if (!isLong) filled += length;
    held.set(text, { data: target, start, size, total });
  }

  return {
    get: (text: number): SortedTokens => held.get(text)!,
    /**
     * Reads texts in ascending order, instead of those that are held, and holds their tokens if `isHolding`. The content of
     * known texts is null.
     */
    async read(
      list: readonly number[],
      isHolding: boolean,
      visit?: (text: number, content: string | null, tokens: SortedTokens) => void,
    ): Promise<void> {
      held.clear();
      [page, filled] = [0, 0];
      const take = (text: number, content: string | null, tokens: SortedTokens): void => {
        if (tokens.total !== tokensOf(text)) onChanged(text);
        if (isHolding) hold(text, tokens);
        visit?.(text, content, tokens);
      };
      if (known === undefined) await read(list, (text, content) => take(text, content, sorter.ofText(content)));
      else for (const text of list) take(text, null, sorter.ofHashes(known.tokensOf(text)));
    },
  };
}

const FACTORS = randomWords(4).map((word) => word | 1);

/** Hashes the tokens of a text and their counts to 64 bits, and adds how many there are: four words from a place on. */
function hashBag({ data, start, size, total }: SortedTokens, words: Uint32Array, at: number): void {
  let [a, b] = [FACTORS[2]!, FACTORS[3]!];
  for (let i = start, end = start + NUMBERS_PER_TOKEN * size; i < end; i += NUMBERS_PER_TOKEN) {
    a = Math.imul(a ^ data[i]!, FACTORS[0]!) + b;
    a = (a << 13) | (a >>> 19);
    b = Math.imul(b ^ data[i + 1]! ^ (data[i + 2]! << 16), FACTORS[1]!) + a;
    b = (b << 17) | (b >>> 15);
  }
  words[at] = a;
  words[at + 1] = b;
  words[at + 2] = size;
  words[at + 3] = total;
}
