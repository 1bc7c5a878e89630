import { getBOMEncoding, labelToName, TextDecoder } from '@exodus/bytes/encoding.js';
import sniff from 'html-encoding-sniffer';
import { latin1 } from '../../common/bytes.ts';
import { quote } from '../../common/text.ts';
import { extractionError } from '../errors.ts';
import type { ExtractionHints } from '../types.ts';

export interface CharsetChoice {
  readonly name: string;
  /** The HTML Standard calls `declared` and `default` tentative: a later `meta` may still change them. */
  readonly source: 'mark' | 'caller' | 'transport' | 'declared' | 'default';
  readonly warnings: readonly string[];
}

/** The part of a document in which HTML declarations are searched, in bytes: the HTML Standard's prescan. */
const PRESCAN = 1024;

/** Gets an encoding. Throws `unknown-charset`, also for "replacement": such encodings could hide ASCII markup. */
export function resolveCharset(label: string): string {
  const name = labelToName(label);
  if (name === null) throw extractionError('unknown-charset', `unknown charset ${quote(label)}`);
  if (name !== 'replacement') return name;
  const message = `charset ${quote(label)} is not supported: the Encoding Standard maps it to "replacement"`;
  throw extractionError('unknown-charset', message);
}

/** The platform's decoder, many times as fast as step 1. It does the same in UTF-8 (DEC-1 to DEC-3); a test compares them. */
const UTF_8 = new globalThis.TextDecoder();

/** Decodes bytes without a byte order mark. Node 20 reads the bytes 80 to 9F of windows-1252 as C1 controls. */
export function decodeAs(bytes: Uint8Array, name: string): string {
  return name === 'UTF-8' ? UTF_8.decode(bytes) : new TextDecoder(name).decode(bytes);
}

const STRICT_UTF_8 = new globalThis.TextDecoder('utf-8', { fatal: true });

/** Tests whether bytes are well-formed UTF-8. (A decoded U+FFFD proves nothing: the document may contain that character.) */
export function isWellFormedUtf8(bytes: Uint8Array): boolean {
  return isWellFormed(bytes, STRICT_UTF_8);
}

export function isWellFormed(bytes: Uint8Array, strict: { decode(bytes: Uint8Array): string }): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

export function hasNonAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return true;
  return false;
}

/** Tests whether bytes are well-formed UTF-8 and not only ASCII: other encodings practically never look so. */
function isMultibyteUtf8(bytes: Uint8Array): boolean {
  return hasNonAscii(bytes) && isWellFormedUtf8(bytes);
}

/** Makes a warning about a charset that was probably declared by mistake, since the bytes are UTF-8: one, or none. */
export function mislabelledWarnings(bytes: Uint8Array, name: string): string[] {
  if (name.startsWith('UTF-') || !isMultibyteUtf8(bytes)) return [];
  return [`read as ${name}, though the bytes are well-formed UTF-8`];
}

/** Chooses the encoding by byte order mark, caller, transport, `fallback`, in this order, whatever the medium. */
export function chooseCharset(bytes: Uint8Array, hints: ExtractionHints, fallback: string): CharsetChoice {
  const caller = hints.charset === undefined || isAuto(hints.charset) ? null : resolveCharset(hints.charset);
  const marked = labelToName(getBOMEncoding(bytes) ?? '');
  if (marked !== null) {
    const overruled = caller !== null && caller !== marked;
    const warnings = overruled ? [`the byte order mark says ${marked}: the charset ${caller} is not used`] : [];
    return { name: marked, source: 'mark', warnings };
  }
  if (caller !== null) return { name: caller, source: 'caller', warnings: [] };
  const label = hints.transportCharset;
  if (label === undefined) return { name: fallback, source: 'default', warnings: [] };
  if (labelToName(label) !== null) return { name: resolveCharset(label), source: 'transport', warnings: [] };
  const warnings = [`the transport's charset ${quote(label)} is unknown and not used`];
  return { name: fallback, source: 'default', warnings };
}

/**
 * Chooses the encoding of HTML (HTM-1), without the frequency analysis that the standard does not specify.
 * @see https://html.spec.whatwg.org/multipage/parsing.html#encoding-sniffing-algorithm
 */
export function chooseHtmlCharset(bytes: Uint8Array, hints: ExtractionHints, fallback: string): CharsetChoice {
  const choice = chooseCharset(bytes, hints, fallback);
  if (choice.source !== 'default') return choice;
  const declared = utf16Declaration(bytes) ?? prescan(bytes) ?? xmlDeclaration(bytes);
  if (declared !== null) return { ...choice, name: resolveCharset(declared), source: 'declared' };
  return isMultibyteUtf8(bytes) ? { ...choice, name: 'UTF-8' } : choice;
}

/** Chooses the encoding of XML (https://www.w3.org/TR/xml/#sec-guessing). An unknown declared one is a warning. */
export function chooseXmlCharset(bytes: Uint8Array, hints: ExtractionHints): CharsetChoice {
  const choice = chooseCharset(bytes, hints, 'UTF-8');
  if (choice.source !== 'default') return choice;
  const label = xmlDeclaredLabel(bytes);
  const known = label === null ? null : withoutUtf16(labelToName(MAC_LABELS.get(label.toLowerCase()) ?? label));
  const declared = utf16Declaration(bytes) ?? known;
  if (declared !== null) return { ...choice, name: resolveCharset(declared), source: 'declared' };
  if (label === null) return choice;
  return { ...choice, warnings: [...choice.warnings, `the declared encoding ${quote(label)} is unknown and not used`] };
}

/** Names in XML declarations that other programs write, and the Encoding Standard's labels for the same encodings. */
const MAC_LABELS: ReadonlyMap<string, string> = new Map([
  ['maccyrillic', 'x-mac-cyrillic'],
  ['macroman', 'macintosh'],
]);

/** Labels of e-mail that the Encoding Standard does not list, without `x-`, `cs` and separators, and their encodings there. */
const MAIL_LABELS: ReadonlyMap<string, string> = new Map([
  ...['cp932', 'windows932', 'mskanji', 'windows31j', 'shiftjis'].map((each) => [each, 'shift_jis'] as const),
  ...['eucjp', 'cp51932'].map((each) => [each, 'euc-jp'] as const),
  ...['iso2022jp', 'iso2022jp1', 'iso2022jp2', 'iso2022jpms', 'cp50220', 'cp50221', 'cp50222'].map(
    (each) => [each, 'iso-2022-jp'] as const,
  ),
  ...['cp936', 'ms936', 'windows936'].map((each) => [each, 'gbk'] as const),
  ...['cp949', 'ms949', 'uhc', 'euckr'].map((each) => [each, 'euc-kr'] as const),
  ...['cp950', 'ms950', 'windows950'].map((each) => [each, 'big5'] as const),
  ...['cp874', 'tis620'].map((each) => [each, 'windows-874'] as const),
  ['iso88598e', 'iso-8859-8'],
  ['iso88598i', 'iso-8859-8-i'],
]);

/** Returns the encoding of a label in e-mail, also of some that the Encoding Standard does not list; `replacement`, or null. */
export function resolveMailCharset(label: string): string | null {
  const plain = label
    .trim()
    .toLowerCase()
    .replace(/^(?:x-ms-|x-|cs)/, '');
  const joined = plain.replace(/[\s._-]+/g, '');
  return labelToName(label) ?? labelToName(plain) ?? labelToName(MAIL_LABELS.get(joined) ?? joined);
}

/** Returns the charset of a part of a message. Ignores US-ASCII on valid UTF-8, since mailers declare it unchecked. */
export function charsetOfPart(bytes: Uint8Array, declared: string | undefined): string | undefined {
  if (declared === undefined || declared === '') return undefined;
  const isAscii = /^(?:us-)?ascii$/i.test(declared);
  if (isAscii && isWellFormedUtf8(bytes)) return undefined;
  const name = resolveMailCharset(declared);
  // An unsupported label is named in an error.
  return name === null || name === 'replacement' ? declared : name;
}

export function isAuto(charset: string | undefined): boolean {
  return charset?.trim().toLowerCase() === 'auto';
}

/** Recognises `<?x` in UTF-16 without a mark (first steps of the HTML Standard's prescan). */
function utf16Declaration(bytes: Uint8Array): string | null {
  const start = latin1(bytes.subarray(0, 6));
  return start === '<\0?\0x\0' ? 'UTF-16LE' : start === '\0<\0?\0x' ? 'UTF-16BE' : null;
}

/**
 * Looks for a `meta` in bytes (HTM-1). The parser decides, since version 6 of the sniffer throws on a `content` that
 * ends in `charset`, and believes a `meta` that the limit cuts. Version 7 does not run on Node 20.
 */
function prescan(bytes: Uint8Array): string | null {
  try {
    return sniff(bytes.subarray(0, PRESCAN), { defaultEncoding: '' }) || null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Returns the encoding of an XML declaration ("get an XML encoding" of the HTML Standard), or null. */
function xmlDeclaration(bytes: Uint8Array): string | null {
  const label = xmlDeclaredLabel(bytes);
  return label === null ? null : withoutUtf16(labelToName(label));
}

function xmlDeclaredLabel(bytes: Uint8Array): string | null {
  const head = latin1(bytes.subarray(0, PRESCAN));
  const declaration = head.startsWith('<?xml') ? head.slice(0, head.indexOf('>') + 1) : '';
  const at = declaration.indexOf('encoding');
  if (at < 0) return null;
  // The standard counts all bytes up to 20 as white space here.
  const value = /^encoding[\0- ]*=[\0- ]*(?:"([^\0- "]*)"|'([^\0- ']*)')/.exec(declaration.slice(at));
  return value === null ? null : (value[1] ?? value[2]!);
}

/** A declaration that could be read byte by byte is not in UTF-16, whatever it declares (HTML Standard). */
function withoutUtf16(name: string | null): string | null {
  return name === 'UTF-16LE' || name === 'UTF-16BE' ? 'UTF-8' : name;
}

/**
 * Returns the known encoding that a `meta` element declares ("replacement" among them), as the parser reads it (HTM-1).
 * @see https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements
 */
export function charsetOfMeta(attributes: (name: string) => string | undefined): string | null {
  const charset = attributes('charset');
  const declared = charset === undefined ? null : labelToName(charset);
  if (declared !== null) return fromMeta(declared);
  if (attributes('http-equiv')?.toLowerCase() !== 'content-type') return null;
  const value = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(.*)$/is.exec(attributes('content') ?? '')?.[1] ?? '';
  const label = /^(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/.exec(value);
  return label === null ? null : fromMeta(labelToName(label[1] ?? label[2] ?? label[3]!));
}

function fromMeta(name: string | null): string | null {
  return name === 'x-user-defined' ? 'windows-1252' : withoutUtf16(name);
}
