import { gzipSync } from 'node:zlib';
import { concatenate } from '../../../src/common/bytes.ts';
import { encode } from '../../../src/common/utf8.ts';
import { readTar } from '../../../src/extract/archive/tar/tar.ts';
import { readWarc } from '../../../src/extract/archive/warc.ts';
import { extract } from '../../../src/extract/index.ts';
import { readMbox } from '../../../src/extract/mail/mbox.ts';
import { readMessage } from '../../../src/extract/mail/read-message.ts';
import { mayHaveAttachments } from '../../../src/extract/mail/recognise-mail.ts';
import { member as tarMember } from '../../extract/archive/tar/member.ts';
import { type Members, packageOf } from '../../extract/package/package-of.ts';
import { COMMAND_FAMILIES } from './families/commands.ts';
import { CONTAINER_FAMILIES } from './families/containers.ts';
import { type Family, familiesOf, numbered } from './families/family.ts';
import { LINE_FAMILIES } from './families/lines.ts';
import { STORE_FAMILIES } from './families/stores.ts';

/** The minimum time, in milliseconds, from which growth can be measured. */
const MIN_TIME = 300;

/** The maximum factor of cost for twice the input; 2 is linear, 4 quadratic. */
const MAX_FACTOR = 3;

const HTML: Readonly<Record<string, (n: number) => string>> = {
  body: (n) => numbered(n, (i) => `<body a${i}>x`),
  html: (n) => numbered(n, (i) => `<html a${i}>x`),
  attributes: (n) => `<p ${numbered(n, (i) => `a${i}=1 `)}>x`,
  links: (n) => '<a>x'.repeat(n),
  unclosed: (n) => `<b><i><u>${'<p>x'.repeat(n)}`,
  fostered: (n) => `<table>${'<div>x</div>'.repeat(n)}`,
  ends: (n) => `${'<span>'.repeat(1900)}${'</p>'.repeat(n)}`,
  entities: (n) => '&notit;'.repeat(n),
  comments: (n) => '<!--x-->'.repeat(n),
};

const XML: Readonly<Record<string, (n: number) => string>> = {
  elements: (n) => `<r>${'<a>x</a>'.repeat(n)}</r>`,
  attributes: (n) => `<r ${numbered(n, (i) => `a${i}="1" `)}>x</r>`,
  namespaces: (n) => `<r>${numbered(n, (i) => `<a xmlns:n${i}="u">x</a>`)}</r>`,
  prefixes: (n) => `${'<a xmlns:n="u">'.repeat(1900)}${'<n:a/>'.repeat(n)}`,
  ends: (n) => `${'<a>'.repeat(1900)}${'</b>x'.repeat(n)}`,
  comments: (n) => `<r>${'x<!--y-->'.repeat(n)}</r>`,
  sections: (n) => `<r>${'<![CDATA[x]]>'.repeat(n)}</r>`,
  references: (n) => `<r>${'&amp;&#x41;&x;'.repeat(n)}</r>`,
  declarations: (n) => `<!DOCTYPE r [${numbered(n, (i) => `<!ENTITY e${i} "x">`)}]><r>&e0;</r>`,
  expansions: (n) => `<!DOCTYPE r [<!ENTITY e "${'x'.repeat(n)}">]><r>${'&e;'.repeat(n)}</r>`,
};

const MAIL: Readonly<Record<string, (n: number) => string>> = {
  headers: (n) => `${numbered(n, (i) => `X-${i}: y\r\n`)}\r\nx`,
  folded: (n) => `Subject: ${'x\r\n '.repeat(n)}y\r\n\r\nx`,
  words: (n) => `Subject: ${'=?utf-8?q?x?= '.repeat(n)}\r\n\r\nx`,
  addresses: (n) => `To: ${'a <b@c>, '.repeat(n)}\r\n\r\nx`,
  parts: (n) => `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(n)}--b--`,
  nested: (n) =>
    numbered(n / 100, (i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`) + 'x\r\n'.repeat(n),
  boundaries: (n) => `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--bx\r\n'.repeat(n)}`,
  quoted: (n) => `Content-Transfer-Encoding: quoted-printable\r\n\r\n${'=3D=\r\n'.repeat(n)}`,
  parameters: (n) => `Content-Type: text/plain;${numbered(n, (i) => ` name*${i}=x;`)}\r\n\r\nx`,
  charsets: (n) => `Subject: ${numbered(n, (i) => `=?x-${i}?q?=E9?= `)}\r\n\r\nx`,
  comments: (n) => `Content-Type: text/plain ${'('.repeat(n)}\r\n\r\nx`,
  alternatives: (n) =>
    `Content-Type: multipart/alternative; boundary=b\r\n\r\n${'--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n'.repeat(n / 10)}--b--`,
  messages: (n) => `${'Content-Type: message/rfc822\r\n\r\n'.repeat(n)}x`,
  base64: (n) => `Content-Transfer-Encoding: base64\r\n\r\n${'eHh4\r\n'.repeat(n)}`,
};

const cell = (text: string): string => `{"cell_type":"code","source":[${text}],"outputs":[{"text":[${text}]}]}`;
const notebook = (cells: string): string => `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[${cells}]}`;
const NOTEBOOK: Readonly<Record<string, (n: number) => string>> = {
  cells: (n) => notebook(Array(n).fill(cell('"x"')).join()),
  lines: (n) => notebook(cell(Array(n).fill('"x\\n"').join())),
  nested: (n) => notebook(`${'['.repeat(n)}${']'.repeat(n)}`),
  outputs: (n) =>
    notebook(`{"cell_type":"code","source":"x","outputs":[${Array(n).fill('{"data":{"text/html":"<p>x"}}').join()}]}`),
  media: (n) =>
    notebook(
      `{"cell_type":"code","source":"x","outputs":[{"data":{${Array.from({ length: n }, (_, i) => `"a/${i}":"x"`).join()}}}]}`,
    ),
  markdown: (n) => notebook(`{"cell_type":"markdown","source":"${'[*`'.repeat(n)}"}`),
};

/** A PDF whose table of objects has to be rebuilt. */
const pdf = (objects: string): string =>
  `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n${objects}trailer<</Root 1 0 R>>`;
const page = (content: string, resources = ''): string =>
  `2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<${resources}>>>>endobj\n4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj\n`;
const FONT = '/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>';
const PDF: Readonly<Record<string, (n: number) => string>> = {
  objects: (n) => pdf(page('') + numbered(n, (i) => `${i + 9} 0 obj 1 endobj\n`)),
  streams: (n) => pdf(page('') + numbered(n, (i) => `${i + 9} 0 obj<</Length 9>>stream\n`)),
  pages: (n) =>
    pdf(
      `2 0 obj<</Type/Pages/Kids[${numbered(n / 10, (i) => `${i + 9} 0 R `)}]/Count ${n / 10}>>endobj\n${numbered(n / 10, (i) => `${i + 9} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n`)}`,
    ),
  texts: (n) => pdf(page(`BT /F 1 Tf ${'(x) Tj 1 0 Td '.repeat(n)}ET`, FONT)),
  lines: (n) => pdf(page(`BT /F 1 Tf ${'(x) Tj 0 -2 Td '.repeat(n)}ET`, FONT)),
  saved: (n) => pdf(page('q '.repeat(n))),
  dictionaries: (n) => pdf(`${page('')}9 0 obj${'<</a '.repeat(n)}`),
  strings: (n) => pdf(`${page('')}9 0 obj${'('.repeat(n)}`),
  annotations: (n) =>
    pdf(
      `2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[${'<</Subtype/FreeText/Contents(x)/Rect[0 0 1 1]>>'.repeat(n / 10)}]>>endobj\n`,
    ),
};

const extracting = (type: 'html' | 'xml' | 'mail' | 'notebook' | 'pdf', makers: typeof HTML, start: number): Family[] =>
  familiesOf(`${type}-`, start, makers, (text) => extract(encode(text), { type }).catch(() => null));

const CHARSETS: Readonly<Record<string, (n: number) => Uint8Array>> = {
  high: (n) => new Uint8Array(n).fill(0xe9),
  mixed: (n) => Uint8Array.from({ length: n }, (_, i) => (i * 7919) % 251),
  escapes: (n) => Uint8Array.from({ length: n }, (_, i) => [0x1b, 0x24, 0x42][i % 3]!),
  wide: (n) => Uint8Array.from({ length: n }, (_, i) => (i % 2 === 0 ? 0 : 65)),
};
const charsetFamilies = familiesOf('charset-', 400_000, CHARSETS, (bytes) =>
  extract(bytes, { type: 'text', charset: 'auto' }).catch(() => null),
);

const warcRecord = (headers: string, body: string): string =>
  `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nContent-Type: application/http\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}\r\n\r\n`;
const answer = (headers: string): string => `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${headers}\r\n<p>x`;
const ARCHIVES: Readonly<
  Record<
    string,
    readonly [read: (chunks: Iterable<Uint8Array>) => AsyncIterable<unknown>, make: (n: number) => Uint8Array]
  >
> = {
  'warc-records': [readWarc, (n) => encode(warcRecord('', answer('')).repeat(n / 10))],
  'warc-headers': [readWarc, (n) => encode(warcRecord('X: y\r\n'.repeat(n), answer('')))],
  'warc-http-headers': [readWarc, (n) => encode(warcRecord('', answer('X: y\r\n'.repeat(n))))],
  'warc-garbage': [readWarc, (n) => encode(warcRecord('', answer('')) + 'WARC/1.0\r\n'.repeat(n))],
  'warc-empty': [
    readWarc,
    (n) => encode('WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n'.repeat(n)),
  ],
  'warc-gzip': [readWarc, (n) => repeated(gzipSync(warcRecord('', answer(''))), n / 20)],
  'tar-members': [readTar, (n) => repeated(tarMember({ name: 'a.txt', data: 'x' }), n / 20)],
  'tar-long-names': [
    readTar,
    (n) =>
      repeated(
        concatenate([
          tarMember({ name: 'a', type: 'L', data: `${'x'.repeat(5000)}.txt` }),
          tarMember({ name: 'a.txt', data: 'x' }),
        ]),
        n / 100,
      ),
  ],
  'tar-long-name': [
    readTar,
    (n) => concatenate([tarMember({ name: 'a', type: 'L', data: '/'.repeat(n) }), tarMember({ name: 'a.txt' })]),
  ],
  'tar-pax': [
    readTar,
    (n) =>
      concatenate([
        tarMember({ name: 'a', type: 'x', data: numbered(n, () => '10 abc=de\n') }),
        tarMember({ name: 'a.txt' }),
      ]),
  ],
  'tar-pax-only': [readTar, (n) => repeated(tarMember({ name: 'a', type: 'x', data: '14 path=b.txt\n' }), n / 20)],
  'tar-garbage': [
    readTar,
    (n) => concatenate([tarMember({ name: 'a.txt', data: 'x' }), new Uint8Array(n * 50).fill(1)]),
  ],
  'mbox-messages': [readMbox, (n) => encode('From a Thu Jan  1 00:00:00 2026\nSubject: x\n\nx\n\n'.repeat(n / 10))],
  'mbox-separators': [
    readMbox,
    (n) => encode(`From a Thu Jan  1 00:00:00 2026\nSubject: x\n\n${'\nFrom b\n'.repeat(n)}`),
  ],
};
const archiveFamilies = Object.entries(ARCHIVES).map(([name, [read, make]]) => ({
  name,
  start: 40_000,
  async run(size: number) {
    try {
      for await (const _ of read([make(size)]));
    } catch {
      // A limit, or damage.
    }
  },
}));

const attachment = (name: string): string =>
  `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=${name}\r\n\r\nx\r\n`;
const ATTACHMENTS: Readonly<Record<string, (n: number) => string>> = {
  'mail-attachments': (n) =>
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n${attachment('a.txt').repeat(n / 10)}--b--`,
  'mail-attachment-names': (n) =>
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n${numbered(n / 10, (i) => attachment(`a.txt#${i}`))}--b--`,
  'mail-fields': (n) => `${'Content-Type:\r\n text/plain\r\nContent-Disposition:\r\n '.repeat(n)}\r\n\r\nx`,
};
const attachmentFamilies = familiesOf('', 20_000, ATTACHMENTS, async (text) => {
  const bytes = encode(text);
  if (mayHaveAttachments(bytes)) await readMessage(bytes).catch(() => null);
});

function repeated(part: Uint8Array, count: number): Uint8Array {
  return concatenate(Array.from({ length: count }, () => part));
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const A = 'http://schemas.openxmlformats.org/drawingml/2006/main';

const related = (...targets: readonly (readonly [kind: string, path: string])[]): string =>
  `<Relationships>${targets.map(([kind, path], i) => `<Relationship Id="r${i}" Type="${RELATIONS}/${kind}" Target="${path}"/>`).join('')}</Relationships>`;

const xlsxOf = (rows: string, strings = ''): Members => ({
  '[Content_Types].xml': '<Types/>',
  'xl/workbook.xml': '<workbook><sheets><sheet r:id="r0"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': related(['worksheet', 'sheet.xml'], ['sharedStrings', 'strings.xml']),
  'xl/sheet.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  'xl/strings.xml': `<sst>${strings}</sst>`,
});

const pptxOf = (slides: readonly string[]): Members => ({
  '[Content_Types].xml': '<Types/>',
  'ppt/presentation.xml': `<p>${slides.map((_, i) => `<sldId r:id="r${i}"/>`).join('')}</p>`,
  'ppt/_rels/presentation.xml.rels': related(...slides.map((_, i) => ['slide', `s${i}.xml`] as const)),
  ...Object.fromEntries(slides.map((slide, i) => [`ppt/s${i}.xml`, `<sld xmlns:a="${A}">${slide}</sld>`])),
});

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';
const odfOf = (kind: string, body: string): Members => ({
  mimetype: `application/vnd.oasis.opendocument.${kind}`,
  'content.xml': `<o:document-content xmlns:o="${OASIS}:office:1.0" xmlns:table="${OASIS}:table:1.0" xmlns:text="${OASIS}:text:1.0" xmlns:draw="${OASIS}:drawing:1.0"><o:${kind}>${body}</o:${kind}></o:document-content>`,
});

const shape = '<sp><nvSpPr><cNvPr/></nvSpPr><a:p><a:r><a:t>x</a:t></a:r></a:p></sp>';
const tableCell = '<table:table-cell><text:p>x</text:p></table:table-cell>';

const PACKAGES: Readonly<Record<string, (n: number) => Members>> = {
  'xlsx-rows': (n) => xlsxOf('<row><c t="s"><v>0</v></c><c><v>1</v></c></row>'.repeat(n), '<si><t>x</t></si>'),
  'xlsx-cells': (n) => xlsxOf(`<row>${'<c t="inlineStr"><is><t>x</t></is></c>'.repeat(n)}</row>`),
  'xlsx-strings': (n) => xlsxOf('', '<si><r><t>x</t></r><rPh><t>y</t></rPh></si>'.repeat(n)),
  'xlsx-one-string': (n) =>
    xlsxOf(`<row>${'<c t="s"><v>0</v></c>'.repeat(n)}</row>`, `<si><t>${'x'.repeat(n)}</t></si>`),
  'xlsx-missing-strings': (n) => xlsxOf(`<row>${numbered(n, (i) => `<c t="s"><v>${i + 9}</v></c>`)}</row>`, '<si/>'),
  'xlsx-sheets': (n) => ({
    ...xlsxOf(''),
    'xl/workbook.xml': `<workbook><sheets>${'<sheet r:id="r0"/>'.repeat(n)}</sheets></workbook>`,
  }),
  'pptx-one-slide': (n) => ({
    ...pptxOf([shape]),
    'ppt/presentation.xml': `<p>${'<sldId r:id="r0"/>'.repeat(n)}</p>`,
  }),
  'pptx-slides': (n) => pptxOf(Array.from({ length: n / 20 }, () => shape)),
  'pptx-shapes': (n) => pptxOf([shape.repeat(n)]),
  'pptx-groups': (n) => pptxOf([`${'<grpSp>'.repeat(1900)}${shape.repeat(n)}`]),
  'ods-rows': (n) =>
    odfOf('spreadsheet', `<table:table>${`<table:table-row>${tableCell}</table:table-row>`.repeat(n)}</table:table>`),
  'ods-repeats': (n) =>
    odfOf(
      'spreadsheet',
      `<table:table>${'<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000000"><text:p>x</text:p></table:table-cell></table:table-row>'.repeat(n / 10)}</table:table>`,
    ),
  'ods-spaces': (n) =>
    odfOf('spreadsheet', `<table:table><text:p>${'<text:s text:c="1000000"/>'.repeat(n)}</text:p></table:table>`),
  'ods-cells': (n) =>
    odfOf('spreadsheet', `<table:table><table:table-row>${tableCell.repeat(n)}</table:table-row></table:table>`),
  'ods-nested': (n) =>
    odfOf('spreadsheet', `<table:table>${'<table:table-row><table:table-cell>'.repeat(900)}${tableCell.repeat(n)}`),
  'odp-frames': (n) =>
    odfOf('presentation', `<draw:page>${'<draw:frame><text:p>x</text:p></draw:frame>'.repeat(n)}</draw:page>`),
};

const packageFamilies = familiesOf('', 20_000, PACKAGES, async (members) =>
  extract(await packageOf(members)).catch(() => null),
);

export const FAMILIES: readonly Family[] = [
  ...extracting('html', HTML, 40_000),
  ...extracting('xml', XML, 20_000),
  ...extracting('mail', MAIL, 40_000),
  ...extracting('notebook', NOTEBOOK, 40_000),
  ...extracting('pdf', PDF, 20_000),
  ...charsetFamilies,
  ...archiveFamilies,
  ...attachmentFamilies,
  ...packageFamilies,
  ...CONTAINER_FAMILIES,
  ...LINE_FAMILIES,
  ...STORE_FAMILIES,
  ...COMMAND_FAMILIES,
];

/**
 * Measures the CPU time and the memory of the process for n, 2n and 4n.
 * @returns what grows faster than the input, or null; and the figures
 */
export async function growthOf({
  start,
  run,
}: Family): Promise<{ readonly figures: string; readonly fault: string | null }> {
  await run(Math.ceil(start / 10));
  const costs: { readonly time: number; readonly memory: number }[] = [];
  for (const size of [start, 2 * start, 4 * start]) {
    const [before, memory] = [process.cpuUsage(), process.memoryUsage().rss];
    await run(size);
    const { user, system } = process.cpuUsage(before);
    costs.push({ time: (user + system) / 1000, memory: Math.max(0, process.memoryUsage().rss - memory) / 2 ** 20 });
  }
  const figures = costs.map(({ time, memory }) => `${time.toFixed()} ms ${memory.toFixed()} MiB`).join(', ');
  const [, second, third] = costs as [unknown, (typeof costs)[0], (typeof costs)[0]];
  if (third.time > MIN_TIME && third.time > MAX_FACTOR * second.time) return { figures, fault: 'time' };
  const isLarge = third.memory > 512 && second.memory > 64;
  return { figures, fault: isLarge && third.memory > MAX_FACTOR * second.memory ? 'memory' : null };
}
