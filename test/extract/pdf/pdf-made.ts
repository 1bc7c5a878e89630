import { createHash } from 'node:crypto';

/** PDF documents made by hand, so that a test says where each glyph stands and how it is coded. */

/** The parts of a document other than the content of its pages. */
export interface PdfParts {
  /** Entries for the catalog. */
  readonly catalog?: string;
  /** Entries for the trailer. */
  readonly trailer?: string;
  /** The kids of the page tree and their number, instead of the right ones. */
  readonly pages?: string;
  /** Further objects, from number {@link FIRST_FREE} on. */
  readonly objects?: readonly string[];
}

/** Number of the first object that is not used by the document itself. */
export const FIRST_FREE = 9;

/**
 * Fonts, all of them without a font file: `F` is Helvetica in WinAnsi; `U` has a glyph of half the size for each 16-bit
 * unit; `W` one of the full size; `V` is `W` written downwards; `G` codes Chinese by a predefined map.
 */
const FONTS = [
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  unicodeFont('Half', 500, 'Identity-H'),
  unicodeFont('Full', 1000, 'Identity-H'),
  unicodeFont('Down', 1000, 'Identity-V'),
  '<</Type/Font/Subtype/Type0/BaseFont/Song/Encoding/UniGB-UCS2-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0' +
    '/BaseFont/Song/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>' +
    `${descriptor('Song')}>>]>>`,
];

/** Ranges in which each unit means itself; a range may vary in its last byte only. */
const UNITS = Array.from({ length: 256 }, (_, high) => {
  const byte = high.toString(16).padStart(2, '0');
  return `1 beginbfrange <${byte}00> <${byte}FF> <${byte}00> endbfrange`;
}).join(' ');

/** Each unit means itself. */
const TO_UNICODE = stream(
  '',
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <0000> <FFFF> ' +
    `endcodespacerange ${UNITS} endcmap end end`,
);

function descriptor(name: string): string {
  return `/FontDescriptor<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[0 -200 1000 800]/Ascent 800/Descent -200>>`;
}

function unicodeFont(name: string, width: number, encoding: string): string {
  const descendant = `<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}/DW ${width}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>${descriptor(name)}>>`;
  return `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/${encoding}/ToUnicode 8 0 R/DescendantFonts[${descendant}]>>`;
}

/** A stream object. */
export function stream(entries: string, bytes: string): string {
  return `<<${entries}/Length ${bytes.length}>>\nstream\n${bytes}\nendstream`;
}

/**
 * Makes a document.
 * @param contents - what draws each page; strings in it are bytes
 */
export function makePdf(contents: readonly string[], parts: PdfParts = {}): Uint8Array {
  const objects = parts.objects ?? [];
  const first = FIRST_FREE + objects.length;
  const kids = contents.map((_, index) => `${first + 2 * index} 0 R`);
  const all = [
    `<</Type/Catalog/Pages 2 0 R${parts.catalog ?? ''}>>`,
    `<</Type/Pages/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R/U 4 0 R/W 5 0 R/V 6 0 R/G 7 0 R>>>>${
      parts.pages ?? `/Kids[${kids.join(' ')}]/Count ${kids.length}`
    }>>`,
    ...FONTS,
    TO_UNICODE,
    ...objects,
    ...contents.flatMap((content, index) => [
      `<</Type/Page/Parent 2 0 R/Contents ${first + 2 * index + 1} 0 R>>`,
      stream('', content),
    ]),
  ];
  let file = '%PDF-1.7\n';
  const offsets = all.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${entries}`;
  const trailer = `trailer\n<</Size ${all.length + 1}/Root 1 0 R${parts.trailer ?? ''}>>`;
  return bytesOf(`${file}${table}${trailer}\nstartxref\n${file.length}\n%%EOF\n`);
}

/** Pads an empty password (ISO 32000-1, 7.6.3.3). */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** Makes a document of one page whose streams are encrypted with an empty password, by revision 2. */
export function makeEncryptedPdf(content: string, parts: PdfParts): Uint8Array {
  const md5 = (...bytes: readonly Uint8Array[]) => createHash('md5').update(Buffer.concat(bytes)).digest();
  const [owner, permissions, id] = [Buffer.alloc(32), Buffer.from([252, 255, 255, 255]), Buffer.alloc(16)];
  const key = md5(PADDING, owner, permissions, id).subarray(0, 5);
  const user = Buffer.from(rc4(key, PADDING)).toString('hex');
  const entries = `/Filter/Standard/V 1/R 2/P -4/O<${owner.toString('hex')}>/U<${user}>`;
  const plain = makePdf([content], { ...parts, trailer: `/ID[<${id.toString('hex')}><>]/Encrypt<<${entries}>>` });
  const text = Buffer.from(plain).toString('latin1');
  for (const { 0: head, 1: number, 2: length, index } of text.matchAll(/(\d+) 0 obj\n<<\/Length (\d+)>>\nstream\n/g)) {
    const start = index + head.length;
    const own = md5(key, Buffer.from([Number(number), 0, 0, 0, 0])).subarray(0, 10);
    plain.set(rc4(own, plain.subarray(start, start + Number(length))), start);
  }
  return plain;
}

function rc4(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  let to = 0;
  const swap = (at: number, added: number) => {
    to = (to + state[at]! + added) & 255;
    [state[at], state[to]] = [state[to]!, state[at]!];
    return state[(state[at]! + state[to]!) & 255]!;
  };
  for (let at = 0; at < 256; at++) swap(at, key[at % key.length]!);
  to = 0;
  return bytes.map((byte, index) => byte ^ swap((index + 1) & 255, 0));
}

/** The bytes of a string in which each unit is one. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Draws text at a place, in the size 10 unless another is given. */
export function at(x: number, y: number, text: string, font = 'F', size = 10): string {
  const shown = font === 'F' ? `(${text.replace(/[\\()]/g, '\\$&')})` : `<${hex(text)}>`;
  return `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${shown} Tj ET\n`;
}

/** Draws lines below each other. */
export function lines(x: number, y: number, texts: readonly string[], font = 'F', size = 10): string {
  return texts.map((text, index) => at(x, y - index * size * 1.2, text, font, size)).join('');
}

/** The 16-bit units of a text as hexadecimal digits. */
export function hex(text: string): string {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, '0')).join(
    '',
  );
}

/** Fonts that are not embedded and code their text by a predefined map: the collection, the map, a text, and its bytes. */
const CJK = [
  ['Japan1', '90ms-RKSJ-H', '日本語', '93FA967B8CEA'],
  ['Japan1', 'UniJIS-UTF16-H', '文書', '658766F8'],
  ['GB1', 'GBK-EUC-H', '中文', 'D6D0CEC4'],
  ['GB1', 'UniGB-UCS2-H', '汉字', '6C495B57'],
  ['CNS1', 'ETen-B5-H', '中國', 'A4A4B0EA'],
  ['Korea1', 'KSCms-UHC-H', '한글', 'C7D1B1DB'],
] as const;

/** A document in Chinese, Japanese and Korean that says nothing of Unicode, and its text. */
export function makeCjkPdf(): { readonly bytes: Uint8Array; readonly text: string } {
  const objects = CJK.map(
    ([collection, map]) =>
      `<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/${map}/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/X` +
      `/CIDSystemInfo<</Registry(Adobe)/Ordering(${collection})/Supplement 4>>${descriptor('X')}>>]>>`,
  );
  const fonts = objects.map((_, index) => `/X${index} ${FIRST_FREE + index} 0 R`).join('');
  const pages = `/Kids[${FIRST_FREE + objects.length} 0 R]/Count 1/Resources<</Font<<${fonts}>>>>`;
  const content = CJK.map(([, , , bytes], index) => `BT /X${index} 10 Tf 72 ${700 - 60 * index} Td <${bytes}> Tj ET`);
  // Lines of ideographs are joined as those of a paragraph; Korean has spaces.
  const text = CJK.map(([collection, , each]) => (collection === 'Korea1' ? `\n${each}` : each)).join('');
  return { bytes: makePdf([content.join('\n')], { objects, pages }), text };
}
