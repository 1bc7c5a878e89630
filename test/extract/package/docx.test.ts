import { describe, expect, test } from 'vitest';
import { type ExtractionOptions, extract } from '../../../src/extract/index.ts';
import { packageOf, relationship, relationships } from './package-of.ts';

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const XMLNS =
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml" ' +
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" ' +
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" ' +
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ' +
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"';

interface Parts {
  readonly main?: string;
  readonly namespace?: string;
  readonly parts?: Readonly<Record<string, string>>;
}

/** A package around a body. */
async function docxOf(body: string, { main = 'word/document.xml', namespace = W, parts = {} }: Parts = {}) {
  const [folder, file] = [main.slice(0, main.lastIndexOf('/') + 1), main.slice(main.lastIndexOf('/') + 1)];
  const root = (name: string, inner: string) => `<w:${name} xmlns:w="${namespace}" ${XMLNS}>${inner}</w:${name}>`;
  const related = Object.keys(parts).map((name, index) =>
    relationship(`r${index}`, name.replace(/[0-9]*\.xml$/, ''), name),
  );
  return packageOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationships(['r', 'officeDocument', `/${main}`]),
    [main]: root('document', root('body', body)),
    [`${folder}_rels/${file}.rels`]: `<Relationships>${related.join('')}</Relationships>`,
    ...Object.fromEntries(Object.entries(parts).map(([name, inner]) => [`${folder}${name}`, root('hdr', inner)])),
  });
}

async function textOf(body: string, parts: Parts = {}, options: ExtractionOptions = {}): Promise<string> {
  return (await extract(await docxOf(body, parts), { type: 'docx' }, options)).text;
}

const p = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`;
const r = (inner: string) => `<w:r>${inner}</w:r>`;
const t = (text: string) => r(`<w:t xml:space="preserve">${text}</w:t>`);
const sym = (name: string, code: string) => r(`<w:sym w:font="${name}" w:char="${code}"/>`);
const font = (name: string, text: string) =>
  r(`<w:rPr><w:rFonts w:ascii="${name}" w:hAnsi="${name}"/></w:rPr><w:t>${text}</w:t>`);
const shape = (...runs: string[]) =>
  `<a:sp><a:txBody><a:p><a:pPr/>${runs.map((each) => `<a:r><a:rPr/><a:t>${each}</a:t></a:r>`).join('')}</a:p></a:txBody></a:sp>`;
const field = (kind: string) => r(`<w:fldChar w:fldCharType="${kind}"/>`);

const CASES: readonly (readonly [what: string, body: string, text: string])[] = [
  ['nothing', '', ''],
  ['a word in several runs', p(t('wo'), r('<w:rPr><w:b/></w:rPr><w:t>r</w:t>'), t('d')), 'word'],
  ['paragraphs', p(t('a')) + p(t('b')), 'a\nb'],
  ['an empty paragraph', p(t('a')) + p() + p(t('b')), 'a\nb'],
  ['entities', p(t('a &amp; b&#xE9;')), 'a & bé'],
  ['white space that is not preserved', p(r('<w:t>\n a\u00A0 </w:t>'), t('b')), 'a\u00A0b'],
  [
    'tabs, line ends, hyphens',
    p(r('<w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t>')),
    'a\tb\nc\nd',
  ],
  ['hyphens', p(r('<w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c</w:t>')), 'a\u2011b\u00ADc'],
  ['tab stops are no tabs', p('<w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>', t('a')), 'a'],
  ['symbols', p(t('a'), r('<w:sym w:font="X" w:char="F0E0"/>'), t('b'), r('<w:sym w:char="00E9"/>')), 'a bé'],
  ['symbols of the font Symbol', p(sym('Symbol', 'F061'), sym('Symbol', '0062'), sym('Symbol', '00DA')), 'αβ∨'],
  ['codes that the font Symbol lacks', p(t('a'), sym('Symbol', 'F0F0'), t('b'), sym('Symbol', '0003')), 'a b'],
  ['a code point in the font Symbol', p(sym('Symbol', '03B1')), 'α'],
  [
    'symbols of other symbol fonts',
    p(t('a'), sym('Wingdings 2', 'F04A'), t('b'), sym('Webdings', '004A'), t('c')),
    'a b c',
  ],
  [
    'text in the font Symbol',
    p(font('Symbol', '\uF061\uF06D\uF0B3'), t('x'), font('Symbol', 'in Latin')),
    'αμ≥xin Latin',
  ],
  ['text in other symbol fonts', p(t('a'), font('Wingdings', '\uF04A'), t('b')), 'a b'],
  ['private use in fonts for text', p(font('Charis SIL', 'a\uF061')), 'a\uF061'],
  [
    'tables',
    `<w:tbl><w:tr><w:tc>${p(t('a'))}</w:tc><w:tc>${p(t('b'))}</w:tc></w:tr><w:tr><w:tc>${p(t('c'))}</w:tc></w:tr></w:tbl>`,
    'a\nb\nc',
  ],
  ['insertions are in', p(t('a'), `<w:ins>${t('b')}</w:ins>`, t('c')), 'abc'],
  ['deletions are out', p(t('a'), `<w:del>${r('<w:delText>b</w:delText><w:tab/>')}</w:del>`, t('c')), 'ac'],
  [
    'a drop cap and the rest of its word',
    `<w:p><w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>${t('O')}</w:p>${p(t('nce upon'))}`,
    'Once upon',
  ],
  ['moves', p(`<w:moveFrom>${t('a')}</w:moveFrom>`, t('b')) + p(`<w:moveTo>${t('a')}</w:moveTo>`), 'b\na'],
  [
    'a deleted end of a paragraph',
    p('<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>', t('wo')) + p(t('rd')) + p(t('a')),
    'word\na',
  ],
  [
    'an inserted run in a paragraph that is new',
    p('<w:pPr><w:rPr><w:ins/></w:rPr></w:pPr>', t('a')) + p(t('b')),
    'a\nb',
  ],
  ['hidden text', p(t('a'), r('<w:rPr><w:vanish/></w:rPr><w:t>b</w:t><w:tab/>'), t('c')), 'ac'],
  ['text that is not hidden', p(t('a'), r('<w:rPr><w:vanish w:val="0"/></w:rPr><w:t>b</w:t>')), 'ab'],
  ['a hidden paragraph mark hides no text', p('<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>', t('a')) + p(t('b')), 'a\nb'],
  ['comments', p('<w:commentRangeStart/>', t('a'), '<w:commentRangeEnd/>', r('<w:commentReference w:id="1"/>')), 'a'],
  [
    'fields: the result, not the instruction',
    p(
      t('a '),
      field('begin'),
      r('<w:instrText> PAGEREF x </w:instrText>'),
      field('separate'),
      t('b'),
      field('end'),
      t(' c'),
    ),
    'a b c',
  ],
  [
    'fields in instructions',
    p(field('begin'), field('begin'), field('separate'), t('a'), field('end'), field('separate'), t('b'), field('end')),
    'b',
  ],
  ['a simple field', p(`<w:fldSimple w:instr="PAGE">${t('a')}</w:fldSimple>`), 'a'],
  ['a field that is never finished', p(field('begin'), t('a')) + p(t('b')), 'b'],
  [
    'links, controls, smart tags',
    p(`<w:hyperlink>${t('a')}</w:hyperlink><w:smartTag>${t('b')}</w:smartTag>`) +
      `<w:sdt><w:sdtPr/><w:sdtContent>${p(t('c'))}</w:sdtContent></w:sdt>`,
    'ab\nc',
  ],
  ['ruby', p(r(`<w:ruby><w:rt>${t('kan')}</w:rt><w:rubyBase>${t('漢')}</w:rubyBase></w:ruby>`), t('字')), '漢字'],
  [
    'a text box behind its paragraph, once',
    p(
      t('wo'),
      r(
        `<mc:AlternateContent><mc:Choice><wps:txbx><w:txbxContent>${p(t('box'))}${p(t('two'))}</w:txbxContent></wps:txbx></mc:Choice>` +
          `<mc:Fallback><v:textbox><w:txbxContent>${p(t('box'))}</w:txbxContent></v:textbox></mc:Fallback></mc:AlternateContent>`,
      ),
      t('rd'),
    ) + p(t('a')),
    'word\nbox\ntwo\na',
  ],
  [
    'a fallback alone',
    p(r(`<mc:AlternateContent><mc:Fallback>${'<w:t>a</w:t>'}</mc:Fallback></mc:AlternateContent>`)),
    'a',
  ],
  ['formulas', p(t('a'), '<m:oMath><m:r><m:t>x</m:t></m:r><m:r><m:t>y</m:t></m:r></m:oMath>', t('b')), 'a x y b'],
  [
    'a shape with text of its own, behind its paragraph, once',
    p(
      t('wo'),
      r(
        `<mc:AlternateContent><mc:Choice><w:drawing>${shape('in ', 'it')}${shape('two')}</w:drawing></mc:Choice>` +
          `<mc:Fallback><v:textbox><w:txbxContent>${p(t('in it'))}</w:txbxContent></v:textbox></mc:Fallback></mc:AlternateContent>`,
      ),
      t('rd'),
    ) + p(t('a')),
    'word\nin it\ntwo\na',
  ],
  ['a line break in a shape', p(r(shape('a</a:t></a:r><a:br/><a:r><a:t>b'))), 'a\nb'],
  ['a shape in a hidden run', p(r(`<w:rPr><w:vanish/></w:rPr>${shape('x')}`), t('a')), 'a'],
  ['what other namespaces call t', p(t('a'), r('<v:t>b</v:t>')), 'a'],
];

describe('the main part of DOCX', () => {
  test.each(CASES)('is read: %s', async (_what, body, text) => {
    expect(await textOf(body)).toBe(text);
  });

  test('may be strict', async () => {
    expect(await textOf(p(t('a')), { namespace: 'http://purl.oclc.org/ooxml/wordprocessingml/main' })).toBe('a');
  });

  test('may have another name', async () => {
    expect(await textOf(p(t('a')), { main: 'word/document2.xml' })).toBe('a');
  });
});

describe('styles in DOCX', () => {
  const style = (id: string, properties: string, base = '') =>
    `<w:style w:type="character" w:styleId="${id}"><w:basedOn w:val="${base}"/>${properties}</w:style>`;
  const VANISH = '<w:rPr><w:b/><w:vanish/></w:rPr>';
  const SHOWN = '<w:rPr><w:vanish w:val="false"/></w:rPr>';
  const parts = {
    'styles.xml': [
      style('Hidden', VANISH),
      style('Heir', '<w:rPr><w:b/></w:rPr>', 'Hidden'),
      style('Grandchild', '', 'Heir'),
      style('Shown', SHOWN, 'Hidden'),
      style('One', '', 'Two'),
      style('Two', '', 'One'),
      style('Self', '', 'Self'),
      style('HiddenLast', '', 'Defined later'),
      style('Defined later', VANISH),
      style('Table', `<w:tblStylePr><w:pPr/>${VANISH}</w:tblStylePr>`),
    ].join(''),
  };
  const styled = (id: string, text: string, properties = '') =>
    r(`<w:rPr><w:rStyle w:val="${id}"/>${properties}</w:rPr><w:t>${text}</w:t>`);
  const paragraph = (id: string, ...runs: string[]) => p(`<w:pPr><w:pStyle w:val="${id}"/></w:pPr>`, ...runs);

  test.each([
    ['of characters', p(t('a'), styled('Hidden', 'x'), t('b')), 'ab'],
    ['that a style inherits', p(styled('Heir', 'x'), styled('Grandchild', 'y'), styled('HiddenLast', 'z')), ''],
    ['that a style overrides', p(styled('Shown', 'a')), 'a'],
    ['based on each other', p(styled('One', 'a'), styled('Two', 'b'), styled('Self', 'c')), 'abc'],
    ['in a part of a table style', paragraph('Table', t('a')), 'a'],
    ['that is not defined', p(styled('None', 'a')), 'a'],
    ['that a run overrides', p(styled('Hidden', 'a', '<w:vanish w:val="0"/>')), 'a'],
    ['of paragraphs', paragraph('Hidden', t('x')) + paragraph('Heir', t('y')) + p(t('a')), 'a'],
    ['of paragraphs, with a run that overrides it', paragraph('Hidden', r(`${SHOWN}<w:t>a</w:t>`), t('x')), 'a'],
    ['of paragraphs and of characters toggle', paragraph('Hidden', styled('Hidden', 'a'), styled('Shown', 'x')), 'a'],
    [
      'before a change of format',
      p(
        '<w:pPr><w:pPrChange><w:pPr><w:pStyle w:val="Hidden"/></w:pPr></w:pPrChange></w:pPr>',
        r('<w:rPr><w:rPrChange><w:rPr><w:rStyle w:val="Hidden"/><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>a</w:t>'),
      ),
      'a',
    ],
  ])('apply: %s', async (_what, body, text) => {
    expect(await textOf(body, { parts })).toBe(text);
  });

  test('apply in other parts', async () => {
    const notes = { ...parts, 'footnotes.xml': `<w:footnote>${p(styled('Hidden', 'x'), t('a'))}</w:footnote>` };
    expect(await textOf('', { parts: notes })).toBe('a');
  });

  test('that inherit in a long chain take linear time', async () => {
    const count = 100_000;
    const heirs = Array.from({ length: count }, (_, index) => style(`S${index}`, '', `S${index + 1}`));
    const chain = { 'styles.xml': `${heirs.join('')}${style(`S${count}`, VANISH)}` };
    expect(await textOf(p(styled('S0', 'x'), styled('S99999', 'y'), t('a')), { parts: chain })).toBe('a');
  });
});

describe('other parts of DOCX', () => {
  test('are read: notes after the text, headers and footers once', async () => {
    const parts = {
      'footnotes.xml': `<w:footnote w:type="separator">${p(t('-'))}</w:footnote><w:footnote>${p(r('<w:footnoteRef/>'), t('foot'))}</w:footnote>`,
      'endnotes.xml': `<w:endnote>${p(t('end'))}</w:endnote>`,
      'header1.xml': p(t('head')),
      'header2.xml': p(t('head')),
      'footer1.xml': p(t('page')),
      'comments.xml': `<w:comment>${p(t('no'))}</w:comment>`,
      'styles.xml': `<w:style>${p(t('no'))}</w:style>`,
    };
    const steps: string[] = [];
    const onProgress = (done: number, total: number) => steps.push(`${done}/${total}`);
    const body = p(t('wo'), r('<w:footnoteReference w:id="1"/>'), t('rd'));
    expect(await textOf(body, { parts }, { onProgress })).toBe('word\nfoot\nend\nhead\npage');
    expect(steps.at(-1)).toBe('6/6');
  });

  describe('diagrams', () => {
    // The second part that `docxOf` relates to the main part.
    const parts = {
      'header1.xml': p(t('head')),
      'diagramData1.xml': `<dgm:pt><dgm:t>${shape('one')}</dgm:t></dgm:pt><dgm:pt><dgm:t>${shape('two')}</dgm:t></dgm:pt>`,
    };
    const diagram = (id: string) => r(`<w:drawing><dgm:relIds r:dm="${id}"/></w:drawing>`);

    test('come after the paragraph that refers to them', async () => {
      const body = p(t('wo'), diagram('r1'), t('rd')) + p(t('a'));
      const { text, warnings } = await extract(await docxOf(body, { parts }), { type: 'docx' });
      expect(text).toBe('word\none\ntwo\na\nhead');
      expect(warnings).toEqual([]);
    });

    test('that are missing, and charts, are reported', async () => {
      const body = p(diagram('r7'), r('<c:chart r:id="r1"/>'));
      const { warnings } = await extract(await docxOf(body, { parts }), { type: 'docx' });
      expect(warnings).toEqual(['left out: 2 graphics (charts or diagrams)']);
    });

    test('that are referred to repeatedly count each time', async () => {
      const large = { ...parts, 'diagramData1.xml': `<dgm:t>${shape('x'.repeat(1000))}</dgm:t>` };
      const text = textOf(p(diagram('r1').repeat(1000)), { parts: large }, { limits: { inflated: 500_000 } });
      await expect(text).rejects.toMatchObject({ code: 'too-large' });
    });
  });

  test('are reported if they are embedded documents', async () => {
    const { warnings } = await extract(await docxOf('<w:altChunk/><w:altChunk/>'), { type: 'docx' });
    expect(warnings).toEqual(['left out: 2 embedded documents']);
  });
});

describe('documents that are imported (altChunk)', () => {
  const KIND = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk';
  const withChunk = (name: string, content: string | Uint8Array) =>
    packageOf({
      '[Content_Types].xml': '<Types/>',
      'word/document.xml': `<w:document xmlns:w="${W}"><w:body>${p(t('a'))}<w:altChunk r:id="c"/>${p(t('z'))}</w:body></w:document>`,
      'word/_rels/document.xml.rels': `<Relationships><Relationship Id="c" Type="${KIND}" Target="${name}"/></Relationships>`,
      [`word/${name}`]: content,
    });
  const MHT =
    'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>é\r\n--b--\r\n';

  test.each([
    ['HTML', 'c.htm', '<html><head><title>no</title></head><body><p>é</p></body></html>'],
    ['XHTML', 'c.xhtml', '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>é</body></html>'],
    ['MHTML', 'c.mht', MHT],
    ['text', 'c.txt', 'é'],
  ])('are read in their place: %s', async (_name, name, content) => {
    const { text, warnings } = await extract(await withChunk(name, content), { type: 'docx' });
    expect([text.split(/\s+/), warnings]).toEqual([['a', 'é', 'z'], []]);
  });

  test('are read if they are DOCX, but not those that such a document imports', async () => {
    const inner = await withChunk('c.docx', await withChunk('c.txt', 'no'));
    const { text, warnings } = await extract(await withChunk('c.docx', inner), { type: 'docx' });
    expect(text.split(/\s+/)).toEqual(['a', 'a', 'z', 'z']);
    expect(warnings).toEqual(['in word/c.docx: left out: 1 embedded document']);
  });

  test('are left out in other formats', async () => {
    const { text, warnings } = await extract(await withChunk('c.rtf', '{\\rtf1 no}'), { type: 'docx' });
    expect([text.split(/\s+/), warnings]).toEqual([['a', 'z'], ['left out: 1 embedded document']]);
  });
});

describe('extraction of DOCX', () => {
  test('returns text, media type and extractor', async () => {
    expect(await extract(await docxOf(p(t('a'))))).toEqual({
      text: 'a',
      mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      extractor: 'docx/4',
      warnings: [],
    });
  });

  test('fails without a main part', async () => {
    const bytes = await packageOf({ '[Content_Types].xml': '<Types/>', 'word/x.xml': '<a/>' });
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'damaged' });
  });

  test('reads text boxes in text boxes without recursion', async () => {
    const nested = `${'<w:p><w:r><w:txbxContent>'.repeat(600)}${'</w:txbxContent></w:r></w:p>'.repeat(600)}`;
    expect(await textOf(`${nested}${p(t('a'))}`)).toBe('a');
  });
});

test('attributes count whatever the prefix of their namespace is', async () => {
  const hidden = `<ns0:r xmlns:ns0="${W}"><ns0:rPr><ns0:vanish ns0:val="false"/></ns0:rPr><ns0:t>a</ns0:t></ns0:r>`;
  expect(await textOf(p(hidden, hidden.replace('false', 'true').replace('>a<', '>b<')))).toBe('a');
});

test('a part that many relationships name is read once', async () => {
  const others = Array.from({ length: 200 }, (_, index) => [`x${index}/../header1.xml`, ''] as const);
  const parts = { 'header1.xml': p(r(`<w:t>${'head '.repeat(1000)}</w:t>`)), ...Object.fromEntries(others) };
  expect(await textOf(p(t('body')), { parts }, { limits: { inflated: 200_000 } })).toMatch(/^body\nhead head/);
});
