import { FIRST_MARK, isAccent, orderLigature, SPACING_ACCENTS } from './letter-forms.ts';
import type { Glyph, GlyphStyle } from './read-glyphs.ts';

/** Text without a change of font or baseline. Lengths are in units of the page, turned so that writing goes to the right. */
export interface Run {
  text: string;
  start: number;
  end: number;
  readonly baseline: number;
  readonly size: number;
  readonly angle: number;
  /** True if white space was drawn or left before the run. */
  readonly spaced: boolean;
  /** True if white space was drawn before the run, and kerning cancels none of its width. */
  readonly hasSpace: boolean;
  readonly isPlain: boolean;
}

/** A gap this wide, in sizes of the font, separates words. Kerning and corrections of slanted letters stay below it. */
const WORD_GAP = 0.12;
/** The minimum gap that is a space between ideographs, and between an ideograph and a digit. */
export const IDEOGRAPH_GAP = 0.22;
/** The minimum gap that is a space after a replacement text, of which only the end of the drawn shape is known. */
const REPLACED_GAP = 0.2;
const HAIR = 0.05;
/** The distance by which a glyph may reach back over the one before and still follow it: kerning. */
const KERN = 0.1;
/** White space up to this width stays inside a run; a wider one may part columns. */
const WIDE = 1;
/** A glyph this far off the baseline of a run stands on another. */
const RISE = 0.02;
/** The minimum number of pairs of letters, nearly all with a gap, in an object whose letters are spaced out. */
const MIN_TRACKED = 5;
/** Ideographs and all that is written among them begin here. */
const FIRST_IDEOGRAPH = 0x2e80;

interface OpenRun extends Run {
  style: GlyphStyle;
  unit: number;
  isReplaced: boolean;
  isPlain: boolean;
  readonly direction: Direction;
}

type Direction = 'right' | 'left' | 'none';

/** Joins glyphs in drawing order to runs, and judges the white space between them by the gaps. */
export function buildRuns(drawn: readonly Glyph[]): Run[] {
  const glyphs = attachMarks(drawn);
  const spaces = countSpaces(glyphs);
  const runs: Run[] = [];
  let run: OpenRun | undefined;
  let spaced = false;
  let endOfSpace = Number.NEGATIVE_INFINITY;
  let tracked: { readonly style: GlyphStyle; readonly width: number } | undefined;
  for (let at = 0; at < glyphs.length; at++) {
    const glyph = glyphs[at]!;
    const { unit, style } = glyph;
    if (unit === 0) continue;
    if (isSpace(unit)) {
      const { wide, followed, takenBack } = spaces.get(style.font)!;
      const isEmpty =
        takenBack > 0 &&
        takenBack >= MIN_TAKEN_BACK * followed &&
        run !== undefined &&
        isLetter(run.unit) &&
        isTakenBack(glyphs, at) &&
        glyphs[at + 1]!.start - run.end < HAIR * style.size;
      spaced ||= !isEmpty && (wide === 0 || isWideSpace(glyph));
      endOfSpace = glyph.end;
      continue;
    }
    const isJudged = tracked?.style === style;
    const mayBePlain = run?.style === style && !(isJudged && tracked!.width !== 0) && glyphs[at + 1]?.goesOn !== true;
    if (mayBePlain && appendPlain(run!, glyph, spaced, isJudged)) {
      spaced = false;
      continue;
    }
    const whole = joinParts(glyphs, at);
    at = whole.next - 1;
    if (spaced || run === undefined || glyph.start - run.end > WORD_GAP * style.size || !isLetter(run.unit))
      whole.text = withoutMark(whole.text, glyph);
    if (run?.style === style && glyph.start - run.end > WORD_GAP * style.size && tracked?.style !== style)
      tracked = { style, width: trackingOf(glyphs, at) };
    const tracking = run?.style === style && tracked?.style === style ? tracked.width : 0;
    if (run === undefined || leadsLeft(run, glyphs, at) || !append(run, glyph, whole, spaced, tracking)) {
      run = openRun(glyph, whole, spaced, spaced && glyph.start >= endOfSpace - HAIR * style.size, run);
      runs.push(run);
    }
    run.unit = whole.text.codePointAt(whole.text.length - 1)!;
    run.isReplaced = glyph.replacement !== undefined;
    if (unit < 0x20 || unit > 0x7e || whole.text.length > 1) run.isPlain = false;
    spaced = false;
  }
  return runs;
}

/** The share of the width of a space that may be left where kerning cancels it. */
const LEFT_OVER = 0.2;
/** The minimum share of the spaces of a font on a page that kerning cancels if these mean nothing. */
const MIN_TAKEN_BACK = 0.2;

/**
 * Counts the spaces of each font: those with a width, those before a glyph of the same object, and those among these
 * that kerning cancels. Some producers draw such spaces inside words, often; others a few between words.
 */
function countSpaces(glyphs: readonly Glyph[]) {
  const fonts = new Map<number, { wide: number; followed: number; takenBack: number }>();
  for (let at = 0; at < glyphs.length; at++) {
    const glyph = glyphs[at]!;
    if (!isSpace(glyph.unit)) continue;
    const { font } = glyph.style;
    const counts = fonts.get(font) ?? { wide: 0, followed: 0, takenBack: 0 };
    fonts.set(font, counts);
    if (isWideSpace(glyph)) counts.wide++;
    if (glyphs[at + 1]?.style === glyph.style) counts.followed++;
    if (isTakenBack(glyphs, at)) counts.takenBack++;
  }
  return fonts;
}

function isWideSpace({ start, end, style }: Glyph): boolean {
  return end - start > HAIR * style.size;
}

/** Tests whether the letter after a space is drawn where the space began. */
function isTakenBack(glyphs: readonly Glyph[], at: number): boolean {
  const { style, start, end, baseline } = glyphs[at]!;
  const next = glyphs[at + 1];
  return (
    next?.style === style &&
    isLetter(next.unit) &&
    Math.abs(next.start - start) < LEFT_OVER * (end - start) &&
    Math.abs(next.baseline - baseline) <= RISE * style.size
  );
}

const ASCII = Array.from({ length: 0x80 }, (_, unit) => String.fromCharCode(unit));
const SPACED_ASCII = ASCII.map((character) => ` ${character}`);

/** Adds a glyph as most are, ASCII after ASCII on one baseline, in a fraction of the time of {@link append}. */
function appendPlain(run: OpenRun, glyph: Glyph, spaced: boolean, isJudged: boolean): boolean {
  const { unit, start, end, style } = glyph;
  if (unit >= 0x80 || run.unit >= 0x80 || run.direction === 'left' || glyph.replacement !== undefined || isAccent(unit))
    return false;
  const { size } = run;
  const gap = start - run.end;
  if (!(gap >= -KERN * size && gap <= WIDE * size) || Math.abs(glyph.baseline - run.baseline) > RISE * size)
    return false;
  if (!isJudged && gap > WORD_GAP * style.size) return false;
  run.text += (spaced || gap > gapOfWords(run, glyph) * size ? SPACED_ASCII : ASCII)[unit]!;
  run.end = end;
  run.unit = unit;
  run.isReplaced = false;
  return true;
}

/** Distances from a mark that differ by less, in sizes of the font, are the same. */
const TIE = 0.02;
/** The number of glyphs before and after a mark that may be its letter: it may stand at the far end of an object. */
const MARK_REACH = 200;

/** Puts marks of right-to-left scripts after the letters over or under which they are drawn. */
function attachMarks(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (!glyphs.some(({ middle }) => middle !== undefined)) return glyphs;
  const marks = new Map<Glyph, Glyph[]>();
  const attached = new Set<Glyph>();
  glyphs.forEach((mark, at) => {
    const letter = mark.middle === undefined ? undefined : letterOf(mark, mark.middle, glyphs, at);
    if (letter === undefined) return;
    attached.add(mark);
    marks.set(letter, [...(marks.get(letter) ?? []), mark]);
  });
  return glyphs.flatMap((glyph) => (attached.has(glyph) ? [] : [glyph, ...(marks.get(glyph) ?? [])]));
}

/** Returns the glyph whose middle is nearest to a mark over or under it; of two, the right one, which is read first. */
function letterOf(mark: Glyph, middle: number, glyphs: readonly Glyph[], at: number): Glyph | undefined {
  const { size, angle } = mark.style;
  let nearest: Glyph | undefined;
  let min = Number.POSITIVE_INFINITY;
  for (let index = Math.max(0, at - MARK_REACH); index <= at + MARK_REACH && index < glyphs.length; index++) {
    const { start, end, baseline, style, unit, middle: own } = glyphs[index]!;
    const off = Math.abs(baseline - mark.baseline);
    if (own !== undefined || unit === 0 || isSpace(unit) || style.angle !== angle || off > 0.5 * size) continue;
    const slack = 0.1 * size;
    const distance = Math.abs((start + end) / 2 - middle);
    const isTie = nearest !== undefined && Math.abs(distance - min) < TIE * size;
    if (middle < start - slack || middle > end + slack) continue;
    if (isTie ? start <= nearest!.start : distance >= min) continue;
    [nearest, min] = [glyphs[index], distance];
  }
  return nearest;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0xa0 || unit === 0x3000 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x202f;
}

interface Whole {
  text: string;
  readonly end: number;
  readonly next: number;
}

function joinParts(glyphs: readonly Glyph[], at: number): Whole {
  const { unit, end, replacement } = glyphs[at]!;
  if (replacement !== undefined) return { text: replacement, end, next: at + 1 };
  let text = String.fromCodePoint(unit);
  let [next, reach] = [at + 1, end];
  // An accent may be drawn exactly over its letter.
  for (; glyphs[next]?.goesOn === true && !isAccent(glyphs[next]!.unit) && !isAccent(unit); next++) {
    text += glyphs[next]!.unit === 0 ? '' : String.fromCodePoint(glyphs[next]!.unit);
    reach = Math.max(reach, glyphs[next]!.end);
  }
  return { text: next > at + 1 ? orderLigature(text) : text, end: reach, next };
}

/** A combining mark that stands alone, as wide as a letter, is a sign of its own: some fonts name quotation marks so. */
function withoutMark(text: string, { start, end, style }: Glyph): string {
  if (text.charCodeAt(0) < FIRST_MARK) return text;
  return end - start > 0.15 * style.size ? (SPACING_ACCENTS.get(text) ?? text) : text;
}

function openRun(
  glyph: Glyph,
  { text, end }: Whole,
  spaced: boolean,
  hasSpace: boolean,
  last: OpenRun | undefined,
): OpenRun {
  const { unit, style, start, baseline } = glyph;
  const { size, angle } = style;
  const gap = last === undefined ? 0 : Math.max(start - last.end, last.start - end);
  // What follows an accent is set beside its letter.
  const reach = last !== undefined && start > last.start && isAccent(unit) ? Math.max(end, last.end) : end;
  const direction = directionOf(unit, text);
  return {
    text,
    start,
    end: reach,
    baseline,
    size,
    angle,
    spaced: spaced || gap > gapOfWords(last, glyph) * size,
    hasSpace,
    style,
    unit,
    isReplaced: false,
    isPlain: true,
    direction,
  };
}

/** Returns the width from which a gap before a glyph is a space. Lines of ideographs, which have no spaces, are stretched to the margin. */
function gapOfWords(run: OpenRun | undefined, { unit, isJudgedApart }: Glyph): number {
  if (run?.isReplaced === true) return REPLACED_GAP;
  if (run !== undefined && isIdeographic(run.unit) && isIdeographic(unit)) return IDEOGRAPH_GAP;
  return isJudgedApart ? HAIR : WORD_GAP;
}

/** Han, Kana, and signs as wide as these. */
function isIdeographic(unit: number): boolean {
  return (
    (unit >= FIRST_IDEOGRAPH && unit < 0xa000) || (unit >= 0xf900 && unit < 0xfb00) || (unit >= 0xff00 && unit < 0xff66)
  );
}

function directionOf(unit: number, text: string): Direction {
  if (unit < 0x80) {
    const letter = unit | 0x20;
    return (letter >= 0x61 && letter <= 0x7a) || (unit >= 0x30 && unit <= 0x39) ? 'right' : 'none';
  }
  if (text.length > 1) return directionBeyondAscii(text);
  // Not the unit: a mark that stands alone has become another sign.
  const key = text.charCodeAt(0);
  let direction = DIRECTIONS.get(key);
  if (direction === undefined) {
    direction = directionBeyondAscii(text);
    DIRECTIONS.set(key, direction);
  }
  return direction;
}

/** At most 65,536 of the code units seen: matching an expression takes ten times as long. */
const DIRECTIONS = new Map<number, Direction>();

function directionBeyondAscii(text: string): Direction {
  if (
    /^[\p{sc=Hebr}\p{scx=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Samr}\p{sc=Mand}\p{sc=Adlm}\p{sc=Rohg}]/u.test(
      text,
    )
  )
    return /^[\p{L}\p{M}]/u.test(text) ? 'left' : /^\p{N}/u.test(text) ? 'right' : 'none';
  return /^[\p{L}\p{M}\p{N}]/u.test(text) ? 'right' : 'none';
}

/** Tests whether an object begins with signs before a right-to-left word, which is drawn between a run and these signs. */
function leadsLeft(run: OpenRun, glyphs: readonly Glyph[], at: number): boolean {
  const { style, start } = glyphs[at]!;
  if (style === run.style || run.direction === 'left' || start - run.end <= WORD_GAP * style.size) return false;
  for (let next = at; glyphs[next]?.style === style; next++) {
    const { unit } = glyphs[next]!;
    const direction = unit === 0 ? 'none' : directionOf(unit, String.fromCodePoint(unit));
    if (direction !== 'none') return direction === 'left' && next > at;
  }
  return false;
}

function append(run: OpenRun, glyph: Glyph, { text, end }: Whole, spaced: boolean, tracking: number): boolean {
  const { unit, style, start, baseline } = glyph;
  if (style !== run.style && (style.angle !== run.angle || Math.abs(style.size - run.size) > 0.01 * run.size))
    return false;
  const size = run.size;
  const rise = Math.abs(baseline - run.baseline);
  if (unit >= FIRST_MARK && !spaced && rise < size && isMarkOf(run, glyph, text)) {
    run.text += text;
    run.end = Math.max(run.end, end);
  } else {
    if (rise > RISE * size || (isAccent(unit) && start < run.end - KERN * size)) return false;
    const direction = directionOf(unit, text);
    const toLeft = run.direction === 'left';
    if (toLeft ? direction === 'right' : direction === 'left') return false;
    const gap = toLeft ? run.start - end : start - run.end - tracking;
    if (gap < -KERN * size || gap > WIDE * size) return false;
    // Letters of the object before may be drawn in the gap.
    if (toLeft && style !== run.style && gap > WORD_GAP * size) return false;
    const isApart = spaced || gap > gapOfWords(run, glyph) * size;
    if (isApart && (unit >= FIRST_IDEOGRAPH || run.unit >= FIRST_IDEOGRAPH)) return false;
    run.text += isApart ? ` ${text}` : text;
    if (toLeft) run.start = start;
    else run.end = end;
  }
  run.style = style;
  return true;
}

/** Tests whether a glyph is a combining mark on the last letter of a run, wherever the font puts it. */
function isMarkOf(run: OpenRun, { start, style, middle }: Glyph, text: string): boolean {
  if (middle !== undefined && run.direction === 'left') return true;
  if (!/^\p{M}/u.test(text)) return false;
  const reach = /^\p{Mn}/u.test(text) ? 0.5 : WORD_GAP;
  return start > run.start - reach * style.size && start < run.end + reach * style.size;
}

/** Returns the white space that an object leaves between all of its letters, if they are spaced out. */
function trackingOf(glyphs: readonly Glyph[], at: number): number {
  const { style } = glyphs[at]!;
  let [first, behind] = [at, at + 1];
  while (glyphs[first - 1]?.style === style) first--;
  while (glyphs[behind]?.style === style) behind++;
  const gaps: number[] = [];
  let closed = 0;
  for (let index = first + 1; index < behind; index++) {
    const before = glyphs[index - 1]!;
    const after = glyphs[index]!;
    if (!isLetter(before.unit) || !isLetter(after.unit) || after.goesOn) continue;
    const gap = after.start - before.end;
    gaps.push(gap);
    if (gap <= 0) closed++;
  }
  // The lower quartile, which is 0 or less in most texts: then nothing needs to be sorted.
  const quartile = gaps.length >> 2;
  if (gaps.length < MIN_TRACKED || closed > quartile) return 0;
  return gaps.sort((one, other) => one - other)[quartile]!;
}

function isLetter(unit: number): boolean {
  if (unit < 0x80) return (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
  let isKnownLetter = LETTERS.get(unit);
  if (isKnownLetter === undefined) {
    isKnownLetter = /[\p{L}\p{M}]/u.test(String.fromCodePoint(unit));
    if (unit < 0x10000) LETTERS.set(unit, isKnownLetter);
  }
  return isKnownLetter;
}

/** Tests whether code points of the basic plane that were seen are letters or marks. */
const LETTERS = new Map<number, boolean>();
