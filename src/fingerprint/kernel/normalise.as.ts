// Step 3: NFC of a span.
import { clear, separatorBefore, separatorBehind } from './classify/separators.as';
import {
  NO_POINT,
  POINT,
  POINT_COMPOSES,
  POINT_DECOMPOSES,
  POINT_UNSURE,
  beginsSegment,
  classIn,
  readCodePoint,
  writeCodePoint,
} from './code-points.as';
import {
  INPUT,
  LOCATORS,
  NORMALISED,
  ORDERED,
  PAIRS,
  PAIR_BITS,
  PARTS,
  PART_BITS,
  POINTS,
  SORTED,
  STARTS,
  TABLE,
  UNSURES,
  WORDS,
} from './layout.as';
import {
  COMPOSES,
  COMPOSES_SHIFT,
  DECOMPOSES,
  IGNORABLE,
  ORDER_SHIFT,
  UNSURE,
  UNSURE_SHIFT,
} from './scheme.generated.as';

function pairSlot(first: u32, second: u32): u32 {
  return ((first * 0x9e3779b1) ^ (second * 0x85ebca77)) >> (32 - PAIR_BITS);
}

export function addPair(first: u32, second: u32, composite: u32): void {
  let slot = pairSlot(first, second);
  while (load<u32>(PAIRS + (slot << 4)) != 0) slot = (slot + 1) & ((1 << PAIR_BITS) - 1);
  store<u32>(PAIRS + (slot << 4), first);
  store<u32>(PAIRS + (slot << 4), second, 4);
  store<u32>(PAIRS + (slot << 4), composite, 8);
}

function composePair(first: u32, second: u32): u32 {
  // Hangul syllables by their arithmetic (Unicode 12.0, section 3.12).
  if (second - 0x1161 < 21) return first - 0x1100 < 19 ? 0xac00 + ((first - 0x1100) * 21 + second - 0x1161) * 28 : 0;
  if (second - 0x11a8 < 27)
    return first - 0xac00 < 11172 && (first - 0xac00) % 28 == 0 ? first + second - 0x11a7 : 0;
  const pair = <u64>first | (<u64>second << 32);
  let slot = pairSlot(first, second);
  let known = load<u64>(PAIRS + (slot << 4));
  while (known != 0 && known != pair) {
    slot = (slot + 1) & ((1 << PAIR_BITS) - 1);
    known = load<u64>(PAIRS + (slot << 4));
  }
  return load<u32>(PAIRS + (slot << 4), 8);
}

/**
 * Returns where the host writes the number of parts of a full decomposition, and the parts as in a segment, 32 bits each; and 20
 * bytes later the number of bytes in NFC, and the bytes.
 */
export function addParts(codePoint: u32): u32 {
  let slot = (codePoint * 0x9e3779b1) >> (32 - PART_BITS);
  while (load<u32>(PARTS + (slot << 6)) != 0) slot = (slot + 1) & ((1 << PART_BITS) - 1);
  store<u32>(PARTS + (slot << 6), codePoint);
  return PARTS + (slot << 6) + 4;
}

function partsOf(codePoint: u32): u32 {
  let slot = (codePoint * 0x9e3779b1) >> (32 - PART_BITS);
  while (load<u32>(PARTS + (slot << 6)) != codePoint) slot = (slot + 1) & ((1 << PART_BITS) - 1);
  return PARTS + (slot << 6) + 4;
}

@inline
function orderOf(point: u32): u32 {
  return (point >> ORDER_SHIFT) & 0xff;
}

/** Puts the marks from `from` to `end` of ORDERED in the order of their classes, equal ones in their given order. */
function orderMarks(from: u32, end: u32): void {
  if (end - from <= 12) {
    for (let i = from + 1; i < end; i++) {
      const point = load<u32>(ORDERED + (i << 2));
      let j = i;
      for (; j > from && orderOf(load<u32>(ORDERED + (j << 2) - 4)) > orderOf(point); j--)
        store<u32>(ORDERED + (j << 2), load<u32>(ORDERED + (j << 2) - 4));
      store<u32>(ORDERED + (j << 2), point);
    }
    return;
  }
  // By counting, so that the time is linear.
  let lowest: u32 = 255;
  let highest: u32 = 0;
  for (let i = from; i < end; i++) {
    const order = orderOf(load<u32>(ORDERED + (i << 2)));
    lowest = min(lowest, order);
    highest = max(highest, order);
  }
  memory.fill(STARTS + (lowest << 2), 0, (highest - lowest + 1) << 2);
  for (let i = from; i < end; i++) {
    const place = STARTS + (orderOf(load<u32>(ORDERED + (i << 2))) << 2);
    store<u32>(place, load<u32>(place) + 1);
  }
  let sum: u32 = 0;
  for (let order = lowest; order <= highest; order++) {
    const place = STARTS + (order << 2);
    const size = load<u32>(place);
    store<u32>(place, sum);
    sum += size;
  }
  for (let i = from; i < end; i++) {
    const point = load<u32>(ORDERED + (i << 2));
    const place = STARTS + (orderOf(point) << 2);
    const to = load<u32>(place);
    store<u32>(place, to + 1);
    store<u32>(SORTED + (to << 2), point);
  }
  memory.copy(ORDERED + (from << 2), SORTED, (end - from) << 2);
}

/** NRM-3 for a segment of `size` code points, two or more, that do not all compose; returns where the result ends. */
function writeSegment(size: u32, at: u32): u32 {
  if (size == 2) {
    const first = load<u32>(POINTS);
    const second = load<u32>(POINTS, 4);
    if (((first | second) & POINT_DECOMPOSES) == 0 && orderOf(first) == 0)
      return writeCodePoint(second & POINT, writeCodePoint(first & POINT, at));
  }
  const count = composeOrdered(decomposeInOrder(size));
  for (let i: u32 = 0; i < count; i++) at = writeCodePoint(load<u32>(ORDERED + (i << 2)) & POINT, at);
  return at;
}

/** Decomposes the `size` code points of a segment and puts them in canonical order; returns how many there are then. */
function decomposeInOrder(size: u32): u32 {
  let count: u32 = 0;
  let last: u32 = 0;
  let run: u32 = 0;
  let ordered = true;
  for (let i: u32 = 0; i < size; i++) {
    let point = load<u32>(POINTS + (i << 2));
    let parts: u32 = 0;
    let left: u32 = 1;
    if ((point & POINT_DECOMPOSES) != 0) {
      parts = partsOf(point & POINT);
      left = load<u32>(parts);
    }
    while (left-- > 0) {
      if (parts != 0) {
        parts += 4;
        point = load<u32>(parts);
      }
      const order = orderOf(point);
      if (order == 0) {
        if (!ordered) orderMarks(run, count);
        run = count + 1;
        ordered = true;
      } else if (order < last) ordered = false;
      last = order;
      store<u32>(ORDERED + (count++ << 2), point);
    }
  }
  if (!ordered) orderMarks(run, count);
  return count;
}

/** Composes code points with the last starter, unless one of their class or of class 0 is between; returns how many are left. */
function composeOrdered(count: u32): u32 {
  let starter = NO_POINT;
  let kept: u32 = 0;
  let last: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const point = load<u32>(ORDERED + (i << 2));
    const order = orderOf(point);
    if (starter != NO_POINT && (point & POINT_COMPOSES) != 0 && (kept - 1 == starter || last < order)) {
      const composed = composePair(load<u32>(ORDERED + (starter << 2)) & POINT, point & POINT);
      if (composed != 0) {
        store<u32>(ORDERED + (starter << 2), composed);
        continue;
      }
    }
    if (order == 0) starter = kept;
    last = order;
    store<u32>(ORDERED + (kept++ << 2), point);
  }
  return kept;
}

/** The composite so far; NO_POINT if the first code point has to be decomposed or is a mark. */
@inline
function beginComposing(point: u32): u32 {
  return (point & POINT_DECOMPOSES) == 0 && orderOf(point) == 0 ? point & POINT : NO_POINT;
}

/** The composite of a segment with one more code point, or NO_POINT unless all of it is in order and composes. */
@inline
function composeNext(composed: u32, before: u32, point: u32): u32 {
  const isNext = (point & (POINT_COMPOSES | POINT_DECOMPOSES)) == POINT_COMPOSES && orderOf(before) <= orderOf(point);
  const next = isNext ? composePair(composed, point & POINT) : 0;
  return next != 0 ? next : NO_POINT;
}

/** Steps 1 and 3 for the bytes between two addresses, a span; writes the result and returns where it ends. */
export function normalise(from: u32, end: u32, to: u32): u32 {
  /** The first code point of the segment, the last one, the number that follow the first, and their composite. */
  let starter = NO_POINT;
  let last: u32 = 0;
  let marks: u32 = 0;
  let composed = NO_POINT;
  for (let at = from; at < end; ) {
    const bytes = load<u64>(at);
    let point = <u32>bytes & 0xff;
    let ascii: u32 = 0;
    if (point < 0x80) {
      // Only the last byte of ASCII may compose with the code point after it.
      const high = bytes & 0x8080808080808080;
      ascii = min(high == 0 ? 8 : <u32>ctz(high) >> 3, end - at);
      at += ascii;
    } else {
      const read = readCodePoint(<u32>bytes);
      if (read == 0) {
        // Ill-formed: U+FFFD, a break that nothing composes with, like a space.
        point = 0x20;
        at++;
      } else {
        at += read & 7;
        const entry = <u32>load<u16>(TABLE + ((read >> 3) << 1));
        if ((entry & IGNORABLE) != 0) continue;
        point = toPoint(read >> 3, entry);
        if (!beginsSegment(entry) && starter != NO_POINT) {
          store<u32>(POINTS + (++marks << 2), point);
          if (composed != NO_POINT) composed = composeNext(composed, last, point);
          last = point;
          continue;
        }
      }
    }
    // A new segment.
    to = endSegment(starter, marks, composed, to);
    if (ascii > 0) {
      store<u64>(to, bytes);
      to += ascii - 1;
      point = <u32>load<u8>(at - 1);
    }
    marks = 0;
    starter = last = point;
    composed = beginComposing(point);
  }
  return endSegment(starter, marks, composed, to);
}

/** A code point of a segment. (The flags are also side by side in the entry.) */
@inline
function toPoint(codePoint: u32, entry: u32): u32 {
  return (
    codePoint | (classIn(entry) << ORDER_SHIFT) |
    ((entry & (COMPOSES | DECOMPOSES)) << COMPOSES_SHIFT) |
    ((entry & UNSURE) << UNSURE_SHIFT)
  );
}

@inline
function endSegment(starter: u32, marks: u32, composed: u32, at: u32): u32 {
  if (marks == 0) return starter != NO_POINT ? writeAlone(starter, at) : at;
  if (composed != NO_POINT) return writeCodePoint(composed, at);
  store<u32>(POINTS, starter);
  return writeSegment(marks + 1, at);
}

/** NRM-3 for a segment of one code point. */
@inline
function writeAlone(point: u32, at: u32): u32 {
  if ((point & POINT_UNSURE) == 0) return writeCodePoint(point & POINT, at);
  return writeDecomposing(point, at);
}

function writeDecomposing(point: u32, at: u32): u32 {
  if ((point & POINT_DECOMPOSES) == 0) return writeCodePoint(point & POINT, at);
  const parts = partsOf(point & POINT);
  v128.store(at, v128.load(parts, 24));
  return at + load<u32>(parts, 20);
}

/** Text between two spans is put in NFC with them if it is shorter, which is faster than skipping it. */
const GAP: u32 = 32;

/** Puts the spans that need it in NFC, removes their words, and returns how many bytes that gave. */
export function normaliseSpans(end: u32): u32 {
  let written = NORMALISED;
  let from: u32 = 0;
  let to: u32 = 0;
  for (let block: u32 = 0; block << 6 < end; block++) {
    const unsures = load<u64>(UNSURES + (block << 3));
    const base = block << 6;
    // All places of a block are in one span, from the first one that is in no span yet.
    const left = to <= base ? unsures : to >= base + 64 ? 0 : unsures & ~((<u64>1 << (to & 63)) - 1);
    if (left == 0) continue;
    const at = base + <u32>ctz(left);
    if (at >= end) break;
    if (at - to > GAP) {
      if (to != 0) written = normaliseSpan(from, to, written);
      // It may belong to the separator before it: begin there.
      from = max(separatorBefore(INPUT, at), to);
    }
    to = separatorBehind(INPUT, min(base + 63 - <u32>clz(left), end - 1), end);
  }
  if (to != 0) written = normaliseSpan(from, to, written);
  return written - NORMALISED;
}

function normaliseSpan(from: u32, end: u32, to: u32): u32 {
  clear(WORDS, from, end);
  clear(LOCATORS, from, end);
  to = normalise(INPUT + from, INPUT + end, to);
  store<u8>(to, 0x20);
  return to + 1;
}
