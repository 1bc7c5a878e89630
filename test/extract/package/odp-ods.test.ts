import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/index.ts';
import { OPEN_DOCUMENT, packageOf } from './package-of.ts';

const TYPE = 'application/vnd.oasis.opendocument.';

type Kind = 'presentation' | 'spreadsheet';

const inside = (kind: Kind, body: string, styles: string) =>
  `<office:automatic-styles>${styles}</office:automatic-styles><office:master-styles><style:master-page><style:header>${p('no')}</style:header>${frame(p('no'))}</style:master-page></office:master-styles><office:body><office:${kind}>${body}</office:${kind}></office:body>`;

const packaged = (kind: Kind, body: string, styles = '', others = {}) =>
  packageOf({
    mimetype: `${TYPE}${kind}`,
    'content.xml': `<office:document-content ${OPEN_DOCUMENT}>${inside(kind, body, styles)}</office:document-content>`,
    'styles.xml': `<office:document-styles ${OPEN_DOCUMENT}>${inside(kind, '', '')}</office:document-styles>`,
    ...others,
  });

const flat = async (kind: Kind, body: string, styles = '') =>
  new TextEncoder().encode(
    `<?xml version="1.0"?><office:document ${OPEN_DOCUMENT} office:mimetype="${TYPE}${kind}">${inside(kind, body, styles)}</office:document>`,
  );

const p = (inner: string) => `<text:p>${inner}</text:p>`;
const frame = (inner: string, attributes = '') =>
  `<draw:frame ${attributes}><draw:text-box>${inner}</draw:text-box><svg:title>no</svg:title></draw:frame>`;
const page = (inner: string, attributes = '') => `<draw:page draw:name="no" ${attributes}>${inner}</draw:page>`;
const style = (name: string, properties: string) => `<style:style style:name="${name}">${properties}</style:style>`;

const PAGES = [
  style('hidden', '<style:drawing-page-properties presentation:visibility="hidden"/>'),
  style(
    'footed',
    '<style:drawing-page-properties presentation:display-footer="true" presentation:display-date-time="true"/>',
  ),
  style(
    'bare',
    '<style:drawing-page-properties presentation:visibility="visible" presentation:display-footer="false"/>',
  ),
].join('');

const USE = 'presentation:use-footer-name="f1" presentation:use-date-time-name="d1"';

const SLIDES: readonly (readonly [what: string, body: string, text: string])[] = [
  ['shapes', page(`${frame(p('a'))}<draw:custom-shape>${p('b')}</draw:custom-shape>`) + page(frame(p('c'))), 'a\nb\nc'],
  [
    'hidden pages',
    page(frame(p('no')), 'draw:style-name="hidden"') + page(frame(p('a')), 'draw:style-name="bare"'),
    'a',
  ],
  ['notes', page(`${frame(p('a'))}<presentation:notes>${frame(p('no'))}</presentation:notes>`), 'a'],
  ['comments', page(`<office:annotation>${p('no')}</office:annotation>${frame(p('a'))}`), 'a'],
  ['placeholders', page(frame(p('no'), 'presentation:placeholder="true"') + frame(p('a'))), 'a'],
  ['hidden shapes', page(frame(p('no'), 'draw:display="none"') + frame(p('a'), 'draw:display="always"')), 'a'],
  [
    'numbers and dates that the program makes',
    page(
      frame(
        p(
          'a<text:page-number>1</text:page-number><text:date>no</text:date> <text:time text:fixed="true">b</text:time>',
        ),
      ),
    ),
    'a b',
  ],
  [
    'tables',
    page(
      `<draw:frame><table:table><table:table-row><table:table-cell>${p('a')}</table:table-cell><table:covered-table-cell>${p('no')}</table:covered-table-cell></table:table-row></table:table></draw:frame>`,
    ),
    'a',
  ],
  [
    'footers that pages show, once',
    '<presentation:footer-decl presentation:name="f1">foot</presentation:footer-decl><presentation:footer-decl presentation:name="f2">no</presentation:footer-decl>' +
      '<presentation:date-time-decl presentation:name="d1" presentation:source="fixed">May 2012</presentation:date-time-decl>' +
      page(frame(p('a')), `draw:style-name="footed" ${USE}`) +
      page(frame(p('b')), `draw:style-name="footed" ${USE}`) +
      page(frame(p('c')), 'draw:style-name="bare" presentation:use-footer-name="f2"'),
    'a\nb\nc\nfoot\nMay 2012',
  ],
  [
    'dates of the day',
    '<presentation:date-time-decl presentation:name="d1" presentation:source="current-date">no</presentation:date-time-decl>' +
      page(frame(p('a')), `draw:style-name="footed" ${USE}`),
    'a',
  ],
];

const cell = (inner: string, attributes = 'office:value-type="string"') =>
  `<table:table-cell ${attributes}>${inner}</table:table-cell>`;
const row = (inner: string, attributes = '') => `<table:table-row ${attributes}>${inner}</table:table-row>`;
const table = (inner: string, attributes = '') => `<table:table table:name="no" ${attributes}>${inner}</table:table>`;
const NO_TEXTS = [
  'float" office:value="1',
  'percentage',
  'currency',
  'date',
  'time',
  'boolean',
  'string" calcext:value-type="error',
].map((type) => cell(p('no'), `office:value-type="${type}"`));
const TABLES = style('hidden', '<style:table-properties table:display="false"/>');

const SHEETS: readonly (readonly [what: string, body: string, text: string])[] = [
  ['rows of cells', table(row(cell(p('a')) + cell(p('b'))) + row(cell(p('c')))), 'a\tb\nc'],
  ['cells in paragraphs and spans', table(row(cell(p('w<text:span>or</text:span>d') + p('a')))), 'word\na'],
  [
    'no numbers, dates, truth values and errors',
    table(row(NO_TEXTS.join('') + cell(p('a'), 'office:value-type="string" calcext:value-type="string"'))),
    'a',
  ],
  [
    'hidden sheets',
    table(row(cell(p('no'))), 'table:style-name="hidden"') + table(row(cell(p('a'))), 'table:style-name="x"'),
    'a',
  ],
  ['comments', table(row(cell(`<office:annotation>${p('no')}</office:annotation>${p('a')}`))), 'a'],
  ['covered cells', table(row(`${cell(p('a'))}<table:covered-table-cell>${p('no')}</table:covered-table-cell>`)), 'a'],
  [
    'cells and rows as often as they are repeated',
    table(
      row(
        cell('', 'table:number-columns-repeated="3"') +
          cell(p('a'), 'office:value-type="string" table:number-columns-repeated="2"') +
          cell(p('b')),
        'table:number-rows-repeated="2"',
      ),
    ),
    'a\ta\tb\na\ta\tb',
  ],
  [
    'a million empty rows and cells',
    table(
      row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048576"') +
        row(cell(p('a'))),
    ),
    'a',
  ],
  [
    'nonsense repeated',
    table(row(cell(p('a'), 'table:number-columns-repeated="-1"'), 'table:number-rows-repeated="x"')),
    'a',
  ],
  [
    'shapes after the cells of their sheet',
    table(
      `<table:shapes>${frame(p('b'))}</table:shapes>${row(cell(`${frame(p('c'))}${p('a')}`))}${row(cell(frame(p('d')), 'office:value-type="float"'))}`,
    ) + table(row(cell(p('e')))),
    'a\nb\nc\nd\ne',
  ],
  [
    'messages and names',
    `<table:content-validations><table:content-validation><table:help-message>${p('no')}</table:help-message></table:content-validation></table:content-validations>${table(row(cell(p('a'))))}<table:named-expressions/>`,
    'a',
  ],
];

describe.each([
  ['package', packaged],
  ['single file', flat],
] as const)('the text of %s', (_name, make) => {
  test.each(SLIDES)('has slides: %s', async (_what, body, text) => {
    expect((await extract(await make('presentation', body, PAGES))).text).toBe(text);
  });

  test.each(SHEETS)('has sheets: %s', async (_what, body, text) => {
    expect((await extract(await make('spreadsheet', body, TABLES))).text).toBe(text);
  });
});

describe('an object', () => {
  const object = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
  const chart = `<office:document-content ${OPEN_DOCUMENT}><office:body><office:chart>${p('no')}</office:chart></office:body></office:document-content>`;

  test.each([
    ['presentation', page(object + frame(p('a')))],
    ['spreadsheet', table(row(cell(object + p('a'))))],
  ] as const)('that is a chart in a %s is reported', async (kind, body) => {
    const { text, warnings } = await extract(await packaged(kind, body, '', { 'Object 1/content.xml': chart }));
    expect([text, warnings]).toEqual(['a', ['left out: 1 embedded object']]);
  });

  test('that is a document in a slide is read as it is shown', async () => {
    const sheet = `<office:body><office:spreadsheet>${table(row(cell(p('1 EUR'), 'office:value-type="currency"')))}</office:spreadsheet></office:body>`;
    const content = `<office:document-content ${OPEN_DOCUMENT}>${sheet}</office:document-content>`;
    const bytes = await packaged('presentation', page(object), '', { 'Object 1/content.xml': content });
    expect((await extract(bytes)).text).toBe('1 EUR');
  });
});

describe('extraction', () => {
  test.each([
    ['presentation', 'odp/1'],
    ['spreadsheet', 'ods/1'],
  ] as const)('names the extractor of a %s', async (kind, extractor) => {
    const mediaType = `${TYPE}${kind}`;
    expect(await extract(await packaged(kind, ''))).toEqual({ text: '', mediaType, extractor, warnings: [] });
    expect(await extract(await flat(kind, ''))).toMatchObject({
      mediaType: `${mediaType}-flat-xml`,
      extractor: 'xml/3',
    });
  });

  test('rejects text that is repeated too often, without delay', async () => {
    const repeated = 'table:number-columns-repeated="1000000000"';
    const wide = table(row(cell(p('a'), `office:value-type="string" ${repeated}`)));
    const long = table(row(cell(p('a')), 'table:number-rows-repeated="1000000000"'));
    for (const body of [wide, long, table(row(cell(p('a'), `${repeated} office:value-type="string"`).repeat(9)))])
      for (const make of [packaged, flat])
        await expect(extract(await make('spreadsheet', body))).rejects.toMatchObject({ code: 'too-large' });
  });

  test('fails without content', async () => {
    const bytes = await packageOf({ mimetype: `${TYPE}spreadsheet` });
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'damaged', message: /^damaged ODS/ });
  });
});
