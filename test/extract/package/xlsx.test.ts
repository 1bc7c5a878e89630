import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/index.ts';
import { packageOf, RELATIONS, relationship, relationships } from './package-of.ts';

const NAMESPACES = [
  ['transitional', 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'],
  ['strict', 'http://purl.oclc.org/ooxml/spreadsheetml/main'],
] as const;

interface Parts {
  readonly namespace?: string;
  readonly strings?: string;
  /** The attributes in `workbook.xml` for each sheet, by default `state="visible"`. */
  readonly states?: readonly string[];
  readonly parts?: Readonly<Record<string, string>>;
}

/** A package of sheets, each with a drawing `drawing1.xml` if there is one. */
async function xlsxOf(sheets: readonly string[], options: Parts = {}) {
  const { namespace = NAMESPACES[0][1], strings = '', states = [], parts = {} } = options;
  const root = (name: string, inner: string) =>
    `<${name} xmlns="${namespace}" xmlns:r="${RELATIONS}">${inner}</${name}>`;
  const entries = sheets.map((_sheet, at) => `<sheet name="no" r:id="r${at}" ${states[at] ?? 'state="visible"'}/>`);
  const related = sheets.map((_sheet, at) => relationship(`r${at}`, 'worksheet', `worksheets/sheet${at}.xml`));
  const drawing = relationships(['d', 'drawing', '../drawings/drawing1.xml'], ['c', 'comments', '../comments1.xml']);
  return packageOf({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationships(['r1', 'officeDocument', '/xl/workbook.xml']),
    'xl/workbook.xml': root(
      'workbook',
      `<sheets>${entries.join('')}</sheets><definedNames><definedName>no</definedName></definedNames>`,
    ),
    'xl/_rels/workbook.xml.rels': `<Relationships>${related.join('')}${relationship('s', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/sharedStrings.xml': root('sst', strings),
    'xl/comments1.xml': root('comments', '<comment><text><t>no</t></text></comment>'),
    ...Object.fromEntries(
      sheets.flatMap((sheet, at) => [
        [
          `xl/worksheets/sheet${at}.xml`,
          root('worksheet', `<sheetData>${sheet}</sheetData><headerFooter><oddHeader>no</oddHeader></headerFooter>`),
        ],
        [`xl/worksheets/_rels/sheet${at}.xml.rels`, drawing],
      ]),
    ),
    ...parts,
  });
}

const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const shared = (at: number) => `<c r="A1" s="1" t="s"><v>${at}</v></c>`;

const CASES: readonly (readonly [what: string, rows: string, text: string])[] = [
  ['nothing', '', ''],
  ['texts of the table', row(shared(1), shared(0)) + row(shared(1)), 'b\ta\nb'],
  ['texts in runs, without readings', row(shared(2)), 'word 東京'],
  ['texts of the cells', row(inline('a')), 'a'],
  ['runs in cells', row('<c t="inlineStr"><is><r><t>wo</t></r><r><rPr/><t>rd</t></r></is></c>'), 'word'],
  ['texts that formulas have made, without the formulas', row('<c t="str"><f>no</f><v>a</v></c>'), 'a'],
  [
    'no numbers, dates, truth values and errors',
    row('<c><v>1E-3</v></c>', '<c t="n"><v>2</v></c>', '<c t="b"><v>1</v></c>', '<c t="e"><v>#N/A</v></c>') +
      row('<c t="d"><v>2024-01-31T12:00:00</v></c>', inline('a')),
    'a',
  ],
  ['no empty rows and cells', row() + row('<c/>', inline('')) + row(inline('a'), '<c/>', inline('b')), 'a\tb'],
  [
    'characters that XML cannot hold',
    row(inline('a_x0041_b_x005F_x0041_'), '<c t="str"><v>_x4E2D_</v></c>'),
    'aAb_x0041_\t中',
  ],
  ['lone surrogates', row(inline('a_xD83D_b_xDE00_c_xD83D__xDE00_')), 'a\uFFFDb\uFFFDc😀'],
  ['a text that the table lacks', row(shared(9), '<c t="s"><v>x</v></c>', inline('a')), 'a'],
];

const STRINGS =
  '<si><t>a</t></si><si><t>b</t></si><si><r><t>word </t></r><r><rPr/><t>東京</t></r><rPh><t>トウキョウ</t></rPh><phoneticPr/></si>';

describe.each(NAMESPACES)('the text of %s', (_name, namespace) => {
  test.each(CASES)('is read: %s', async (_what, rows, text) => {
    expect((await extract(await xlsxOf([rows], { namespace, strings: STRINGS }))).text).toBe(text);
  });
});

describe('sheets of XLSX', () => {
  const sheets = ['a', 'b', 'c'].map((text) => row(inline(text)));

  test('that are hidden are omitted', async () => {
    const states = ['state="hidden"', 'state="veryHidden"', ''];
    expect((await extract(await xlsxOf(sheets, { states }))).text).toBe('c');
  });

  test('are related by a prefix that a program has made up', async () => {
    const attribute = `xmlns:d3p1="${RELATIONS}" d3p1:id="r0"`;
    const workbook = `<workbook xmlns="${NAMESPACES[0][1]}"><sheets><sheet name="no" ${attribute}/></sheets></workbook>`;
    const bytes = await xlsxOf([row(inline('a'))], { parts: { 'xl/workbook.xml': workbook } });
    expect(await extract(bytes, { type: 'xlsx' })).toMatchObject({ text: 'a', warnings: [] });
  });

  test('come in the order of the workbook, each once', async () => {
    const relations = ['2', '0', '2', '1'].map((at, index) =>
      relationship(`r${index}`, 'worksheet', `worksheets/sheet${at}.xml`),
    );
    const entries = relations.map((_relation, index) => `<sheet r:id="r${index}"/>`);
    const parts = {
      'xl/workbook.xml': `<workbook xmlns:r="${RELATIONS}">${entries.join('')}</workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    };
    expect((await extract(await xlsxOf(sheets, { parts }))).text).toBe('c\na\nb');
  });

  test('have the texts of their shapes after their cells, and charts are reported', async () => {
    const A = 'http://schemas.openxmlformats.org/drawingml/2006/main';
    const sp = (text: string, hidden = '0') =>
      `<xdr:sp><xdr:nvSpPr><xdr:cNvPr hidden="${hidden}"/></xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody></xdr:sp>`;
    const drawing = `<xdr:wsDr xmlns:xdr="x" xmlns:a="${A}" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><xdr:from><xdr:row>3</xdr:row></xdr:from>${sp('shape')}${sp('no', '1')}<c:chart/></xdr:wsDr>`;
    const bytes = await xlsxOf([sheets[0]!], { parts: { 'xl/drawings/drawing1.xml': drawing } });
    const { text, warnings } = await extract(bytes);
    expect([text, warnings]).toEqual(['a\nshape', ['left out: 1 graphic (charts or diagrams)']]);
  });

  test('that are charts or missing are reported', async () => {
    const relations = relationships(
      ['r0', 'chartsheet', 'chartsheets/sheet1.xml'],
      ['r1', 'worksheet', 'worksheets/x.xml'],
      ['r2', 'worksheet', 'worksheets/sheet2.xml'],
    );
    const bytes = await xlsxOf(sheets, { parts: { 'xl/_rels/workbook.xml.rels': relations } });
    const { text, warnings } = await extract(bytes);
    expect(text).toBe('c');
    expect(warnings).toEqual([
      '"xl/worksheets/x.xml" is missing from the package',
      'left out: 1 graphic (charts or diagrams)',
    ]);
    const unnamed = await xlsxOf(sheets, { parts: { 'xl/_rels/workbook.xml.rels': '<Relationships/>' } });
    expect((await extract(unnamed)).warnings).toEqual(['damaged: text of 3 sheets is missing']);
  });
});

describe('extraction of XLSX', () => {
  test('names the extractor', async () => {
    expect(await extract(await xlsxOf([row(inline('a'))]))).toEqual({
      text: 'a',
      mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      extractor: 'xlsx/1',
      warnings: [],
    });
  });

  test('counts a text each time cells refer to it', async () => {
    const bytes = await xlsxOf([row(shared(0).repeat(1000))], { strings: `<si><t>${'x'.repeat(1000)}</t></si>` });
    expect((await extract(bytes)).text.length).toBeGreaterThan(1_000_000);
    await expect(extract(bytes, {}, { limits: { inflated: 500_000 } })).rejects.toMatchObject({ code: 'too-large' });
  });

  test('is limited to a multiple of the size of the file', async () => {
    const bytes = await xlsxOf([row(shared(0).repeat(1000))], { strings: `<si><t>${'x'.repeat(50_000)}</t></si>` });
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'too-large', message: /100 times its size/ });
  });

  test('fails without a workbook, or with one that is not XML', async () => {
    const types = { '[Content_Types].xml': '<Types/>' };
    const none = extract(await packageOf({ ...types, 'xl/x.xml': '<a/>' }));
    await expect(none).rejects.toMatchObject({ code: 'damaged', message: /^damaged XLSX/ });
    const relations = relationships(['r', 'officeDocument', 'xl/workbook.bin']);
    const bytes = await packageOf({ ...types, '_rels/.rels': relations, 'xl/workbook.bin': '' });
    const binary = extract(bytes, { type: 'xlsx' });
    await expect(binary).rejects.toMatchObject({ code: 'unsupported-media-type', message: /XLSB.*convert it to XLSX/ });
  });
});
