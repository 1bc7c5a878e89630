import { packageOf } from '../../../extract/package/package-of.ts';
import { escapeXml, METADATA, plainText, type Render } from './render.ts';

/** The number of lines of the document on a slide. */
const LINES_PER_SLIDE = 6;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const OFFICE = 'http://schemas.openxmlformats.org';
const RELATIONS = `${OFFICE}/officeDocument/2006/relationships`;
const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';
const NO = escapeXml(METADATA);

/** A relationship: its kind and its target. */
type Related = readonly [kind: string, target: string];

const relationships = (related: readonly Related[]): string =>
  `${HEAD}<Relationships xmlns="${OFFICE}/package/2006/relationships">${related
    .map(([kind, target], index) => `<Relationship Id="r${index}" Type="${RELATIONS}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const types = (parts: Readonly<Record<string, string>>): string =>
  `${HEAD}<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${Object.entries(
    parts,
  )
    .map(
      ([name, type]) =>
        `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
    )
    .join('')}</Types>`;

/** The lines of a document, those of a table in cells. */
function linesOf(document: Parameters<Render>[0]): string[][] {
  return plainText(document)
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}

/** A text in two runs, cut anywhere, as markup. */
function inRuns(text: string, run: (inner: string) => string): string {
  const characters = Array.from(text);
  const middle = Math.ceil(characters.length / 2);
  const parts = [characters.slice(0, middle), characters.slice(middle)].filter(({ length }) => length > 0);
  return parts.map((part) => run(escapeXml(part.join('')))).join('');
}

function chunk<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size));
}

/** The document as slides with notes, numbers and a layout; a slide is hidden. */
export const pptx: Render = async (document) => {
  const xmlns = `xmlns:a="${OFFICE}/drawingml/2006/main" xmlns:p="${OFFICE}/presentationml/2006/main" xmlns:r="${RELATIONS}"`;
  const paragraph = (text: string): string =>
    `<a:p>${inRuns(text, (inner) => `<a:r><a:rPr/><a:t>${inner}</a:t></a:r>`)}</a:p>`;
  const shape = (text: string, placeholder = ''): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="${NO}" descr="${NO}"/><p:cNvSpPr/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${text}</p:txBody></p:sp>`;
  const cell = (text: string): string => `<a:tc><a:txBody><a:bodyPr/>${paragraph(text)}</a:txBody><a:tcPr/></a:tc>`;
  const table = (cells: readonly string[]): string =>
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="${NO}"/></p:nvGraphicFramePr><a:graphic><a:graphicData uri="${OFFICE}/drawingml/2006/table"><a:tbl><a:tr>${cells.map(cell).join('')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const number = shape(
    `<a:p><a:fld id="{00000000-0000-0000-0000-000000000000}" type="slidenum"><a:t>${NO}</a:t></a:fld></a:p>`,
    '<p:ph type="sldNum"/>',
  );
  const slide = (lines: readonly string[][], attributes: string): string =>
    `${HEAD}<p:sld ${xmlns} ${attributes}><p:cSld><p:spTree>${lines.map((cells) => (cells.length > 1 ? table(cells) : shape(paragraph(cells[0]!)))).join('')}${number}</p:spTree></p:cSld></p:sld>`;
  const slides = chunk(linesOf(document), LINES_PER_SLIDE).map((lines) => slide(lines, ''));
  slides.push(slide([[METADATA]], 'show="0"'));
  // The files are in the opposite order.
  const names = slides.map((_slide, index) => `slides/slide${slides.length - index}.xml`);
  const files = slides.flatMap((content, index) => [
    [`ppt/${names[index]!}`, content],
    [
      `ppt/slides/_rels/${names[index]!.slice('slides/'.length)}.rels`,
      relationships([['notesSlide', '../notesSlides/notesSlide1.xml']]),
    ],
  ]);
  return packageOf({
    '[Content_Types].xml': types({
      'ppt/presentation.xml': 'presentationml.presentation.main',
      'ppt/notesSlides/notesSlide1.xml': 'presentationml.notesSlide',
      ...Object.fromEntries(names.map((name) => [`ppt/${name}`, 'presentationml.slide'])),
    }),
    '_rels/.rels': relationships([['officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': `${HEAD}<p:presentation ${xmlns}><p:sldIdLst>${names.map((_name, index) => `<p:sldId id="${256 + index}" r:id="r${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(names.map((name) => ['slide', name])),
    'ppt/notesSlides/notesSlide1.xml': `${HEAD}<p:notes ${xmlns}><p:cSld><p:spTree>${shape(paragraph(METADATA))}</p:spTree></p:cSld></p:notes>`,
    ...Object.fromEntries(files),
  });
};

/** The document in the cells of a workbook with a table of texts, numbers and readings; a sheet is hidden. */
export const xlsx: Render = async (document) => {
  const xmlns = `xmlns="${OFFICE}/spreadsheetml/2006/main" xmlns:r="${RELATIONS}"`;
  const lines = linesOf(document);
  const texts = [...new Set([METADATA, ...lines.flat()])];
  const places = new Map(texts.map((text, index) => [text, index]));
  const rows = lines.map(
    (cells) =>
      `<row>${cells.map((text, index) => (index % 2 === 0 ? `<c t="s"><v>${places.get(text)}</v></c>` : `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`)).join('')}<c><f>A1</f><v>1.5E-3</v></c></row>`,
  );
  const sheet = (inner: string): string =>
    `${HEAD}<worksheet ${xmlns}><sheetData>${inner}</sheetData><headerFooter><oddFooter>${NO}</oddFooter></headerFooter></worksheet>`;
  const items = texts.map(
    (text) =>
      `<si>${inRuns(text, (inner) => `<r><t xml:space="preserve">${inner}</t></r>`)}<rPh sb="0" eb="1"><t>${NO}</t></rPh></si>`,
  );
  return packageOf({
    '[Content_Types].xml': types({
      'xl/workbook.xml': 'spreadsheetml.sheet.main',
      'xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet',
      'xl/worksheets/sheet2.xml': 'spreadsheetml.worksheet',
      'xl/sharedStrings.xml': 'spreadsheetml.sharedStrings',
    }),
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${HEAD}<workbook ${xmlns}><sheets><sheet name="${NO.slice(0, 31)}" sheetId="1" r:id="r0"/><sheet name="x" sheetId="2" state="hidden" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['worksheet', 'worksheets/sheet2.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/worksheets/sheet1.xml': sheet(rows.join('')),
    'xl/worksheets/sheet2.xml': sheet('<row><c t="s"><v>0</v></c></row>'),
    'xl/sharedStrings.xml': `${HEAD}<sst ${xmlns}>${items.join('')}</sst>`,
  });
};

const paragraph = (text: string): string =>
  `<text:p>${inRuns(text, (inner) => `<text:span>${inner}</text:span>`)}</text:p>`;

function openDocument(kind: string, styles: string, body: string): Promise<Uint8Array> {
  const names = ['office', 'text', 'table', 'style', 'presentation'].map(
    (name) => `xmlns:${name}="${OASIS}:${name}:1.0"`,
  );
  const xmlns = `${names.join(' ')} xmlns:draw="${OASIS}:drawing:1.0" office:version="1.3"`;
  const type = `application/vnd.oasis.opendocument.${kind}`;
  return packageOf({
    mimetype: type,
    'content.xml': `${HEAD}<office:document-content ${xmlns}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `${HEAD}<office:document-styles ${xmlns}><office:master-styles><style:master-page style:name="x"><style:header><text:p>${NO}</text:p></style:header></style:master-page></office:master-styles></office:document-styles>`,
    'META-INF/manifest.xml': `${HEAD}<manifest:manifest xmlns:manifest="${OASIS}:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/></manifest:manifest>`,
  });
}

/** The document as an OpenDocument presentation with notes, numbers and a placeholder; a slide is hidden. */
export const odp: Render = async (document) => {
  const frame = (text: string, attributes = ''): string =>
    `<draw:frame ${attributes}><draw:text-box>${text}</draw:text-box></draw:frame>`;
  const cell = (text: string): string => `<table:table-cell>${paragraph(text)}</table:table-cell>`;
  const line = (cells: readonly string[]): string =>
    cells.length === 1
      ? frame(paragraph(cells[0]!))
      : `<draw:frame><table:table><table:table-row>${cells.map(cell).join('')}</table:table-row></table:table></draw:frame>`;
  const number = frame(`<text:p><text:page-number>${NO}</text:page-number></text:p>`);
  const page = (lines: readonly string[][], style: string): string =>
    `<draw:page draw:name="${NO}" draw:style-name="${style}">${lines.map(line).join('')}${number}${frame(paragraph(METADATA), 'presentation:placeholder="true"')}<presentation:notes>${frame(paragraph(METADATA))}</presentation:notes></draw:page>`;
  const pages = chunk(linesOf(document), LINES_PER_SLIDE).map((lines) => page(lines, 'shown'));
  const styles = `<style:style style:name="hidden" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>`;
  return openDocument('presentation', styles, [...pages, page([[METADATA]], 'hidden')].join(''));
};

/** The document as an OpenDocument spreadsheet with numbers, comments and a million empty rows; a sheet is hidden. */
export const ods: Render = async (document) => {
  const cell = (text: string): string =>
    `<table:table-cell office:value-type="string">${paragraph(text)}</table:table-cell>`;
  const number = `<table:table-cell office:value-type="currency" office:value="1.5"><office:annotation>${paragraph(METADATA)}</office:annotation>${paragraph(METADATA)}</table:table-cell>`;
  const rows = linesOf(document).map(
    (cells) => `<table:table-row>${cells.map(cell).join('')}${number}</table:table-row>`,
  );
  const empty =
    '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
  const table = (inner: string, style: string): string =>
    `<table:table table:name="${NO}" table:style-name="${style}">${inner}</table:table>`;
  const styles = `<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>`;
  const hidden = table(`<table:table-row>${cell(METADATA)}</table:table-row>`, 'hidden');
  return openDocument('spreadsheet', styles, `${table([...rows, empty].join(''), 'shown')}${hidden}`);
};
