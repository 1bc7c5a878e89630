import { isAlike, type PdfLine } from './build-lines.ts';
import { FIRST_MARK } from './letter-forms.ts';

/** Hyphens that end a line: ASCII, soft, and U+2010. A non-breaking one never does. */
const HYPHENATED = /[\p{L}\p{M}\p{N}][-\u00AD\u2010]$/u;
const IS_ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /\w+(?:-\w+)*/g;
const WORD = /[\p{L}\p{M}\p{N}_]+(?:[-\u2010\u2011][\p{L}\p{M}\p{N}_]+)*/gu;
const FIRST_WORD = /^[\p{L}\p{M}\p{N}_]+/u;
// Without the lookbehind, each suffix of each word would be tried: quadratic time.
const LAST_WORD = /(?<![\p{L}\p{M}\p{N}_])[\p{L}\p{M}\p{N}_]+$/u;
/** Scripts that are written without spaces between words, so that a line may end anywhere. */
const UNSPACED =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30FC\\p{sc=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}]';
const HAS_UNSPACED = new RegExp(UNSPACED, 'u');
const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');
/** The last character that is not a mark, with its marks. */
const LAST_CHARACTER = /\P{M}?(?<!\p{M})\p{M}*$/u;
/** The scripts among these that typesetters do not justify. */
const HAS_RAGGED = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
/** Korean has spaces, but typesetters break its words between any two syllables. */
const HANGUL_WORD_END = /(?<![\p{sc=Hang}\p{N}])[\p{sc=Hang}\p{N}]+$/u;
const HANGUL_WORD_START = /^\p{sc=Hang}+/u;
/** Endings that are not words, so a line that begins with one continues the word before. */
const PARTICLE =
  /^(?:[을를은는이가의에로와과도만]|에서|에게|으로|부터|까지|이다|입니다|한다|합니다|하는|하여|한|할|된|되는|된다|됩니다|니다|다)$/u;
/** The start of a locator. The scheme is searched for after its `://`, since there are fewer of these than of letters. */
const LOCATOR_START = /:\/\/(?<=[a-z][a-z\d+.-]*:\/\/)|www\./iu;
const BREAKS_LOCATOR = /[/\-._?&=#%+~]$/u;

/** Joins the lines of a document, in reading order, and rejoins words that are split at line ends. */
export function joinLines(drawn: readonly PdfLine[]): string {
  const splits = drawn.some(({ text }) => endsInHyphen(text) || hangulWordEnd(text) !== undefined);
  const vocabulary = splits ? collectWords(drawn) : new Map<string, number>();
  const lines = joinOverNotes(drawn, vocabulary);
  const hyphenates = isHyphenated(lines, vocabulary);
  const breaksHangul = breaksKoreanWords(lines, vocabulary);
  const parts: string[] = [];
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    let text = line.text;
    let end = '\n';
    if (next === undefined) end = '';
    else if (next.continuesRow) end = '\t';
    else if (line.angle === next.angle) {
      if (endsInHyphen(text) && /^\p{L}/u.test(next.text)) {
        end = '';
        if (/^\p{Ll}/u.test(next.text) && joinsWord(line.text, next.text, vocabulary, hyphenates))
          text = text.slice(0, -1);
      } else if (endsInLocator(text) && /^[\p{Ll}\p{N}%_~/]/u.test(next.text)) end = '';
      else if (HAS_UNSPACED.test(lastCharacter(text)) && BEGINS_UNSPACED.test(next.text) && goesOn(lines, index))
        end = '';
      else if (isSplitHangul(text, next.text, vocabulary, breaksHangul) && goesOn(lines, index)) end = '';
    }
    parts.push(text, end);
  });
  return parts.join('');
}

function endsInLocator(text: string): boolean {
  if (!BREAKS_LOCATOR.test(text.slice(-1))) return false;
  const last = text.slice(text.lastIndexOf(' ') + 1);
  const start = LOCATOR_START.exec(last);
  return start !== null && start.index + start[0].length < last.length;
}

function endsInHyphen(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  // Most lines do not, and the expression would be tried at every letter.
  return (last === 0x2d || last === 0xad || last === 0x2010) && HYPHENATED.test(text);
}

function hangulWordEnd(text: string): string | undefined {
  const last = text.charCodeAt(text.length - 1);
  // Digits and characters beyond ASCII; the expression would be tried at every letter.
  return last < 0x30 || (last > 0x39 && last < 0x80) ? undefined : HANGUL_WORD_END.exec(text)?.[0];
}

function lastCharacter(text: string): string {
  if (text.charCodeAt(text.length - 1) < FIRST_MARK) return text.slice(-1);
  return LAST_CHARACTER.exec(text)?.[0] ?? '';
}

/** Lines of notes, captions and headers that may stand between the halves of a word. */
const BETWEEN = 60;

/** Rejoins the halves of a word that a column end separates, with notes, captions or a header between them. */
function joinOverNotes(lines: readonly PdfLine[], vocabulary: ReadonlyMap<string, number>): readonly PdfLine[] {
  const joined = [...lines];
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    if (next === undefined || !endsInHyphen(line.text) || !/\p{Ll}[-\u00AD\u2010]$/u.test(line.text)) return;
    const below = line.baseline - next.baseline;
    if (isAlike(line, next) && !next.continuesRow && below > 0 && below < 3 * line.size) return;
    if (goesOnWith(line, next)) return;
    for (let at = index + 2; at < lines.length && at <= index + BETWEEN; at++) {
      const other = lines[at]!;
      const before = lines[at - 1]!;
      const height = before.baseline - other.baseline;
      const begins = height < 0 || height > 1.5 * other.size || !isAlike(other, before);
      if (!begins || !goesOnWith(line, other)) continue;
      const { first, second } = halves(line.text, other.text);
      // The second half itself is counted once, at its position.
      const known = vocabulary.has(first + second) || (vocabulary.get(second) ?? 0) <= 1;
      if (!known || first.length < 2 || /\p{N}/u.test(second)) continue;
      const half = LAST_WORD.exec(line.text.slice(0, -1))![0];
      joined[index] = { ...line, text: line.text.slice(0, -1 - half.length).trimEnd() };
      joined[at] = { ...other, text: half + other.text };
      return;
    }
  });
  return joined.filter(({ text }) => text !== '');
}

function goesOnWith(line: PdfLine, other: PdfLine): boolean {
  return isAlike(line, other) && !other.continuesRow && /^\p{Ll}/u.test(other.text);
}

/** Counts the words inside lines in lower case; a hyphenated word is one word. */
function collectWords(lines: readonly PdfLine[]): Map<string, number> {
  const words = new Map<string, number>();
  lines.forEach(({ text }, index) => {
    // The halves of a word that may be split do not count as words.
    const before = lines[index - 1]?.text ?? '';
    const start = endsInHyphen(before)
      ? (FIRST_WORD.exec(text)?.[0].length ?? 0)
      : (HANGUL_WORD_START.exec(text)?.[0].length ?? 0);
    const end = endsInHyphen(text)
      ? text.length - 1 - LAST_WORD.exec(text.slice(0, -1))![0].length
      : text.length - (hangulWordEnd(text)?.length ?? 0);
    for (const word of wordsOf(text.slice(start, Math.max(start, end)))) words.set(word, (words.get(word) ?? 0) + 1);
  });
  return words;
}

function wordsOf(text: string): readonly string[] {
  if (IS_ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  return Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase().replace(/[\u2010\u2011]/gu, '-'));
}

/** Tests whether this document splits words at line ends: most hyphens there leave a half that is not a word. */
function isHyphenated(lines: readonly PdfLine[], vocabulary: ReadonlyMap<string, number>): boolean {
  let split = 0;
  let whole = 0;
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    if (next === undefined || next.continuesRow || !endsInHyphen(line.text) || !/^\p{Ll}/u.test(next.text)) return;
    const { first, second } = halves(line.text, next.text);
    if (vocabulary.has(first) && vocabulary.has(second)) whole++;
    else split++;
  });
  return split >= whole;
}

/** Decides whether to drop a hyphen at a line end, by whether the word or its halves occur elsewhere in the document. */
function joinsWord(line: string, next: string, vocabulary: ReadonlyMap<string, number>, hyphenates: boolean): boolean {
  if (line.endsWith('\u00AD')) return true;
  const { first, second } = halves(line, next);
  // Typesetters do not split abbreviations and numbers, nor leave a single letter.
  if (/[\p{Lu}\p{N}][-\u2010]$/u.test(line) || first.length < 2 || /\p{N}/u.test(second)) return false;
  const joined = vocabulary.get(first + second) ?? 0;
  const compound = vocabulary.get(`${first}-${second}`) ?? 0;
  if (joined !== compound) return joined > compound;
  if (vocabulary.has(first) && vocabulary.has(second)) return hyphenates;
  return true;
}

/** The minimum number of Korean words that line ends split, and their share of the line ends, if a document splits words anywhere. */
const [MIN_BROKEN, BROKEN_PART] = [3, 0.25];

/** Tests whether this document breaks lines inside Korean words: many of the words that line ends would split are known whole. */
function breaksKoreanWords(lines: readonly PdfLine[], vocabulary: ReadonlyMap<string, number>): boolean {
  let ends = 0;
  let broken = 0;
  lines.forEach(({ text }, index) => {
    const found = hangulHalves(text, lines[index + 1]?.text ?? '');
    if (found === null) return;
    ends++;
    if (vocabulary.has(found.first + found.second)) broken++;
  });
  return broken >= MIN_BROKEN && broken >= BROKEN_PART * ends;
}

function hangulHalves(line: string, next: string): { readonly first: string; readonly second: string } | null {
  const first = hangulWordEnd(line);
  const second = first === undefined ? undefined : HANGUL_WORD_START.exec(next)?.[0];
  return first === undefined || second === undefined ? null : { first, second };
}

/** Tests whether a line end splits a Korean word; where many are split, a first half that is no word is enough. */
function isSplitHangul(line: string, next: string, vocabulary: ReadonlyMap<string, number>, isUsual: boolean): boolean {
  const found = hangulHalves(line, next);
  if (found === null) return false;
  const { first, second } = found;
  const isWhole = vocabulary.has(first + second);
  if (isUsual) return isWhole || !vocabulary.has(first);
  if (vocabulary.has(first) && vocabulary.has(second)) return false;
  const isSyllable = [first, second].some((half) => /^[가-힣]$/u.test(half));
  const isUnknown = !vocabulary.has(first) && !vocabulary.has(second);
  return isWhole || PARTICLE.test(second) || (isSyllable && isUnknown);
}

function halves(line: string, next: string): { first: string; second: string } {
  const first = LAST_WORD.exec(line.slice(0, -1))?.[0] ?? '';
  const second = FIRST_WORD.exec(next)?.[0] ?? '';
  return { first: first.toLowerCase(), second: second.toLowerCase() };
}

function goesOn(lines: readonly PdfLine[], index: number): boolean {
  return isFull(lines, index) && !endsRow(lines, index) && !standsApart(lines, index);
}

/** The marker of a list item; the gap after it is as wide as between cells. */
const ITEM_LABEL = /^(?:\P{L}{1,6}|\P{L}?[\p{L}]\P{L}?)$/u;

/** Tests whether a line is the last cell of a row of a table, or the next is the first of one. */
function endsRow(lines: readonly PdfLine[], index: number): boolean {
  const line = lines[index]!;
  const isCell = line.continuesRow && !ITEM_LABEL.test(lines[index - 1]?.text ?? '');
  return isCell || (lines[index + 2]?.continuesRow === true && !ITEM_LABEL.test(lines[index + 1]!.text));
}

const PARAGRAPH_GAP = 1.2;

/** Tests whether there is more space between a line and the next than between others nearby: a paragraph ends. */
function standsApart(lines: readonly PdfLine[], index: number): boolean {
  const size = lines[index]!.size;
  const pitch = (at: number): number => {
    const [line, next] = [lines[at], lines[at + 1]];
    if (line === undefined || next === undefined || line.angle !== next.angle) return Number.POSITIVE_INFINITY;
    const height = line.baseline - next.baseline;
    const alike = Math.abs(line.size - size) < 0.1 * size && Math.abs(next.size - size) < 0.1 * size;
    return alike && height > 0.9 * size ? height : Number.POSITIVE_INFINITY;
  };
  const own = pitch(index);
  if (own === Number.POSITIVE_INFINITY) return false;
  for (let at = Math.max(0, index - 4); at <= index + 4; at++) if (own > PARAGRAPH_GAP * pitch(at)) return true;
  return false;
}

/** Tests whether a line reaches the margin that its neighbours reach: a shorter one ends a paragraph, a heading or an item. */
function isFull(lines: readonly PdfLine[], index: number): boolean {
  const line = lines[index]!;
  const next = lines[index + 1]!;
  if (Math.abs(next.size - line.size) > 0.1 * line.size) return false;
  let margin = next.end;
  for (let at = Math.max(0, index - 3); at <= index + 3 && at < lines.length; at++) {
    const other = lines[at]!;
    const near =
      Math.abs(other.start - line.start) < 3 * line.size && Math.abs(other.size - line.size) < 0.1 * line.size;
    if (other.angle === line.angle && near && other.end > margin) margin = other.end;
  }
  const slack = HAS_RAGGED.test(lastCharacter(line.text)) ? 4 : 2.2;
  return line.end >= margin - slack * line.size;
}
