import { labelToName, TextDecoder } from '@exodus/bytes/encoding.js';
import { latin1 } from '../../common/bytes.ts';
import { type ExtractionError, extractionError } from '../errors.ts';
import { replacementWarnings } from '../result.ts';
import type { ExtractionHints } from '../types.ts';
import {
  type CharsetChoice,
  decodeAs,
  isAuto,
  isWellFormed,
  isWellFormedUtf8,
  mislabelledWarnings,
} from './charset.ts';
import { hasJapaneseEscape, undecodedCharset, undecodedMessage } from './content-warnings.ts';
import { guessUtf16, isMostlyText } from './utf16.ts';

const GUESSED_FROM = 1 << 18;

/**
 * Replaces a default by a guess if the caller asks for `auto`, and a declared UTF-8 that most characters beyond ASCII
 * are not: the source is then `caller`. Rejects with `unknown-charset` if nothing indicates a charset.
 */
export async function guessIfAsked(
  choice: CharsetChoice,
  bytes: Uint8Array,
  { charset }: ExtractionHints,
  markup: boolean,
): Promise<CharsetChoice> {
  if (!isAuto(charset)) return choice;
  if (choice.source === 'default') {
    const name = await guessCharset(bytes, markup);
    return { ...choice, name, warnings: [...choice.warnings, `no charset is declared: guessed ${name}`] };
  }
  const isDeclared = choice.source === 'declared' || choice.source === 'transport';
  if (!isDeclared || choice.name !== 'UTF-8' || !isMostlyIllFormed(bytes)) return choice;
  try {
    const name = await guessCharset(bytes, markup);
    const warning = `declared as UTF-8, which most of its characters are not: guessed ${name}`;
    return { name, source: 'caller', warnings: [...choice.warnings, warning] };
  } catch (error) {
    if ((error as Partial<ExtractionError>).code !== 'unknown-charset') throw error;
    return choice;
  }
}

/** Decodes by a choice, or by a guess as {@link guessIfAsked}. Doubts about the result are warnings of their own. */
export async function decodeGuessed(...[choice, bytes, hints, markup]: Parameters<typeof guessIfAsked>) {
  const { name: charset, warnings } = await guessIfAsked(choice, bytes, hints, markup);
  const decoded = decodeAs(bytes, charset);
  const doubts = [...mislabelledWarnings(bytes, charset), ...replacementWarnings(decoded, charset)];
  return { charset, decoded, warnings, doubts };
}

function isMostlyIllFormed(bytes: Uint8Array): boolean {
  const text = decodeAs(bytes, 'UTF-8');
  return countMatches(text, /\ufffd/g) > countMatches(text, /[^\0-\x7f]/g) / 2;
}

/** Guesses an encoding by structure, then by frequent letters; for Latin and East Asia, by `chardet`, as ICU does. */
async function guessCharset(bytes: Uint8Array, markup: boolean): Promise<string> {
  const undecoded = undecodedCharset(bytes);
  if (undecoded !== null) throw extractionError('unknown-charset', undecodedMessage(undecoded));
  const name = guessByStructure(bytes) ?? (await guessByLetters(sampleOf(bytes, markup)));
  if (name !== null) return name;
  throw extractionError('unknown-charset', 'the charset cannot be guessed: name it');
}

function guessByStructure(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, GUESSED_FROM);
  if (countMatches(latin1(head), CONTROLS) > head.length / 50) return guessWide(head);
  // Such bytes are ASCII, and therefore also UTF-8.
  if (hasJapaneseEscape(bytes) && isWellFormed(bytes, new TextDecoder('iso-2022-jp', { fatal: true })))
    return 'ISO-2022-JP';
  return isWellFormedUtf8(bytes) ? 'UTF-8' : null;
}

/** Control characters that text of one byte per character does not have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it searches
const CONTROLS = /[\0-\x07\x0e-\x1a]/g;

/** Characters that separate words or clauses in any language; in the other order of bytes they are rare. */
const SEPARATORS = /[\n \u3001\u3002\uff0c]/g;

function guessWide(head: Uint8Array): string {
  const latin = guessUtf16(head);
  const whole = head.subarray(0, head.length - (head.length % 2));
  const found = ['UTF-16LE', 'UTF-16BE'].filter((name) => {
    const text = new TextDecoder(name).decode(whole);
    return isMostlyText(text) && countMatches(text, SEPARATORS) >= Math.max(1, text.length / 100);
  });
  const [name = latin] = found;
  if (found.length < 2 && name !== null && (latin === null || latin === name)) return name;
  throw extractionError('unknown-charset', 'the charset cannot be guessed (UTF-16, UTF-32 or no text): name it');
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Returns the part of a document that is examined: from shortly before its first byte beyond ASCII, without tags. */
function sampleOf(bytes: Uint8Array, markup: boolean): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = Math.max(0, first - GUESSED_FROM / 16);
  const sample = bytes.slice(start, start + GUESSED_FROM);
  if (!markup) return sample;
  let inTag = false;
  sample.forEach((byte, at) => {
    if (byte === 0x3c) inTag = true;
    if (inTag) sample[at] = 0x20;
    if (byte === 0x3e) inTag = false;
  });
  return sample;
}

interface Script {
  readonly names: readonly string[];
  readonly letters: RegExp;
  readonly common: string;
  /** Pairs of letters that no text has, but that result from an encoding that cannot be decoded. */
  readonly never?: RegExp;
}

const CYRILLIC = {
  letters: /\p{Script=Cyrillic}/u,
  common: 'оаеинтсрвлкмдпуі',
  // Words with letters of Serbian, Macedonian or Ukrainian, and others that these do not have: Kazakh.
  never:
    /[ђѓљњќћџјѕ]\p{L}{0,5}[йщъыьэюяё]|[йщъыьэюяё]\p{L}{0,5}[ђѓљњќћџјѕ]|[єїґ]\p{L}{0,5}[ъыэё]|[ъыэё]\p{L}{0,5}[єїґ]/giu,
};

/** Scripts whose encodings have one byte per letter, and their most frequent letters in all languages. */
const SCRIPTS: readonly Script[] = [
  { names: ['windows-1251', 'KOI8-R', 'KOI8-U', 'ISO-8859-5', 'x-mac-cyrillic'], ...CYRILLIC },
  // Ukrainian in CP1125 has its і where ў is, which follows vowels in Belarusian.
  { names: ['IBM866'], ...CYRILLIC, never: /(?<![аеёіоуыэюя])ў/giu },
  {
    names: ['windows-1253', 'ISO-8859-7'],
    letters: /\p{Script=Greek}/u,
    common: 'αοιετσνηυρςπκμλ',
    // Greek of the Macintosh.
    never: /ς(?=\p{Script=Greek})/gu,
  },
  { names: ['windows-1255', 'ISO-8859-8'], letters: /\p{Script=Hebrew}/u, common: 'יוהלאתרבשמנ' },
  { names: ['windows-1256', 'ISO-8859-6'], letters: /\p{Script=Arabic}/u, common: 'ايلنمرتبدوهةعسك' },
  { names: ['windows-874'], letters: /\p{Script=Thai}/u, common: 'านรกอเงมยลวดท่ส้ีิั' },
];

const SCORED = 1 << 15;

/** The minimum score of an encoding, and how much better it must be than one that gives another text. */
const MIN_SCORE = 0.6;
const MIN_LEAD = 0.1;

/** The share of bytes beyond ASCII that follow another one, from which on a text is not in Latin script. */
const MIN_RUN = 0.6;

async function guessByLetters(sample: Uint8Array): Promise<string | null> {
  const isLatin = runShare(latin1(sample)) < MIN_RUN;
  const byScript = isLatin ? null : guessScript(sample.subarray(0, SCORED));
  return byScript ?? guessByLanguage(sample, isLatin);
}

async function guessByLanguage(sample: Uint8Array, isLatin: boolean): Promise<string | null> {
  const { analyse } = (await import('chardet')).default;
  for (const { name: label } of analyse(sample)) {
    const name = labelToName(label);
    if (name === null || name === 'replacement' || name.startsWith('UTF-')) continue;
    const wide = WIDE.get(name);
    if (wide === undefined && !isLatin) continue;
    const text = new TextDecoder(name).decode(sample);
    if (wide !== undefined && isPlausibleWide(text, ...wide)) return name;
    if (wide === undefined && isPlausibleLatin(text))
      return countMatches(text, /[^\0-\x7f]/g) < MIN_CHARACTERS ? null : name;
  }
  return null;
}

const MIN_CHARACTERS = 3;

function runShare(text: string): number {
  return countMatches(text, /(?<=[^\0-\x7f])[^\0-\x7f]/g) / Math.max(1, countMatches(text, /[^\0-\x7f]/g));
}

/** Detects the encoding of a script by its most frequent letters; null unless one is better than all others. */
function guessScript(sample: Uint8Array): string | null {
  let best = { name: '', text: '', score: MIN_SCORE };
  const all: (typeof best)[] = [];
  for (const { names, letters, common, never } of SCRIPTS)
    for (const name of names) {
      const text = new TextDecoder(name).decode(sample);
      if (never !== undefined && countMatches(text, never) > text.length / 100) continue;
      const found = { name, text, score: scoreOf(text, letters, common) };
      all.push(found);
      if (found.score > best.score) best = found;
    }
  const isSure = all.every(
    ({ text, score }) => text === best.text || score <= best.score - MIN_LEAD || isNear(text, best.text),
  );
  return best.name !== '' && isSure ? best.name : null;
}

function isNear(a: string, b: string): boolean {
  let count = 0;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) count++;
  return a.length === b.length && count < a.length / 10;
}

/** Scores a decoded text: 1 for a frequent letter, 0 for others, −1 for what does not stand in words. */
function scoreOf(text: string, letters: RegExp, common: string): number {
  let [sum, count] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character < '\x80') continue;
    count++;
    if (common.includes(character)) sum += 1;
    else if (!letters.test(character) || isCapitalInside(text, at)) sum -= 1;
  }
  return count === 0 ? 0 : sum / count;
}

function isCapitalInside(text: string, at: number): boolean {
  return at > 0 && /\p{Lu}/u.test(text[at]!) && /\p{Ll}/u.test(text[at - 1]!);
}

const CHINESE =
  /[的一是不了在人有我他这這中大来來上国國个個到说說们們为為子和你地出道也时時年得就那要下以生会會自着之可发發后後用过過十]/g;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HANGUL = /\p{Script=Hangul}/gu;

/** The encodings of Chinese, Japanese and Korean, the most frequent characters of the language, and their minimum share. */
const WIDE: ReadonlyMap<string, readonly [frequent: RegExp, share: number]> = new Map([
  ['GBK', [CHINESE, 0.1]],
  ['gb18030', [CHINESE, 0.1]],
  ['Big5', [CHINESE, 0.1]],
  ['EUC-JP', [KANA, 0.1]],
  ['Shift_JIS', [KANA, 0.1]],
  ['EUC-KR', [HANGUL, 0.5]],
]);

function isPlausibleWide(text: string, frequent: RegExp, share: number): boolean {
  const all = countMatches(text, /[^\0-\x7f]/g);
  // The sample may end within a character.
  if (countMatches(text.slice(0, -1), /\ufffd/g) > 0 || runShare(text) < MIN_RUN) return false;
  return countMatches(text, frequent) >= all * share;
}

const AFTER_LETTER =
  /[\u00a0\u00a9\u00aa\u00ab\u00ad\u00ae\u00b7\u00ba\u00bb\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2122]/;

/** The letters beyond ASCII of related languages: Romance and Celtic, Germanic and Finnic, Icelandic and so on. */
const ALPHABETS: readonly string[] = [
  'àáâãäçéèêëìíîïñòóôõöùúûüœ',
  'àáâäåæçéèêëíïñóòöøúüûßšžõ',
  'áðéíóúýþæö',
  'áðíóúýæø',
  'ąćęłńóśźżãōôŏé',
  'áäčďéěíĺľňóôŕřšťúůýžöü',
  'čćěłńóřŕšśžź',
  'áéíóöőúüű',
  'ăâîșțşţ',
  'čćđšžáéó',
  'çğıöşüâîû',
  'ąčęėįšųūž',
  'āčēģīķļņōŗšūž',
  'ċġħżàèìòù',
];

function isInAlphabet(text: string): boolean {
  const letters = text.toLowerCase().match(/[^\0-\x7f\P{L}]/gu) ?? [];
  return ALPHABETS.some((all) => letters.filter((letter) => all.includes(letter)).length >= letters.length * 0.9);
}

/** Tests whether a text has the letters of one language, and no signs or capitals within words, as wrong decoding makes. */
function isPlausibleLatin(text: string): boolean {
  if (!isInAlphabet(text)) return false;
  let [bad, count] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character < '\x80') continue;
    count++;
    const followsLetter = at > 0 && /\p{L}/u.test(text[at - 1]!);
    const isLetter = /\p{Script=Latin}/u.test(character);
    if (/[\x80-\x9f\ufffd]/.test(character) || isCapitalInside(text, at)) bad++;
    else if (!isLetter && followsLetter && !AFTER_LETTER.test(character)) bad++;
    else if (!isLetter && !/[’\u00ad·]/.test(character) && followsLetter && /\p{L}/u.test(text[at + 1] ?? '')) bad++;
  }
  return bad <= count / 20;
}
