import { latin1 } from '../common/octets.ts';
import { assertOctets } from '../errors.ts';
import { extractionError } from './errors.ts';
import { assertHints } from './options.ts';
import type { Archive, DocumentType, ExtractionHints, Medium } from './types.ts';

/** How many octets are searched for a NUL: the "resource header" of the MIME Sniffing Standard. */
const RESOURCE_DETECTION_WINDOW = 1445;

/** How many octets are searched for markup, so that a licence in a comment ahead of `<html` is no obstacle. */
export const DETECTION_WINDOW = 1 << 16;

/**
 * What no extractor here reads: octets (one per character) at the start of a document, and what they announce. Only
 * magic numbers that no sensible text begins with; those that a text may begin with (`BM`, `MZ`) go with a NUL anyway.
 */
const MAGIC: readonly (readonly [octets: string, what: string])[] = [
  ['%!PS', 'PostScript'],
  ['{\\rtf', 'RTF'],
  ['PK\x07\x08', 'ZIP archive in several parts'],
  ['\x1f\x9d', 'compress (.Z)'],
  ['BZh91AY&SY', 'bzip2'],
  ['\xfd7zXZ\0', 'xz'],
  ['\x28\xb5\x2f\xfd', 'Zstandard'],
  ['7z\xbc\xaf\x27\x1c', '7z archive'],
  ['Rar!\x1a\x07', 'RAR archive'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'OLE2 compound file (DOC, XLS, PPT)'],
  ['SQLite format 3\0', 'SQLite database'],
  ['AT&TFORM', 'DjVu'],
  ['\x89PNG\r\n\x1a\n', 'PNG image'],
  ['GIF87a', 'GIF image'],
  ['GIF89a', 'GIF image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['II*\0', 'TIFF image'],
  ['MM\0*', 'TIFF image'],
  ['OggS\0', 'Ogg'],
  ['fLaC\0', 'FLAC audio'],
  ['ID3\x02', 'MP3 audio'],
  ['ID3\x03', 'MP3 audio'],
  ['ID3\x04', 'MP3 audio'],
  ['\x1aE\xdf\xa3', 'Matroska or WebM'],
  ['wOFF\0\x01', 'WOFF font'],
  ['wOF2\0\x01', 'WOFF font'],
  ['\x7fELF', 'ELF'],
  ['\0asm', 'WebAssembly'],
  ['\xca\xfe\xba\xbe', 'Java class or Mach-O'],
  ['\xcf\xfa\xed\xfe', 'Mach-O'],
  ['\xce\xfa\xed\xfe', 'Mach-O'],
];

/** The same, for containers that name their content behind a length. */
const RIFF = /^RIFF[\s\S]{4}(WEBP|WAVE|AVI )/;
const ISO_MEDIA = /^\0[\s\S]{3}ftyp/;

/** Markup that begins an HTML document whatever its name; from the MIME Sniffing Standard's table, with `meta` added. */
const DOCUMENT = /^<(?:!doctype\s+html|html|head|title|body|meta|frameset)(?=[\s/>])/i;

/**
 * Markup of the same table that also begins fragments. Markdown often starts so as well, so a name that promises plain
 * text beats it. (The table asks for a space or `>` behind a tag name; line ends and tabs are as good.)
 */
const FRAGMENT = /^<(?:(?:script|iframe|h1|div|font|table|a|style|b|br|p)(?=[\s/>])|!--)/i;

/** Extensions that decide where the octets do not; and of texts that may begin with a tag without being HTML. */
const HTML_NAME = /\.(?:html?|xhtml?|xht)$/i;
const XML_NAME = /\.(?:xml|nxml|tei|dbk|docbook)$/i;
const TEXT_NAME = /\.(?:txt|text|md|markdown|rst|adoc|asciidoc|org|log|csv|tsv)$/i;

/** Roots that no HTML document has: TEI; and JATS, whose `article` HTML knows too, but not with these attributes. */
const XML_ROOT =
  /^<(?:(?:[a-z][\w.-]*:)?(?:TEI|TEI\.2|teiCorpus|OAI-PMH|rss|feed|svg|math)(?=[\s/>])|article\s[^<>]*(?:xmlns|article-type|dtd-version)\b|!doctype\s+(?!html)[a-z])/i;

const WARC = /^WARC\/\d+\.\d+\r?\n/;

/** How far from its start a PDF may begin, in octets: what readers have always allowed. */
const PDF_START = 1024;

/** Every type that a caller may name. */
export const TYPES: readonly (Medium | Archive)[] = [
  'text',
  'html',
  'xml',
  'pdf',
  'epub',
  'docx',
  'odt',
  'zip',
  'warc',
];

/**
 * Finds the type of a document: by its octets first, by its name second; everything else is text. A `type` among the
 * hints is simply believed, but for gzip, which is undone before a document has a type.
 * @param octets - the document, or its first {@link DETECTION_WINDOW} octets
 * @param hints - `type`, `path`, and whether a charset is named
 * @returns the type to read it as
 * @throws TypeError `wrong-type`; Error `unknown-type` for a `type` that is none; `unsupported-media-type` for octets that are recognised
 *   as something else, or that hold a NUL near the start, unless `type` is given
 * @see https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
 */
export function detectType(octets: Uint8Array, hints: ExtractionHints = {}): DocumentType {
  assertOctets('octets', octets);
  assertHints(hints);
  if (hints.type !== undefined && !TYPES.includes(hints.type)) {
    const expected = TYPES.map((type) => `"${type}"`).join(', ');
    throw extractionError('unknown-type', `unknown type ${JSON.stringify(hints.type)}: expected one of ${expected}`);
  }
  if (octets[0] === 0x1f && octets[1] === 0x8b) return 'gzip';
  if (hints.type !== undefined) return hints.type;
  // Only markup may begin far from the start; without any, little is looked at.
  const head = latin1(octets.subarray(0, mayHoldMarkup(octets) ? DETECTION_WINDOW : RESOURCE_DETECTION_WINDOW));
  const name = hints.path ?? '';
  if (head.startsWith('%PDF-')) return 'pdf';
  if (WARC.test(head)) return 'warc';
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return typeOfZip(head, name);
  if (head.startsWith('\xff\xfe\0\0') || head.startsWith('\0\0\xfe\xff')) throw unsupported('text in UTF-32');
  const found = recognise(head);
  if (found !== null) throw unsupported(found);

  // In UTF-16, ASCII markup is markup with NULs between. Who names a charset vouches for a text, which lets UTF-16
  // without a mark in; so does an XML declaration.
  const marked = head.startsWith('\xff\xfe') || head.startsWith('\xfe\xff');
  const declared = head.startsWith('<\0?\0x\0') || head.startsWith('\0<\0?\0x');
  const charsetNamed = hints.charset !== undefined || hints.transportCharset !== undefined;
  const markup = (marked || declared || charsetNamed ? head.replaceAll('\0', '') : head).replace(
    /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/,
    '',
  );
  const medium = mediumOfMarkup(markup, name);
  if (medium === null) {
    const at = head.slice(0, PDF_START).indexOf('%PDF-');
    if (at > 0 && (/\.pdf$/i.test(name) || !/^[\t\n\f\r -~]*$/.test(head.slice(0, at)))) return 'pdf';
  }
  const known = medium ?? (HTML_NAME.test(name) ? 'html' : 'text');
  const isText = charsetNamed || marked || declared;
  if (!isText && head.slice(0, RESOURCE_DETECTION_WINDOW).includes('\0')) {
    throw unsupported('binary data (a NUL octet); if it is text in UTF-16, name the charset, "utf-16le" for instance');
  }
  return known;
}

/** The medium that the octets' own markup tells, or null. */
function mediumOfMarkup(markup: string, name: string): Medium | null {
  const start = markup.slice(skipSpace(markup, 0));
  const root = start.slice(skipProlog(start));
  if (DOCUMENT.test(root)) return 'html';
  if (/^<\?xml\s/.test(start) || XML_ROOT.test(root)) return 'xml';
  if (XML_NAME.test(name) && /^<[!?\w]/.test(start)) return 'xml';
  return FRAGMENT.test(start) && !TEXT_NAME.test(name) ? 'html' : null;
}

/** Packages by the `mimetype` that is their first member; what is not read is named. */
const PACKAGES: Readonly<Record<string, Medium>> = {
  'application/epub+zip': 'epub',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.text-master': 'odt',
  'application/vnd.oasis.opendocument.text-template': 'odt',
};

/** Tells the documents that are ZIP archives from archives of documents. */
function typeOfZip(head: string, name: string): DocumentType {
  const { names, first } = membersAtStart(head);
  if (names[0] === 'mimetype') {
    const mimetype = first.trim();
    const medium = PACKAGES[mimetype];
    if (medium !== undefined) return medium;
    if (mimetype !== '') throw unsupported(mimetype.replace(/[^ -~]/g, '?').slice(0, 80));
  }
  // Office Open XML: the list of content types stands at the root, and the folder of the main part names the kind.
  if (names.includes('[Content_Types].xml')) {
    // Behind a member of unknown length only the headers themselves can be looked for.
    const has = (folder: string): boolean =>
      names.some((each) => each.startsWith(folder)) || new RegExp(`PK\x03\x04[\\s\\S]{26}${folder}`).test(head);
    if (has('word/')) return 'docx';
    if (has('xl/')) throw unsupported('XLSX (a spreadsheet)');
    if (has('ppt/')) throw unsupported('PPTX (slides)');
  }
  const [, extension] = /\.(epub|docx|docm|odt)$/i.exec(name) ?? [];
  if (extension === undefined) return 'zip';
  const known = extension.toLowerCase();
  return known === 'docm' ? 'docx' : (known as Medium);
}

/** The names of the members at the start of a ZIP archive, as far as their lengths are told, and what the first holds. */
function membersAtStart(head: string): { readonly names: readonly string[]; readonly first: string } {
  const number = (at: number, length: number): number => {
    let value = 0;
    for (let index = length - 1; index >= 0; index--) value = value * 256 + head.charCodeAt(at + index);
    return value;
  };
  const names: string[] = [];
  let first = '';
  for (let at = 0; head.startsWith('PK\x03\x04', at) && at + 30 <= head.length; ) {
    const lengthUnknown = (number(at + 6, 2) & 8) !== 0;
    const isStored = number(at + 8, 2) === 0;
    const length = number(at + 18, 4);
    const nameEnd = at + 30 + number(at + 26, 2);
    const start = nameEnd + number(at + 28, 2);
    names.push(head.slice(at + 30, nameEnd));
    if (names.length === 1 && isStored) {
      const end = lengthUnknown ? head.indexOf('PK', start) : start + length;
      first = head.slice(start, end);
    }
    if (lengthUnknown && length === 0) break;
    at = start + length;
  }
  return { names, first };
}

/** Where a document's first tag or text is: behind white space, comments and processing instructions. Linear. */
function skipProlog(markup: string): number {
  for (let at = 0; ; ) {
    at = skipSpace(markup, at);
    // `<!-->` is a whole comment in HTML.
    let end = -1;
    if (markup.startsWith('<!--', at)) end = markup.indexOf('-->', at + 2);
    else if (markup.startsWith('<?', at)) end = markup.indexOf('>', at);
    if (end < 0) return at;
    at = markup.indexOf('>', end) + 1;
  }
}

/** Where the white space that starts at `at` ends (white space of the MIME Sniffing Standard). */
function skipSpace(markup: string, at: number): number {
  while (at < markup.length && '\t\n\f\r '.includes(markup[at]!)) at++;
  return at;
}

/** What the start of a document announces, when it is something that cannot be read, or null. */
function recognise(head: string): string | null {
  for (const [octets, what] of MAGIC) if (head.startsWith(octets)) return what;
  if (RIFF.test(head)) return 'RIFF (WebP, WAV or AVI)';
  if (ISO_MEDIA.test(head)) return 'ISO media (MP4, HEIC or AVIF)';
  if (head.startsWith('ustar', 257)) return 'tar archive';
  return null;
}

function unsupported(what: string): Error {
  return extractionError('unsupported-media-type', `cannot read ${what}`);
}

/** Whether the first octet that is neither white space nor of a byte order mark is a `<`, or this is a ZIP archive. */
function mayHoldMarkup(octets: Uint8Array): boolean {
  let at = 0;
  if (octets[0] === 0x50 && octets[1] === 0x4b) return true;
  while (at < octets.length && at < DETECTION_WINDOW && SKIPPED.has(octets[at]!)) at++;
  return octets[at] === 0x3c;
}

/** White space, the octets of byte order marks, and NUL, as UTF-16 has it beside white space. */
const SKIPPED: ReadonlySet<number> = new Set([0, 0x09, 0x0a, 0x0c, 0x0d, 0x20, 0xbb, 0xbf, 0xef, 0xfe, 0xff]);
