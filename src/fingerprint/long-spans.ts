import { codePointOf, INCOMPLETE, REPLACEMENT, readCodePoint, widthOf } from '../scheme/decode.ts';
import { beginsSegment, CLASS_SHIFT, FLAG_DECOMPOSES, FLAG_IGNORABLE } from './code-points.ts';
import { addCodePoint, addMarks, addStarter, createComposer, endSegment } from './composer.ts';
import { type FingerprintKernel, fillTable, lookUp, padInput, refreshViews } from './kernel.ts';

/** A span without a separator that is longer than the kernel's input. It is worked on piece by piece. */
type LongSpan = ReturnType<typeof createLongSpan>;

/** The number of marks of one segment after which the kernel sorts the following ones. */
const MARKS_BEFORE_SORTING = 32;

const LACKS_CODE_POINTS = 0;
const SEGMENT_TOO_LONG = 2;
const OUT_OF_MEMORY = 2;

export function createLongSpan(kernel: FingerprintKernel) {
  const composer = createComposer((bytes) => {
    for (let from = 0; from < bytes.length; from += kernel.capacity) {
      const part = bytes.subarray(from, from + kernel.capacity);
      kernel.normalised.set(part);
      feed(kernel, part.length, false);
    }
  });
  return {
    kernel,
    isOpen: false,
    composer,
    isSegmentOpen: false,
  };
}

/** Begins a long span with the `size` bytes in the kernel's input. Returns the number of bytes that are done, 1 or more. */
export function beginLongSpan(span: LongSpan, size: number): number {
  span.isOpen = true;
  span.kernel.exports.beginLong();
  return updateLongSpan(span, size, false);
}

/** Continues a long span with the `size` bytes of input. Returns the number of them that are in the span. */
export function updateLongSpan(span: LongSpan, size: number, final: boolean): number {
  const { kernel } = span;
  const { exports } = kernel;
  padInput(kernel, size);
  if (span.isSegmentOpen) return updateSegment(span, 0, size, final);
  let answer = exports.normaliseLong(size, final ? 1 : 0);
  while (answer === LACKS_CODE_POINTS) {
    fillTable(kernel, kernel.input.subarray(0, size));
    answer = exports.normaliseLong(size, final ? 1 : 0);
  }
  if (answer === SEGMENT_TOO_LONG) return beginSegment(span, size);
  span.isOpen = exports.ends.value === 0;
  feed(kernel, exports.normalised.value, !span.isOpen);
  return exports.done.value;
}

/** Runs steps 4 to 8 on the next bytes of the span, which are in NFC in `kernel.normalised`. */
function feed(kernel: FingerprintKernel, size: number, last: boolean): void {
  const { exports } = kernel;
  let answer = exports.feed(size, last ? 1 : 0);
  while (answer === LACKS_CODE_POINTS) {
    fillTable(kernel, kernel.normalised.subarray(0, size));
    answer = exports.feed(size, last ? 1 : 0);
  }
  refreshViews(kernel);
  if (answer === OUT_OF_MEMORY) throw new RangeError('a token or locator is longer than the available memory');
}

/** Begins a segment that fills the whole input. Returns the number of bytes that are done, 1 or more. */
function beginSegment(span: LongSpan, size: number): number {
  const { kernel, composer } = span;
  span.isSegmentOpen = true;
  // The first code point begins it, whatever it is.
  const first = readCodePoint(kernel.input, 0, size);
  addCodePoint(composer, codePointOf(first));
  kernel.exports.setBegun();
  return updateSegment(span, widthOf(first), size, false);
}

function updateSegment(span: LongSpan, from: number, size: number, final: boolean): number {
  const { kernel, composer } = span;
  let marks = 0;
  let at = from;
  while (at < size) {
    const read = readCodePoint(kernel.input, at, size);
    if (read === INCOMPLETE && !final) return at;
    const codePoint = codePointOf(read);
    if (read === INCOMPLETE || codePoint === REPLACEMENT) break;
    const entry = lookUp(kernel, codePoint);
    if ((entry & FLAG_IGNORABLE) === 0) {
      if (beginsSegment(entry)) break;
      const isStarter = entry >> CLASS_SHIFT === 0 && (entry & FLAG_DECOMPOSES) === 0;
      if (isStarter) addStarter(composer, codePoint);
      else addCodePoint(composer, codePoint);
      marks = isStarter ? 0 : marks + 1;
    }
    at += widthOf(read);
    if (marks < MARKS_BEFORE_SORTING) continue;
    at = addSortedMarks(span, at, size);
    marks = 0;
  }
  if (at < size || final) {
    endSegment(composer);
    span.isSegmentOpen = false;
  }
  return at;
}

/** Lets the kernel sort the marks from `from` on. Returns where they end. */
function addSortedMarks({ kernel, composer }: LongSpan, from: number, size: number): number {
  const { exports, memory, normalised } = kernel;
  const end = exports.takeMarks(from, size);
  // The marks of a class end where the next class begins.
  const ends = new Uint32Array(memory.buffer, exports.STARTS.value, 256);
  let start = exports.NORMALISED.value;
  for (const [order, endOfOrder] of ends.entries()) {
    if (endOfOrder > start)
      addMarks(composer, normalised.subarray(start - normalised.byteOffset, endOfOrder - normalised.byteOffset), order);
    start = endOfOrder;
  }
  return end;
}
