import { writeCodePoint } from '../common/utf8.ts';
import { JOINED, kindOf, MARK, OTHER } from '../scheme/bg1.ts';
import {
  codePointOf,
  INCOMPLETE,
  REPLACEMENT,
  readCodePoint,
  startsWithByteOrderMark,
  widthOf,
} from '../scheme/decode.ts';
import type { Fingerprint } from '../scheme/labels/fingerprint.ts';
import { type Scheme, schemeOf } from '../scheme/labels/label.ts';
import { countDigits, countersOf, createDigitCounts, fingerprintOfCounters } from '../scheme/simhash.ts';
import { createLocatorScan, findLocator, moveLocatorScan } from '../scheme/strip-locators.ts';
import { hashRange } from '../scheme/token-hash.ts';
import { BOUNDARY, classOf, IGNORABLE, LETTER, quickCheckOf, UNASSIGNED, UNSURE, WORD } from '../scheme/unicode.ts';
import { addElement, createBins, fingerprintOfBins } from './bins.ts';
import { addCodePoint, type Composer, composeInPlace, createComposer, endSegment } from './composer.ts';
import type { OnParts, OnTokens, Pipeline } from './pipeline.ts';

// A part of the input is worked on in pieces of this many units, so that the work buffer stays in the cache.
const PIECE = 1 << 14;

const ASCII_CLASSES = Uint8Array.from({ length: 128 }, (_, codePoint) => classOf(codePoint));

interface StreamOptions {
  readonly scheme?: Scheme;
  readonly onTokens?: OnTokens | undefined;
  /** Receives the parts of the text. No token is counted then. */
  readonly onParts?: OnParts;
}

type State = ReturnType<typeof createState>;

function createState(scheme: Scheme, onTokens: OnTokens | undefined, onParts: OnParts | undefined) {
  return {
    counts: onParts === undefined ? createDigitCounts() : new Float64Array(0),
    tokens: 0,
    pairs: scheme.bg1,
    /** The winning draws, with the labels of minhash-doc; `counts` is not used then. */
    bins: scheme.method === 'minhash' ? createBins(scheme.words) : undefined,
    onTokens,
    onParts,
    /** The two halves of the last hash: `c` and `b`. */
    hash: new Uint32Array(2),
    locators: createLocatorScan(),
    /** Normalised text as UTF-8: scanned up to `scanned`, put in NFC up to `segment`, filled up to `filled`. */
    work: new Uint8Array(0),
    scanned: 0,
    segment: 0,
    filled: 0,
    lastCombiningClass: 0,
    unsure: false,
    points: new Int32Array(16),
    pointCount: 0,
    /** The maximum number of bytes that the rest of the piece may become. */
    room: 0,
    composer: undefined as Composer | undefined,
    tokenStart: -1,
    hasLetter: false,
    head: new Uint8Array(0) as Uint8Array | undefined,
    carry: new Uint8Array(4),
    carried: 0,
    /** A high surrogate whose low one has not arrived, or 0. */
    highSurrogate: 0,
  };
}

/** Makes room for a piece: a unit becomes at most three bytes, and a sequence may be left over from the piece before. */
function reserve(state: State, units: number): void {
  state.room = 3 * units + 4;
  enlarge(state, state.filled + state.room);
}

function enlarge(state: State, length: number): void {
  if (length <= state.work.length) return;
  const larger = new Uint8Array(2 * length);
  larger.set(state.work.subarray(0, state.filled));
  state.work = larger;
}

function closeSegment(state: State): void {
  if (state.unsure) {
    state.unsure = false;
    const { points, pointCount } = state;
    const size = pointCount <= points.length ? composeInPlace(points, pointCount) : -1;
    if (size >= 0) {
      // In place, since composing never lengthens a segment that was not decomposed for it.
      state.filled = state.segment;
      for (let i = 0; i < size; i++) state.filled = writeCodePoint(points[i]!, state.work, state.filled);
    } else composeLong(state);
  }
  state.segment = state.filled;
  state.lastCombiningClass = 0;
  state.pointCount = 0;
}

function composeLong(state: State): void {
  const segment = state.work.slice(state.segment, state.filled);
  state.filled = state.segment;
  state.composer ??= createComposer((bytes) => {
    // Composed, a segment may be longer than before; the rest of the piece still needs its room.
    enlarge(state, state.filled + bytes.length + state.room);
    state.work.set(bytes, state.filled);
    state.filled += bytes.length;
  });
  for (let at = 0; at < segment.length; ) {
    const read = readCodePoint(segment, at, segment.length);
    at += widthOf(read);
    addCodePoint(state.composer, codePointOf(read));
  }
  endSegment(state.composer);
}

/** Runs steps 2 and 3 on one scalar value, for which there is room. */
function append(state: State, codePoint: number): void {
  const wordClass = classOf(codePoint);
  if (wordClass === IGNORABLE) return;
  if (wordClass === UNASSIGNED) codePoint = REPLACEMENT;
  const check = quickCheckOf(codePoint);
  if (check === BOUNDARY) closeSegment(state);
  else if (check === UNSURE || check < state.lastCombiningClass) state.unsure = true;
  else state.lastCombiningClass = check;
  if (state.pointCount < state.points.length) state.points[state.pointCount] = codePoint;
  state.pointCount++;
  state.filled = writeCodePoint(codePoint, state.work, state.filled);
}

function appendBytes(state: State, bytes: Uint8Array, at: number, end: number): number {
  while (at < end) {
    at = appendStarters(state, bytes, at, end);
    if (at === end) break;
    const read = readCodePoint(bytes, at, end);
    if (read === INCOMPLETE) return at;
    at += widthOf(read);
    append(state, codePointOf(read));
    if (state.pointCount > state.points.length) at = appendMarks(state, bytes, at, end);
  }
  return at;
}

/** Appends code points that begin segments (steps 1 to 3): only the last one may still change, by composing with marks. */
function appendStarters(state: State, bytes: Uint8Array, at: number, end: number): number {
  let last = -1;
  let { work, filled, segment } = state;
  while (at < end) {
    const read = readCodePoint(bytes, at, end);
    const codePoint = codePointOf(read);
    // An ill-formed sequence is not copied.
    if (read === INCOMPLETE || codePoint === REPLACEMENT || !isStarter(codePoint)) break;
    const next = at + widthOf(read);
    if (last < 0) {
      closeSegment(state);
      ({ work, filled } = state);
    }
    segment = filled;
    while (at < next) work[filled++] = bytes[at++]!;
    last = codePoint;
    if (codePoint >= 0x80) continue;
    while (at < end && bytes[at]! < 0x80) work[filled++] = bytes[at++]!;
    segment = filled - 1;
    last = work[segment]!;
  }
  if (last < 0) return at;
  state.filled = filled;
  state.segment = segment;
  state.points[0] = last;
  state.pointCount = 1;
  return at;
}

function isStarter(codePoint: number): boolean {
  return codePoint < 0x80 || (classOf(codePoint) < IGNORABLE && quickCheckOf(codePoint) === BOUNDARY);
}

/** Appends marks to a segment that is long already (steps 1 to 3). It is put in NFC when it ends. */
function appendMarks(state: State, bytes: Uint8Array, at: number, end: number): number {
  const { work } = state;
  let { filled } = state;
  state.unsure = true;
  while (at < end) {
    const read = readCodePoint(bytes, at, end);
    const codePoint = codePointOf(read);
    if (read === INCOMPLETE || classOf(codePoint) >= IGNORABLE || quickCheckOf(codePoint) === BOUNDARY) break;
    for (const next = at + widthOf(read); at < next; at++) work[filled++] = bytes[at]!;
  }
  state.filled = filled;
  return at;
}

/** Completes or ends the sequence that the last part left incomplete. Returns how many bytes it took. */
function completeCarry(state: State, bytes: Uint8Array): number {
  for (let taken = 0; taken < bytes.length; ) {
    state.carry[state.carried++] = bytes[taken++]!;
    const read = readCodePoint(state.carry, 0, state.carried);
    if (read === INCOMPLETE) continue;
    // The byte that made a sequence ill-formed is not part of it.
    if (widthOf(read) < state.carried) taken--;
    state.carried = 0;
    append(state, codePointOf(read));
    return taken;
  }
  return bytes.length;
}

function updateBytes(state: State, chunk: Uint8Array): void {
  let at = 0;
  if (state.carried > 0) {
    reserve(state, 0);
    at = completeCarry(state, chunk);
  }
  while (at < chunk.length) {
    const end = Math.min(at + PIECE, chunk.length);
    reserve(state, end - at);
    const next = appendBytes(state, chunk, at, end);
    if (end === chunk.length) {
      state.carry.set(chunk.subarray(next, end));
      state.carried = end - next;
      at = end;
    } else at = next;
    scan(state, false);
  }
}

function updateText(state: State, chunk: string): void {
  for (let at = 0; at < chunk.length; ) {
    const end = Math.min(at + PIECE, chunk.length);
    reserve(state, end - at);
    for (; at < end; at++) {
      const unit = chunk.charCodeAt(at);
      if (state.highSurrogate !== 0) {
        const high = state.highSurrogate;
        state.highSurrogate = 0;
        if ((unit & 0xfc00) === 0xdc00) {
          append(state, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
          continue;
        }
        append(state, REPLACEMENT);
      }
      if (unit < 0x80) {
        closeSegment(state);
        state.points[0] = unit;
        state.pointCount = 1;
        state.work[state.filled++] = unit;
      } else if ((unit & 0xfc00) === 0xd800) state.highSurrogate = unit;
      else append(state, (unit & 0xfc00) === 0xdc00 ? REPLACEMENT : unit);
    }
    scan(state, false);
  }
}

/** Drops a byte order mark from the first three bytes of the document, in any parts (DEC-1). */
function withoutByteOrderMark(state: State, chunk: Uint8Array, final: boolean): Uint8Array {
  if (state.head === undefined) return chunk;
  let whole = chunk;
  if (state.head.length > 0) {
    whole = new Uint8Array(state.head.length + chunk.length);
    whole.set(state.head);
    whole.set(chunk, state.head.length);
  }
  if (whole.length < 3 && !final) {
    state.head = new Uint8Array(whole);
    return whole.subarray(whole.length);
  }
  state.head = undefined;
  return startsWithByteOrderMark(whole) ? whole.subarray(3) : whole;
}

/** Runs steps 4, 5, 7 and 8 on normalised text. The part whose result depends on further input stays in the buffer. */
function scan(state: State, final: boolean): void {
  if (final) closeSegment(state);
  const { locators } = state;
  const end = state.segment;
  while (state.scanned < end) {
    findLocator(locators, state.work, state.scanned, end, final);
    if (state.onParts === undefined || state.onParts.token !== undefined)
      countTokens(state, state.scanned, locators.clean);
    state.onParts?.text(state.work, state.scanned, locators.clean);
    state.scanned = locators.resume;
    if (locators.resume === locators.clean) break;
    endToken(state, locators.clean);
    state.onParts?.locator(state.work, locators.clean, locators.resume, locators.begins);
  }
  if (final) endToken(state, end);
  const keep = state.tokenStart >= 0 ? state.tokenStart : state.scanned;
  if (keep > 0) {
    state.work.copyWithin(0, keep, state.filled);
    state.filled -= keep;
    state.segment -= keep;
    state.scanned -= keep;
    if (state.tokenStart >= 0) state.tokenStart = 0;
    moveLocatorScan(locators, keep);
  }
}

function countTokens(state: State, from: number, to: number): void {
  const { work } = state;
  let start = state.tokenStart;
  let hasLetter = state.hasLetter;
  for (let at = from; at < to; ) {
    const byte = work[at]!;
    let wordClass: number;
    let next = at + 1;
    if (byte < 0x80) wordClass = ASCII_CLASSES[byte]!;
    else {
      const read = readCodePoint(work, at, to);
      wordClass = classOf(codePointOf(read));
      next = at + widthOf(read);
    }
    if (wordClass === LETTER || wordClass === WORD) {
      if (start < 0) {
        start = at;
        hasLetter = false;
      }
      if (wordClass === LETTER) hasLetter = true;
    } else if (start >= 0) {
      if (hasLetter) countToken(state, start, at);
      start = -1;
    }
    at = next;
  }
  state.tokenStart = start;
  state.hasLetter = hasLetter;
}

function countToken(state: State, start: number, end: number): void {
  if (state.onParts !== undefined) state.onParts.token!(state.work, start, end);
  else if (!state.pairs) countHash(state, start, end);
  else forEachPair(state.work, start, end, (from, to) => countHash(state, from, to));
}

function countHash(state: State, start: number, end: number): void {
  const { hash, bins } = state;
  hashRange(state.work, start, end, 0, 0, hash);
  const low = hash[0]!;
  const high = hash[1]!;
  state.tokens++;
  if (bins === undefined) countDigits(state.counts, low, high);
  else addElement(bins, low, high);
  state.onTokens?.(hash.subarray(0, 1), hash.subarray(1), 1);
}

/** Cuts a token in UTF-8 into pairs (BIG-1 to BIG-4), as `pairUnits` of scheme/bg1.ts does, with places in bytes. */
function forEachPair(work: Uint8Array, start: number, end: number, visit: (from: number, to: number) => void): void {
  // The units of a joined part: where the one before began, or -1, and where the last one begins; or a part of others.
  let before = -1;
  let unit = -1;
  let others = -1;
  let hasLetter = false;
  const endPart = (at: number): void => {
    if (before >= 0) visit(before, at);
    else if (unit >= 0) visit(unit, at);
    else if (hasLetter) visit(others, at);
    before = unit = others = -1;
    hasLetter = false;
  };
  for (let at = start; at < end; ) {
    const read = readCodePoint(work, at, end);
    const codePoint = codePointOf(read);
    const kind = codePoint < 0x80 ? OTHER : kindOf(codePoint);
    if (kind === JOINED) {
      if (others >= 0) endPart(at);
      else if (before >= 0) visit(before, at);
      before = unit;
      unit = at;
    } else if (kind !== MARK || unit < 0) {
      if (unit >= 0) endPart(at);
      if (others < 0) others = at;
      if (classOf(codePoint) === LETTER) hasLetter = true;
    }
    at += widthOf(read);
  }
  endPart(end);
}

function endToken(state: State, end: number): void {
  if (state.tokenStart >= 0 && state.hasLetter) countToken(state, state.tokenStart, end);
  state.tokenStart = -1;
}

/** The steps of scheme/ as a stream, in the language itself. `createFingerprinter` documents its memory. */
export interface Composition extends Pipeline {
  readonly kind: 'composition';
}

export function createStreamingPipeline({ scheme = schemeOf(), onTokens, onParts }: StreamOptions = {}): Composition {
  const state = createState(scheme, onTokens, onParts);
  return {
    kind: 'composition',
    update(chunk) {
      if (typeof chunk === 'string') updateText(state, chunk);
      else updateBytes(state, withoutByteOrderMark(state, chunk, false));
    },
    end() {
      updateBytes(state, withoutByteOrderMark(state, new Uint8Array(0), true));
      reserve(state, 0);
      if (state.carried > 0 || state.highSurrogate !== 0) append(state, REPLACEMENT);
      scan(state, true);
    },
    get tokenCount() {
      return state.tokens;
    },
    result: () => (state.tokens === 0 ? null : fingerprintOf(state)),
    lowerDraws: () => state.bins!.lows,
  };
}

function fingerprintOf({ bins, counts }: State): Fingerprint {
  return bins === undefined ? fingerprintOfCounters(countersOf(counts)) : fingerprintOfBins(bins);
}

/** The maximum size of a small document, in bytes or 16-bit units. */
export const MAX_SMALL = 4096;

/** The number of small documents that take less time here than loading and compiling the kernel does. */
const MAX_SMALL_DOCUMENTS = 16;
let smallDocuments = 0;

/** Takes a pipeline without the kernel; undefined for a document that is not small, and after the first small ones. */
export function takeSmallPipeline(size: number, options: StreamOptions): Composition | undefined {
  if (size > MAX_SMALL || smallDocuments >= MAX_SMALL_DOCUMENTS) return undefined;
  smallDocuments++;
  return createStreamingPipeline(options);
}
