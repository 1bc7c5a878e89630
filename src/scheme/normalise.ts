import { REPLACEMENT, toWellFormed } from './decode.ts';
import {
  BOUNDARY,
  classOf,
  DECOMPOSES,
  decompositionOf,
  IGNORABLE,
  orderOf,
  quickCheckOf,
  UNASSIGNED,
} from './unicode.ts';

/**
 * Normalises a text (step 3): unassigned code points become U+FFFD (NRM-1), ignorable ones are deleted (NRM-2), then the
 * result is put in NFC, once (NRM-3). There is no case folding and no compatibility form (NRM-4). Code points that Unicode
 * 12.0 does not assign are replaced before NFC, so the Unicode version of the engine (12.0 or later) does not matter (NRM-5).
 * @param text - any string; lone surrogates become U+FFFD first (DEC-4)
 * @returns the normalised text
 * @throws TypeError `wrong-type`
 * @see spec/simhash-doc.md#step-3
 * @example
 * normalise('Cafe\u0301\u00ad'); // 'Caf\u00e9'
 */
export function normalise(text: string): string {
  return toNfc(replaceAndDelete(toWellFormed(text)));
}

/** The code points that reach NFC (NRM-1, NRM-2). */
function replaceAndDelete(text: string): string {
  let kept = '';
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const codePoint = text.codePointAt(i)!;
    const units = codePoint > 0xffff ? 2 : 1;
    const wordClass = codePoint < 0x80 ? 0 : classOf(codePoint);
    if (wordClass === UNASSIGNED || wordClass === IGNORABLE) {
      kept += text.slice(copied, i);
      if (wordClass === UNASSIGNED) kept += '\uFFFD';
      copied = i + units;
    }
    i += units - 1;
  }
  return copied === 0 ? text : kept + text.slice(copied);
}

/** The length, in 16-bit units, above which runs of marks are sorted here and not by the engine. */
const MAX_ENGINE_RUN = 64;

/** Puts assigned code points in NFC in linear time (NRM-3). The engine's own `normalize` takes n² steps to sort a run of n marks. */
export function toNfc(text: string): string {
  let ordered = '';
  let copied = 0;
  let run = 0;
  for (let i = 0; i <= text.length; i++) {
    const codePoint = i < text.length ? text.codePointAt(i)! : 0;
    if (canBeReordered(codePoint)) {
      if (codePoint > 0xffff) i++;
      continue;
    }
    if (i - run > MAX_ENGINE_RUN) {
      ordered += text.slice(copied, run) + sortMarks(text.slice(run, i));
      copied = i;
    }
    if (codePoint > 0xffff) i++;
    run = i + 1;
  }
  return (copied === 0 ? text : ordered + text.slice(copied)).normalize('NFC');
}

/** Tests whether canonical ordering may move a code point or a part of its decomposition. */
function canBeReordered(codePoint: number): boolean {
  if (codePoint < 0x300) return false;
  const check = quickCheckOf(codePoint);
  if (check === BOUNDARY) return false;
  const order = orderOf(codePoint, check);
  // U+0F73, U+0F75 and U+0F81 have class 0 but decompose into marks; most other decompositions begin with a starter.
  return order === DECOMPOSES ? decompositionOf(codePoint)[0]![1] !== 0 : order !== 0;
}

/** Decomposes a run of marks and sorts it by combining class, stably. */
function sortMarks(marks: string): string {
  // No mark decomposes into more than two code points.
  const points = new Int32Array(2 * marks.length);
  const orders = new Uint8Array(2 * marks.length);
  let size = 0;
  // A counting sort: there are at most 255 classes.
  const starts = new Uint32Array(256);
  for (let i = 0; i < marks.length; i++) {
    const mark = marks.codePointAt(i)!;
    if (mark > 0xffff) i++;
    for (const [point, order] of decompositionOf(mark)) {
      points[size] = point;
      orders[size++] = order;
      starts[order + 1]!++;
    }
  }
  for (let order = 0; order < 255; order++) starts[order + 1]! += starts[order]!;
  const sorted = new Int32Array(size);
  for (let i = 0; i < size; i++) sorted[starts[orders[i]!]!++] = points[i]!;
  let text = '';
  // fromCodePoint takes its code points as arguments, and engines limit their number.
  for (let at = 0; at < size; at += 4096)
    text += String.fromCodePoint.apply(null, sorted.subarray(at, at + 4096) as unknown as number[]);
  return text;
}

/** A normalised text and the place that each of its 16-bit units comes from. */
interface PlacedText {
  readonly text: string;
  /** For each unit of `text`: where its source begins in the input, in 16-bit units. */
  readonly starts: Uint32Array;
  /** For each unit of `text`: where its source ends in the input. */
  readonly ends: Uint32Array;
}

/** Makes a segment of step 3 (a base and its marks, a Hangul syllable) to be collected; `unsure` is true if NFC may change it. */
function createSegment() {
  return { text: '', starts: [] as number[], ends: [] as number[], unsure: false };
}

/** Puts one segment in NFC and appends a place for each unit of the result (NRM-3). */
function composeSegment(segment: ReturnType<typeof createSegment>, starts: number[], ends: number[]): string {
  const composed = segment.unsure ? toNfc(segment.text) : segment.text;
  const isSame = composed === segment.text;
  const start = segment.starts[0]!;
  const end = segment.ends.at(-1)!;
  for (let i = 0; i < composed.length; i++) {
    starts.push(isSame ? segment.starts[i]! : start);
    ends.push(isSame ? segment.ends[i]! : end);
  }
  return composed;
}

/**
 * Normalises like {@link normalise} and keeps the places. The source of a unit that NFC left alone is its own place;
 * that of any other is the whole segment that was normalised together, including what was deleted inside it.
 * @param text - a text of Unicode scalar values
 */
export function normaliseWithPlaces(text: string): PlacedText {
  const texts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let segment = createSegment();
  const close = (): void => {
    texts.push(composeSegment(segment, starts, ends));
    segment = createSegment();
  };
  for (let at = 0; at < text.length; ) {
    const given = text.codePointAt(at)!;
    const next = at + (given > 0xffff ? 2 : 1);
    const wordClass = classOf(given);
    if (wordClass !== IGNORABLE) {
      const codePoint = wordClass === UNASSIGNED ? REPLACEMENT : given;
      if (quickCheckOf(codePoint) !== BOUNDARY) segment.unsure = true;
      else if (segment.text !== '') close();
      const one = String.fromCodePoint(codePoint);
      segment.text += one;
      for (let i = 0; i < one.length; i++) {
        segment.starts.push(at);
        segment.ends.push(next);
      }
    }
    at = next;
  }
  if (segment.text !== '') close();
  return { text: texts.join(''), starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}
