import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/index.ts';
import { OPEN_DOCUMENT, packageOf } from './package-of.ts';

const MIMETYPE = 'application/vnd.oasis.opendocument.text';

interface Parts {
  readonly styles?: string;
  readonly margins?: string;
  readonly others?: Readonly<Record<string, string>>;
}

const document = (inner: string) =>
  `<?xml version="1.0"?><office:document-content ${OPEN_DOCUMENT}>${inner}</office:document-content>`;

async function odtOf(body: string, { styles = '', margins = '', others = {} }: Parts = {}) {
  return packageOf({
    mimetype: MIMETYPE,
    'content.xml': document(
      `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body>`,
    ),
    'styles.xml': document(
      `<office:master-styles><style:master-page>${margins}</style:master-page></office:master-styles>`,
    ),
    'meta.xml': document('<office:meta>no</office:meta>'),
    ...others,
  });
}

const p = (inner: string) => `<text:p>${inner}</text:p>`;
const HIDDEN = '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>';

const CASES: readonly (readonly [what: string, body: string, text: string])[] = [
  ['nothing', '', ''],
  ['paragraphs and headings', `<text:h>a</text:h>${p('b')}\n${p('c')}`, 'a\nb\nc'],
  ['spans', p('wo<text:span>r</text:span>d <text:a>a</text:a>'), 'word a'],
  ['white space', p('\n a  b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e '), 'a b c\td\ne'],
  ['text between paragraphs is none', `${p('a')} x ${p('b')}`, 'a\nb'],
  [
    'lists',
    `<text:list><text:list-header/><text:list-item>${p('a')}</text:list-item><text:list-item>${p('b')}</text:list-item></text:list>`,
    'a\nb',
  ],
  ['numbers', `<text:h><text:number>IV.</text:number>a</text:h>`, 'a'],
  [
    'tables',
    `<table:table><table:table-row><table:table-cell>${p('a')}</table:table-cell><table:covered-table-cell>${p('x')}</table:covered-table-cell></table:table-row></table:table>`,
    'a',
  ],
  [
    'notes behind their paragraph',
    p(
      `wo<text:note><text:note-citation>1</text:note-citation><text:note-body>${p('note')}${p('two')}</text:note-body></text:note>rd`,
    ) + p('a'),
    'word\nnote\ntwo\na',
  ],
  [
    'text boxes',
    p(`wo<draw:frame><draw:text-box>${p('box')}</draw:text-box><svg:desc>x</svg:desc></draw:frame>rd`),
    'word\nbox',
  ],
  [
    'notes in text boxes',
    p(`a<draw:frame><draw:text-box>${p(`b<text:note>${p('c')}</text:note>d`)}</draw:text-box></draw:frame>e`),
    'ae\nbd\nc',
  ],
  ['comments', p(`wo<office:annotation>${p('x')}</office:annotation>rd<office:annotation-end/>`), 'word'],
  [
    'deletions',
    `<text:tracked-changes><text:changed-region><text:deletion>${p('x')}</text:deletion></text:changed-region></text:tracked-changes>${p('a<text:change/>b<text:change-start/>c<text:change-end/>')}`,
    'abc',
  ],
  [
    'ruby',
    p('<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby>字'),
    '漢字',
  ],
  [
    'hidden sections',
    `<text:section text:display="none">${p('x')}</text:section><text:section>${p('a')}</text:section>`,
    'a',
  ],
  [
    'hidden text',
    p('a<text:span text:style-name="H">x</text:span>b<text:hidden-text text:is-hidden="true">y</text:hidden-text>'),
    'ab',
  ],
  [
    'fields and bibliography',
    p('<text:page-number>a</text:page-number> <text:bibliography-mark>[b]</text:bibliography-mark>'),
    'a [b]',
  ],
  [
    'indexes: what is shown, not how it is made',
    `<text:table-of-content><text:table-of-content-source>${p('x')}</text:table-of-content-source><text:index-body>${p('a')}</text:index-body></text:table-of-content>`,
    'a',
  ],
  ['declarations', '<text:sequence-decls>x</text:sequence-decls><office:forms>y</office:forms>', ''],
];

describe('the body of ODT', () => {
  test.each(CASES)('is read: %s', async (_what, body, text) => {
    expect((await extract(await odtOf(body, { styles: HIDDEN }))).text).toBe(text);
  });

  test.each(CASES)('is read in a flat document: %s', async (_what, body, text) => {
    const flat = `<?xml version="1.0"?><office:document ${OPEN_DOCUMENT}><office:automatic-styles>${HIDDEN}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document>`;
    const extraction = await extract(new TextEncoder().encode(flat));
    expect(extraction.text).toBe(text);
    expect(extraction.extractor).toBe('xml/3');
  });
});

describe('other parts of ODT', () => {
  test('are read: headers and footers once', async () => {
    const margins =
      `<style:header>${p('head')}</style:header><style:header-first>${p('head')}</style:header-first>` +
      `<style:footer>${p('foot <text:page-number>1</text:page-number>')}</style:footer>` +
      `<style:footer-left style:display="false">${p('x')}</style:footer-left>`;
    expect((await extract(await odtOf(p('a'), { margins }))).text).toBe('a\nhead\nfoot 1');
  });

  test('are read: formulas', async () => {
    const formula =
      '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><mi>y</mi><annotation>x y</annotation></math>';
    const body = p('a<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>b');
    expect((await extract(await odtOf(body, { others: { 'Object 1/content.xml': formula } }))).text).toBe('a x y b');
  });

  const chart = `<office:chart><chart>${p('title')}<table:table>${p('9.1')}</table:table></chart></office:chart>`;
  const EMBEDDED: readonly (readonly [what: string, object: string, text: string, warnings: string[]])[] = [
    ['a chart', chart, 'ab\nc', ['left out: 1 embedded object']],
    ['a text', `<office:text>${p('x')}${p('y')}</office:text>`, 'ab\nx\ny\nc', []],
    [
      'a drawing',
      `<office:drawing><draw:page><draw:frame><draw:text-box>${p('x')}</draw:text-box></draw:frame></draw:page></office:drawing>`,
      'ab\nx\nc',
      [],
    ],
    [
      'a spreadsheet',
      `<office:spreadsheet><table:table><table:table-row><table:table-cell>${p('1')}</table:table-cell><table:table-cell>${p('2')}</table:table-cell></table:table-row></table:table></office:spreadsheet>`,
      'ab\n1\n2\nc',
      [],
    ],
    [
      'a presentation without its notes',
      `<office:presentation><draw:page><draw:text-box>${p('x')}</draw:text-box><presentation:notes>${p('no')}</presentation:notes></draw:page></office:presentation>`,
      'ab\nx\nc',
      [],
    ],
  ];

  test.each(EMBEDDED)('are embedded: %s', async (_what, object, text, warnings) => {
    const body = `${p('a<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>b')}${p('c')}`;
    const others = { 'Object 1/content.xml': document(`<office:body>${object}</office:body>`) };
    expect(await extract(await odtOf(body, { others }))).toMatchObject({ text, warnings });
  });

  test.each(EMBEDDED)('are embedded in a flat document: %s', async (_what, object, text, warnings) => {
    // Its style "H" hides text, that of the outer document does not; its margins are not shown.
    const inner = `<office:document><office:automatic-styles>${HIDDEN}</office:automatic-styles><office:master-styles><style:header>${p('no')}</style:header></office:master-styles><office:body>${object}</office:body></office:document>`;
    const body = `${p(`a<draw:frame><draw:object>${inner}</draw:object></draw:frame>b`)}<text:p text:style-name="H">c</text:p>`;
    const flat = `<office:document ${OPEN_DOCUMENT}><office:body><office:text>${body}</office:text></office:body></office:document>`;
    expect(await extract(new TextEncoder().encode(flat), { type: 'xml' })).toMatchObject({ text, warnings });
  });

  test('that are missing, and objects in embedded documents, are counted', async () => {
    const object = '<draw:object xlink:href="./Object 1"/>';
    const others = {
      'Object 2/content.xml': document(`<office:body><office:text>${p(object)}</office:text></office:body>`),
    };
    const bytes = await odtOf(p(`${object}${object.replace('1', '2')}`), { others });
    expect((await extract(bytes)).warnings).toEqual(['left out: 2 embedded objects']);
  });

  test('count each time a formula is referred to', async () => {
    const formula = `<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>${'x'.repeat(1000)}</mi></math>`;
    const body = p('<draw:object xlink:href="./Object 1"/>'.repeat(1000));
    const bytes = await odtOf(body, { others: { 'Object 1/content.xml': formula } });
    await expect(extract(bytes, {}, { limits: { inflated: 500_000 } })).rejects.toMatchObject({ code: 'too-large' });
    expect((await extract(bytes)).text.length).toBeGreaterThan(1_000_000);
  });

  test('include a formula in its place in a flat document', async () => {
    const flat = `<office:document ${OPEN_DOCUMENT}><office:body><office:text>${p('a<draw:object><math:math><math:mi>x</math:mi></math:math></draw:object>b')}</office:text></office:body></office:document>`;
    expect((await extract(new TextEncoder().encode(flat), { type: 'xml' })).text).toBe('a x b');
  });
});

describe('extraction of ODT', () => {
  test('returns text, media type and extractor', async () => {
    expect(await extract(await odtOf(p('a')))).toEqual({
      text: 'a',
      mediaType: MIMETYPE,
      extractor: 'odt/2',
      warnings: [],
    });
  });

  test.each(['content.xml', 'encrypted-package'])('fails if it is encrypted: %s', async (path) => {
    const manifest = `<manifest:manifest ${OPEN_DOCUMENT}><manifest:file-entry manifest:full-path="/"/><manifest:file-entry manifest:full-path="${path}"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`;
    const bytes = await odtOf('', { others: { 'META-INF/manifest.xml': manifest } });
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'encrypted' });
  });

  test('fails without content', async () => {
    await expect(extract(await packageOf({ mimetype: MIMETYPE }))).rejects.toMatchObject({ code: 'damaged' });
  });
});
