import { lastAtMost } from '../common/numbers.ts';
import { asciiDigitOf, DIGIT, foldCase, kindOf, LETTER, MARK } from '../fingerprint/residue-kinds.ts';
import { randomWords } from '../lookup/keyed-hash.ts';
import { kindOf as bg1KindOf, FIRST_JOINED, JOINED } from '../scheme/bg1.ts';
import { normalise } from '../scheme/normalise.ts';

/** The reasons why a text is not a version of another one that has most of its words (VER-5). */
export const REASONS = ['title', 'numbers', 'words'] as const;
export type Reason = (typeof REASONS)[number];

/** The largest number of pieces in a first line, and the number of lines with pieces that have to follow it. */
const MAX_TITLE = 15;
const MIN_LINES = 2;

/** The number of pieces from which on a text is not short. */
const SHORT = 60;

/** The share of its numbers that the text with fewer of them has in common with the other one. */
const COMMON_NUMBERS = 0.9;

/** The number of numbers that a text with `size` of them has to have in common with one that has no fewer. */
export const neededNumbers = (size: number): number => Math.ceil(COMMON_NUMBERS * size - 1e-9);

/** The facts that tell apart texts that have most words in common (VER-4): hashes with a random key, ascending and distinct. */
export interface Marks {
  /** The numbers; the second and further ones of the same value have hashes of their own. */
  readonly numbers: Uint32Array;
  /** The first line, and its pieces; 0 if there is none that counts. */
  readonly title: number;
  readonly titlePieces: Uint32Array;
  /** The lines that may be the first line of another text; none if this text has no first line. */
  readonly lines: Uint32Array;
  /** The pieces of a short text; null for others. */
  readonly pieces: Uint32Array | null;
}

/** The words before the lists in the flat form of marks: the title, and the sizes of the lists. */
const HEAD = 5;
const NO_PIECES = 0xffffffff;

export function viewMarks(words: Uint32Array, start: number): Marks {
  if (NONE.every((word, index) => words[start + index] === word)) return NO_MARKS;
  let at = start + HEAD;
  const take = (size: number): Uint32Array => {
    at += size;
    return words.subarray(at - size, at);
  };
  const [title, ...sizes] = words.subarray(start, at);
  const [numbers, titlePieces, lines] = [take(sizes[0]!), take(sizes[1]!), take(sizes[2]!)];
  return { title: title!, numbers, titlePieces, lines, pieces: sizes[3] === NO_PIECES ? null : take(sizes[3]!) };
}

const [SEED = 1, FACTOR = 1, OTHER_FACTOR = 1, REPEATED = 1] = Array.from(randomWords(4), (word) => word | 1);

const mix = (hash: number, value: number): number => {
  const mixed = Math.imul(hash ^ value, FACTOR);
  return mixed ^ (mixed >>> 15);
};
/** Ends a hash, which is never 0. */
const end = (hash: number): number => Math.imul(hash ^ (hash >>> 16), OTHER_FACTOR) >>> 0 || 1;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Frequent characters outside ASCII, no numbers, that steps 2 and 3 leave as they are, whatever is beside them. */
export const SAFE =
  '\u00a0\u00a7\u00a9\u00ab\u00ae\u00b0\u00bb\u00bf-\u024f\u0391-\u03a1\u03a3-\u03c9\u03ac-\u03ce\u0401-\u0481\u05d0-\u05ea\u0621-\u064a\u0904-\u0928\u2013\u2014\u2018-\u201e\u2022\u2026\u3001\u3002\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fa5\uac00-\ud7a3\uff01\uff0c\uff1a';
const SAFE_CHARACTER = new RegExp(`[\\0-\\x7f${SAFE}]`);
/** The kinds of these UTF-16 units plus one, or {@link UNSAFE} for others, each derived on first use. */
const kinds = new Uint8Array(0x10000);
const UNSAFE = 255;

function safeKindOf(unit: number): number {
  if (kinds[unit] === 0) kinds[unit] = SAFE_CHARACTER.test(String.fromCharCode(unit)) ? kindOf(unit) + 1 : UNSAFE;
  return kinds[unit]!;
}

/** The state of a scan, which the next one reuses. */
const state = {
  numbers: [] as number[],
  lines: [] as number[],
  pieces: [] as number[],
  titlePieces: [] as number[],
  title: 0,
  /** The number of lines with pieces after the title; -1 before it. */
  linesAfter: -1,
  count: 0,
  piece: 0,
  isJoined: false,
  number: 0,
  line: 0,
  linePieces: 0,
};
type State = typeof state;

function endNumber(now: State): void {
  if (now.number !== 0) now.numbers.push(end(now.number));
  now.number = 0;
}

function endPiece(now: State): void {
  endNumber(now);
  if (now.piece === 0) return;
  const piece = end(now.piece);
  now.piece = 0;
  now.line = mix(now.line, piece);
  now.linePieces++;
  if (now.linesAfter < 0 && now.linePieces <= MAX_TITLE) now.titlePieces.push(piece);
  if (now.count++ < SHORT) now.pieces.push(piece);
}

function endLine(now: State): void {
  endPiece(now);
  if (now.linePieces > 0) {
    const line = end(now.line);
    if (now.linesAfter < 0) now.title = now.linePieces <= MAX_TITLE ? line : 0;
    else if (now.linePieces <= MAX_TITLE) now.lines.push(line);
    now.linesAfter++;
  }
  now.line = SEED;
  now.linePieces = 0;
}

function addDigit(now: State, digit: number): void {
  now.number = mix(now.number === 0 ? SEED : now.number, digit);
}

function addPoint(now: State, kind: number, point: number): void {
  if (kind === LETTER) {
    endNumber(now);
    const isAlone = point >= FIRST_JOINED && bg1KindOf(point) === JOINED;
    if (now.isJoined || isAlone) endPiece(now);
    now.isJoined = isAlone;
    now.piece = mix(now.piece === 0 ? SEED : now.piece, foldCase(point));
  } else if (kind === DIGIT) {
    if (now.isJoined) endPiece(now);
    now.isJoined = false;
    const digit = point < 0x80 ? point : asciiDigitOf(point);
    now.piece = mix(now.piece === 0 ? SEED : now.piece, digit);
    addDigit(now, digit);
  } else if (kind === MARK && now.piece !== 0) {
    endNumber(now);
    now.piece = mix(now.piece, point);
  } else endPiece(now);
}

const isAsciiLetter = (unit: number): boolean => (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;

/** Adds a run of letters of ASCII, as {@link addPoint} does one by one; returns its end. */
function addLetters(now: State, text: string, start: number): number {
  endNumber(now);
  if (now.isJoined) endPiece(now);
  now.isJoined = false;
  let piece = now.piece === 0 ? SEED : now.piece;
  let at = start;
  for (let unit = text.charCodeAt(at); isAsciiLetter(unit); unit = text.charCodeAt(++at))
    piece = mix(piece, unit | 0x20);
  now.piece = piece;
  return at;
}

/** A line `---`, at the very beginning or after an end of line. */
const FENCE = /(?:^\uFEFF?|(?<=[\r\n]))---[ \t]*(?:[\r\n]|$)/g;

/** Returns the place after front matter: the lines between a first line `---` and the next one. */
function frontMatterEnd(text: string): number {
  const fences = text.matchAll(FENCE);
  const [first, second] = [fences.next().value, fences.next().value];
  return first?.index === 0 && second !== undefined ? second.index + second[0].length : 0;
}

const NOTABLE = /[0-9\x80-\uffff]/g;

/** The number of other characters after which the next notable one is searched for, which is faster than to look at each. */
const FEW = 16;

/** Scans a text from a place on for its numbers alone; false if it has characters that step 3 may change. */
function scanNumbers(text: string, from: number, isNormal: boolean): boolean {
  const now = state;
  for (let at = from, others = FEW; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80 && (unit < 0x30 || unit > 0x39)) {
      if (now.number !== 0) endNumber(now);
      if (++others < FEW) continue;
      NOTABLE.lastIndex = at + 1;
      if (!NOTABLE.test(text)) return true;
      at = NOTABLE.lastIndex - 2;
      others = 0;
      continue;
    }
    others = 0;
    const kind = safeKindOf(unit) - 1;
    if (kind === UNSAFE - 1) {
      if (!isNormal) return false;
      const point = text.codePointAt(at)!;
      if (point > 0xffff) at++;
      if (kindOf(point) === DIGIT) addDigit(now, asciiDigitOf(point));
      else endNumber(now);
    } else if (kind === DIGIT) addDigit(now, unit);
    else endNumber(now);
  }
  endNumber(now);
  return true;
}

/** Scans a text; false if it has characters that step 3 may change. Of a text that is not short, only what counts. */
function scan(text: string, isNormal: boolean, isLong: boolean): boolean {
  const now = state;
  for (const list of [now.numbers, now.lines, now.pieces, now.titlePieces]) list.length = 0;
  [now.title, now.linesAfter, now.count, now.piece, now.number, now.linePieces] = [0, -1, 0, 0, 0, 0];
  [now.line, now.isJoined] = [SEED, false];
  if (isLong) {
    now.count = SHORT;
    if (!text.includes('\n') && !text.includes('\r')) return scanNumbers(text, 0, isNormal);
  }
  const start = text.startsWith('-') || text.startsWith('\uFEFF') ? frontMatterEnd(text) : 0;
  for (let at = 0; at < text.length; at++) {
    if (at === start && start > 0) {
      // What comes before is no first line.
      endLine(now);
      [now.title, now.linesAfter, now.titlePieces.length, now.lines.length] = [0, -1, 0, 0];
    }
    let point = text.charCodeAt(at);
    if (isAsciiLetter(point)) {
      at = addLetters(now, text, at) - 1;
      continue;
    }
    let kind = safeKindOf(point) - 1;
    if (kind === UNSAFE - 1) {
      if (!isNormal) return false;
      point = text.codePointAt(at)!;
      if (point > 0xffff) at++;
      kind = kindOf(point);
    }
    if (point === LINE_FEED || point === CARRIAGE_RETURN) {
      endLine(now);
      if (isLong && now.linesAfter === 0 && now.title === 0 && at >= start) return scanNumbers(text, at + 1, isNormal);
    } else addPoint(now, kind, point);
  }
  endLine(now);
  return true;
}

function distinct(list: readonly number[]): Uint32Array {
  const sorted = new Uint32Array(list).sort();
  let size = Math.min(1, sorted.length);
  for (let at = 1; at < sorted.length; at++) if (sorted[at] !== sorted[at - 1]) sorted[size++] = sorted[at]!;
  return sorted.subarray(0, size);
}

/** Numbers in ascending order; the second and further ones of the same value get hashes of their own. */
function distinguish(list: readonly number[]): Uint32Array {
  const sorted = new Uint32Array(list).sort();
  let isChanged = false;
  for (let at = 1, value = sorted[0], repeated = 0; at < sorted.length; at++) {
    if (sorted[at] !== value) [value, repeated] = [sorted[at], 0];
    else {
      sorted[at] = end(mix(value! ^ REPEATED, ++repeated));
      isChanged = true;
    }
  }
  return isChanged ? sorted.sort() : sorted;
}

/** Finds the marks of a text (VER-4), in their flat form; none of its tokens is more than a piece. */
export function marksOf(text: string, tokens: number): Uint32Array {
  const isLong = tokens >= SHORT;
  if (!scan(text, false, isLong)) scan(normalise(text), true, isLong);
  const { numbers, linesAfter, count, pieces, title } = state;
  const hasTitle = title !== 0 && linesAfter >= MIN_LINES;
  const isShort = count < SHORT;
  if (numbers.length === 0 && !hasTitle && !isShort) return NONE;
  const lists = [
    distinguish(numbers),
    hasTitle ? distinct(state.titlePieces) : EMPTY,
    hasTitle ? distinct(state.lines) : EMPTY,
    isShort ? distinct(pieces) : EMPTY,
  ];
  const sizes = lists.map((list, index) => (index < 3 || isShort ? list.length : NO_PIECES));
  const flat = new Uint32Array(lists.reduce((size, list) => size + list.length, HEAD));
  flat.set([hasTitle ? title : 0, ...sizes]);
  let at = HEAD;
  for (const list of lists) {
    flat.set(list, at);
    at += list.length;
  }
  return flat;
}

const EMPTY = new Uint32Array(0);
/** The marks of most long texts. */
const NONE = Uint32Array.of(0, 0, 0, 0, NO_PIECES);
const NO_MARKS: Marks = { title: 0, numbers: EMPTY, titlePieces: EMPTY, lines: EMPTY, pieces: null };

function haveCommon(a: Uint32Array, b: Uint32Array, needed: number): boolean {
  let [i, j, missing] = [0, 0, needed];
  while (missing > 0) {
    if (a.length - i < missing || b.length - j < missing) return false;
    const [x, y] = [a[i]!, b[j]!];
    if (x === y) missing--;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return true;
}

/** Tests whether each of two lists has an element that the other one lacks. */
function differBothWays(a: Uint32Array, b: Uint32Array): boolean {
  return !haveCommon(a, b, Math.min(a.length, b.length));
}

/** Tests whether ascending values have one: texts may have many lines, and are compared with many others. */
const includes = (list: Uint32Array, value: number): boolean => list[lastAtMost(list, value)] === value;

/** Returns why two texts are different although most of their words agree (VER-5), or null. */
export function reasonOf(a: Marks, b: Marks): Reason | null {
  const haveTitles = a.title !== 0 && b.title !== 0;
  if (
    haveTitles &&
    differBothWays(a.titlePieces, b.titlePieces) &&
    !includes(a.lines, b.title) &&
    !includes(b.lines, a.title)
  )
    return 'title';
  if (!haveCommon(a.numbers, b.numbers, neededNumbers(Math.min(a.numbers.length, b.numbers.length)))) return 'numbers';
  if (!haveTitles && a.pieces !== null && b.pieces !== null && differBothWays(a.pieces, b.pieces)) return 'words';
  return null;
}
