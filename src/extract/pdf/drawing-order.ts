import { floatAt, type Pdfium, uint32At, withBytes } from './pdfium.ts';
import { endOfBox, type Glyph } from './read-glyphs.ts';

/** Types of objects that draw text, or are drawings by themselves, and how deep these are followed. */
const [TEXT, FORM, MAX_FORMS] = [1, 5, 10];

/** A text that the document gives for what some objects draw (`ActualText`), and the box around them. */
interface Replacement {
  readonly text: string;
  readonly box: { left: number; bottom: number; right: number; top: number };
}

/** Puts glyphs in the order in which they are drawn: PDFium sorts the objects of a line from left to right. */
export function inDrawingOrder(pdfium: Pdfium, page: number, glyphs: readonly Glyph[]): readonly Glyph[] {
  const { order, replacements } = readTextObjects(pdfium, page);
  const hasRtl = glyphs.some(({ unit }) => directionOf(unit) < 0);
  if (!hasRtl && replacements.size === 0 && isInOrder(glyphs, order)) return glyphs;
  const spans = groupByObject(glyphs);
  if (hasRtl) for (const span of spans) restoreDirections(span.glyphs);
  const placeOf = ({ object }: Span): number => order.get(object) ?? 0;
  spans.sort((one, other) => placeOf(one) - placeOf(other));
  if (replacements.size === 0) return spans.flatMap((span) => span.glyphs);
  const placed = new Set<Replacement>();
  return spans.flatMap((span) => {
    const replacement = replacements.get(span.object);
    if (replacement === undefined) return span.glyphs;
    if (placed.has(replacement)) return [];
    placed.add(replacement);
    return [replaceGlyphs(span.glyphs, replacement)];
  });
}

interface Span {
  readonly object: number;
  readonly glyphs: Glyph[];
}

function groupByObject(glyphs: readonly Glyph[]): Span[] {
  const spans = new Map<number, Span>();
  let last: Span | undefined;
  for (const glyph of glyphs) {
    const { object } = glyph.style;
    if (last?.object !== object) {
      last = spans.get(object) ?? { object, glyphs: [] };
      spans.set(object, last);
    }
    last.glyphs.push(glyph);
  }
  return [...spans.values()];
}

function isInOrder(glyphs: readonly Glyph[], order: ReadonlyMap<number, number>): boolean {
  let [last, place] = [0, 0];
  for (const { style } of glyphs) {
    if (style.object === last) continue;
    last = style.object;
    const next = order.get(last) ?? 0;
    if (next < place) return false;
    place = next;
  }
  return true;
}

const FIRST_RTL = 0x590;

/** Returns the direction of a letter: 1 is left to right (from Latin to Armenian), -1 is right to left; 0 is any other character. */
function directionOf(unit: number): number {
  if (unit < FIRST_RTL) return ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a) || unit >= 0xc0 ? 1 : 0;
  return unit < 0x900 || (unit >= 0xfb1d && unit < 0xfe00) || (unit >= 0xfe70 && unit < 0xfeff) ? -1 : 0;
}

/** Puts letters in reading order, which PDFium changes on a line with right-to-left letters. */
function restoreDirections(glyphs: Glyph[]): void {
  for (let from = 0; from < glyphs.length; from++) {
    const direction = directionOf(glyphs[from]!.unit);
    if (direction === 0) continue;
    let [behind, steps] = [from + 1, 0];
    for (let at = from + 1; at < glyphs.length; at++) {
      const other = directionOf(glyphs[at]!.unit);
      if (other === -direction || (direction < 0 && isDigit(glyphs[at]!.unit))) break;
      const step = direction * (glyphs[at]!.start - glyphs[at - 1]!.start);
      // Words of other scripts are reversed, but not their letters; a whole right-to-left text is.
      if (step < 0) steps -= direction < 0 ? 1 : glyphs.length;
      else if (step > 0) steps++;
      if (other === direction) behind = at + 1;
    }
    if (steps < 0) {
      const part = glyphs.slice(from, behind).sort((one, other) => direction * (one.start - other.start));
      for (const [at, glyph] of part.entries()) glyphs[from + at] = glyph;
    }
    from = behind - 1;
  }
}

function isDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x660 && unit <= 0x669) || (unit >= 0x6f0 && unit <= 0x6f9);
}

function replaceGlyphs([first, ...others]: readonly Glyph[], { text, box }: Replacement): Glyph {
  const { style } = first!;
  const start = others.reduce((min, glyph) => Math.min(min, glyph.start), first!.start);
  const end = Math.max(start, endOfBox(box, style));
  const unit = text.codePointAt(0)!;
  // A letter with its mark, which may be drawn first, is not a mark.
  const middle = unit === first!.unit ? first!.middle : undefined;
  return { ...first!, unit, start, end, goesOn: false, replacement: text, middle };
}

function readTextObjects(pdfium: Pdfium, page: number) {
  const order = new Map<number, number>();
  const replacements = new Map<number, Replacement>();
  const known = new Map<number, Replacement | null>();
  const visit = (count: number, objectAt: (index: number) => number, depth: number): void => {
    for (let index = 0; index < count; index++) {
      const object = objectAt(index);
      const type = pdfium.FPDFPageObj_GetType(object);
      if (type === TEXT) {
        order.set(object, order.size);
        const replacement = replacementOf(pdfium, object, known);
        if (replacement !== null) replacements.set(object, replacement);
      } else if (type === FORM && depth < MAX_FORMS)
        visit(pdfium.FPDFFormObj_CountObjects(object), (at) => pdfium.FPDFFormObj_GetObject(object, at), depth + 1);
    }
  };
  visit(pdfium.FPDFPage_CountObjects(page), (at) => pdfium.FPDFPage_GetObject(page, at), 0);
  return { order, replacements };
}

/** Returns the replacement text of an object, whose box is extended by the object; null if it has none. */
function replacementOf(pdfium: Pdfium, object: number, known: Map<number, Replacement | null>): Replacement | null {
  const count = pdfium.FPDFPageObj_CountMarks(object);
  for (let index = 0; index < count; index++) {
    const mark = pdfium.FPDFPageObj_GetMark(object, index);
    let replacement = known.get(mark);
    if (replacement === undefined) {
      const text = readActualText(pdfium, mark);
      const box = { left: Number.POSITIVE_INFINITY, bottom: Number.POSITIVE_INFINITY, right: -1e9, top: -1e9 };
      replacement = text === '' ? null : { text, box };
      known.set(mark, replacement);
    }
    if (replacement === null) continue;
    extendBox(pdfium, object, replacement.box);
    return replacement;
  }
  return null;
}

function extendBox(pdfium: Pdfium, object: number, box: Replacement['box']): void {
  withBytes(pdfium, new Uint8Array(16), (at) => {
    pdfium.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12);
    box.left = Math.min(box.left, floatAt(pdfium, at));
    box.bottom = Math.min(box.bottom, floatAt(pdfium, at + 4));
    box.right = Math.max(box.right, floatAt(pdfium, at + 8));
    box.top = Math.max(box.top, floatAt(pdfium, at + 12));
  });
}

const ACTUAL_TEXT = new TextEncoder().encode('ActualText\0');

/** Reads the bytes of the text string: as text, PDFium would take them for UTF-8. */
function readActualText(pdfium: Pdfium, mark: number): string {
  return withBytes(pdfium, ACTUAL_TEXT, (key) =>
    withBytes(pdfium, new Uint8Array(4), (needed) => {
      const isThere = pdfium.FPDFPageObjMark_GetParamBlobValue(mark, key, 0, 0, needed);
      const size = isThere === 0 ? 0 : uint32At(pdfium, needed);
      if (size === 0) return '';
      return withBytes(pdfium, new Uint8Array(size), (buffer) => {
        pdfium.FPDFPageObjMark_GetParamBlobValue(mark, key, buffer, size, needed);
        return decodeTextString(new Uint8Array(pdfium.memory.buffer, buffer, size));
      });
    }),
  );
}

/** Decodes a text string of PDF: UTF-16 or UTF-8 with its mark, otherwise PDFDocEncoding, approximated by windows-1252. */
function decodeTextString(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder(first === 0xef && second === 0xbb ? 'utf-8' : 'windows-1252').decode(bytes);
}
