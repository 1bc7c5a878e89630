/** Code points that a PDF uses for shapes and a text does not: ligatures, presentation forms, and accents on their own. */

/** Ligatures and wide letters (FB00–FB4F), Arabic forms (FB50–FDFF, FE70–FEFC), and radicals (2E80–2FD5). */
const PRESENTATION_FORMS = /[\u2E80-\u2FD5\uFB00-\uFDFF\uFE70-\uFEFC]/gu;

/** Radicals that NFKC keeps apart from the ideographs of the same shape, and those ideographs. */
const RADICALS = pairsOf(
  '⺎兀⺠民⻁虎⻄西⻅见⻆角⻉贝⻋车⻑長⻓长⻔门⻘青⻚页⻛风⻜飞⻝食⻢马⻣骨⻤鬼⻥鱼⻦鸟⻨麦⻩黄⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻲亀',
);

function pairsOf(characters: string): ReadonlyMap<string, string> {
  return new Map(Array.from(characters.matchAll(/(.)(.)/gu), ([, one, other]) => [one!, other!]));
}

/** Compatibility forms of Arabic vowel signs stand on a space or a tatweel, which carries them and is not a letter. */
const CARRIED_MARK = /^[ \u0640](?=\p{Mn})/u;

/** Tatweels between letters lengthen a word to justify a line. */
const KASHIDA = /(?<=[\p{L}\p{Mn}])\u0640+(?=[\p{L}\p{Mn}])/gu;

export const FIRST_MARK = 0x300;

/** Accents that stand by themselves, and the combining marks that mean the same. */
const COMBINING = pairsOf(
  '`\u0300\u00B4\u0301\u02CA\u0301^\u0302\u02C6\u0302~\u0303\u02DC\u0303\u00AF\u0304\u02C9\u0304' +
    '\u02D8\u0306\u02D9\u0307\u00A8\u0308\u02DA\u030A\u02DD\u030B\u02C7\u030C\u00B8\u0327\u02DB\u0328',
);

const ACCENTS: ReadonlySet<number> = new Set(Array.from(COMBINING.keys(), (accent) => accent.charCodeAt(0)));

export function isAccent(unit: number): boolean {
  if (unit < 0x80) return unit === 0x60 || unit === 0x5e || unit === 0x7e;
  return ACCENTS.has(unit);
}

/** The accents that stand by themselves, by their combining marks. The first one of a mark counts. */
export const SPACING_ACCENTS: ReadonlyMap<string, string> = new Map(
  Array.from(COMBINING, ([accent, mark]) => [mark, accent] as const).reverse(),
);

/** The letters of every Arabic ligature that has a code point, in logical order. */
const LIGATURES: ReadonlySet<string> = new Set(
  Array.from({ length: 0xfefd - 0xfb50 }, (_, at) => String.fromCharCode(0xfb50 + at).normalize('NFKC')),
);

/** Puts the letters of a right-to-left ligature, which PDFium reverses if a font maps it to them, in logical order. */
export function orderLigature(text: string): string {
  if (!/^[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}]/u.test(text) || LIGATURES.has(text)) return text;
  return /^\p{L}.*\p{L}$/su.test(text) ? Array.from(text).reverse().join('') : text;
}

/** A lone alef is not a word: after a lam it is the second part of their ligature, drawn as two glyphs. */
const LAM_ALEF = /\u0644 \u0627(?![\p{L}\p{M}])/gu;

/** The Thai and Lao vowel AM in its two parts, or as a whole with the second part once more, and a tone between. */
const AM = /[\u0E33\u0E4D]([\u0E48-\u0E4B]?)\u0E32|[\u0EB3\u0ECD]([\u0EC8-\u0ECB]?)\u0EB2/gu;

/** No word begins with the vowel AM, whose first part some fonts draw with a space. */
const SPACED_AM = / (?=[\u0E33\u0EB3])/gu;

/** Code points that name no character: unassigned by agreement, replacement, control. */
const NAMELESS = /(?!\s)[\p{Cc}\p{Co}\uFFFD]/gu;

/** The radical "door" is the glyph of three ideographs, one each for simplified, Japanese and traditional writing. */
const DOOR = '\u2F3E';

function resolveDoors(text: string): string {
  if (!text.includes(DOOR)) return text;
  const isSimplified = /[这们来时个会说对开关问间]/u.test(text);
  const isJapanese = /[\p{sc=Hira}\p{sc=Kana}]/u.test(text);
  return text.replaceAll(DOOR, isSimplified ? '户' : isJapanese ? '戸' : '戶');
}

/** A code unit that one of the replacements below begins or ends with, or that may be a part of an ideograph. */
const MAY_BE_RESOLVED = /[\u0627\u0640\u0E32\u0E33\u0EB2\u0EB3\u2E80-\uFFFF]/;

/** Tests whether {@link resolvePresentationForms} may change a text, or it may have ideographs or kana: most lines do not. */
export function mayBeResolved(text: string): boolean {
  return MAY_BE_RESOLVED.test(text);
}

export function resolvePresentationForms(text: string): string {
  return resolveDoors(text)
    .replace(PRESENTATION_FORMS, (form) => RADICALS.get(form) ?? form.normalize('NFKC').replace(CARRIED_MARK, ''))
    .replace(KASHIDA, '')
    .replace(LAM_ALEF, '\u0644\u0627')
    .replace(AM, (_parts, thai?: string, lao?: string) => (thai === undefined ? `${lao}\u0EB3` : `${thai}\u0E33`))
    .replace(SPACED_AM, '');
}

/** Vowel signs of Indic scripts that are drawn before the consonant that precedes them in text. */
const FIRST_DRAWN = '[\\u093F\\u09BF\\u09C7\\u09C8\\u0A3F\\u0ABF\\u0B47\\u0BC6-\\u0BC8\\u0D46-\\u0D48]';
const VIRAMA = '[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0D4D]';
const NUKTA = '[\\u093C\\u09BC\\u0A3C\\u0ABC\\u0B3C]';
const CLUSTER = `\\p{Lo}${NUKTA}?(?:${VIRAMA}\\p{Lo}${NUKTA}?){0,5}`;
const BEGINS_DRAWN = new RegExp(`(?<![\\p{L}\\p{M}])${FIRST_DRAWN}(?=\\p{L})`, 'gu');
const ENDS_WRITTEN = new RegExp(`(?<=[\\p{L}\\p{M}])${FIRST_DRAWN}(?![\\p{L}\\p{M}])`, 'gu');
const DRAWN_SYLLABLE = new RegExp(`(${FIRST_DRAWN})(${CLUSTER})`, 'gu');
/** The hook of a Devanagari R that is spoken before a syllable is drawn above its end. */
const ENDS_IN_HOOK = /\u0930\u094D(?![\p{L}\p{M}])/u;
const HOOKED_SYLLABLE = new RegExp(`(${CLUSTER}\\p{M}{0,5}?)(\\u0930\\u094D)`, 'gu');
/** Half a consonant is not a word. */
const HALF = /(?<![\p{L}\p{M}])(\p{Lo}\u094D) (?=\p{Lo})/gu;

/** Moves Indic vowel signs after their consonants if a document has them in drawing order, as many fonts do. */
export function restoreSpokenOrder(text: string): string {
  const drawn = text.match(BEGINS_DRAWN)?.length ?? 0;
  if (drawn === 0 || drawn <= (text.match(ENDS_WRITTEN)?.length ?? 0)) return text;
  const spoken = text.replace(DRAWN_SYLLABLE, '$2$1').replace(HALF, '$1');
  return ENDS_IN_HOOK.test(spoken) ? spoken.replace(HOOKED_SYLLABLE, '$2$1') : spoken;
}

/** Joins an accent to the letter over or under which it was drawn; returns null for any other two texts. */
export function joinAccent(before: string, after: string): string | null {
  const accent = COMBINING.get(before.at(-1) ?? '');
  if (accent !== undefined && /^\p{L}/u.test(after)) {
    const letter = String.fromCodePoint(after.codePointAt(0)!);
    return before.slice(0, -1) + compose(letter, accent) + after.slice(letter.length);
  }
  const mark = COMBINING.get(after.charAt(0));
  const letter = mark === undefined ? undefined : /\p{L}$/u.exec(before.slice(-2))?.[0];
  if (mark === undefined || letter === undefined) return null;
  // A cedilla under a wide letter ends so early that the next glyph seems to be separate.
  const rest = /\p{Lu}/u.test(letter) ? after.slice(1).replace(/^ (?=\p{Ll})/u, '') : after.slice(1);
  return before.slice(0, before.length - letter.length) + compose(letter, mark) + rest;
}

function compose(letter: string, mark: string): string {
  const base = letter === '\u0131' ? 'i' : letter === '\u0237' ? 'j' : letter;
  return (base + mark).normalize('NFC');
}

export function countUnmapped(text: string): number {
  return text.match(NAMELESS)?.length ?? 0;
}
