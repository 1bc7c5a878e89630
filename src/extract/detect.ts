import { latin1 } from '../common/bytes.ts';
import { quote } from '../common/text.ts';
import { assertBytes } from '../errors.ts';
import { parseTarHeader } from './archive/tar/header.ts';
import { assertHints } from './check-options.ts';
import { extractionError, type Unreadable, unreadableError } from './errors.ts';
import { CONTENTS, hasNameOf, MAGIC_NUMBERS, PACKAGES, TYPES, XML_VOCABULARIES } from './formats.ts';
import { mayBeMail, recogniseMail } from './mail/recognise-mail.ts';
import { detectPackage, officePartOf, XLSB_PART } from './package-type.ts';
import { recogniseBinary, recogniseMagic } from './refused-formats.ts';
import { guessUtf16 } from './text/utf16.ts';
import type { DocumentType, ExtractionHints, Medium } from './types.ts';

/** The number of bytes that are searched for a NUL: the "resource header" of the MIME Sniffing Standard. */
const RESOURCE_HEADER = 1445;

/** The number of bytes that are searched for markup: a licence in a comment may stand before `<html`. */
export const DETECTION_WINDOW = 1 << 16;

const TAR_MAGIC = 257;

/** Markup that begins an HTML document, whatever its name: from the table of the MIME Sniffing Standard, and `meta`. */
const DOCUMENT = /^<(?:!doctype\s+html|html|head|title|body|meta|frameset)(?=[\s/>])/i;

/** Markup of the same table that may also begin Markdown: the extension of a plain text beats it. */
const FRAGMENT = /^<(?:(?:script|iframe|h1|div|font|table|a|style|b|br|p)(?=[\s/>])|!--)/i;

/** Roots that HTML does not have: the {@link XML_VOCABULARIES}, feeds, pictures and formulas. */
const XML_ROOT = new RegExp(
  String.raw`^<(?:(?:[a-z][\w.-]*:)?(?:${XML_VOCABULARIES.flatMap(({ roots = [] }) => roots).join('|')}|OAI-PMH|rss|feed|svg|math)(?=[\s/>])|!doctype\s+(?!html)[a-z])`,
  'i',
);

/** The first record of an ARC file: a name, an IP address, a date. */
const ARC = /^filedesc:\/\/[^\n]*? \d{14} /;

/** The maximum distance of `%PDF-` from the start, in bytes, as in other readers. */
const PDF_START = 1024;

/**
 * Detects the type of a document from its content, then from its name; anything else is text. `hints.type` overrides both,
 * except for gzip, which is removed before a document has a type.
 * @param bytes - the document, or its first {@link DETECTION_WINDOW} bytes
 * @param hints - `type`, `path`, and whether a charset is named
 * @returns the type to read it as
 * @throws TypeError `wrong-type`; Error `unknown-type`; `unsupported-media-type` for a format that cannot be read, and for
 *   a NUL near the start, unless `type` is given
 * @see https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
 * @example
 * detectType(new TextEncoder().encode('<!DOCTYPE html><p>Hi')); // 'html'
 */
export function detectType(bytes: Uint8Array, hints: ExtractionHints = {}): DocumentType {
  assertBytes('bytes', bytes);
  assertHints(hints);
  if (hints.type !== undefined && !TYPES.includes(hints.type)) {
    const expected = TYPES.map((type) => `"${type}"`).join(', ');
    throw extractionError('unknown-type', `unknown type ${quote(hints.type)}: expected one of ${expected}`);
  }
  const found = typeof hints.type === 'string' && !isGzip(bytes) ? hints.type : detect(bytes, hints);
  if (typeof found === 'string') return found;
  throw unreadableError(found);
}

export function detect(bytes: Uint8Array, hints: ExtractionHints): DocumentType | Unreadable {
  if (isGzip(bytes)) return 'gzip';
  const name = hints.path ?? '';
  const first = bytes.subarray(0, DETECTION_WINDOW).find((byte) => !SKIPPED.has(byte));
  const contents = CONTENTS.filter(({ start }) => start === first);
  // Header fields, and a cell of a notebook, may be long.
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const isMarkup = isZip || first === 0x3c || contents.length > 0 || mayBeMail(bytes);
  const isNamedPdf = PDF_NAME.test(name);
  const head = latin1(bytes.subarray(0, isMarkup || isNamedPdf ? DETECTION_WINDOW : RESOURCE_HEADER));
  for (const { medium, patterns } of contents)
    if (hasNameOf(medium, name) || patterns.every((each) => each.test(head.replaceAll('\0', '')))) return medium;
  const mail = isMarkup ? recogniseMail(head, name) : null;
  if (mail !== null) return mail;
  return detectByMagic(head, bytes, name) ?? detectMarkupOrText(head, bytes, hints);
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function detectByMagic(head: string, bytes: Uint8Array, name: string): DocumentType | Unreadable | null {
  for (const { type, prefix, pattern } of MAGIC_NUMBERS)
    if (head.startsWith(prefix) && pattern?.test(head) !== false) return type;
  if (ARC.test(head)) return 'warc';
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return detectZip(head, bytes, name);
  if (head.startsWith('\xff\xfe\0\0') || head.startsWith('\0\0\xfe\xff')) return { format: 'text in UTF-32' };
  const unreadable = recogniseMagic(head, bytes, name);
  if (unreadable !== null) return unreadable;
  // Archives of before 1988 have no magic number.
  return head.startsWith('ustar', TAR_MAGIC) || parseTarHeader(bytes) !== null ? 'tar' : null;
}

function detectMarkupOrText(head: string, bytes: Uint8Array, hints: ExtractionHints): Medium | Unreadable {
  const name = hints.path ?? '';
  // In UTF-16, markup has NULs in between. A byte order mark, an XML declaration or a named charset permits them.
  const marked = head.startsWith('\xff\xfe') || head.startsWith('\xfe\xff');
  const declared = head.startsWith('<\0?\0x\0') || head.startsWith('\0<\0?\0x');
  const charsetNamed = hints.charset !== undefined || hints.transportCharset !== undefined;
  const permitsNul = charsetNamed || marked || declared;
  const markup = (permitsNul ? head.replaceAll('\0', '') : head).replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
  const medium = mediumOfMarkup(markup, name);
  if (isPdfAfterJunk(head, name, medium)) return 'pdf';
  // Parsers ignore a NUL in a page.
  if (medium === 'html') return medium;
  if (!permitsNul && head.slice(0, RESOURCE_HEADER).includes('\0')) return binaryData(head, bytes, 'a NUL byte');
  // Text in ISO-2022-KR has control characters.
  if (!permitsNul && medium === null && mayBeBinary(bytes) && !head.includes('\x1b$)C')) {
    const byte = controlOf(bytes.subarray(0, RESOURCE_HEADER));
    if (byte !== null) return binaryData(head, bytes, 'control characters', byte);
  }
  return medium ?? mediumOfText(name);
}

function mediumOfText(name: string): Medium {
  return hasNameOf('html', name) ? 'html' : 'text';
}

/** Refuses bytes that are not text. UTF-16 has the control character `byte` in many of its characters. */
function binaryData(head: string, bytes: Uint8Array, detail: string, byte = 0): Unreadable {
  const charset = guessUtf16(bytes.subarray(0, DETECTION_WINDOW), byte);
  const binary = recogniseBinary(head) ?? { format: 'binary data', detail };
  if (charset === null || binary.format !== 'binary data') return binary;
  return { ...binary, advice: `if it is text in UTF-16, name the charset "${charset.toLowerCase()}"` };
}

const CONTROL_WINDOW = 64;

/** Tests whether a control character is near the start of bytes: only then are they searched for more. */
function mayBeBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, CONTROL_WINDOW).some(isControl);
}

/** Tests for a control character that is not for lines or terminals, the end of a file in DOS, or overstriking (backspace). */
function isControl(byte: number): boolean {
  return byte < 0x20 && (byte < 0x08 || (byte > 0x0d && byte !== 0x1a && byte !== 0x1b));
}

/** Control characters that separate the fields of data. */
const SEPARATORS: ReadonlySet<number> = new Set([1, 2, 3, 4, 0x1c, 0x1d, 0x1e, 0x1f]);

/** Returns the most frequent control character of bytes that have so many that they are not text, or null. */
function controlOf(head: Uint8Array): number | null {
  const counts = new Map<number, number>();
  let [all, others] = [0, 0];
  for (const byte of head) {
    if (!isControl(byte)) continue;
    counts.set(byte, (counts.get(byte) ?? 0) + 1);
    all++;
    if (!SEPARATORS.has(byte)) others++;
  }
  const isText = others <= head.length / 10 && (all <= head.length / 50 || isStartOfUtf8(head));
  return isText ? null : [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** Tests whether bytes are the start of well-formed UTF-8; the tables of other encodings need not be loaded for that. */
function isStartOfUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** A header of a PDF and the comment after it, whose bytes mark the file as binary. */
const BINARY_PDF = /^%PDF-\d\.\d\s{1,8}%[\x80-\xff]{4}/;

/** The first object of a PDF after a comment that marks the file as binary, and a header that may be damaged. */
const HEADLESS_PDF = /^(?!%FDF)[^\r\n]{0,64}[\r\n]{1,2}%[\x80-\xff]{4}[^\r\n]{0,64}\s{1,8}\d{1,10} \d{1,5} obj\b/;
const PDF_NAME = /\.pdf$/i;

/** Tests whether the header of a PDF is damaged, or behind other bytes. Text may mention a header, or quote a PDF. */
function isPdfAfterJunk(head: string, name: string, medium: Medium | null): boolean {
  const at = head.slice(0, PDF_START + '%PDF-'.length).indexOf('%PDF-');
  if (at <= 0) {
    const isNamed = PDF_NAME.test(name) && /(?:^|[\r\n])(?:%PDF-\d|\d{1,10} \d{1,5} obj\b)/.test(head);
    return medium === null && (isNamed || HEADLESS_PDF.test(head));
  }
  const beginsLine = head[at - 1] === '\n' || head[at - 1] === '\r';
  if (beginsLine && BINARY_PDF.test(head.slice(at, at + 32))) return true;
  if (medium !== null) return false;
  if (PDF_NAME.test(name) || !/^[\t\n\f\r -~]*$/.test(head.slice(0, at))) return true;
  const isQuoted = hasNameOf('text', name) || !/\d/.test(head.charAt(at + '%PDF-'.length));
  return beginsLine && !isQuoted && /\bendobj\b|\bstartxref\b/.test(head.slice(at));
}

function mediumOfMarkup(markup: string, name: string): Medium | null {
  const start = markup.slice(skipSpace(markup, 0));
  if (!start.startsWith('<')) return null;
  const root = start.slice(skipProlog(start));
  if (DOCUMENT.test(root)) return 'html';
  if (/^<\?xml\s/.test(start) || XML_ROOT.test(root)) return 'xml';
  if (hasNameOf('xml', name) && /^<[!?\w]/.test(start)) return 'xml';
  return FRAGMENT.test(start) && !hasNameOf('text', name) ? 'html' : null;
}

function detectZip(head: string, bytes: Uint8Array, name: string): DocumentType | Unreadable {
  const { names, first } = membersAtStart(head, bytes);
  const mimetype = names[0] === 'mimetype' ? first.trim() : '';
  const office = firstOfficePart(head, names);
  const found = detectPackage(mimetype, (part) => {
    if (part === 'META-INF/container.xml' || part === 'content.xml') return true;
    // A package that names its media type is nothing else.
    if (mimetype !== '') return false;
    return part === office || names.includes(part);
  });
  if (found !== null) return found;
  if (mimetype !== '') return { format: mimetype.replace(/[^ -~]/g, '?').slice(0, 80) };
  return PACKAGES.find(({ names }) => names.test(name))?.medium ?? 'zip';
}

function firstOfficePart(head: string, names: readonly string[]): string | undefined {
  const known = names.map(officePartOf).find((part) => part !== undefined);
  if (known !== undefined) return known;
  // After a member of unknown length, only the headers themselves can be searched for. Those of a document that is embedded
  // follow those of the document.
  for (let at = head.indexOf('PK\x03\x04'); at >= 0; at = head.indexOf('PK\x03\x04', at + 1)) {
    const part = officePartOf(head.slice(at + 30, at + 30 + XLSB_PART.length));
    if (part !== undefined) return part;
  }
  return undefined;
}

/** Returns the names of the members at the start of a ZIP archive, up to one of unknown length, and the content of the first. */
function membersAtStart(head: string, bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const names: string[] = [];
  let first = '';
  for (let at = 0; head.startsWith('PK\x03\x04', at) && at + 30 <= head.length; ) {
    const lengthUnknown = (view.getUint16(at + 6, true) & 8) !== 0;
    const isStored = view.getUint16(at + 8, true) === 0;
    const length = view.getUint32(at + 18, true);
    const nameEnd = at + 30 + view.getUint16(at + 26, true);
    const start = nameEnd + view.getUint16(at + 28, true);
    names.push(head.slice(at + 30, nameEnd));
    if (names.length === 1 && isStored) {
      const end = lengthUnknown ? head.indexOf('PK', start) : start + length;
      // A media type that is cut off is not one.
      if (end <= head.length) first = head.slice(start, Math.max(start, end));
    }
    if (lengthUnknown && length === 0) break;
    at = start + length;
  }
  return { names, first };
}

function skipProlog(markup: string): number {
  for (let at = 0; ; ) {
    at = skipSpace(markup, at);
    // `<!-->` is a complete comment in HTML.
    let end = -1;
    if (markup.startsWith('<!--', at)) end = markup.indexOf('-->', at + 2);
    else if (markup.startsWith('<?', at)) end = markup.indexOf('>', at);
    if (end < 0) return at;
    at = markup.indexOf('>', end) + 1;
  }
}

function skipSpace(markup: string, at: number): number {
  while (at < markup.length && '\t\n\f\r '.includes(markup[at]!)) at++;
  return at;
}

/** White space, the bytes of byte order marks, and NUL, as UTF-16 has it beside white space. */
const SKIPPED: ReadonlySet<number> = new Set([0, 0x09, 0x0a, 0x0c, 0x0d, 0x20, 0xbb, 0xbf, 0xef, 0xfe, 0xff]);
