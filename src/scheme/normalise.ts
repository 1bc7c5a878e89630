import unicode from 'unicode-properties';
import { classOf, IGNORABLE, UNASSIGNED } from './classify.ts';
import { REPLACEMENT, readCodePoint, toWellFormed, width } from './decode.ts';
import { writeCodePoint } from './utf8.ts';

/** Canonical combining classes of Unicode 12.0 by their long names; the others are named `CCC` and their number. */
const COMBINING_CLASSES: Readonly<Record<string, number>> = {
  Not_Reordered: 0,
  Overlay: 1,
  Nukta: 7,
  Kana_Voicing: 8,
  Virama: 9,
  Attached_Below: 202,
  Attached_Above: 214,
  Attached_Above_Right: 216,
  Below_Left: 218,
  Below: 220,
  Below_Right: 222,
  Left: 224,
  Right: 226,
  Above_Left: 228,
  Above: 230,
  Above_Right: 232,
  Double_Below: 233,
  Double_Above: 234,
  Iota_Subscript: 240,
};

/** The canonical combining class of a code point that is assigned in Unicode 12.0. */
export function combiningClass(codePoint: number): number {
  const name = unicode.getCombiningClass(codePoint);
  return COMBINING_CLASSES[name] ?? Number(name.slice(3));
}

/**
 * Code points that may compose with what stands before them, as first and last of each range: NFC_Quick_Check = Maybe in
 * Unicode 12.0 (DerivedNormalizationProps.txt, version 12.0.0).
 */
const MAYBE_COMPOSED: readonly (readonly [number, number])[] = [
  [0x0300, 0x0304],
  [0x0306, 0x030c],
  [0x030f, 0x030f],
  [0x0311, 0x0311],
  [0x0313, 0x0314],
  [0x031b, 0x031b],
  [0x0323, 0x0328],
  [0x032d, 0x032e],
  [0x0330, 0x0331],
  [0x0338, 0x0338],
  [0x0342, 0x0342],
  [0x0345, 0x0345],
  [0x0653, 0x0655],
  [0x093c, 0x093c],
  [0x09be, 0x09be],
  [0x09d7, 0x09d7],
  [0x0b3e, 0x0b3e],
  [0x0b56, 0x0b57],
  [0x0bbe, 0x0bbe],
  [0x0bd7, 0x0bd7],
  [0x0c56, 0x0c56],
  [0x0cc2, 0x0cc2],
  [0x0cd5, 0x0cd6],
  [0x0d3e, 0x0d3e],
  [0x0d57, 0x0d57],
  [0x0dca, 0x0dca],
  [0x0dcf, 0x0dcf],
  [0x0ddf, 0x0ddf],
  [0x102e, 0x102e],
  [0x1161, 0x1175],
  [0x11a8, 0x11c2],
  [0x1b35, 0x1b35],
  [0x3099, 0x309a],
  [0x110ba, 0x110ba],
  [0x11127, 0x11127],
  [0x1133e, 0x1133e],
  [0x11357, 0x11357],
  [0x114b0, 0x114b0],
  [0x114ba, 0x114ba],
  [0x114bd, 0x114bd],
  [0x115af, 0x115af],
];

/** {@link quickCheckOf}: the code point begins a segment that NFC treats by itself. */
export const BOUNDARY = 0;
/** {@link quickCheckOf}: NFC may change the code point or what stands before it. */
export const UNSURE = 255;

function deriveQuickCheck(codePoint: number): number {
  if (MAYBE_COMPOSED.some(([first, last]) => codePoint >= first && codePoint <= last)) return UNSURE;
  const kind = classOf(codePoint);
  // Neither reaches NFC. (What a newer engine thinks of a code point that is unassigned here must not matter.)
  if (kind === UNASSIGNED || kind === IGNORABLE || (codePoint & 0x1ff800) === 0xd800) return BOUNDARY;
  const one = String.fromCodePoint(codePoint);
  return one.normalize('NFC') === one ? combiningClass(codePoint) : UNSURE;
}

const BLOCK_BITS = 9;
const table = new Uint8Array(0x110000);
/** The combining class of what the quick check is not sure of, or DECOMPOSES where NFC changes it by itself. */
const classesOfUnsure = new Uint8Array(0x110000);
const DECOMPOSES = 255;
const known = new Uint8Array(0x110000 >> BLOCK_BITS);

function fill(block: number): void {
  for (let codePoint = block << BLOCK_BITS, end = codePoint + (1 << BLOCK_BITS); codePoint < end; codePoint++) {
    const check = deriveQuickCheck(codePoint);
    table[codePoint] = check;
    if (check !== UNSURE) continue;
    const one = String.fromCodePoint(codePoint);
    classesOfUnsure[codePoint] = one.normalize('NFC') === one ? combiningClass(codePoint) : DECOMPOSES;
  }
  known[block] = 1;
}

/**
 * What the quick check of UAX #15 needs to know of a code point that is assigned in Unicode 12.0 and not ignorable.
 * @returns {@link BOUNDARY} for a starter that never composes with what stands before it; {@link UNSURE} where
 * NFC_Quick_Check is No or Maybe; otherwise its combining class, 1 to 240
 */
export function quickCheckOf(codePoint: number): number {
  const block = codePoint >> BLOCK_BITS;
  if (known[block] === 0) fill(block);
  return table[codePoint]!;
}

// A run of marks that is longer than this is put in canonical order here and not by the engine.
const LONG_RUN = 64;

const HANGUL_L = 0x1100;
const HANGUL_V = 0x1161;
const HANGUL_T = 0x11a7;
const HANGUL_S = 0xac00;

// Pairs that were composed, by a hash of the two: what a text composes is a few hundred pairs.
const CACHED = 8192;
const pairKeys = new Float64Array(CACHED).fill(-1);
const pairValues = new Int32Array(CACHED);
/** {@link composePair}: the pair stays as it is. */
const APART = 0;
/** {@link composePair}: NFC makes something else of the pair than one code point. */
const OTHERWISE = -1;

/** What NFC makes of two code points: one code point, {@link APART} or {@link OTHERWISE}. */
function composePair(first: number, second: number): number {
  // Hangul syllables by their arithmetic (Unicode 12.0, section 3.12); there are too many for the cache.
  const v = second - HANGUL_V;
  if (v >= 0 && v < 21) {
    const l = first - HANGUL_L;
    return l >= 0 && l < 19 ? HANGUL_S + (l * 21 + v) * 28 : APART;
  }
  const t = second - HANGUL_T;
  if (t > 0 && t < 28) {
    const syllable = first - HANGUL_S;
    return syllable >= 0 && syllable < 11172 && syllable % 28 === 0 ? first + t : APART;
  }
  const key = first * 0x110000 + second;
  const place = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77)) >>> 19;
  if (pairKeys[place] !== key) {
    const pair = String.fromCodePoint(first, second);
    const composed = pair.normalize('NFC');
    const only = composed.codePointAt(0)!;
    pairKeys[place] = key;
    pairValues[place] = composed === pair ? APART : composed === String.fromCodePoint(only) ? only : OTHERWISE;
  }
  return pairValues[place]!;
}

/**
 * The combining class of a code point that the quick check gives; {@link OTHERWISE} where it decomposes, so that there is
 * none to speak of.
 */
function orderOf(codePoint: number, check: number): number {
  if (check !== UNSURE) return check;
  const order = classesOfUnsure[codePoint]!;
  return order === DECOMPOSES ? OTHERWISE : order;
}

/**
 * NRM-3 for one segment, in place: NFC of a starter and what may compose with it, if that is in canonical order already.
 * @param points - the code points; gets the result
 * @param size - how many there are
 * @returns how many there are then, or -1 where the segment needs {@link toNfc}
 */
export function composeSegment(points: Int32Array, size: number): number {
  if (quickCheckOf(points[0]!) !== BOUNDARY) return -1;
  let starter = 0;
  let kept = 1;
  let lastClass = 0;
  let lastKeptClass = 0;
  for (let i = 1; i < size; i++) {
    const point = points[i]!;
    const check = quickCheckOf(point);
    const order = orderOf(point, check);
    if (order < 0 || (order !== 0 && order < lastClass)) return -1;
    lastClass = order;
    // Something between, of the same class or a starter's, blocks the way to the starter.
    if (kept - 1 === starter || lastKeptClass < order) {
      const composed = composePair(points[starter]!, point);
      if (composed === OTHERWISE) return -1;
      if (composed !== APART) {
        points[starter] = composed;
        continue;
      }
    }
    if (order === 0) starter = kept;
    lastKeptClass = order;
    points[kept++] = point;
  }
  return kept;
}

/** The marks of one combining class behind a starter, as UTF-8, in chunks that end between marks. */
interface Marks {
  /** Those that are full. */
  readonly chunks: Uint8Array[];
  last: Uint8Array;
  filled: number;
}

const FIRST_CHUNK = 64;
const CHUNK = 1 << 16;
const NONE = new Uint8Array(0);

function sizeOf({ chunks, filled }: Marks): number {
  let size = filled;
  for (const chunk of chunks) size += chunk.length;
  return size;
}

/** What a code point decomposes to, fully, with combining classes. */
const decompositions = new Map<number, readonly (readonly [point: number, order: number])[]>();

function decompositionOf(codePoint: number): readonly (readonly [point: number, order: number])[] {
  let parts = decompositions.get(codePoint);
  if (parts === undefined) {
    parts = Array.from(String.fromCodePoint(codePoint).normalize('NFD'), (part) => {
      const point = part.codePointAt(0)!;
      return [point, combiningClass(point)] as const;
    });
    decompositions.set(codePoint, parts);
  }
  return parts;
}

/** Puts a segment in NFC that arrives code point by code point; made by {@link createComposer}. */
export interface Composer {
  /** Takes the next code point, assigned and not ignorable. */
  add(codePoint: number): void;
  /** The same for one of class 0 that does not decompose. */
  addStarter(codePoint: number): void;
  /** Takes marks of one combining class that do not decompose, as UTF-8. */
  addMarks(octets: Uint8Array, order: number): void;
  /** Ends the segment: all of it has been written then, and the next one can begin. */
  end(): void;
}

/**
 * NRM-3 for segments of any length: a starter, or none, and what may compose with it. Linear in its length.
 *
 * The marks behind a starter go to a list for each combining class, which is canonical order. The first of each list has
 * nothing in its way to the starter, and neither has the next one as long as all before it have composed.
 * @param write - gets the result as UTF-8, in parts that are good for the time of the call
 */
export function createComposer(write: (octets: Uint8Array) => void): Composer {
  const lists: (Marks | undefined)[] = [];
  /** The classes that have marks. */
  const orders: number[] = [];
  /** For each of them, how many octets of its list are gone into the starter. */
  const gone: number[] = [];
  let starter = -1;
  const out = new Uint8Array(1 << 12);
  let written = 0;

  function writeOut(): void {
    if (written > 0) write(out.subarray(0, written));
    written = 0;
  }

  function writePoint(codePoint: number): void {
    if (written + 4 > out.length) writeOut();
    written = writeCodePoint(codePoint, out, written);
  }

  /** The list of a class, with room for `more` octets. */
  function listOf(order: number, more: number): Marks {
    let list = lists[order];
    if (list === undefined) {
      list = { chunks: [], last: new Uint8Array(FIRST_CHUNK), filled: 0 };
      lists[order] = list;
    }
    if (list.filled === 0 && list.chunks.length === 0) orders.push(order);
    if (list.filled + more > list.last.length) {
      list.chunks.push(list.last.subarray(0, list.filled));
      list.last = new Uint8Array(Math.max(CHUNK, more));
      list.filled = 0;
    }
    return list;
  }

  function append(mark: number, order: number): void {
    const list = listOf(order, 4);
    list.filled = writeCodePoint(mark, list.last, list.filled);
  }

  /** Composes the starter with the first marks of a list. Returns how many octets of the list are gone with that. */
  function compose(list: Marks): number {
    let gone = 0;
    if (starter < 0) return gone;
    for (let i = 0; i <= list.chunks.length; i++) {
      const chunk = list.chunks[i] ?? list.last;
      const end = i < list.chunks.length ? chunk.length : list.filled;
      for (let at = 0; at < end; ) {
        const pair = composePair(starter, readCodePoint(chunk, at, end));
        if (pair === APART || pair === OTHERWISE) return gone;
        starter = pair;
        at += width;
        gone += width;
      }
    }
    return gone;
  }

  /** Writes what a list has behind its first `gone` octets, and empties it. */
  function writeList(list: Marks, gone: number): void {
    let skipped = gone;
    for (let i = 0; i < list.chunks.length; i++) {
      const chunk = list.chunks[i]!;
      if (skipped < chunk.length) writeOctets(chunk, skipped, chunk.length);
      skipped = Math.max(skipped - chunk.length, 0);
      // What is written need not be held.
      list.chunks[i] = NONE;
    }
    if (skipped < list.filled) writeOctets(list.last, skipped, list.filled);
    if (list.chunks.length > 0) {
      list.chunks.length = 0;
      list.last = new Uint8Array(FIRST_CHUNK);
    }
    list.filled = 0;
  }

  function writeOctets(octets: Uint8Array, from: number, end: number): void {
    if (written + end - from > out.length) writeOut();
    if (end - from > out.length) write(octets.subarray(from, end));
    else for (let at = from; at < end; at++) out[written++] = octets[at]!;
  }

  /** Writes the starter and its marks, unless the next starter composes with it. */
  function close(next: number): void {
    if (orders.length > 1) orders.sort((a, b) => a - b);
    let kept = false;
    for (let i = 0; i < orders.length; i++) {
      const list = lists[orders[i]!]!;
      gone[i] = compose(list);
      kept ||= gone[i]! < sizeOf(list);
    }
    const pair = starter < 0 || next < 0 || kept ? APART : composePair(starter, next);
    if (pair !== APART && pair !== OTHERWISE) starter = pair;
    else {
      if (starter >= 0) writePoint(starter);
      starter = next;
    }
    for (let i = 0; i < orders.length; i++) writeList(lists[orders[i]!]!, gone[i]!);
    orders.length = 0;
  }

  return {
    add(codePoint) {
      const order = orderOf(codePoint, quickCheckOf(codePoint));
      if (order > 0) append(codePoint, order);
      // (A Hangul syllable would be put together again.)
      else if (codePoint < 0x80 || isHangul(codePoint)) close(codePoint);
      else
        for (const [part, partOrder] of decompositionOf(codePoint))
          if (partOrder === 0) close(part);
          else append(part, partOrder);
    },
    addStarter: close,
    addMarks(octets, order) {
      const list = listOf(order, octets.length);
      list.last.set(octets, list.filled);
      list.filled += octets.length;
    },
    end() {
      close(-1);
      writeOut();
    },
  };
}

const composed = { octets: NONE, size: 0 };
const composer = createComposer((part) => {
  const { octets, size } = composed;
  if (size + part.length > octets.length) {
    composed.octets = new Uint8Array(2 * (size + part.length));
    composed.octets.set(octets.subarray(0, size));
  }
  composed.octets.set(part, size);
  composed.size += part.length;
});

/** {@link createComposer} for a segment that is there as a whole. The result is good until the next call. */
export function composeOctets(octets: Uint8Array, start: number, end: number): Uint8Array {
  composed.size = 0;
  if (composed.octets.length > CHUNK) composed.octets = NONE;
  for (let at = start; at < end; ) {
    const codePoint = readCodePoint(octets, at, end);
    // (The composer reads, too.)
    at += width;
    composer.add(codePoint);
  }
  composer.end();
  return composed.octets.subarray(0, composed.size);
}

function isHangul(codePoint: number): boolean {
  return (codePoint >= HANGUL_L && codePoint < 0x1200) || (codePoint >= HANGUL_S && codePoint < HANGUL_S + 11172);
}

/**
 * NRM-3: NFC of a text whose code points are all assigned in Unicode 12.0, in time linear in its length. The engine's own
 * `normalize` orders a run of n marks in n² steps (measured: 130 s for 800,000), which a hostile document can ask for.
 */
export function toNfc(text: string): string {
  let ordered = '';
  let copied = 0;
  let run = 0;
  for (let i = 0; i <= text.length; i++) {
    const codePoint = i < text.length ? text.codePointAt(i)! : 0;
    if (isOrdered(codePoint)) {
      if (codePoint > 0xffff) i++;
      continue;
    }
    if (i - run > LONG_RUN) {
      ordered += text.slice(copied, run) + inCanonicalOrder(text.slice(run, i));
      copied = i;
    }
    if (codePoint > 0xffff) i++;
    run = i + 1;
  }
  return (copied === 0 ? text : ordered + text.slice(copied)).normalize('NFC');
}

/** Tells whether canonical ordering may move a code point, or a part of its decomposition. */
function isOrdered(codePoint: number): boolean {
  if (codePoint < 0x300) return false;
  const check = quickCheckOf(codePoint);
  if (check === BOUNDARY) return false;
  const order = orderOf(codePoint, check);
  // U+0F73, U+0F75 and U+0F81 are of class 0, but decompose into marks of others; most that decompose begin with a starter.
  return order === OTHERWISE ? decompositionOf(codePoint)[0]![1] !== 0 : order !== 0;
}

/** Decomposes a run of marks and puts them in the order of their combining classes, equal ones as they stood. */
function inCanonicalOrder(marks: string): string {
  // Code points and their classes, as they come; no mark decomposes into more than two.
  const points = new Int32Array(2 * marks.length);
  const classes = new Uint8Array(2 * marks.length);
  let size = 0;
  // By counting: there are 255 classes.
  const starts = new Uint32Array(256);
  for (let i = 0; i < marks.length; i++) {
    const given = marks.codePointAt(i)!;
    if (given > 0xffff) i++;
    for (const [point, order] of decompositionOf(given)) {
      points[size] = point;
      classes[size++] = order;
      starts[order + 1]!++;
    }
  }
  for (let order = 0; order < 255; order++) starts[order + 1]! += starts[order]!;
  const ordered = new Int32Array(size);
  for (let i = 0; i < size; i++) ordered[starts[classes[i]!]!++] = points[i]!;
  let text = '';
  for (let at = 0; at < size; at += 4096)
    text += String.fromCodePoint.apply(null, ordered.subarray(at, at + 4096) as unknown as number[]);
  return text;
}

/** NRM-1 and NRM-2: the code points that reach NFC. */
function replaceAndDelete(text: string): string {
  let kept = '';
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const codePoint = text.codePointAt(i)!;
    const units = codePoint > 0xffff ? 2 : 1;
    const kind = codePoint < 0x80 ? 0 : classOf(codePoint);
    if (kind === UNASSIGNED || kind === IGNORABLE) {
      kept += text.slice(copied, i);
      if (kind === UNASSIGNED) kept += '\uFFFD';
      copied = i + units;
    }
    i += units - 1;
  }
  return copied === 0 ? text : kept + text.slice(copied);
}

/**
 * Step 3: unassigned code points become U+FFFD (NRM-1), ignorable ones are deleted (NRM-2), then the result is put in
 * NFC, once (NRM-3). No case folding, no compatibility forms (NRM-4). Code points that Unicode 12.0 does not know are
 * gone before NFC, so the Unicode version of the engine (12.0 or later) does not matter.
 * @param text - any string; lone surrogates become U+FFFD first (DEC-4)
 * @returns the normalised text
 * @throws TypeError `wrong-type`
 * @see spec/simhash-doc.md#step-3
 */
export function normalise(text: string): string {
  return toNfc(replaceAndDelete(toWellFormed(text)));
}

/** A normalised text and where each of its 16-bit units comes from. */
export interface PlacedText {
  readonly text: string;
  /** Per unit of `text`: where in the input the stretch begins that it was made of. */
  readonly starts: Uint32Array;
  /** Per unit of `text`: where in the input that stretch ends. */
  readonly ends: Uint32Array;
}

/**
 * {@link normalise}, keeping the places: a unit that NFC left alone is mapped to its own place, any other to the whole
 * segment that was normalised together (a base and its marks, a Hangul syllable), including what was deleted inside it.
 * @param text - a text of Unicode scalar values
 */
export function normaliseWithPlaces(text: string): PlacedText {
  const segments: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let segment = '';
  let segmentStarts: number[] = [];
  let segmentEnds: number[] = [];
  let unsure = false;
  const close = (): void => {
    const composed = unsure ? toNfc(segment) : segment;
    const same = composed === segment;
    const first = segmentStarts[0]!;
    const last = segmentEnds[segmentEnds.length - 1]!;
    for (let i = 0; i < composed.length; i++) {
      starts.push(same ? segmentStarts[i]! : first);
      ends.push(same ? segmentEnds[i]! : last);
    }
    segments.push(composed);
    segment = '';
    segmentStarts = [];
    segmentEnds = [];
    unsure = false;
  };
  for (let at = 0; at < text.length; ) {
    const given = text.codePointAt(at)!;
    const next = at + (given > 0xffff ? 2 : 1);
    const kind = classOf(given);
    if (kind !== IGNORABLE) {
      const codePoint = kind === UNASSIGNED ? REPLACEMENT : given;
      if (quickCheckOf(codePoint) !== BOUNDARY) unsure = true;
      else if (segment !== '') close();
      const one = String.fromCodePoint(codePoint);
      segment += one;
      for (let i = 0; i < one.length; i++) {
        segmentStarts.push(at);
        segmentEnds.push(next);
      }
    }
    at = next;
  }
  if (segment !== '') close();
  return { text: segments.join(''), starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}
