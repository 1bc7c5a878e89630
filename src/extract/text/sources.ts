import { latin1 } from '../../common/octets.ts';

/** The number of bytes that are searched. */
const WINDOW = 1 << 12;

/** A format of text whose markup is not removed. */
interface Source {
  readonly format: string;
  /** Names that decide, whatever the content. */
  readonly name: RegExp;
  /** Characters that such a text may begin with; then its content decides, whatever its name. */
  readonly starts: string;
  /** All that it contains then. */
  readonly content: readonly RegExp[];
}

const SOURCES: readonly Source[] = [
  {
    format: 'LaTeX',
    name: /\.(?:tex|ltx|latex)$/i,
    starts: '\\%',
    content: [/^\\(?:document(?:class|style)|begin|chapter|section)\b/m],
  },
  {
    format: 'reStructuredText',
    name: /\.(?:rst|rest)$/i,
    starts: '.',
    content: [/^\.\. (?:_[^\n:]+:|[a-z-]+::)/],
  },
  { format: 'AsciiDoc', name: /\.(?:adoc|asciidoc)$/i, starts: '=:', content: [/^={1,2} \S/m, /^:[\w-]+:/m] },
  {
    format: 'MediaWiki markup',
    name: /\.(?:wiki|mediawiki|wikitext)$/i,
    starts: "{'[=",
    content: [/^(?:\{\{|'''|\[\[|==)/, /\[\[[^\]\n[]+\]\]/],
  },
  {
    format: 'roff, such as a manual page',
    name: /\.(?:roff|man|mdoc|mom)$/i,
    starts: ".'",
    content: [/^[.'][ \t]{0,9}(?:TH|Dd|SH|so)[ \t]/m],
  },
];

/** The characters that a text of these formats may begin with, where its name does not tell. */
const STARTS: ReadonlySet<number> = new Set(
  [...SOURCES.map(({ starts }) => starts).join('')].map((c) => c.charCodeAt(0)),
);

/**
 * Recognises text that is written in a markup language whose markup is not removed, by its name or its first character.
 * @param octets - the text, or its start
 * @param path - its name or path
 * @returns the name of the language, or null
 */
export function sourceFormatOf(octets: Uint8Array, path = ''): string | null {
  const named = SOURCES.find(({ name }) => name.test(path));
  if (named !== undefined) return named.format;
  if (!STARTS.has(octets[0]!)) return null;
  const head = latin1(octets.subarray(0, WINDOW));
  const found = SOURCES.find(
    ({ starts, content }) => starts.includes(head[0]!) && content.every((each) => each.test(head)),
  );
  return found?.format ?? null;
}

/**
 * Makes a warning about a text in such a language.
 * @returns one warning, or none
 */
export function sourceWarnings(octets: Uint8Array, path?: string): string[] {
  const format = sourceFormatOf(octets, path);
  return format === null ? [] : [`read as plain text, with its markup: ${format}`];
}

/** The number of bytes that are searched for escape sequences. */
const ESCAPE_WINDOW = 1 << 16;

/** The escape sequences that switch to JIS X 0208 (of 1978 and 1983) and to JIS X 0201. */
const JAPANESE_ESCAPES: readonly string[] = ['\x1b$@', '\x1b$B', '\x1b(J'];

/** Tests whether bytes that are ASCII, and so UTF-8, switch to a Japanese set as ISO-2022-JP does. */
export function hasJapaneseEscape(octets: Uint8Array): boolean {
  const head = octets.subarray(0, ESCAPE_WINDOW);
  const first = head.indexOf(0x1b);
  if (first < 0) return false;
  const characters = latin1(head.subarray(first));
  return JAPANESE_ESCAPES.some((start) => characters.includes(start));
}

/**
 * Text in ISO-2022-JP: ASCII with the escape sequences of the Encoding Standard, after which a two-byte set has pairs only. It may
 * be cut off anywhere.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ISO_2022_JP = /^[^\x1b\x80-\xff]*(?:\x1b(?:\([BIJ][^\x1b\x80-\xff]*|\$[@B](?:[!-~]{2})*))*(?:[!-~]|\x1b[($]?)?$/;

/** The escape sequences that switch to JIS X 0208. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const JAPANESE_SETS = /\x1b\$[@B]/;

/**
 * Tests whether a text whose charset nothing names is in ISO-2022-JP (MED-1). Such bytes are ASCII, and so also UTF-8.
 * @param octets - the text, or at least its first 64 KiB
 */
export function isIso2022Jp(octets: Uint8Array): boolean {
  if (!hasJapaneseEscape(octets)) return false;
  const head = latin1(octets.subarray(0, ESCAPE_WINDOW));
  return JAPANESE_SETS.test(head) && ISO_2022_JP.test(head);
}

/**
 * Makes the warnings about a text that is read as UTF-8 since nothing names its charset.
 * @param octets - the text, or its start
 * @param path - its name or path
 */
export function unnamedWarnings(octets: Uint8Array, path?: string): string[] {
  const found = sourceWarnings(octets, path);
  if (hasJapaneseEscape(octets)) found.push('it seems to be ISO-2022-JP: name the charset (iso-2022-jp or auto)');
  return found;
}
