import type { Unreadable } from './errors.ts';

/** The start of a format, and what the format is. */
type Recognised<Start> = readonly [start: Start, format: string, detail?: string | undefined, advice?: string];

function toUnreadable([, format, detail, advice]: Recognised<unknown>): Unreadable {
  return { format, ...(detail && { detail }), ...(advice && { advice }) };
}

/** Formats by their first bytes, with which no text begins; others (`BM`, `MZ`) are recognised by a NUL. */
const MAGIC: readonly Recognised<string>[] = [
  ['%!PS', 'PostScript', undefined, 'convert it to PDF'],
  ['\xc5\xd0\xd3\xc6', 'PostScript', 'EPS with a preview', 'convert it to PDF'],
  ['ITSF\x03\0\0\0', 'CHM', 'compiled HTML help', 'extract its HTML files'],
  ['ITOLITLS', 'LIT', 'Microsoft Reader', 'convert it to EPUB'],
  ['PK\x07\x08', 'ZIP archive in several parts'],
  ['\x1f\x9d', 'compress (.Z)'],
  ['\xfd7zXZ\0', 'xz'],
  ['\x04\x22\x4d\x18', 'LZ4'],
  ['\x89LZO\0', 'lzop'],
  ['LZIP\x01', 'lzip'],
  ['!<arch>\n', 'ar archive', 'such as a Debian package'],
  ['\x28\xb5\x2f\xfd', 'Zstandard'],
  ['7z\xbc\xaf\x27\x1c', '7z archive'],
  ['Rar!\x1a\x07', 'RAR archive'],
  ['SQLite format 3\0', 'SQLite database'],
  ['AT&TFORM', 'DjVu', undefined, 'convert it to text with djvutxt'],
  ['\x89PNG\r\n\x1a\n', 'PNG image'],
  ['GIF87a', 'GIF image'],
  ['GIF89a', 'GIF image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['II*\0', 'TIFF image'],
  ['MM\0*', 'TIFF image'],
  ['OggS\0', 'Ogg'],
  ['ID3\x02', 'MP3 audio'],
  ['ID3\x03', 'MP3 audio'],
  ['ID3\x04', 'MP3 audio'],
  ['\x7fELF', 'ELF'],
  ['\0asm', 'WebAssembly'],
  ['\xca\xfe\xba\xbe', 'Java class or Mach-O'],
];

const OLE2 = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** Formats of which texts begin with a part of this: RTF of any version, bzip2 of any block size, containers. */
const PATTERNS: readonly Recognised<RegExp>[] = [
  [/^(?:\xef\xbb\xbf)?[\r\n]*\{\\u?rtf/, 'RTF', undefined, 'convert it to DOCX or ODT'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the end of an empty file begins with one
  [/^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/, 'bzip2'],
  [/^RIFF[\s\S]{4}(WEBP|WAVE|AVI )/, 'RIFF', 'WebP, WAV or AVI'],
  [/^\0[\s\S]{3}ftyp/, 'ISO media', 'MP4, HEIC or AVIF'],
];

/** Formats by their first bytes, for data that are not text: a text may begin with the same. */
const BINARY: readonly Recognised<RegExp>[] = [
  [/^\xffWPC/, 'WordPerfect', undefined, 'convert it to DOCX or ODT'],
  [/^\xeaDRMION\xee|^CONT[^ -~]/, 'KFX', 'a Kindle book', 'convert it to EPUB'],
  [/^\xe4\x52\x5c\x7b\x8c\xd8/, 'OneNote', undefined, 'export it as DOCX or PDF'],
  [/^!BDN/, 'PST', 'mail of Outlook', 'export it as EML'],
  [/^bplist00/, 'a binary property list', 'such as a web archive of Safari'],
  [/^MSCF\0\0\0\0/, 'CAB archive'],
  [/^..-lh[\dd]-/s, 'LZH archive'],
  [/^\x60\xea/, 'ARJ archive'],
];

export function recogniseBinary(head: string): Unreadable | null {
  const found = BINARY.find(([start]) => start.test(head));
  return found === undefined ? null : toUnreadable(found);
}

/** A Palm database names its type after its name and its dates; a book may have any name. */
const PALM_TYPE = 60;
const PALM_BOOKS: ReadonlyMap<string, Unreadable> = new Map([
  ['BOOKMOBI', { format: 'MOBI', detail: 'a Kindle or Mobipocket book', advice: 'convert it to EPUB' }],
  ['TEXtREAd', { format: 'PalmDOC', detail: 'a book', advice: 'convert it to EPUB' }],
]);

/** Recognises a format that cannot be read by its first bytes, or by its name where the content does not decide. */
export function recogniseMagic(head: string, bytes: Uint8Array, name: string): Unreadable | null {
  const magic = MAGIC.find(([start]) => head.startsWith(start));
  const found = magic ?? PATTERNS.find(([start]) => start.test(head));
  if (found !== undefined) return toUnreadable(found);
  if (head.startsWith(OLE2)) return insideOle2(bytes, name);
  return PALM_BOOKS.get(head.slice(PALM_TYPE, PALM_TYPE + 8)) ?? null;
}

/** Streams of an OLE2 compound file and the format that has them; the last names are extensions. */
const OLE2_STREAMS: readonly (readonly [stream: string, content: Unreadable, extension: RegExp])[] = [
  ['EncryptedPackage', { format: 'an encrypted Office document', detail: 'a password is needed' }, /(?!)/],
  ['WordDocument', { format: 'DOC', detail: 'Word 97 to 2003', advice: 'convert it to DOCX' }, /\.(?:doc|dot)$/i],
  ['Workbook', { format: 'XLS', detail: 'Excel 97 to 2003', advice: 'convert it to XLSX' }, /\.(?:xls|xlt)$/i],
  ['Book', { format: 'XLS', detail: 'Excel 5', advice: 'convert it to XLSX' }, /(?!)/],
  [
    'PowerPoint Document',
    { format: 'PPT', detail: 'PowerPoint 97 to 2003', advice: 'convert it to PPTX' },
    /\.(?:ppt|pps|pot)$/i,
  ],
  ['__nameid_version1.0', { format: 'MSG', detail: 'an Outlook message', advice: 'save it as EML' }, /\.msg$/i],
  ['VisioDocument', { format: 'VSD', detail: 'Visio' }, /\.vsd$/i],
  ['FileHeader', { format: 'HWP', detail: 'Hangul Word Processor', advice: 'convert it to DOCX' }, /\.hwp$/i],
];

function insideOle2(bytes: Uint8Array, name: string): Unreadable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const has = new Set<string>();
  if (bytes.length >= 52) {
    const start = (view.getUint32(48, true) + 1) * 2 ** Math.min(view.getUint16(30, true), 20);
    // One sector has 4 or 32 entries; the rest of the directory usually follows.
    for (let at = start; at + 128 <= bytes.length && at < start + 16 * 128; at += 128)
      has.add(new TextDecoder('utf-16le').decode(bytes.subarray(at, at + 64)).split('\0', 1)[0]!);
  }
  const [, found] =
    OLE2_STREAMS.find(([stream]) => has.has(stream)) ?? OLE2_STREAMS.find(([, , known]) => known.test(name)) ?? [];
  return found ?? { format: 'OLE2 compound file', detail: 'such as DOC, XLS, PPT or MSG' };
}

export const XLSB: Unreadable = { format: 'XLSB', detail: 'a binary Excel workbook', advice: 'convert it to XLSX' };
