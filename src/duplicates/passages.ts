import { documentError } from '../documents/failure.ts';

export type Part =
  | { readonly kind: 'same' | 'changed'; readonly text: string }
  /** Omitted text: context if `words` is 0, else that many words of a long change. */
  | { readonly kind: 'gap'; readonly words: number };

export interface Passage {
  readonly a: readonly Part[];
  readonly b: readonly Part[];
}

export interface Passages {
  readonly shown: readonly Passage[];
  readonly total: number;
  /** False if the comparison reached a limit: then some long passages are shown as changed as a whole. */
  readonly isComplete: boolean;
}

const DEFAULT_LIMITS = {
  maxPassages: 12,
  /** Insertions and deletions to search for, each time that two sequences are compared. The time grows with its square. */
  maxEdits: 2000,
  /** The time limit in milliseconds. */
  timeout: 3000,
};

export type PassageLimits = Readonly<typeof DEFAULT_LIMITS>;

/** The number of words before and after a change. */
const CONTEXT = 12;

/** A passage with more words than this ends after the next change. */
const MAX_SPAN = 150;

/** The words of a change that are shown on each side. */
const MAX_CHANGED = 80;

/** The length, of both texts together and in words, above which texts are first divided where they agree. */
const MAX_DIRECT = 2000;

/** The length above which ranges are not compared. */
const MAX_COMPARED = 40_000;

/** The words of a unit, if no cut comes first. */
const MAX_UNIT = 64;

/** Scripts without spaces between words: each character counts as a word. */
const SPACELESS = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}';
const LETTERS = `(?:(?![${SPACELESS}])[\\p{L}\\p{M}\\p{N}]){1,100}`;
const WORD = new RegExp(`${LETTERS}(?:[.,:'’/-]${LETTERS}){0,8}|\\S\\p{M}{0,30}`, 'gu');

interface Words {
  readonly text: string;
  /** A number for each word, the same for the same word. */
  readonly ids: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

interface Edit {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

type Range = readonly [from: number, to: number];
type DiffArrays = typeof import('diff')['diffArrays'];
type Numbers = Map<string, number>;

/** Loads the optional package that compares texts; throws `missing-package` without it. */
export async function loadPassages(
  limits: Partial<PassageLimits> = {},
): Promise<(a: string) => (b: string) => Passages> {
  let diffArrays: DiffArrays;
  try {
    ({ diffArrays } = await import('diff'));
  } catch {
    throw documentError('missing-package', 'showing passages needs one more package: npm install diff');
  }
  const all = { ...DEFAULT_LIMITS, ...limits };
  return (a) => {
    const numbers: Numbers = new Map();
    const left = wordsOf(a, numbers);
    return (b) => {
      const right = wordsOf(b, numbers);
      const { edits, isComplete } = findEdits(left, right, diffArrays, all);
      return { ...passagesOf(left, right, edits, all.maxPassages), isComplete };
    };
  };
}

function wordsOf(original: string, numbers: Numbers): Words {
  // Differences in code points alone would be marked without being visible.
  const text = original.normalize('NFC');
  const [ids, starts, ends]: [number[], number[], number[]] = [[], [], []];
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    ids.push(numberOf(match[0], numbers));
    starts.push(match.index);
    ends.push(WORD.lastIndex);
  }
  return { text, ids, starts, ends };
}

function numberOf(key: string, numbers: Numbers): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}

function findEdits(
  { ids: a }: Words,
  { ids: b }: Words,
  diffArrays: DiffArrays,
  { maxEdits, timeout }: PassageLimits,
): { readonly edits: readonly Edit[]; readonly isComplete: boolean } {
  const end = Date.now() + timeout;
  let isComplete = true;
  const compare = (left: readonly number[], right: readonly number[]): Edit[] | null => {
    const options = { maxEditLength: maxEdits, timeout: Math.max(0, end - Date.now()) };
    const changes = diffArrays([...left], [...right], options);
    return changes === undefined ? null : editsOf(changes);
  };
  const giveUp = (range: Edit): Edit[] => {
    isComplete = false;
    return [range];
  };
  const byWord = (edit: Edit): Edit[] => {
    const range = trim(edit, a, b);
    if (range.a === range.aEnd || range.b === range.bEnd) return sizeOf(range) === 0 ? [] : [range];
    if (sizeOf(range) > MAX_COMPARED) return giveUp(range);
    const edits = compare(a.slice(range.a, range.aEnd), b.slice(range.b, range.bEnd));
    return edits?.map((each) => shift(each, range)) ?? giveUp(range);
  };
  const whole = trim({ a: 0, aEnd: a.length, b: 0, bEnd: b.length }, a, b);
  const ranges = sizeOf(whole) <= MAX_DIRECT ? [whole] : rangesBetween(anchorsOf(a, b, whole), whole);
  const edits = ranges.flatMap(byWord);
  return { edits: merge(edits), isComplete };
}

function sizeOf({ a, aEnd, b, bEnd }: Edit): number {
  return aEnd - a + bEnd - b;
}

function shift({ a, aEnd, b, bEnd }: Edit, by: Edit): Edit {
  return { a: a + by.a, aEnd: aEnd + by.a, b: b + by.b, bEnd: bEnd + by.b };
}

/** Removes the common beginning and end of both ranges. */
function trim({ a, aEnd, b, bEnd }: Edit, left: readonly number[], right: readonly number[]): Edit {
  while (a < aEnd && b < bEnd && left[a] === right[b]) {
    a++;
    b++;
  }
  while (a < aEnd && b < bEnd && left[aEnd - 1] === right[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  return { a, aEnd, b, bEnd };
}

/** Cuts words into units of about 16, by the words alone, so that both texts have the same. The last of `starts` is the end. */
function unitsOf(words: readonly number[], from: number, to: number, numbers: Numbers) {
  const [ids, starts]: [number[], number[]] = [[], [from]];
  for (let at = from, start = from; at < to; at++)
    if (at + 1 === to || at + 1 - start === MAX_UNIT || Math.imul(words[at]! + 1, 0x9e3779b1) >>> 28 === 0) {
      ids.push(numberOf(words.slice(start, at + 1).join(), numbers));
      start = at + 1;
      starts.push(start);
    }
  return { ids, starts };
}

/** Finds units that occur once in both texts, as many as there are in the same order (patience diff). */
function anchorsOf(a: readonly number[], b: readonly number[], range: Edit): Edit[] {
  const numbers: Numbers = new Map();
  const left = unitsOf(a, range.a, range.aEnd, numbers);
  const right = unitsOf(b, range.b, range.bEnd, numbers);
  const [inLeft, inRight] = [uniqueOf(left.ids, numbers.size), uniqueOf(right.ids, numbers.size)];
  const common = left.ids.flatMap((id, at) =>
    inLeft[id] === at && inRight[id]! >= 0 ? [[at, inRight[id]!] as const] : [],
  );
  return longestIncreasing(common).map(([x, y]) => ({
    ...{ a: left.starts[x]!, aEnd: left.starts[x + 1]! },
    ...{ b: right.starts[y]!, bEnd: right.starts[y + 1]! },
  }));
}

/** The position of each number; negative unless it occurs once. */
function uniqueOf(ids: readonly number[], size: number): Int32Array {
  const places = new Int32Array(size).fill(-1);
  for (const [at, id] of ids.entries()) places[id] = places[id] === -1 ? at : -2;
  return places;
}

/** Returns a longest subsequence whose second numbers increase. */
function longestIncreasing(pairs: readonly Range[]): Range[] {
  // For each length, the pair with the smallest end; and for each pair, the one before it.
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length);
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : ends[low - 1]!;
    ends[low] = index;
  }
  const longest: Range[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index]!) longest.push(pairs[index]!);
  return longest.reverse();
}

function rangesBetween(anchors: readonly Edit[], { a, aEnd, b, bEnd }: Edit): Edit[] {
  const ranges: Edit[] = [];
  for (const anchor of anchors) {
    ranges.push({ a, aEnd: anchor.a, b, bEnd: anchor.b });
    [a, b] = [anchor.aEnd, anchor.bEnd];
  }
  return [...ranges, { a, aEnd, b, bEnd }];
}

/** The ranges that differ, from runs of words that both texts or one of them has. */
function editsOf(
  changes: readonly { readonly count: number; readonly added: boolean; readonly removed: boolean }[],
): Edit[] {
  const edits: Edit[] = [];
  let [a, b] = [0, 0];
  let from = { a, b };
  const close = (): void => {
    if (a > from.a || b > from.b) edits.push({ a: from.a, aEnd: a, b: from.b, bEnd: b });
  };
  for (const { count, added, removed } of changes) {
    if (added) b += count;
    else if (removed) a += count;
    else {
      close();
      a += count;
      b += count;
      from = { a, b };
    }
  }
  close();
  return edits;
}

/** Merges edits that touch, and longer ones with a word or two between them, which two sentences share by chance. */
function merge(edits: readonly Edit[]): Edit[] {
  const merged: Edit[] = [];
  const longerOf = ({ a, aEnd, b, bEnd }: Edit): number => Math.max(aEnd - a, bEnd - b);
  for (const edit of edits) {
    const last = merged.at(-1);
    const gap = last === undefined ? 0 : edit.a - last.aEnd;
    if (last !== undefined && (gap === 0 || (gap <= 2 && gap < longerOf(last) && gap < longerOf(edit))))
      merged[merged.length - 1] = { ...last, aEnd: edit.aEnd, bEnd: edit.bEnd };
    else merged.push(edit);
  }
  return merged;
}

function passagesOf(
  a: Words,
  b: Words,
  edits: readonly Edit[],
  maxPassages: number,
): Pick<Passages, 'shown' | 'total'> {
  const shown: Passage[] = [];
  let total = 0;
  for (let from = 0, to = 0; from < edits.length; from = to) {
    to = endOfPassage(edits, from);
    if (total++ >= maxPassages) continue;
    const [first, last] = [edits[from]!, edits[to - 1]!];
    const before = Math.min(CONTEXT, first.a - (edits[from - 1]?.aEnd ?? 0));
    const after = Math.min(CONTEXT, (edits[to]?.a ?? a.ids.length) - last.aEnd);
    const within = edits.slice(from, to);
    const [inA, inB] = [within.map(({ a, aEnd }): Range => [a, aEnd]), within.map(({ b, bEnd }): Range => [b, bEnd])];
    shown.push({
      a: partsOf(a, inA, first.a - before, last.aEnd + after),
      b: partsOf(b, inB, first.b - before, last.bEnd + after),
    });
  }
  return { shown, total };
}

/** The first edit after those that are shown in one passage. */
function endOfPassage(edits: readonly Edit[], from: number): number {
  const first = edits[from]!;
  for (let to = from + 1; to < edits.length; to++) {
    const [last, next] = [edits[to - 1]!, edits[to]!];
    const span = Math.max(last.aEnd - first.a, last.bEnd - first.b);
    if (next.a - last.aEnd > 2 * CONTEXT || span > MAX_SPAN) return to;
  }
  return edits.length;
}

/** One side of a passage: ranges of words that are changed, in words from `from` to `to`. */
function partsOf(words: Words, changed: readonly Range[], from: number, to: number): Part[] {
  const parts: Part[] = [];
  // Spaces next to a change are not marked.
  const addSame = (start: number, end: number): void => {
    if (start === end) return;
    const [before, after] = [start > from ? spaceAt(words, start) : '', end < to ? spaceAt(words, end) : ''];
    parts.push({ kind: 'same', text: `${before}${textOf(words, start, end)}${after}` });
  };
  if (from > 0) parts.push({ kind: 'gap', words: 0 });
  let at = from;
  for (const [start, end] of changed) {
    if (start === end) continue;
    addSame(at, start);
    const shown = Math.min(end, start + MAX_CHANGED);
    parts.push({ kind: 'changed', text: textOf(words, start, shown) });
    if (shown < end) parts.push({ kind: 'gap', words: end - shown });
    at = end;
  }
  addSame(at, to);
  if (to < words.ids.length) parts.push({ kind: 'gap', words: 0 });
  return parts;
}

/** The text of words, with one space or line feed between those that are apart. */
function textOf({ text, starts, ends }: Words, from: number, to: number): string {
  return from === to ? '' : withOneSpace(text.slice(starts[from], ends[to - 1]));
}

function spaceAt({ text, starts, ends }: Words, at: number): string {
  return at === 0 ? '' : withOneSpace(text.slice(ends[at - 1], starts[at]));
}

function withOneSpace(text: string): string {
  return text.replace(/\s+/g, (space) => (space.includes('\n') ? '\n' : ' '));
}
