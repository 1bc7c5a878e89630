import { extractionError } from './errors.ts';
import type { ExtractionHints, Medium } from './types.ts';

/** How many octets are searched for a NUL: the "resource header" of the MIME Sniffing Standard. */
const RESOURCE_DETECTION_WINDOWER = 1445;

/** How many octets are searched for markup, so that a licence in a comment ahead of `<html` is no obstacle. */
export const DETECTION_WINDOW = 1 << 16;

/**
 * What no extractor here reads: octets (one per character) at the start of a document, and what they announce. Only
 * magic numbers that no sensible text begins with; those that a text may begin with (`BM`, `MZ`) go with a NUL anyway.
 */
const MAGIC: readonly (readonly [octets: string, what: string])[] = [
  ['%PDF-', 'PDF'],
  ['%!PS', 'PostScript'],
  ['{\\rtf', 'RTF'],
  ['WARC/1.', 'WARC'],
  ['PK\x03\x04', 'ZIP archive (EPUB, DOCX and ODT are such)'],
  ['PK\x05\x06', 'ZIP archive'],
  ['PK\x07\x08', 'ZIP archive'],
  ['\x1f\x8b', 'gzip'],
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

/** Extensions of HTML, and of texts that may begin with a tag without being HTML. */
const HTML_NAME = /\.(?:html?|xhtml?|xht)$/i;
const TEXT_NAME = /\.(?:txt|text|md|markdown|rst|adoc|asciidoc|org|log|csv|tsv)$/i;

/**
 * Finds the medium of a document: by its octets first, by its name second; everything else is text. A `type` among the
 * hints is simply believed.
 * @param octets - the document
 * @param hints - `type`, `path`, and whether a charset is named
 * @returns the medium to read it as
 * @throws Error `unknown-type` for a `type` that is no medium; `unsupported-media-type` for octets that are recognised
 *   as something else, or that hold a NUL near the start, unless `type` is given
 * @see https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
 */
export function detectMedium(octets: Uint8Array, hints: ExtractionHints = {}): Medium {
  if (hints.type !== undefined) {
    if (hints.type === 'text' || hints.type === 'html') return hints.type;
    throw extractionError('unknown-type', `unknown type ${JSON.stringify(hints.type)}: expected "text" or "html"`);
  }
  const head = latin1(octets);
  const found = recognise(head);
  if (found !== null) throw unsupported(found);

  // In UTF-16, ASCII markup is markup with NULs between. Who names a charset vouches for a text, which lets UTF-16
  // without a mark in.
  const marked = head.startsWith('\xff\xfe') || head.startsWith('\xfe\xff');
  const charsetNamed = hints.charset !== undefined || hints.transportCharset !== undefined;
  const markup = (marked || charsetNamed ? head.replaceAll('\0', '') : head).replace(
    /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/,
    '',
  );
  const name = hints.path ?? '';
  const medium = mediumOfMarkup(markup, name) ?? (HTML_NAME.test(name) ? 'html' : 'text');

  if (!charsetNamed && !(medium === 'html' && marked) && head.slice(0, RESOURCE_DETECTION_WINDOWER).includes('\0')) {
    throw unsupported('binary data (a NUL octet); if it is text in UTF-16, name the charset, "utf-16le" for instance');
  }
  return medium;
}

/** The medium that the octets' own markup tells, or null. Throws for XML that is not XHTML. */
function mediumOfMarkup(markup: string, name: string): Medium | null {
  const start = markup.slice(skipSpace(markup, 0));
  const root = start.slice(skipProlog(start));
  if (DOCUMENT.test(root)) return 'html';
  if (/^<\?xml\s/.test(start) || /^<svg[\s>]/.test(root)) throw unsupported('XML other than XHTML');
  return FRAGMENT.test(start) && !TEXT_NAME.test(name) ? 'html' : null;
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

/** The first octets, each as one character; in pieces, as `fromCharCode` takes its units as arguments. */
function latin1(octets: Uint8Array): string {
  let head = '';
  const end = Math.min(octets.length, DETECTION_WINDOW);
  for (let at = 0; at < end; at += 4096)
    head += String.fromCharCode.apply(null, octets.subarray(at, Math.min(at + 4096, end)) as unknown as number[]);
  return head;
}
