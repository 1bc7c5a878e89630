import type { GlyphTexts } from './file/scan-objects.ts';
import { doubleAt, floatAt, type Pdfium, readText, withBytes } from './pdfium.ts';

/** The properties that the glyphs of one text object share. */
export type GlyphStyle = Readonly<ReturnType<typeof readStyle>>;

/** A glyph, or a part of what a glyph means. Lengths are in units of the page, turned so that writing goes to the right. */
export interface Glyph {
  /** Code point, or a surrogate. 0 is a glyph without a meaning. */
  unit: number;
  readonly style: GlyphStyle;
  start: number;
  end: number;
  readonly baseline: number;
  /** True if the glyph belongs to the one before: to the same ligature or replacement text. */
  readonly goesOn: boolean;
  /** True if PDFium, which uses the advance of a slanted letter, found a space before it. */
  readonly isJudgedApart: boolean;
  /** The text that the document gives for this glyph and others together, in place of `unit`. */
  readonly replacement: string | undefined;
  /** The middle of its shape, for a mark of a right-to-left script, which may be drawn before its letter. */
  readonly middle: number | undefined;
}

/** A hyphen, and one at a line end as PDFium marks it. */
const [HYPHEN, LINE_END_HYPHEN] = [0x2d, 2];

/** Bytes that calls write their results into: a matrix, an origin, a box, and the box of the drawn shape. */
const [MATRIX, ORIGIN, BOX, SHAPE, SCRATCH] = [0, 24, 40, 56, 88];

/** Reads the glyphs of a page in the order of PDFium: each line from left to right, right-to-left text reversed. */
export function readGlyphs(pdfium: Pdfium, textPage: number, fonts: Fonts): Glyph[] {
  return withBytes(pdfium, new Uint8Array(SCRATCH), (scratch) => {
    const page: Page = { pdfium, textPage, scratch, fonts };
    const count = pdfium.FPDFText_CountChars(textPage);
    const glyphs: Glyph[] = [];
    const codes = new Map<number, Codes>();
    let object = 0;
    let style: GlyphStyle | undefined;
    let used = codesOf(codes, 0);
    let last: Glyph | undefined;
    let isJudgedApart = false;
    for (let index = 0; index < count; index++) {
      const owner = pdfium.FPDFText_GetTextObject(textPage, index);
      // White space that PDFium has added, at a line end or for a gap.
      if (owner === 0 || pdfium.FPDFText_IsGenerated(textPage, index) === 1) {
        isJudgedApart = true;
        continue;
      }
      if (owner !== object || style === undefined) {
        object = owner;
        style = readStyle(page, index, owner);
        used = codesOf(codes, style.font);
        last = undefined;
      }
      const code = pdfium.FPDFText_GetUnicode(textPage, index);
      const isMapped = pdfium.FPDFText_HasUnicodeMapError(textPage, index) !== 1;
      const text = isMapped ? undefined : style.texts?.get(code);
      last = readGlyph(page, index, code, style, last, isJudgedApart);
      isJudgedApart = false;
      if (text === undefined || text === '') {
        noteCode(used, code, isMapped, last);
        glyphs.push(last);
        continue;
      }
      // Letters of a ligature are parts of one glyph.
      let { goesOn } = last;
      for (const character of text) {
        last = { ...last, unit: character.codePointAt(0)!, goesOn };
        glyphs.push(last);
        goesOn = true;
      }
    }
    dropCodes(page, codes, glyphs);
    return withTrueSizes(pdfium, glyphs);
  });
}

type Codes = ReturnType<typeof newCodes>;

function newCodes() {
  return {
    size: 0,
    /** The glyphs without a known character: PDFium returns the code as if it were the number of one. */
    unmapped: new Set<Glyph>(),
    /** The largest code point of those that mean something, and the smallest that is only a code. */
    largest: 0,
    smallest: Number.POSITIVE_INFINITY,
    /** The number of control codes, and the different ones. White space is not among them. */
    controls: 0,
    kinds: new Set<number>(),
  };
}

function codesOf(codes: Map<number, Codes>, font: number): Codes {
  const known = codes.get(font) ?? newCodes();
  codes.set(font, known);
  return known;
}

function noteCode(codes: Codes, code: number, isMapped: boolean, glyph: Glyph): void {
  codes.size++;
  const isWhite = code === 0x09 || code === 0x0a || code === 0x0d;
  if (code >= 0 && code < 0x20 && !isWhite && glyph.unit !== HYPHEN) {
    codes.controls++;
    codes.kinds.add(code);
  } else if (isMapped && code > 0x20) codes.largest = Math.max(codes.largest, code);
  if (isMapped) return;
  codes.unmapped.add(glyph);
  codes.smallest = Math.min(codes.smallest, code);
}

/** The font that PDFium takes in place of one that is lost. */
const SUBSTITUTE = 'Helvetica';
const LAST_LATIN_1 = 0xff;

/** Takes the meaning from glyphs whose codes are numbers of glyphs. */
function dropCodes({ pdfium, fonts }: Page, codes: ReadonlyMap<number, Codes>, glyphs: readonly Glyph[]): void {
  const numbered = new Map<number, Codes>();
  const lost = new Set<number>();
  for (const [font, used] of codes) {
    if (used.unmapped.size === 0) continue;
    const isLost = 3 * used.controls > used.size && used.kinds.size > 2 && fontName(pdfium, font) === SUBSTITUTE;
    if (isLost) lost.add(font);
    if (isLost || areNumbers(pdfium, font, used, fonts.isEncrypted)) numbered.set(font, used);
  }
  if (numbered.size === 0) return;
  let last: Glyph | undefined;
  for (const glyph of glyphs) {
    const { unit, style, start, end } = glyph;
    const used = numbered.get(style.font);
    if (used === undefined || unit <= 0x20 || !(lost.has(style.font) || used.unmapped.has(glyph))) {
      last = glyph;
      continue;
    }
    glyph.unit = 0;
    // It may be a letter of the same word.
    const reach = SPACE * style.size;
    if (last?.style !== style || start - last.end > reach || last.start - end > reach) continue;
    last.start = Math.min(last.start, start);
    last.end = Math.max(last.end, end);
  }
}

/** The minimum share of the glyphs of a font without any meaning that are control codes, as the number of its space often is. */
const MIN_CONTROLS = 0.04;

/** Tests whether codes without a meaning are numbers of glyphs. If encrypted, PDFium may read the first codes only. */
function areNumbers(
  pdfium: Pdfium,
  font: number,
  { size, largest, smallest, controls }: Codes,
  isEncrypted: boolean,
): boolean {
  if (largest === 0) return controls > MIN_CONTROLS * size && fontName(pdfium, font) !== '';
  return !(isEncrypted && largest <= LAST_LATIN_1 && smallest > LAST_LATIN_1);
}

/** The width of letters in sizes of their font, on average: about a half, and 1 for ideographs. */
const [LEAST_WIDTH, USUAL_WIDTH, LARGEST_WIDTH] = [0.15, 0.5, 1.6];

/** A font of type 3, which has no name, may have letters of any size at size 1: then their widths give the size. */
function withTrueSizes(pdfium: Pdfium, glyphs: Glyph[]): Glyph[] {
  const fonts = new Map<number, { width: number; size: number }>();
  let font: number | undefined;
  let sums = { width: 0, size: 0 };
  for (const { unit, style, start, end, goesOn } of glyphs) {
    if (goesOn || end <= start || unit === 0x20) continue;
    if (style.font !== font) {
      font = style.font;
      sums = fonts.get(font) ?? { width: 0, size: 0 };
      fonts.set(font, sums);
    }
    sums.width += end - start;
    sums.size += style.size;
  }
  const factors = new Map<number, number>();
  for (const [each, { width, size }] of fonts)
    if ((width < LEAST_WIDTH * size || width > LARGEST_WIDTH * size) && fontName(pdfium, each) === '')
      factors.set(each, width / size / USUAL_WIDTH);
  if (factors.size === 0) return glyphs;
  const styles = new Map<GlyphStyle, GlyphStyle>();
  return glyphs.map((glyph) => {
    const factor = factors.get(glyph.style.font);
    if (factor === undefined) return glyph;
    const style = styles.get(glyph.style) ?? { ...glyph.style, size: factor * glyph.style.size };
    styles.set(glyph.style, style);
    return { ...glyph, style };
  });
}

export type Fonts = ReturnType<typeof newFonts>;

export function newFonts(pdfium: Pdfium, document: number, texts: ReadonlyMap<string, GlyphTexts>) {
  return {
    /** The meanings of glyphs by their names, by the name of the font. */
    texts,
    /** True if the document is encrypted: then its character maps were not repaired. */
    isEncrypted: pdfium.FPDF_GetSecurityHandlerRevision(document) >= 0,
    vertical: new Set<number>(),
    symbols: new Map<number, boolean>(),
    /** The advances of glyphs of turned text at size 1, by font and code point; 0 is unknown. */
    advances: new Map<number, Map<number, number>>(),
  };
}

interface Page {
  readonly pdfium: Pdfium;
  readonly textPage: number;
  readonly scratch: number;
  readonly fonts: Fonts;
}

/** Reads one glyph; `last` is the glyph before it, if that is of the same object. */
function readGlyph(
  page: Page,
  index: number,
  code: number,
  style: GlyphStyle,
  last: Glyph | undefined,
  isJudgedApart: boolean,
): Glyph {
  const { pdfium, textPage, scratch } = page;
  const { cos, sin, size, angle, isVertical } = style;
  readOrigin(page, index);
  const x = doubleAt(pdfium, scratch + ORIGIN);
  const y = doubleAt(pdfium, scratch + ORIGIN + 8);
  const start = x * cos + y * sin;
  const baseline = y * cos - x * sin;
  const goesOn = last !== undefined && start === last.start && baseline === last.baseline;
  let end = start + size;
  if (angle === 0 && !goesOn) {
    pdfium.FPDFText_GetLooseCharBox(textPage, index, scratch + BOX);
    end = Math.max(start, floatAt(pdfium, scratch + BOX + 8));
  } else if (!isVertical) {
    const advance = goesOn ? 0 : advanceOf(page, code, style);
    end = advance > 0 ? start + advance : Math.max(endOfBox(readShape(page, index), style), goesOn ? last.end : start);
  }
  const unit = readUnit(page, index, code, style, end - start > SPACE * size);
  const middle = !goesOn && isRtlMark(unit) ? middleOfShape(page, index, style, start) : undefined;
  // All glyphs have the same properties: engines are slow over objects that differ.
  return { unit, style, start, end, baseline, goesOn, isJudgedApart, replacement: undefined, middle };
}

/** Points and vowels of Hebrew and Arabic. Punctuation and letters stand among them. */
function isRtlMark(unit: number): boolean {
  return unit >= 0x591 && unit <= 0x6ed && /\p{Mn}/u.test(String.fromCharCode(unit));
}

/** A glyph of this width, in sizes of the font, may be a space. */
const SPACE = 0.15;

/** Returns the code point of a glyph. A control code has no meaning, or is the space of a font that maps none. */
function readUnit(page: Page, index: number, code: number, { isSymbols }: GlyphStyle, isWide: boolean): number {
  const { pdfium, textPage } = page;
  if (isSymbols && code > 0x20 && code < LAST_LATIN) return 0;
  if (code >= 0x20 && code < 0x7f) return code;
  if (code === LINE_END_HYPHEN && pdfium.FPDFText_IsHyphen(textPage, index) === 1) return HYPHEN;
  if (code >= 0xa0) return code === 0xfffe || code === 0xffff || code > 0x10ffff ? 0 : code;
  return isWide && isBlank(page, index) ? 0x20 : 0;
}

function isBlank(page: Page, index: number): boolean {
  const { left, right, bottom, top } = readShape(page, index);
  return right <= left || top <= bottom;
}

function readStyle(page: Page, index: number, object: number) {
  const { pdfium, textPage, scratch, fonts } = page;
  pdfium.FPDFText_GetMatrix(textPage, index, scratch + MATRIX);
  const a = floatAt(pdfium, scratch + MATRIX);
  const b = floatAt(pdfium, scratch + MATRIX + 4);
  const c = floatAt(pdfium, scratch + MATRIX + 8);
  const d = floatAt(pdfium, scratch + MATRIX + 12);
  const fontSize = pdfium.FPDFText_GetFontSize(textPage, index);
  // Most text is upright: no roots and angles are needed.
  const size = Math.abs(fontSize) * (hypotenuse(c, d) || hypotenuse(a, b)) || 1;
  const turned = fontSize < 0 ? Math.atan2(-b, -a) : b === 0 && a > 0 ? 0 : Math.atan2(b, a);
  const isVertical = isWrittenDownwards(page, index, object, turned, size);
  const font = pdfium.FPDFTextObj_GetFont(object);
  if (isVertical) fonts.vertical.add(font);
  const direction = isVertical ? turned - Math.PI / 2 : turned;
  const angle = Math.round((direction * 180) / Math.PI);
  return {
    object,
    font,
    size,
    /** The size along the line, by which advances are stretched. */
    stretch: Math.abs(fontSize) * hypotenuse(a, b),
    angle,
    cos: Math.cos(direction),
    sin: Math.sin(direction),
    isVertical,
    /** True if the font draws signs in the places of letters. */
    isSymbols: isSymbolFont(page, font),
    /** The meanings of codes by the names of their glyphs, where PDFium knows no character for them. */
    texts: fonts.texts.size === 0 ? undefined : fonts.texts.get(fontName(pdfium, font)),
  };
}

function hypotenuse(one: number, other: number): number {
  return one === 0 ? Math.abs(other) : other === 0 ? Math.abs(one) : Math.hypot(one, other);
}

/** A symbol font has codes of ASCII and Latin letters where no other meaning is known. */
const LAST_LATIN = 0x250;

/** Fonts of music and of signs, for which most documents map no glyph to a character. Fonts for text beside them are others. */
const SYMBOL_FONT =
  /^(?:[A-Z]{6}\+)?(?:emmentaler|feta|parmesan|maestro|opus|bravura|petaluma|leland|sonata|petrucci|engraver|inkpen2|helsinki|gonville|mscore|musix|fughetta|november|wingdings|webdings|marlett|mt-?extra)(?!.*text)/i;

function isSymbolFont({ pdfium, fonts: { symbols } }: Page, font: number): boolean {
  const known = symbols.get(font);
  if (known !== undefined) return known;
  const isSymbols = SYMBOL_FONT.test(fontName(pdfium, font));
  symbols.set(font, isSymbols);
  return isSymbols;
}

function fontName(pdfium: Pdfium, font: number): string {
  return readText(pdfium, (buffer, size) => pdfium.FPDFFont_GetBaseFontName(font, buffer, size), 'utf-8');
}

/** Tests whether the glyphs of an object stand below each other; a single one reveals only its font. */
function isWrittenDownwards(page: Page, index: number, object: number, turned: number, size: number): boolean {
  const { pdfium, textPage, scratch, fonts } = page;
  readOrigin(page, index);
  const x = doubleAt(pdfium, scratch + ORIGIN);
  const y = doubleAt(pdfium, scratch + ORIGIN + 8);
  for (let next = index + 1; pdfium.FPDFText_GetTextObject(textPage, next) === object; next++) {
    readOrigin(page, next);
    const offX = doubleAt(pdfium, scratch + ORIGIN) - x;
    const offY = doubleAt(pdfium, scratch + ORIGIN + 8) - y;
    if (offX === 0 && offY === 0) continue;
    const [cos, sin] = turned === 0 ? [1, 0] : [Math.cos(turned), Math.sin(turned)];
    const along = offX * cos + offY * sin;
    const across = offY * cos - offX * sin;
    return across < -0.4 * size && Math.abs(along) < 0.3 * size;
  }
  return fonts.vertical.size > 0 && fonts.vertical.has(pdfium.FPDFTextObj_GetFont(object));
}

function readOrigin({ pdfium, textPage, scratch }: Page, index: number): void {
  pdfium.FPDFText_GetCharOrigin(textPage, index, scratch + ORIGIN, scratch + ORIGIN + 8);
}

/** Returns the advance of a glyph of turned text, of which PDFium returns no box; 0 if its font does not define it. */
function advanceOf({ pdfium, scratch, fonts }: Page, unit: number, { font, stretch }: GlyphStyle): number {
  const advances = fonts.advances.get(font) ?? new Map<number, number>();
  fonts.advances.set(font, advances);
  let advance = advances.get(unit);
  if (advance === undefined) {
    // PDFium may have to search all glyphs of the font.
    const isKnown = pdfium.FPDFFont_GetGlyphWidth(font, unit, 1, scratch + BOX) === 1;
    advance = isKnown ? Math.max(0, floatAt(pdfium, scratch + BOX)) : 0;
    advances.set(unit, advance);
  }
  return advance * stretch;
}

export function endOfBox({ left, right, bottom, top }: ReturnType<typeof readShape>, { cos, sin }: GlyphStyle): number {
  return Math.max(left * cos, right * cos) + Math.max(bottom * sin, top * sin);
}

function middleOfShape(page: Page, index: number, { cos, sin }: GlyphStyle, start: number): number {
  const { left, right, bottom, top } = readShape(page, index);
  return right > left ? ((left + right) / 2) * cos + ((bottom + top) / 2) * sin : start;
}

function readShape({ pdfium, textPage, scratch }: Page, index: number) {
  const at = scratch + SHAPE;
  pdfium.FPDFText_GetCharBox(textPage, index, at, at + 8, at + 16, at + 24);
  return {
    left: doubleAt(pdfium, at),
    right: doubleAt(pdfium, at + 8),
    bottom: doubleAt(pdfium, at + 16),
    top: doubleAt(pdfium, at + 24),
  };
}
