import { latin1 } from '../../common/bytes.ts';

/** The number of bytes that are searched. A licence, or macros, may stand before the first request of a manual page. */
const WINDOW = 1 << 14;

interface Source {
  readonly format: string;
  /** Names that decide, whatever the content. */
  readonly name: RegExp;
  /** The character that such a text may begin with, and what a line of it then begins with; missing if only the name decides. */
  readonly content?: readonly [starts: string, line: RegExp];
}

const SOURCES: readonly Source[] = [
  {
    format: 'LaTeX',
    name: /\.(?:tex|ltx|latex|sty|dtx)$/i,
    content: ['\\%', /^\\(?:document(?:class|style)|begin|chapter|section)\b/m],
  },
  { format: 'Texinfo', name: /\.(?:texi|texinfo|txi)$/i, content: ['\\', /^\\input texinfo\b/] },
  { format: 'BibTeX', name: /\.bib$/i },
  { format: 'Typst', name: /\.typ(?:st)?$/i },
  { format: 'reStructuredText', name: /\.re?st(?:\.txt)?$/i },
  { format: 'AsciiDoc', name: /\.(?:adoc|asciidoc)$/i },
  { format: 'MediaWiki markup', name: /\.(?:wiki|mediawiki|wikitext)$/i },
  { format: 'Textile', name: /\.textile$/i },
  { format: 'Org', name: /\.org$/i },
  { format: 'POD', name: /\.pod$/i },
  {
    format: 'roff, such as a manual page',
    name: /\.(?:roff|man|mdoc|mom)$/i,
    content: [".'\\", /^[.'][ \t]{0,9}(?:TH|Dd|SH|so)[ \t]/m],
  },
  { format: 'vCard', name: /\.(?:vcf|vcard)$/i, content: ['B', /^BEGIN:VCARD\b/i] },
  { format: 'iCalendar', name: /\.ics$/i, content: ['B', /^BEGIN:VCALENDAR\b/i] },
];

const STARTS: ReadonlySet<number> = new Set(
  [...SOURCES.map(({ content }) => content?.[0] ?? '').join('')].map((c) => c.charCodeAt(0)),
);

const SKIPPED: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);

const LF = 0x0a;

function sourceFormatOf(bytes: Uint8Array, path = ''): string | null {
  const named = path.includes('.') ? SOURCES.find(({ name }) => name.test(path)) : undefined;
  if (named !== undefined) return named.format;
  let at = 0;
  while (at < WINDOW && SKIPPED.has(bytes[at]!)) at++;
  if (!STARTS.has(bytes[at]!)) return null;
  const head = latin1(bytes.subarray(at, at + WINDOW));
  const found = SOURCES.find(({ content }) => content?.[0].includes(head[0]!) && content[1].test(head));
  return found?.format ?? null;
}

const ENCODED_WINDOW = 1 << 16;

/** Lines of base64, and the first lines of a file in uuencode. */
const BASE64 = /(?:^[A-Za-z\d+/]{60,76}\r?\n){2,}[A-Za-z\d+/]+=*/gm;
const UUENCODE = /^begin [0-7]{3,4} \S[^\r\n\u2028\u2029]*\r?\n(?:M[ -`]{60}\r?\n){2}/m;

const [MIN_LINE, MAX_LINE] = [60, 76];

/** Makes a warning about base64, if it is a fourth of a text or more, and about any uuencode. */
export function encodedWarnings(text: string): string[] {
  const head = text.slice(0, ENCODED_WINDOW);
  let encoded = 0;
  // Sequences of bases or of digits are not encoded data.
  for (const [block] of head.matchAll(BASE64))
    if (/[a-z]/.test(block) && /[A-Z]/.test(block) && /\d/.test(block)) encoded += block.length;
  const name = encoded > head.length / 4 ? 'base64' : UUENCODE.test(head) ? 'uuencode' : undefined;
  return name === undefined ? [] : [`encoded data (${name}), which have no words, are read as text`];
}

/** Tests whether a fourth of a text may be encoded, in less time than a search. */
function mayBeEncoded(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, ENCODED_WINDOW);
  for (let part = 1; part < 8; part += 2) if (isInLongWord(head, Math.floor((head.length * part) / 8))) return true;
  return false;
}

function isInLongWord(bytes: Uint8Array, at: number): boolean {
  let start = at;
  while (start > 0 && at - start <= MAX_LINE && bytes[start - 1] !== LF) start--;
  if (at - start > MAX_LINE) return false;
  const end = bytes.subarray(start, start + MAX_LINE + 2).indexOf(LF);
  return end >= MIN_LINE && !bytes.subarray(start, start + 8).includes(0x20);
}

const ESCAPE_WINDOW = 1 << 16;

/** The escape sequences that switch to JIS X 0208 (of 1978 and 1983) and to JIS X 0201. */
const JAPANESE_ESCAPES: readonly string[] = ['\x1b$@', '\x1b$B', '\x1b(J'];

/** Tests whether bytes that are ASCII, and so UTF-8, switch to a Japanese set as ISO-2022-JP does. */
export function hasJapaneseEscape(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, ESCAPE_WINDOW);
  const first = head.indexOf(0x1b);
  if (first < 0) return false;
  const characters = latin1(head.subarray(first));
  return JAPANESE_ESCAPES.some((start) => characters.includes(start));
}

/** ISO-2022-JP: ASCII with escape sequences, after which a two-byte set has pairs only. It may be cut off anywhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ISO_2022_JP = /^[^\x1b\x80-\xff]*(?:\x1b(?:\([BIJ][^\x1b\x80-\xff]*|\$[@B](?:[!-~]{2})*))*(?:[!-~]|\x1b[($]?)?$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const JAPANESE_SETS = /\x1b\$[@B]/;

/** Tests whether a text, or its first 64 KiB, whose charset nothing names is in ISO-2022-JP (MED-1). */
export function isIso2022Jp(bytes: Uint8Array): boolean {
  if (!hasJapaneseEscape(bytes)) return false;
  const head = latin1(bytes.subarray(0, ESCAPE_WINDOW));
  return JAPANESE_SETS.test(head) && ISO_2022_JP.test(head);
}

const HZ = /~\{((?:[!-w][!-~])+)~\}/g;

/** The minimum number of characters whose first byte is common to frequent ideographs. */
const MIN_FREQUENT = 8;

/** Returns the name of an encoding that is ASCII with other sets, and never decoded; null if none is recognised. */
export function undecodedCharset(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, ESCAPE_WINDOW);
  if (head.includes(0x1b) && latin1(head).includes('\x1b$)C')) return 'ISO-2022-KR';
  if (!head.includes(0x7e)) return null;
  let [all, frequent] = [0, 0];
  for (const [, text] of latin1(head).matchAll(HZ))
    for (let at = 0; at < text!.length; at += 2) {
      all++;
      if (text![at]! >= '0' && text![at]! <= 'W') frequent++;
    }
  return frequent >= MIN_FREQUENT && frequent > all / 2 ? 'HZ' : null;
}

export function undecodedMessage(charset: string): string {
  return `it seems to be ${charset}, which is not decoded: convert it to UTF-8`;
}

/** Makes the warnings about markup and other data among the words of a text, or of its start. */
export function contentWarnings(bytes: Uint8Array, path?: string): string[] {
  const format = sourceFormatOf(bytes, path);
  const found = format === null ? [] : [`read as plain text, with its markup: ${format}`];
  if (mayBeEncoded(bytes)) found.push(...encodedWarnings(latin1(bytes.subarray(0, ENCODED_WINDOW))));
  return found;
}

export function unnamedWarnings(bytes: Uint8Array, path?: string): string[] {
  return [...contentWarnings(bytes, path), ...sevenBitWarnings(bytes)];
}

/** Makes the warnings about a text of ASCII bytes, or its start, in another charset, which nothing names. */
export function sevenBitWarnings(bytes: Uint8Array): string[] {
  const undecoded = undecodedCharset(bytes);
  return [
    ...(hasJapaneseEscape(bytes) ? ['it seems to be ISO-2022-JP: name the charset (iso-2022-jp or auto)'] : []),
    ...(undecoded === null ? [] : [undecodedMessage(undecoded)]),
  ];
}
