import { hexDigits } from './bytes.ts';

export function formatNumber(value: number): string {
  // The locale data of the language take as long to load as a hundred small documents.
  if (!Number.isSafeInteger(value)) return value.toLocaleString('en-US');
  const digits = String(Math.abs(value));
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return `${value < 0 ? '-' : ''}${groups.join(',')}`;
}

export function pluralize(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function joinWithAnd(names: readonly string[], word = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

export function joinWithOr(names: readonly string[]): string {
  return joinWithAnd(names, 'or');
}

/** Joins words to lines of at most `width` characters; a longer word has a line of its own. */
export function wrapWords(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const BYTE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats bytes in powers of 1024 with three significant digits: `1 byte`, `812 bytes`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  let unit = 0;
  let value = bytes;
  for (; value >= 1024 && unit < BYTE_UNITS.length - 1; unit++) value /= 1024;
  return unit === 0 ? pluralize(value, 'byte') : `${Number(value.toPrecision(3))} ${BYTE_UNITS[unit]}`;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function escapeUnits(json: string, characters: RegExp): string {
  const escapeUnit = (unit: string): string => `\\u${hexDigits(unit.charCodeAt(0), 4)}`;
  return json.replace(characters, (character) => character.split('').map(escapeUnit).join(''));
}

/** Characters that a terminal interprets: control characters, bidirectional controls, and the line and paragraph separators. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Scripts and pictures in which ZERO WIDTH JOINER and NON-JOINER change the appearance. */
const JOINED = [
  ...['Arab', 'Syrc', 'Nkoo', 'Mand', 'Adlm', 'Rohg', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu'],
  ...['Knda', 'Mlym', 'Sinh', 'Mymr', 'Khmr', 'Tibt'],
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const PICTURE = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\ufe0f';

/** {@link CONTROLS}, and invisible characters, with which names look alike; not variation selectors and needed joiners. */
export const UNSEEN = new RegExp(
  [
    CONTROLS.source,
    '(?![\\u200c\\u200d\\ufe00-\\ufe0f\\u180b-\\u180d\\u180f\\u{e0100}-\\u{e01ef}])[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]',
    `(?<![${JOINED}])[\u200c\u200d](?<!(?<=[${PICTURE}])\u200d)`,
    `[\u200c\u200d](?![${JOINED}])(?!(?<=\u200d)[${PICTURE}])`,
  ].join('|'),
  'gu',
);

/** Shows control characters as `\x1b` or `\u{202e}`, so that text from elsewhere cannot command a terminal. */
export function escapeControls(text: string, kept = '', characters: RegExp = CONTROLS): string {
  return text.replace(characters, (character) => {
    if (kept.includes(character)) return character;
    const code = character.codePointAt(0)!;
    return code < 0x100 ? `\\x${hexDigits(code, 2)}` : `\\u{${hexDigits(code, 4)}}`;
  });
}

/** Quotes text from a document as a string literal of JSON that cannot control a terminal. */
export function quote(text: string, maxLength = 100): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return escapeUnits(JSON.stringify(shown), UNSEEN);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** A name in a message or a line: control characters, line ends among them, and invisible ones are shown as escapes. */
export function printable(name: string): string {
  // For most names, the shorter expression decides.
  return /^[ -~]*$/.test(name) ? name : escapeControls(name, '', UNSEEN);
}

/** The maximum length of a name (the limit of paths on most systems) and of the part kept at its end, in UTF-16 units. */
const [MAX_NAME, TAIL] = [4096, 64];

/** Cuts a name that is too long: engines hash very long strings by their length alone, which makes tables slow. */
export function cutName(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - TAIL)}…${name.slice(-TAIL)}` : name;
}
