import { extract } from '../../../src/extract/index.ts';
import { type Members, packageOf } from '../../extract/package/package-of.ts';

/** Makes an input of a size, and reads it. */
export interface Family {
  readonly name: string;
  /** The first of the sizes n, 2n and 4n. */
  readonly start: number;
  run(size: number): Promise<unknown>;
}

/** Times below this, in milliseconds, say nothing about growth. */
const MIN_TIME = 300;

/** The most that twice the input may cost; 2 is linear, 4 quadratic. */
const MAX_FACTOR = 3;

const numbered = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('');

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
};

function familiesOf(type: 'html' | 'xml', makers: typeof HTML, start: number): Family[] {
  return Object.entries(makers).map(([name, make]) => ({
    name: `${type}-${name}`,
    start,
    run: (size) => extract(new TextEncoder().encode(make(size)), { type }).catch(() => null),
  }));
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
const cell = '<table:table-cell><text:p>x</text:p></table:table-cell>';

const PACKAGES: Readonly<Record<string, (n: number) => Members>> = {
  'xlsx-rows': (n) => xlsxOf('<row><c t="s"><v>0</v></c><c><v>1</v></c></row>'.repeat(n), '<si><t>x</t></si>'),
  'xlsx-cells': (n) => xlsxOf(`<row>${'<c t="inlineStr"><is><t>x</t></is></c>'.repeat(n)}</row>`),
  'xlsx-strings': (n) => xlsxOf('', '<si><r><t>x</t></r><rPh><t>y</t></rPh></si>'.repeat(n)),
  'pptx-slides': (n) => pptxOf(Array.from({ length: n / 20 }, () => shape)),
  'pptx-shapes': (n) => pptxOf([shape.repeat(n)]),
  'pptx-groups': (n) => pptxOf([`${'<grpSp>'.repeat(1900)}${shape.repeat(n)}`]),
  'ods-rows': (n) =>
    odfOf('spreadsheet', `<table:table>${`<table:table-row>${cell}</table:table-row>`.repeat(n)}</table:table>`),
  'ods-cells': (n) =>
    odfOf('spreadsheet', `<table:table><table:table-row>${cell.repeat(n)}</table:table-row></table:table>`),
  'ods-nested': (n) =>
    odfOf('spreadsheet', `<table:table>${'<table:table-row><table:table-cell>'.repeat(900)}${cell.repeat(n)}`),
  'odp-frames': (n) =>
    odfOf('presentation', `<draw:page>${'<draw:frame><text:p>x</text:p></draw:frame>'.repeat(n)}</draw:page>`),
};

const packageFamilies = Object.entries(PACKAGES).map(([name, make]) => ({
  name,
  start: 20_000,
  run: async (size: number) => extract(await packageOf(make(size))),
}));

export const FAMILIES: readonly Family[] = [
  ...familiesOf('html', HTML, 40_000),
  ...familiesOf('xml', XML, 20_000),
  ...packageFamilies,
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
