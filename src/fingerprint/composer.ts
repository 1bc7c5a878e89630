import { writeCodePoint } from '../common/utf8.ts';
import { codePointOf, readCodePoint, widthOf } from '../scheme/decode.ts';
import { BOUNDARY, DECOMPOSES, decompositionOf, orderOf, quickCheckOf } from '../scheme/unicode.ts';

// NRM-3 for segments: a starter, or none, and what may compose with it. NFC treats each segment independently.

const HANGUL_L = 0x1100;
const HANGUL_V = 0x1161;
const HANGUL_T = 0x11a7;
const HANGUL_S = 0xac00;
const HANGUL_SYLLABLES = 11172;

/** {@link composePair}: NFC leaves the pair as it is. */
const NO_COMPOSITE = 0;
/** {@link composePair}: NFC makes something other than one code point of the pair. */
const NEEDS_FULL_NFC = -1;

// A cache of pairs, by a hash of both code points. A text composes a few hundred different pairs.
const CACHE_SIZE = 8192;
const cachedPairs = new Float64Array(CACHE_SIZE).fill(-1);
const cachedComposites = new Int32Array(CACHE_SIZE);

function composePair(first: number, second: number): number {
  // Hangul syllables are composed by arithmetic (Unicode 12.0, section 3.12); there are too many for the cache.
  const v = second - HANGUL_V;
  if (v >= 0 && v < 21) {
    const l = first - HANGUL_L;
    return l >= 0 && l < 19 ? HANGUL_S + (l * 21 + v) * 28 : NO_COMPOSITE;
  }
  const t = second - HANGUL_T;
  if (t > 0 && t < 28) {
    const syllable = first - HANGUL_S;
    return syllable >= 0 && syllable < HANGUL_SYLLABLES && syllable % 28 === 0 ? first + t : NO_COMPOSITE;
  }
  const pair = first * 0x110000 + second;
  const place = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77)) >>> 19;
  if (cachedPairs[place] !== pair) {
    cachedPairs[place] = pair;
    cachedComposites[place] = composeByEngine(String.fromCodePoint(first, second));
  }
  return cachedComposites[place]!;
}

function composeByEngine(pair: string): number {
  const composed = pair.normalize('NFC');
  if (composed === pair) return NO_COMPOSITE;
  const first = composed.codePointAt(0)!;
  return composed === String.fromCodePoint(first) ? first : NEEDS_FULL_NFC;
}

/** Composes a segment in place; returns its size, or -1 if it needs a {@link Composer}: it is out of order, or decomposes. */
export function composeInPlace(points: Int32Array, size: number): number {
  if (quickCheckOf(points[0]!) !== BOUNDARY) return -1;
  let starter = 0;
  let kept = 1;
  let lastOrder = 0;
  let lastKeptOrder = 0;
  for (let i = 1; i < size; i++) {
    const point = points[i]!;
    const order = orderOf(point, quickCheckOf(point));
    if (order === DECOMPOSES || (order !== 0 && order < lastOrder)) return -1;
    lastOrder = order;
    // A code point of the same class, or a starter, in between blocks it from the starter.
    if (kept - 1 === starter || lastKeptOrder < order) {
      const composite = composePair(points[starter]!, point);
      if (composite === NEEDS_FULL_NFC) return -1;
      if (composite !== NO_COMPOSITE) {
        points[starter] = composite;
        continue;
      }
    }
    if (order === 0) starter = kept;
    lastKeptOrder = order;
    points[kept++] = point;
  }
  return kept;
}

const FIRST_CHUNK = 64;
const CHUNK = 1 << 16;
const EMPTY = new Uint8Array(0);

interface MarkRun {
  readonly fullChunks: Uint8Array[];
  last: Uint8Array;
  filled: number;
  /** The number of its bytes that have composed with the starter. */
  composed: number;
}

export type Composer = ReturnType<typeof createComposer>;

/**
 * Makes a composer for segments of any length, in linear time: the marks after a starter go to a list for each class. The first
 * mark of a list is not blocked from the starter, and neither is the next one as long as all before it have composed.
 */
export function createComposer(write: (bytes: Uint8Array) => void) {
  return {
    /** Receives the result as UTF-8, in parts that are valid during the call. */
    write,
    lists: [] as (MarkRun | undefined)[],
    orders: [] as number[],
    starter: -1,
    output: new Uint8Array(1 << 12),
    written: 0,
  };
}

export function addCodePoint(composer: Composer, codePoint: number): void {
  const order = orderOf(codePoint, quickCheckOf(codePoint));
  if (order > 0) addMark(composer, codePoint, order);
  // NFC would recompose a Hangul syllable.
  else if (codePoint < 0x80 || isHangul(codePoint)) addStarter(composer, codePoint);
  else
    for (const [part, partOrder] of decompositionOf(codePoint))
      if (partOrder === 0) addStarter(composer, part);
      else addMark(composer, part, partOrder);
}

function isHangul(codePoint: number): boolean {
  return (
    (codePoint >= HANGUL_L && codePoint < 0x1200) || (codePoint >= HANGUL_S && codePoint < HANGUL_S + HANGUL_SYLLABLES)
  );
}

export function endSegment(composer: Composer): void {
  addStarter(composer, -1);
  flush(composer);
}

function addMark({ lists, orders }: Composer, mark: number, order: number): void {
  let list = lists[order];
  if (list === undefined) {
    list = { fullChunks: [], last: new Uint8Array(FIRST_CHUNK), filled: 0, composed: 0 };
    lists[order] = list;
  }
  if (list.filled === 0 && list.fullChunks.length === 0) orders.push(order);
  if (list.filled + 4 > list.last.length) {
    list.fullChunks.push(list.last.subarray(0, list.filled));
    list.last = new Uint8Array(CHUNK);
    list.filled = 0;
  }
  list.filled = writeCodePoint(mark, list.last, list.filled);
}

/** Appends a code point of class 0 that does not decompose, or ends the segment (-1). */
function addStarter(composer: Composer, next: number): void {
  const { lists, orders } = composer;
  if (orders.length > 1) orders.sort((a, b) => a - b);
  let hasMarks = false;
  for (let i = 0; i < orders.length; i++) {
    const list = lists[orders[i]!]!;
    composeMarks(composer, list);
    hasMarks ||= list.composed < sizeOf(list);
  }
  const { starter } = composer;
  const composite = starter < 0 || next < 0 || hasMarks ? NO_COMPOSITE : composePair(starter, next);
  if (composite > 0) composer.starter = composite;
  else {
    if (starter >= 0) writePoint(composer, starter);
    composer.starter = next;
  }
  for (let i = 0; i < orders.length; i++) writeMarks(composer, lists[orders[i]!]!);
  orders.length = 0;
}

function sizeOf({ fullChunks, filled }: MarkRun): number {
  let size = filled;
  for (const chunk of fullChunks) size += chunk.length;
  return size;
}

function composeMarks(composer: Composer, list: MarkRun): void {
  list.composed = 0;
  if (composer.starter < 0) return;
  for (let i = 0; i <= list.fullChunks.length; i++) {
    const chunk = list.fullChunks[i] ?? list.last;
    const end = i < list.fullChunks.length ? chunk.length : list.filled;
    for (let at = 0; at < end; ) {
      const read = readCodePoint(chunk, at, end);
      const composite = composePair(composer.starter, codePointOf(read));
      if (composite <= 0) return;
      composer.starter = composite;
      at += widthOf(read);
      list.composed += widthOf(read);
    }
  }
}

function writeMarks(composer: Composer, list: MarkRun): void {
  const { fullChunks } = list;
  let skipped = list.composed;
  for (let i = 0; i < fullChunks.length; i++) {
    const chunk = fullChunks[i]!;
    if (skipped < chunk.length) writeBytes(composer, chunk, skipped, chunk.length);
    skipped = Math.max(skipped - chunk.length, 0);
    // Releases its memory.
    fullChunks[i] = EMPTY;
  }
  if (skipped < list.filled) writeBytes(composer, list.last, skipped, list.filled);
  if (fullChunks.length > 0) {
    fullChunks.length = 0;
    list.last = new Uint8Array(FIRST_CHUNK);
  }
  list.filled = 0;
}

function writeBytes(composer: Composer, bytes: Uint8Array, from: number, end: number): void {
  const { output } = composer;
  if (composer.written + end - from > output.length) flush(composer);
  if (end - from > output.length) composer.write(bytes.subarray(from, end));
  else for (let at = from; at < end; at++) output[composer.written++] = bytes[at]!;
}

function writePoint(composer: Composer, codePoint: number): void {
  if (composer.written + 4 > composer.output.length) flush(composer);
  composer.written = writeCodePoint(codePoint, composer.output, composer.written);
}

function flush(composer: Composer): void {
  if (composer.written > 0) composer.write(composer.output.subarray(0, composer.written));
  composer.written = 0;
}
