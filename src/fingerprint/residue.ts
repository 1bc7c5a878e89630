import { writeCodePoint } from '../common/utf8.ts';
import { codePointOf, readCodePoint, widthOf } from '../scheme/decode.ts';
import { hashRange } from '../scheme/token-hash.ts';
import type { OnParts } from './pipeline.ts';
import {
  ASCII_KINDS,
  asciiDigitOf,
  DASH,
  DIGIT,
  foldCase,
  kindOf,
  LETTER,
  LINE_BULLET,
  MARK,
  PLUS,
  QUOTE,
  SEPARATOR,
  SPACE,
} from './residue-kinds.ts';
import { createStreamingPipeline } from './stream.ts';

/** A difference of two documents other than in the counts of their tokens. */
export type Difference = 'numbers' | 'locators' | 'characters' | 'order' | 'case';

/** Digests of the parts of a document that its tokens do not include, 64 bits each. Equal parts have equal digests. */
export interface Residue {
  /**
   * The numbers in their order, also within tokens: runs of digits (Nd, Nl, No; a decimal digit counts as the ASCII digit of its
   * value) with `. , : /`, apostrophes and dashes between two, and a sign before that does not follow a letter or digit.
   */
  readonly numbers: string;
  /** The text that step 4 strips, in its order, without apostrophes, which may be quotation marks. */
  readonly locators: string;
  /**
   * All other characters in their order, except spaces, quotation marks, and bullets. An ellipsis is three dots. Dashes count
   * only where they may be operators: as one minus sign, before a symbol, or before a letter and not after a letter or digit.
   */
  readonly characters: string;
  /** The other characters in any order, for documents whose tokens are in another order. */
  readonly characterCounts: string;
  readonly letters: string;
  /** The tokens that have upper case, with their places. */
  readonly capitals: string;
}

interface ResidueDigester {
  update(chunk: string | Uint8Array): ResidueDigester;
  digest(): Residue;
}

type State = ReturnType<typeof createState>;

const APOSTROPHE = 0x27;
const MINUS = 0x2d;
const SOLIDUS = 0x2f;
const FRACTION_SLASH = 0x2044;
const ELLIPSIS = 0x2026;
const END = 0x20;
const LINE_FEED = 0x0a;
/** The longest token for which an idle state has memory, in bytes. */
const MAX_IDLE = 4096;

const point = new Uint8Array(4);

/** The state of the last document, which the next one reuses: allocating it takes longer than reading a row. */
let idle: State | undefined;

function createState() {
  return {
    numbers: createDigest(),
    locators: createDigest(),
    characters: createDigest(),
    characterSums: new Uint32Array(2),
    letters: createDigest(),
    capitals: createDigest(),
    /** The kind of a character whose meaning depends on the next one (DASH, PLUS, SEPARATOR, LINE_BULLET), else SPACE. */
    pending: SPACE as number,
    /** That character, or the first of a run of dashes; and whether it follows a word. */
    pendingPoint: 0,
    pendingAfterWord: false,
    isAfterWord: false,
    isInNumber: false,
    isLineStart: true,
    hasLetter: false,
    isInLocator: false,
    tokens: 0,
    lower: new Uint8Array(64),
  };
}

/** Makes a digester for one document. Memory is bounded by the longest token, as in the streaming composition. */
export function createResidue(): ResidueDigester {
  const state = idle ?? createState();
  idle = undefined;
  const onParts: OnParts = {
    text: (bytes, from, to) => addText(state, bytes, from, to),
    token: (bytes, from, to) => addToken(state, bytes, from, to),
    locator: (bytes, from, to, begins) => addLocator(state, bytes, from, to, begins),
  };
  const pipeline = createStreamingPipeline({ onParts });
  const digester: ResidueDigester = {
    update(chunk) {
      pipeline.update(chunk);
      return digester;
    },
    digest() {
      pipeline.end();
      const residue = closeState(state);
      if (state.lower.length <= MAX_IDLE) idle = state;
      return residue;
    },
  };
  return digester;
}

function closeState(state: State): Residue {
  addCharacter(state, SPACE, LINE_FEED);
  endLocator(state);
  state.tokens = 0;
  return {
    numbers: closeDigest(state.numbers),
    locators: closeDigest(state.locators),
    characters: closeDigest(state.characters),
    characterCounts: takeHash(state.characterSums),
    letters: closeDigest(state.letters),
    capitals: closeDigest(state.capitals),
  };
}

/**
 * Returns the differences other than in the counts of tokens; characters and order only count if all tokens agree. With
 * `matchCase`, tokens that differ only in case are a difference.
 */
export function differencesOf(
  a: Residue,
  b: Residue,
  overlap: number,
  { matchCase = false }: { readonly matchCase?: boolean } = {},
): readonly Difference[] {
  const differences: Difference[] = [];
  if (a.numbers !== b.numbers) differences.push('numbers');
  if (a.locators !== b.locators) differences.push('locators');
  const haveSameCapitals = a.capitals === b.capitals;
  const haveSameLetters = a.letters === b.letters;
  if (overlap === 1) {
    const isInOrder = haveSameLetters && haveSameCapitals;
    const haveSameCharacters = isInOrder ? a.characters === b.characters : a.characterCounts === b.characterCounts;
    if (!haveSameCharacters) differences.push('characters');
    if (!isInOrder) differences.push('order');
  } else if (matchCase && haveSameLetters && !haveSameCapitals) differences.push('case');
  return differences;
}

function addText(state: State, bytes: Uint8Array, from: number, to: number): void {
  if (from < to) endLocator(state);
  for (let at = from; at < to; ) {
    const byte = bytes[at]!;
    if (byte >= 0x80) {
      const read = readCodePoint(bytes, at, to);
      at += widthOf(read);
      addPoint(state, codePointOf(read));
      continue;
    }
    const kind = ASCII_KINDS[byte]!;
    addCharacter(state, kind, byte);
    at++;
    // The rest of a word makes no difference.
    if (kind === LETTER) while (at < to && ASCII_KINDS[bytes[at]!] === LETTER) at++;
  }
}

function addPoint(state: State, codePoint: number): void {
  if (codePoint !== ELLIPSIS) addCharacter(state, kindOf(codePoint), codePoint);
  else for (let i = 0; i < 3; i++) addCharacter(state, SEPARATOR, 0x2e);
}

function addCharacter(state: State, kind: number, codePoint: number): void {
  // Within a word.
  if (kind === LETTER && state.hasLetter && !state.isInNumber) return;
  // A run of dashes is one.
  if (kind === DASH && state.pending === DASH) return;
  if (state.pending !== SPACE) settle(state, kind);
  switch (kind) {
    case LETTER:
      endNumber(state);
      state.hasLetter = true;
      break;
    case MARK:
      endNumber(state);
      if (!state.hasLetter) addSymbol(state, codePoint);
      break;
    case DIGIT:
      addPointTo(state.numbers, codePoint < 0x80 ? codePoint : asciiDigitOf(codePoint));
      state.isInNumber = true;
      break;
    case SPACE:
      endNumber(state);
      if (isLineEnd(codePoint)) state.isLineStart = true;
      state.isAfterWord = state.hasLetter = false;
      return;
    default:
      addOther(state, kind, codePoint);
  }
  if (kind === LETTER || kind === MARK || kind === DIGIT) state.isAfterWord = true;
  else state.isAfterWord = state.hasLetter = false;
  state.isLineStart = false;
}

/** Adds a character that is neither part of a word or number nor a space, or defers it until the next one is known. */
function addOther(state: State, kind: number, codePoint: number): void {
  const isSeparator = kind === SEPARATOR || (kind === QUOTE && (codePoint === APOSTROPHE || codePoint === 0x2019));
  const sign = codePoint === FRACTION_SLASH ? SOLIDUS : codePoint;
  if (state.isInNumber && isSeparator) wait(state, SEPARATOR, kind === QUOTE ? APOSTROPHE : sign);
  else if (kind === DASH) wait(state, DASH, MINUS);
  else {
    endNumber(state);
    if (kind === PLUS || (kind === LINE_BULLET && state.isLineStart)) wait(state, kind, codePoint);
    else if (kind !== QUOTE) addSymbol(state, codePoint);
  }
}

function wait(state: State, kind: number, codePoint: number): void {
  state.pending = kind;
  state.pendingPoint = codePoint;
  state.pendingAfterWord = state.isAfterWord;
}

function settle(state: State, next: number): void {
  const { pending, pendingPoint, pendingAfterWord, isInNumber } = state;
  state.pending = SPACE;
  if (next === DIGIT) {
    if (isInNumber || (!pendingAfterWord && (pending === DASH || pending === PLUS))) {
      addPointTo(state.numbers, pendingPoint);
      return;
    }
    if (pending === DASH) return;
  }
  endNumber(state);
  const isTypography =
    pending === DASH
      ? next === SPACE || ((next === LETTER || next === MARK) && pendingAfterWord)
      : pending === LINE_BULLET
        ? next === SPACE
        : pendingPoint === APOSTROPHE;
  if (!isTypography) addSymbol(state, pendingPoint);
}

const hash = new Uint32Array(2);

function addSymbol({ characters, characterSums }: State, codePoint: number): void {
  addPointTo(characters, codePoint);
  hashRange(point, 0, writeCodePoint(codePoint, point, 0), 0, 0, hash);
  characterSums[0]! += hash[0]!;
  characterSums[1]! += hash[1]!;
}

function addPointTo(digest: Digest, codePoint: number): void {
  if (codePoint < 0x80) addByte(digest, codePoint);
  else for (let i = 0, size = writeCodePoint(codePoint, point, 0); i < size; i++) addByte(digest, point[i]!);
}

function endNumber(state: State): void {
  if (state.isInNumber) addByte(state.numbers, END);
  state.isInNumber = false;
}

function isLineEnd(codePoint: number): boolean {
  return (codePoint >= 0x0a && codePoint <= 0x0d) || codePoint === 0x85 || codePoint === 0x2028 || codePoint === 0x2029;
}

function addLocator(state: State, bytes: Uint8Array, from: number, to: number, begins: boolean): void {
  if (begins) {
    endLocator(state);
    addCharacter(state, SPACE, END);
    state.isLineStart = false;
    state.isInLocator = true;
  }
  for (let at = from; at < to; at++) if (bytes[at] !== APOSTROPHE) addByte(state.locators, bytes[at]!);
}

function endLocator(state: State): void {
  if (state.isInLocator) addByte(state.locators, END);
  state.isInLocator = false;
}

function addToken(state: State, bytes: Uint8Array, from: number, to: number): void {
  state.tokens++;
  if (isLowerAscii(bytes, from, to)) {
    addWord(state.letters, bytes, from, to);
    return;
  }
  // No lower case is more than twice as long.
  if (state.lower.length < 2 * (to - from) + 4) state.lower = new Uint8Array(4 * (to - from));
  let size = 0;
  let isLower = true;
  for (let at = from; at < to; ) {
    const read = readCodePoint(bytes, at, to);
    const codePoint = codePointOf(read);
    const lower = foldCase(codePoint);
    if (lower !== codePoint) isLower = false;
    size = writeCodePoint(lower, state.lower, size);
    at += widthOf(read);
  }
  addWord(state.letters, state.lower, 0, size);
  if (isLower) return;
  addPlace(state.capitals, state.tokens);
  addWord(state.capitals, bytes, from, to);
}

function isLowerAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80 || (byte >= 0x41 && byte <= 0x5a)) return false;
  }
  return true;
}

const place = new Uint8Array(8);

function addPlace(digest: Digest, at: number): void {
  for (let i = 0; i < 8; i++) {
    place[i] = at % 256;
    at = Math.floor(at / 256);
  }
  addWord(digest, place, 0, 8);
}

/** A digest of 64 bits over bytes that arrive one by one, or in words: lookup3, from block to block. */
type Digest = ReturnType<typeof createDigest>;

const BLOCK = 252;

/** Makes a digest; `hash` has the two halves of the hash of the blocks before, which the next one is hashed with. */
function createDigest() {
  return { block: new Uint8Array(BLOCK), filled: 0, hash: new Uint32Array(2) };
}

function addByte(digest: Digest, byte: number): void {
  digest.block[digest.filled++] = byte;
  if (digest.filled === BLOCK) closeBlock(digest);
}

/** Adds bytes as one word: the same bytes in other words have another digest. */
function addWord({ hash }: Digest, bytes: Uint8Array, from: number, to: number): void {
  hashRange(bytes, from, to, hash[0]!, hash[1]!, hash);
}

function closeDigest(digest: Digest): string {
  closeBlock(digest);
  return takeHash(digest.hash);
}

function takeHash(halves: Uint32Array): string {
  const text = `${halves[1]!.toString(16)}.${halves[0]!.toString(16)}`;
  halves.fill(0);
  return text;
}

function closeBlock(digest: Digest): void {
  addWord(digest, digest.block, 0, digest.filled);
  digest.filled = 0;
}
