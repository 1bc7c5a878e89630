import { type Marks, neededNumbers } from './marks.ts';
import type { FindNear } from './near/candidates.ts';
import { type FingerprintColumn, pick } from './near/column.ts';
import { countBits, LANES } from './near/keys.ts';
import { createFindNear } from './near/near-search.ts';
import { createFilteredNear, type TokenFilter } from './rare-tokens.ts';

/** The number of texts up to which all that are kept are candidates. */
export const FEW = 32;

/** The number of texts that are listed in the time that one takes to be found by its tokens. */
const LISTED = 8;

export interface Ordered {
  readonly fingerprints: FingerprintColumn;
  readonly order: readonly number[];
  readonly k: number;
  /** The distance up to which none should be missed. */
  readonly sure: number;
  /** False if texts match whatever their marks are. */
  readonly isChecked: boolean;
}

export interface KeptIndex {
  add(position: number): void;
  /** Returns the positions of candidates, in ascending order. */
  candidatesFor(position: number): Iterable<number>;
  /** Returns the positions of texts that may overlap enough, whatever their marks are, in ascending order. */
  nearOnesFor(position: number): Iterable<number>;
}

/**
 * Makes an index of the texts of a component that are kept. A text that matches another one by VER-5 has numbers, the words of a
 * short text, or the first line in common with it, as far as both have any. So texts are divided by what they have, and in each part the
 * candidates are looked up by what leaves the fewest; only where both texts have nothing of the kind, all near ones are candidates. Where
 * these are too many, a filter finds those with enough tokens in common, if there is one.
 */
export function createKeptIndex(marks: readonly Marks[], texts: Ordered, filter?: TokenFilter): KeptIndex {
  if (marks.length > FEW) return createLargeIndex(marks, texts, filter);
  const kept: number[] = [];
  return { add: (position) => void kept.push(position), candidatesFor: () => kept, nearOnesFor: () => kept };
}

function createLargeIndex(marks: readonly Marks[], texts: Ordered, filter?: TokenFilter): KeptIndex {
  // The part of each text that is kept, plus one.
  const keptIn = new Uint8Array(marks.length);
  // The search in which a text was last found.
  const seen = new Uint32Array(marks.length);
  let search = 0;
  let find: FindNear | undefined;
  const mayShareNumbers = createNumberFilter(marks.map(({ numbers }) => numbers));
  const titles = new Set(marks.map(({ title }) => title));
  const rarestOf = {
    numbers: createSelection(
      marks.map(({ numbers }) => numbers),
      neededNumbers,
    ),
    pieces: createSelection(
      marks.map(({ pieces }) => pieces ?? EMPTY),
      (size) => size,
    ),
    titlePieces: createSelection(
      marks.map(({ titlePieces }) => titlePieces),
      (size) => size,
    ),
  };
  const createPart = () => ({
    numbers: createSetIndex(),
    pieces: createSetIndex(),
    titlePieces: createSetIndex(),
    titles: createPostings(),
    lines: createPostings(),
  });
  // By whether texts have a first line, numbers, and few words.
  const parts = new Map<number, ReturnType<typeof createPart>>();
  const partOf = ({ title, numbers, pieces }: Marks): number =>
    (title === 0 ? 0 : 1) + (numbers.length === 0 ? 0 : 2) + (pieces === null ? 0 : 4);
  let last: { readonly position: number; readonly likely: readonly number[] } | undefined;
  function likelyFor(position: number): readonly number[] {
    if (last?.position === position) return last.likely;
    find ??= createNear(texts, filter);
    const near = find(position, 0, position);
    const likely: number[] = [];
    for (let i = 0; i < near.length; i++) if (keptIn[near.positionAt(i)] !== 0) likely.push(near.positionAt(i));
    last = { position, likely: likely.sort((a, b) => a - b) };
    return likely;
  }

  return {
    nearOnesFor: likelyFor,
    add(position) {
      filter?.index()?.add(position);
      const own = marks[position]!;
      const name = partOf(own);
      const part = parts.get(name) ?? createPart();
      parts.set(name, part);
      keptIn[position] = name + 1;
      part.numbers.add(rarestOf.numbers(position), position);
      part.pieces.add(rarestOf.pieces(position), position);
      part.titlePieces.add(rarestOf.titlePieces(position), position);
      if (own.title !== 0) part.titles.add(own.title, position);
      for (const line of own.lines) if (titles.has(line)) part.lines.add(line, position);
    },
    candidatesFor(position) {
      const own = marks[position]!;
      const found: number[] = [];
      let excluded = 0;
      const index = filter?.index();
      search++;
      for (const [name, part] of parts) {
        const both = texts.isChecked ? name & partOf(own) : 0;
        const lists = [
          ...((both & 1) !== 0
            ? [
                [
                  ...part.titlePieces.listsFor(rarestOf.titlePieces(position)),
                  ...part.lines.listsFor([own.title]),
                  ...part.titles.listsFor(own.lines),
                ],
              ]
            : []),
          ...((both & 2) !== 0 ? [part.numbers.listsFor(rarestOf.numbers(position))] : []),
          ...((both & 5) === 4 ? [part.pieces.listsFor(rarestOf.pieces(position))] : []),
        ];
        const sizes = lists.map((each) => each.reduce((size, list) => size + list.length, 0));
        const fewest = Math.min(...sizes);
        const most = Math.max(FEW, LISTED * (last?.likely.length ?? 0));
        const mayMatch = (each: number): boolean => (both & 2) === 0 || mayShareNumbers(position, each);
        if (lists.length > 0 && (index === undefined || fewest <= most))
          for (const list of lists[sizes.indexOf(fewest)]!)
            for (const each of list) {
              if (seen[each] === search) continue;
              seen[each] = search;
              if (mayMatch(each)) found.push(each);
              else excluded++;
            }
        else for (const each of likelyFor(position)) if (keptIn[each] === name + 1 && mayMatch(each)) found.push(each);
      }
      filter?.note(found.length + excluded);
      return found.sort((a, b) => a - b);
    },
  };
}

const EMPTY = new Uint32Array(0);

function createNear({ fingerprints, order, k, sure }: Ordered, filter?: TokenFilter): FindNear {
  const picked = pick(fingerprints, order);
  let find: FindNear | undefined;
  return createFilteredNear(picked, k, filter, (position, from, to) => {
    find ??= createFindNear(picked, { k, sure });
    return find(position, from, to);
  });
}

/** Makes a test of two texts by 256 bits of their numbers: false if one lacks too many of the other one, which has no more. */
function createNumberFilter(numbers: readonly Uint32Array[]) {
  const bits = new Uint32Array(LANES * numbers.length);
  for (const [position, list] of numbers.entries())
    for (const number of list) bits[LANES * position + ((number >>> 5) & 7)]! |= 1 << (number & 31);
  return (a: number, b: number): boolean => {
    const [few, many] = numbers[a]!.length < numbers[b]!.length ? [a, b] : [b, a];
    const size = numbers[few]!.length;
    let missing = 0;
    for (let i = 0; i < LANES; i++) missing += countBits(bits[LANES * few + i]! & ~bits[LANES * many + i]!);
    return missing <= size - neededNumbers(size);
  };
}

function createPostings() {
  const lists = new Map<number, number[]>();
  return {
    add(value: number, position: number): void {
      const list = lists.get(value);
      if (list === undefined) lists.set(value, [position]);
      else list.push(position);
    },
    *listsFor(values: Iterable<number>): Generator<readonly number[], void> {
      for (const value of values) {
        const list = lists.get(value);
        if (list !== undefined) yield list;
      }
    },
  };
}

interface Selection {
  readonly set: Uint32Array;
  readonly rarest: readonly number[];
}

/**
 * Makes a function that returns a set by its position, and so many of its rarest elements that another set without them cannot have
 * `neededOf(n)` elements in common with it, n being the size of the smaller one: n - needed + 1.
 */
function createSelection(sets: readonly Uint32Array[], neededOf: (size: number) => number) {
  const counts = new Map<number, number>();
  for (const set of sets) for (const each of set) counts.set(each, (counts.get(each) ?? 0) + 1);
  let last: (Selection & { readonly position: number }) | undefined;
  return (position: number): Selection => {
    if (last?.position === position) return last;
    const set = sets[position]!;
    const size = set.length === 0 ? 0 : set.length - neededOf(set.length) + 1;
    const sorted = size === set.length ? [...set] : [...set].sort((a, b) => counts.get(a)! - counts.get(b)!);
    last = { position, set, rarest: sorted.slice(0, size) };
    return last;
  };
}

/** Makes an index of sets: the rarest elements of the smaller one are looked up among all elements of the larger one. */
function createSetIndex() {
  const [all, rarest] = [createPostings(), createPostings()];
  return {
    add(selection: Selection, position: number): void {
      for (const each of selection.set) all.add(each, position);
      for (const each of selection.rarest) rarest.add(each, position);
    },
    listsFor: (selection: Selection): (readonly number[])[] => [
      ...all.listsFor(selection.rarest),
      ...rarest.listsFor(selection.set),
    ],
  };
}
