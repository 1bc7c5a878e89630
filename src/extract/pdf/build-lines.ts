import { IDEOGRAPH_GAP, type Run } from './build-runs.ts';
import { joinAccent, mayBeResolved, resolvePresentationForms } from './letter-forms.ts';

/** Text on one baseline, without a gap that would separate columns or cells. Lengths are in units of the page. */
export interface PdfLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Position across the direction of writing: the next line of a paragraph has a smaller one. */
  readonly baseline: number;
  /** Size of the font of most of the text. */
  readonly size: number;
  readonly firstSize: number;
  /** Direction of writing in degrees. Lines with different directions are unrelated. */
  readonly angle: number;
  /** True if this follows the previous line in the same row, after a gap. */
  readonly continuesRow: boolean;
}

export function isAlike(one: PdfLine, other: PdfLine): boolean {
  return one.angle === other.angle && Math.abs(one.size - other.size) < 0.05 * one.size;
}

/** A gap this wide, in sizes of the font, separates columns or cells. Justified text stays below it. */
const COLUMN_GAP = 1.5;
/** The minimum gap that is a space between runs of right-to-left text, whose letters touch or nearly touch. */
const RTL_WORD_GAP = 0.12;
/** The distance by which a run may reach back over the one before: an accent and its letter, kerning. */
const OVERLAP = 0.9;
/** Words that overlap this far belong to different cells, one of which is too narrow. */
const COLLISION = 0.6;
/** An initial that is this many times larger than what follows it begins a word that goes on in the smaller size. */
const INITIAL = 1.6;

const IDEOGRAPH = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const DIGIT = /\p{Nd}/u;
const LATIN = /[\p{Script=Latin}\p{Nd}]/u;
/** The minimum gap that is a space between ideographs or Hangul and Latin: typesetters leave up to a third of the size. */
const LATIN_GAP = 0.35;
const NOTE_MARK = /^(?:[\d,*†‡§¶]+|[a-j])$/u;
/** A word that a mark may follow. Shorter ones are units and variables, and have exponents. */
const MARKED_WORD = /(?:\p{L}{3}\p{Ll}|[\p{Lo}\p{M}])$/u;

const RTL_LETTER = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const LTR_LETTER = new RegExp(`(?!${RTL_LETTER.source})\\p{L}`, 'u');
const RTL_LETTERS = new RegExp(RTL_LETTER, 'gu');
const LTR_LETTERS = new RegExp(LTR_LETTER, 'gu');
const CJK = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303F\\uFF00-\\uFF65]';
const CJK_PAIR = new RegExp(`${CJK}(?=${CJK})`, 'gu');
const SPACED_CJK_PAIR = new RegExp(`(${CJK}) (?=${CJK})`, 'gu');

/** Combines the runs of a page into lines, in drawing order. The ends of the runs are changed. */
export function buildLines(runs: readonly Run[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let row: Row | null = null;
  let continuesRow = false;
  for (const run of runs) {
    const place: Place = row === null ? 'elsewhere' : placeOf(run, row);
    if (place === 'same') continue;
    if (row !== null && place === 'here') addRun(row, run);
    else {
      if (row !== null) lines.push(finishLine(row, continuesRow));
      continuesRow = place === 'row';
      row = { runs: [run], start: run.start, end: run.end, hasRtl: RTL_LETTER.test(run.text) };
    }
  }
  if (row !== null) lines.push(finishLine(row, continuesRow));
  return lines;
}

interface Row {
  readonly runs: Run[];
  /** The start of the first one and the end of the last one, in the direction of writing. */
  start: number;
  end: number;
  hasRtl: boolean;
}

function addRun(row: Row, run: Run): void {
  row.runs.push(run);
  row.start = Math.min(row.start, run.start);
  row.end = Math.max(row.end, run.end);
  row.hasRtl ||= RTL_LETTER.test(run.text);
}

/** The way in which a run continues a line: at its end, in its row after a gap, drawn over it again, or not at all. */
type Place = 'here' | 'row' | 'same' | 'elsewhere';

/** The maximum number of runs of a line that another is compared with: otherwise a line of many would take quadratic time. */
const MAX_COMPARED = 1000;

function placeOf(run: Run, { runs, start, end, hasRtl }: Row): Place {
  const last = runs.at(-1)!;
  // The lines beside an initial share its row, but not one another's.
  const isBeside = (other: Run): boolean =>
    (other === last || other.size < INITIAL * run.size) && sharesRow(run, other);
  if (run.angle !== last.angle || !someRecent(runs, isBeside)) return 'elsewhere';
  // Bold by drawing twice.
  const size = Math.max(run.size, last.size);
  const isSame = (other: Run): boolean => other.text === run.text && Math.abs(other.start - run.start) < 0.1 * size;
  if (someRecent(runs, isSame)) return 'same';
  const rtl = hasRtl || RTL_LETTER.test(run.text);
  const gap = run.start - (rtl ? end : last.end);
  if (gap >= -OVERLAP * size || run.start >= last.start) return gap > COLUMN_GAP * size ? 'row' : 'here';
  if (!rtl) return 'elsewhere';
  // Right to left, glyph by glyph or word by word, from the start of the line or, inside it, of a word.
  const back = start - run.end;
  if (back >= -OVERLAP * size) return back > COLUMN_GAP * size ? 'row' : 'here';
  return Math.abs(last.start - run.end) <= COLUMN_GAP * size ? 'here' : 'elsewhere';
}

function someRecent(runs: readonly Run[], holds: (run: Run) => boolean): boolean {
  for (let at = runs.length - 1; at >= 0 && at >= runs.length - MAX_COMPARED; at--) if (holds(runs[at]!)) return true;
  return false;
}

/** Tests whether the heights of two runs overlap by half of the smaller, as with an exponent and its base. */
function sharesRow(one: Run, other: Run): boolean {
  const top = Math.min(one.baseline + 0.8 * one.size, other.baseline + 0.8 * other.size);
  const bottom = Math.max(one.baseline - 0.2 * one.size, other.baseline - 0.2 * other.size);
  return top - bottom >= 0.5 * Math.min(one.size, other.size);
}

const OTHER_SPACE = /[^\S ]| {2}/;

function finishLine({ runs, start, hasRtl }: Row, continuesRow: boolean): PdfLine {
  const main = runs.reduce((widest, run) => (run.text.length > widest.text.length ? run : widest));
  const text = hasRtl ? joinRightToLeft(runs) : joinLeftToRight(runs);
  const resolved = (mayBeResolved(text) ? unstretch(resolvePresentationForms(text)) : text).trim();
  return {
    text: OTHER_SPACE.test(resolved) ? resolved.replace(/\s+/gu, ' ') : resolved,
    start,
    end: runs.reduce((end, run) => Math.max(end, run.end), Number.NEGATIVE_INFINITY),
    baseline: main.baseline,
    size: main.size,
    firstSize: runs[0]!.size,
    angle: main.angle,
    continuesRow,
  };
}

function joinLeftToRight(runs: readonly Run[]): string {
  const leavesGaps = runs.some(isApartInHangul);
  const parts: string[] = [];
  // Only the end is examined and changed: examining a growing text in full would take quadratic time.
  let end = '';
  let last: Run | undefined;
  for (const run of runs) {
    const overlaps = last !== undefined && run.start - last.end < -0.1 * Math.min(run.size, last.size);
    const accented = overlaps ? joinAccent(end, run.text) : null;
    if (accented !== null) {
      end = accented;
      run.end = Math.max(run.end, last!.end);
    } else if (last !== undefined && standsApart(end, last, run, runs[0] === last, leavesGaps)) end += ` ${run.text}`;
    else end += run.text;
    last = run;
    if (end.length <= 2 * END_LENGTH) continue;
    parts.push(end.slice(0, -END_LENGTH));
    end = end.slice(-END_LENGTH);
  }
  return parts.join('') + end;
}

/** The length of the end of a line that is examined, in UTF-16 units: {@link MARKED_WORD} needs 8. */
const END_LENGTH = 16;

function standsApart(text: string, last: Run, run: Run, isFirst: boolean, leavesGaps: boolean): boolean {
  const gap = run.start - last.end;
  const small = Math.min(run.size, last.size);
  const isInitial = last.size >= INITIAL * run.size && /^\p{Lu}$/u.test(last.text) && gap < 0.6 * small;
  if (isInitial) return false;
  if (isSpace(text, run, gap, leavesGaps) || gap < -COLLISION * small) return true;
  return isMarked(text, last, run, isFirst);
}

/** Tests whether a run begins a Hangul word after a gap without a space: some producers never draw any. */
function isApartInHangul(run: Run, at: number, runs: readonly Run[]): boolean {
  if (!run.spaced || run.hasSpace || at === 0) return false;
  return HANGUL.test(run.text.charAt(0)) && HANGUL.test(runs[at - 1]!.text.slice(-1));
}

/** Tests for a space before a run. The small gap that typesetters leave between ideographs and Latin is not one. */
function isSpace(before: string, { text, spaced, hasSpace, size }: Run, gap: number, leavesGaps: boolean): boolean {
  if (!spaced || gap > LATIN_GAP * size || gap < 0) return spaced;
  const [one, other] = [before.at(-1)!, text.charAt(0)];
  const ideograph = IDEOGRAPH.test(one) ? one : IDEOGRAPH.test(other) ? other : null;
  if (ideograph === null) return true;
  const neighbour = ideograph === one ? other : one;
  if (gap <= IDEOGRAPH_GAP * size && DIGIT.test(neighbour)) return false;
  return hasSpace || leavesGaps || !LATIN.test(neighbour);
}

/** Tests whether the mark of a note, raised and small, stands between two runs, or at the start of a note. */
function isMarked(text: string, before: Run, after: Run, first: boolean): boolean {
  if (isRaised(after, before) && NOTE_MARK.test(after.text)) return MARKED_WORD.test(text.slice(-8));
  return first && isRaised(before, after) && NOTE_MARK.test(before.text) && /^\P{L}?\p{L}{2}/u.test(after.text);
}

function isRaised(run: Run, base: Run): boolean {
  const raised = run.baseline - base.baseline;
  return run.size <= 0.85 * base.size && raised > 0.12 * base.size && raised < base.size;
}

/** Puts runs in reading order if some are written from right to left. */
function joinRightToLeft(runs: readonly Run[]): string {
  const visual = [...runs].sort((one, other) => one.start - other.start);
  const all = runs.map((run) => run.text).join('');
  const count = (pattern: RegExp) => all.match(pattern)?.length ?? 0;
  const rightToLeft = count(RTL_LETTERS) >= count(LTR_LETTERS);
  // Runs of the other direction keep their order among themselves; numbers and signs between two of them belong to them.
  const against = visual.map(({ text }) =>
    rightToLeft ? LTR_LETTER.test(text) && !RTL_LETTER.test(text) : RTL_LETTER.test(text),
  );
  for (let at = 1; at < visual.length - 1; at++)
    if (!against[at] && against[at - 1] && !/\p{L}/u.test(visual[at]!.text)) {
      let next = at + 1;
      while (next < visual.length && !against[next] && !/\p{L}/u.test(visual[next]!.text)) next++;
      if (next < visual.length && against[next]) against.fill(true, at, next);
    }
  const order = visual.flatMap((run, at): Directed[] => {
    if (!rightToLeft || !against[at]) return [{ run, against: against[at]! }];
    return withoutSigns(run, against[at - 1] !== true, against[at + 1] !== true);
  });
  const groups: Piece[] = [];
  for (let from = 0, to = 0; from < order.length; from = to) {
    do to++;
    while (order[from]!.against && order[to]?.against === true);
    const group = order.slice(from, to).map(({ run }) => run);
    // A group of one direction is read from its left or its right as a whole.
    groups.push(joinPieces(rightToLeft || !order[from]!.against ? group : group.reverse()));
  }
  return joinPieces(rightToLeft ? groups.reverse() : groups).text;
}

type Piece = Pick<Run, 'text' | 'start' | 'end' | 'size'>;

/** Joins pieces of a line in the order in which they are read, with spaces for the gaps between those drawn side by side. */
function joinPieces(pieces: readonly Piece[]): Piece {
  return pieces.reduce((before, piece) => {
    const gap = Math.max(piece.start - before.end, before.start - piece.end);
    const isWide = gap > RTL_WORD_GAP * Math.min(piece.size, before.size);
    return {
      text: `${before.text}${isWide ? ' ' : ''}${piece.text}`,
      start: Math.min(before.start, piece.start),
      end: Math.max(before.end, piece.end),
      size: piece.size,
    };
  });
}

interface Directed {
  readonly run: Run;
  readonly against: boolean;
}

/** Signs that a left-to-right run may begin or end with and that belong to a right-to-left line. */
const SIGNS = ' -\u2010\u2011\u2013\u2014.,:;!?';
const [FIRST_SIGNS, LAST_SIGNS] = [new Set(`${SIGNS})]}`), new Set(`${SIGNS}([{`)];

function withoutSigns(run: Run, atStart: boolean, atEnd: boolean): Directed[] {
  const { text, start, end } = run;
  let [from, to] = [0, text.length];
  if (atStart) while (FIRST_SIGNS.has(text[from]!)) from++;
  if (atEnd) while (LAST_SIGNS.has(text[to - 1]!)) to--;
  const width = (end - start) / text.length;
  const partOf = (first: number, behind: number): Run => {
    return { ...run, text: text.slice(first, behind), start: start + first * width, end: start + behind * width };
  };
  const signsOf = (first: number, behind: number): Directed[] => {
    const signs = [...text.slice(first, behind)].reverse().join('');
    return signs === '' ? [] : [{ run: { ...partOf(first, behind), text: signs }, against: false }];
  };
  return [...signsOf(0, from), { run: partOf(from, to), against: true }, ...signsOf(to, text.length)];
}

/** Removes the spaces from a justified line of ideographs, in which most of them are spaced out. */
function unstretch(text: string): string {
  const spaced = text.match(SPACED_CJK_PAIR)?.length ?? 0;
  if (spaced < 2 || spaced <= (text.match(CJK_PAIR)?.length ?? 0)) return text;
  return text.replace(SPACED_CJK_PAIR, '$1');
}
