import { describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/index.ts';
import { packageOf, RELATIONS, relationship, relationships } from './package-of.ts';

const TRANSITIONAL = {
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  p: 'http://schemas.openxmlformats.org/presentationml/2006/main',
  c: 'http://schemas.openxmlformats.org/drawingml/2006/chart',
  dgm: 'http://schemas.openxmlformats.org/drawingml/2006/diagram',
  m: 'http://schemas.openxmlformats.org/officeDocument/2006/math',
};
const STRICT = {
  a: 'http://purl.oclc.org/ooxml/drawingml/main',
  p: 'http://purl.oclc.org/ooxml/presentationml/main',
  c: 'http://purl.oclc.org/ooxml/drawingml/chart',
  dgm: 'http://purl.oclc.org/ooxml/drawingml/diagram',
  m: 'http://purl.oclc.org/ooxml/officeDocument/math',
};

interface Parts {
  readonly namespaces?: Readonly<Record<string, string>>;
  /** Identifiers of the slides in the order in which they are shown; by default, that of their files. */
  readonly order?: readonly string[];
  readonly parts?: Readonly<Record<string, string>>;
}

/** A package of slides; each may have attributes before a `|`. The slides r1, r2 and so on have a diagram d1. */
async function pptxOf(slides: readonly string[], { namespaces = TRANSITIONAL, order, parts = {} }: Parts = {}) {
  const xmlns = Object.entries(namespaces).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
  const all = `${xmlns.join(' ')} xmlns:r="${RELATIONS}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`;
  const ids = order ?? slides.map((_slide, index) => `r${index + 1}`);
  const files = slides.flatMap((slide, index) => {
    const [attributes, shapes] = slide.includes('|') ? slide.split('|') : ['', slide];
    const name = `slide${index + 1}.xml`;
    return [
      [`ppt/slides/${name}`, `<p:sld ${all} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`],
      [
        `ppt/slides/_rels/${name}.rels`,
        relationships(
          ['d1', 'diagramData', '../diagrams/data1.xml'],
          ['n', 'notesSlide', '../notesSlides/notesSlide1.xml'],
        ),
      ],
    ];
  });
  const related = slides.map((_slide, index) => relationship(`r${index + 1}`, 'slide', `slides/slide${index + 1}.xml`));
  const list = ids.map((id) => `<p:sldId r:id="${id}"/>`).join('');
  const sections = `<p14:sectionLst xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:sldId id="256"/></p14:sectionLst>`;
  const presentation = `<p:presentation ${all}><p:sldIdLst>${list}</p:sldIdLst>${sections}</p:presentation>`;
  return packageOf({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationships(['r1', 'officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': presentation,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${related.join('')}</Relationships>`,
    'ppt/slideLayouts/slideLayout1.xml': `<p:sldLayout ${all}>${sp(p('Click to edit'))}</p:sldLayout>`,
    'ppt/notesSlides/notesSlide1.xml': `<p:notes ${all}>${sp(p('notes'))}</p:notes>`,
    'ppt/diagrams/data1.xml': `<dgm:dataModel ${all}><dgm:pt><dgm:t>${p('one')}${p('two')}</dgm:t></dgm:pt></dgm:dataModel>`,
    ...Object.fromEntries(files),
    ...parts,
  });
}

const r = (text: string) => `<a:r><a:rPr/><a:t>${text}</a:t></a:r>`;
const p = (...runs: string[]) => `<a:p>${runs.map((run) => (run.startsWith('<') ? run : r(run))).join('')}</a:p>`;
const sp = (text: string, properties = '', placeholder = '') =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="no" descr="no" ${properties}/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/>${text}</p:txBody></p:sp>`;
const ph = (type: string, text: string) => sp(text, '', `<p:ph type="${type}"/>`);
const field = (type: string, text: string) => `<a:fld id="{0}" type="${type}"><a:rPr/><a:t>${text}</a:t></a:fld>`;
const cell = (text: string, attributes = '') => `<a:tc ${attributes}><a:txBody>${p(text)}</a:txBody></a:tc>`;
const diagram = (id: string) => `<p:graphicFrame><a:graphic><dgm:relIds r:dm="${id}"/></a:graphic></p:graphicFrame>`;

const CASES: readonly (readonly [what: string, shapes: string, text: string])[] = [
  ['nothing', '', ''],
  ['paragraphs of shapes', sp(p('a') + p('b')) + sp(p('c')), 'a\nb\nc'],
  ['a word in several runs', sp(p('wo', r('r'), 'd')), 'word'],
  ['line breaks and tabs', sp(p('a', '<a:br/>', 'b\tc')), 'a\nb\tc'],
  ['groups', `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="1"/></p:nvGrpSpPr>${sp(p('a'))}</p:grpSp>${sp(p('b'))}`, 'a\nb'],
  ['hidden shapes', sp(p('no'), 'hidden="1"') + sp(p('a'), 'hidden="0"'), 'a'],
  [
    'hidden groups',
    `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="1" hidden="true"/></p:nvGrpSpPr>${sp(p('no'))}</p:grpSp>${sp(p('a'))}`,
    'a',
  ],
  [
    'tables without cells that are merged into others',
    `<a:tbl><a:tr>${cell('a')}${cell('b')}</a:tr><a:tr>${cell('c', 'gridSpan="2"')}${cell('no', 'hMerge="1"')}${cell('no', 'vMerge="true"')}</a:tr></a:tbl>`,
    'a\nb\nc',
  ],
  ['numbers and dates that the program makes', sp(p('a ', field('slidenum', '7'), field('datetime3', 'no'))), 'a'],
  ['other fields', sp(p(field('custom', 'a'))), 'a'],
  ['placeholders of numbers', ph('sldNum', p('no')) + ph('title', p('a')), 'a'],
  ['diagrams', sp(p('a')) + diagram('d1'), 'a\none\ntwo'],
  [
    'formulas',
    sp(
      `<a:p>${r('a')}<mc:AlternateContent><mc:Choice><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></mc:Choice><mc:Fallback>${r('no')}</mc:Fallback></mc:AlternateContent>${r('b')}</a:p>`,
    ),
    'a x b',
  ],
  [
    'codes of symbol fonts',
    sp(p(`<a:r><a:rPr><a:sym typeface="Wingdings"/></a:rPr><a:t>\uF0E8 next</a:t></a:r>`, '\uF0E8')),
    '  next\uF0E8',
  ],
];

describe.each([
  ['transitional', TRANSITIONAL],
  ['strict', STRICT],
])('the text of %s', (_name, namespaces) => {
  test.each(CASES)('is read: %s', async (_what, shapes, text) => {
    expect((await extract(await pptxOf([shapes], { namespaces }))).text.trimEnd()).toBe(text);
  });
});

describe('slides of PPTX', () => {
  test('come in the order of the presentation, each once', async () => {
    const slides = ['a', 'b', 'c'].map((text) => sp(p(text)));
    expect((await extract(await pptxOf(slides, { order: ['r3', 'r1', 'r3', 'r9', 'r2'] }))).text).toBe('c\na\nb');
  });

  test('that are hidden are omitted with their content', async () => {
    const hidden = `show="0"|${sp(p('no'))}${ph('ftr', p('no'))}<c:chart/>`;
    expect(await extract(await pptxOf([hidden, `show="1"|${sp(p('a'))}`]))).toMatchObject({ text: 'a', warnings: [] });
  });

  test('have their footers once, at the end', async () => {
    const slide = (text: string) =>
      sp(p(text)) + ph('ftr', p('foot')) + ph('dt', p('May 2012')) + ph('sldNum', p('no'));
    expect((await extract(await pptxOf([slide('a'), slide('b')]))).text).toBe('a\nb\nfoot\nMay 2012');
  });

  test('that are missing are reported', async () => {
    const relations = relationships(['r1', 'slide', 'slides/x.xml'], ['r2', 'slide', 'slides/slide2.xml']);
    const parts = { 'ppt/_rels/presentation.xml.rels': relations };
    const { text, warnings } = await extract(await pptxOf([sp(p('a')), sp(p('b'))], { parts }));
    expect([text, warnings]).toEqual(['b', ['"ppt/slides/x.xml" is missing from the package']]);
    const unnamed = await pptxOf([sp(p('a'))], { parts: { 'ppt/_rels/presentation.xml.rels': '<Relationships/>' } });
    expect((await extract(unnamed)).warnings).toEqual(['damaged: text of 1 slide is missing']);
  });
});

describe('extraction of PPTX', () => {
  test('reports the extractor, charts and missing diagrams', async () => {
    const progress: number[][] = [];
    const onProgress = (done: number, total: number) => void progress.push([done, total]);
    const shapes = `${sp(p('a'))}<c:chart/>${diagram('d9')}`;
    expect(await extract(await pptxOf([shapes, '']), {}, { onProgress })).toEqual({
      text: 'a',
      mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      extractor: 'pptx/1',
      warnings: ['left out: 2 graphics (charts or diagrams)'],
    });
    expect(progress).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  test('counts a diagram each time it is referred to', async () => {
    const large = `<dgm:dataModel xmlns:a="${TRANSITIONAL.a}" xmlns:dgm="x">${p('x'.repeat(1000))}</dgm:dataModel>`;
    const bytes = await pptxOf([diagram('d1').repeat(1000)], { parts: { 'ppt/diagrams/data1.xml': large } });
    expect((await extract(bytes)).text.length).toBeGreaterThan(1_000_000);
    await expect(extract(bytes, {}, { limits: { inflated: 500_000 } })).rejects.toMatchObject({ code: 'too-large' });
  });

  test('fails without a presentation', async () => {
    const bytes = await packageOf({ '[Content_Types].xml': '<Types/>', 'ppt/x.xml': '<a/>' });
    await expect(extract(bytes)).rejects.toMatchObject({ code: 'damaged', message: /^damaged PPTX/ });
  });
});
