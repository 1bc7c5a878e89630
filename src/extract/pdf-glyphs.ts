/**
 * What a PDF draws that a text writes otherwise: code points that stand for the shape of a letter, of several, or of
 * an accent by itself.
 */

/**
 * Latin, Armenian and Hebrew ligatures and wide letters (FB00–FB4F), Arabic presentation forms (FB50–FDFF, FE70–FEFC),
 * and radicals (2E80–2FD5), which some producers name in place of the ideograph that is drawn by the same glyph.
 */
const PRESENTATION_FORMS = /[\u2E80-\u2FD5\uFB00-\uFDFF\uFE70-\uFEFC]/gu;

/** Radicals that NFKC keeps apart from the ideographs of the same shape, and those ideographs. */
const RADICALS: ReadonlyMap<string, string> = new Map(
  Array.from(
    '⺎兀⺠民⻁虎⻄西⻅见⻆角⻉贝⻋车⻑長⻓长⻔门⻘青⻚页⻛风⻜飞⻝食⻢马⻣骨⻤鬼⻥鱼⻦鸟⻨麦⻩黄⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻲亀'.matchAll(
      /(.)(.)/gu,
    ),
    ([, radical, ideograph]) => [radical!, ideograph!],
  ),
);

/** Compatibility forms of Arabic vowel signs stand on a space or a tatweel, which carries them and is no letter. */
const CARRIED_MARK = /^[ \u0640](?=\p{Mn})/u;

/** Tatweels between letters stretch a word to justify a line. */
const KASHIDA = /(?<=[\p{L}\p{Mn}])\u0640+(?=[\p{L}\p{Mn}])/gu;

/** Accents that stand by themselves, and the combining marks that mean the same. */
const COMBINING: ReadonlyMap<string, string> = new Map([
  ['`', '\u0300'],
  ['\u00B4', '\u0301'],
  ['\u02CA', '\u0301'],
  ['^', '\u0302'],
  ['\u02C6', '\u0302'],
  ['~', '\u0303'],
  ['\u02DC', '\u0303'],
  ['\u00AF', '\u0304'],
  ['\u02C9', '\u0304'],
  ['\u02D8', '\u0306'],
  ['\u02D9', '\u0307'],
  ['\u00A8', '\u0308'],
  ['\u02DA', '\u030A'],
  ['\u02DD', '\u030B'],
  ['\u02C7', '\u030C'],
  ['\u00B8', '\u0327'],
  ['\u02DB', '\u0328'],
]);

/** Code points that name no character: unassigned by agreement, replacement, control. */
const NAMELESS = /(?!\s)[\p{Cc}\p{Co}\uFFFD]/gu;

/** The radical "door" is the glyph of three ideographs, one each for simplified, Japanese and traditional writing. */
const DOOR = '\u2F3E';

function resolveDoor(text: string): string {
  if (/[这们来时个会说对开关问间]/u.test(text)) return '户';
  return /[\p{sc=Hira}\p{sc=Kana}]/u.test(text) ? '戸' : '戶';
}

/** Resolves ligatures and presentation forms to the letters that they are forms of. */
export function resolvePresentationForms(text: string): string {
  return text
    .replaceAll(DOOR, () => resolveDoor(text))
    .replace(PRESENTATION_FORMS, (form) => RADICALS.get(form) ?? form.normalize('NFKC').replace(CARRIED_MARK, ''))
    .replace(KASHIDA, '');
}

/**
 * Joins an accent to the letter over or under which it was drawn.
 * @param before - text that ends with the one
 * @param after - text that begins with the other
 * @returns the whole, or null when these are not an accent and a letter
 */
export function joinAccent(before: string, after: string): string | null {
  const accent = COMBINING.get(before.at(-1) ?? '');
  if (accent !== undefined && /^\p{L}/u.test(after)) {
    const letter = String.fromCodePoint(after.codePointAt(0)!);
    return before.slice(0, -1) + compose(letter, accent) + after.slice(letter.length);
  }
  const mark = COMBINING.get(after.charAt(0));
  const letter = mark === undefined ? undefined : /\p{L}$/u.exec(before)?.[0];
  if (mark === undefined || letter === undefined) return null;
  return before.slice(0, before.length - letter.length) + compose(letter, mark) + after.slice(1);
}

function compose(letter: string, mark: string): string {
  const base = letter === '\u0131' ? 'i' : letter === '\u0237' ? 'j' : letter;
  return (base + mark).normalize('NFC');
}

/** Counts the code points of a text that name no character. */
export function countNameless(text: string): number {
  return text.match(NAMELESS)?.length ?? 0;
}
