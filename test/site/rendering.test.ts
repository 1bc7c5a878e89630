import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { renderDocument } from '../../src/site/build/layout.ts';
import type { Citations } from '../../src/site/pages/citations.ts';
import { type Page, table } from '../../src/site/pages/html.ts';
import { contentsOfDocument, renderMarkdown, slugOf } from '../../src/site/pages/markdown.ts';
import { readDeclarations } from '../../src/site/pages/reference/declarations.ts';
import { claimTable, reportTables } from '../../src/site/pages/report-card.ts';
import { folder } from '../cli/command.ts';

/** Writes files, and gives the address of their folder. */
function urlOf(files: Readonly<Record<string, string>>): URL {
  const path = folder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return pathToFileURL(`${path}/`);
}

describe('a whole page', () => {
  const page = (path: string, section: Page['section'], part: Partial<Page> = {}): Page => ({
    ...{ path, section, title: 'A <title>', description: '"quoted"', body: '<p>body</p>' },
    ...part,
  });
  const pages = [
    page('index.html', 'playground'),
    page('spec/a.html', 'specification'),
    page('spec/b.html', 'specification'),
    page('report-card/index.html', 'report card'),
  ];
  const files = { styles: ['s.css'], scripts: ['a.js'], modules: ['m.js'] };

  test('has relative links, and marks its place in the navigation', () => {
    const html = renderDocument(pages[2]!, pages, files);
    for (const link of [
      'rel="stylesheet" href="../s.css"',
      '<script defer src="../a.js">',
      'type="module" src="../m.js"',
      'href="../icon.svg"',
    ])
      expect(html).toContain(link);
    expect([...html.matchAll(/<li><a href="([^"]*)"([^>]*)>([^<]*)<\/a><\/li>/g)].map(([, ...each]) => each)).toEqual([
      ['../index.html', '', 'Playground'],
      // Another page of the section.
      ['../spec/a.html', ' aria-current="true"', 'Specification'],
      ['../report-card/index.html', '', 'Report card'],
    ]);
    expect(renderDocument(pages[1]!, pages, files)).toContain('<a href="../spec/a.html" aria-current="page">');
    expect(renderDocument(pages[0]!, pages, files)).toContain('href="s.css"');
  });

  test('has a title, a class and contents', () => {
    const html = renderDocument(pages[3]!, pages, files);
    expect(html).toContain('<title>A &lt;title&gt; · simhash-doc</title>');
    expect(html).toContain('content="&quot;quoted&quot;"');
    expect(html).toContain('<body class="report-card">');
    expect(html).not.toContain('class="contents"');
    expect(renderDocument(pages[0]!, pages, files)).toContain('<title>A &lt;title&gt;</title>');
    expect(renderDocument({ ...pages[0]!, contents: '<ul>x</ul>' }, pages, files)).toContain(
      '<summary>Contents</summary><ul>x</ul></details></nav>\n<main id="main" tabindex="-1">\n<p>body</p>\n</main>',
    );
  });

  test('has no connection and no inline script or style', () => {
    const html = renderDocument(pages[0]!, pages, files);
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)!;
    expect(policy!.replaceAll('&#39;', "'")).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; worker-src 'self' blob:; " +
        "connect-src data:; manifest-src 'none'; base-uri 'none'; form-action 'none'",
    );
  });
});

describe('Markdown', () => {
  const render = (markdown: string, part: object = {}) =>
    renderMarkdown(markdown, { targetOf: (href) => href, ...part });

  test('has the title, and headings of two levels in the contents', () => {
    const rendered = render('# A `b`\n\n# not this\n\n## C\n\n### D\n\n#### E');
    expect(rendered.title).toBe('A <code>b</code>');
    expect(rendered.headings).toEqual([
      { id: 'c', title: 'C', depth: 2 },
      { id: 'd', title: 'D', depth: 3 },
    ]);
    expect(contentsOfDocument(rendered)).toBeUndefined();
    expect(contentsOfDocument(render('## A\n\n## B\n\n## C'))).toMatch(/^<ul>.*#a.*#b.*#c.*<\/ul>$/s);
    expect(['A b', 'Ünï-c_d', 'x: (y)!', '`a.b`'].map(slugOf)).toEqual(['a-b', 'ünï-c_d', 'x-y', 'ab']);
  });

  test('has inserted sections after the beginning, whose anchors come first', () => {
    const before = { html: '<p>tables</p>', headings: [{ id: 'a', title: 'A', depth: 2 }] };
    const { body, headings } = render('# T\n\nstart\n\n## A\n\n## B', { beforeSections: before });
    expect(body).toMatch(/<p>start<\/p>\n<p>tables<\/p><h2 id="a-1">.*<h2 id="b">/s);
    expect(headings.map(({ id }) => id)).toEqual(['a', 'a-1', 'b']);
  });

  test('has anchors, and no comments', () => {
    const { body } = render('<!-- no -->\n\n<a id="x"></a>\n\n## A\n\n## B\n\n<a id="y"></a>');
    expect(body).not.toContain('no');
    for (const id of ['x', 'b', 'y']) expect(body).toContain(`id="${id}"`);
  });

  test('has tables that scroll, without an empty head, and images with targets', () => {
    const { body } = render('| | |\n|---|---|\n| a | b |\n\n| | c |\n|---|---|\n| d | e |');
    expect(body.match(/<div class="scroll" role="group" aria-label="Table" tabindex="0">/g)).toHaveLength(2);
    expect(body.match(/<thead>/g)).toHaveLength(1);
    expect(body).toMatch(/<td><\/td>\s*<th>c<\/th>/);
    const images = render('![a "b"](x.png) ![c](no)', {
      targetOf: (href: string) => (href === 'no' ? undefined : `../${href}`),
    });
    expect(images.body).toBe('<p><img src="../x.png" alt="a &quot;b&quot;" loading="lazy"> c</p>\n');
    expect(render('```sh\nx\n```\n\n```\ny\n```').body).toBe(
      '<pre tabindex="0"><code class="language-sh">x\n</code></pre>\n<pre tabindex="0"><code>y\n</code></pre>\n',
    );
  });
});

test('columns of numbers are right-aligned, in Markdown and in tables of the site', () => {
  const markdown = '| a | b | c |\n|---|---|:---|\n| x | **1,200** of 3 | 1 |\n| y | – | 2 |';
  const { body } = renderMarkdown(markdown.replace('**1,200** of 3', '1,200 of 3'), { targetOf: () => undefined });
  expect(body.match(/<t[hd] align="right">[^<]*/g)).toEqual([
    '<th align="right">b',
    '<td align="right">1,200\u00a0of\u00a03',
    '<td align="right">–',
  ]);
  const html = table(
    't',
    ['a', 'b', 'c'],
    [
      ['x', '<span>✓ 12 of 12</span>', '1 word'],
      ['y', '3 %', '2'],
    ],
  );
  expect(html.match(/<t[hd][^>]* class="number">/g)).toEqual([
    '<th scope="col" class="number">',
    '<td class="number">',
    '<td class="number">',
  ]);
  expect(html).toContain('<td class="number">3 %</td><td>2</td>');
});

test('an image has the size that reserves its place', () => {
  const sizeOf = (href: string): string => ` width="1" height="${href.length}"`;
  expect(renderMarkdown('![a](x.svg)', { targetOf: (href) => href, sizeOf }).body).toContain(
    '<img src="x.svg" alt="a" width="1" height="5" loading="lazy">',
  );
});

test('declarations include overloads, members and other modules, and exclude what is not exported', () => {
  const root = urlOf({
    'index.d.ts': `import { Inner } from './other.js';
export { Inner };
export { own as renamed };
export * from './all.js';
export { two } from './all.js';
declare function own(a?: number): void;
declare const hidden: 1;
/** Reads. */
export declare function read(text: string, ...rest: number[]): string;
export declare function read(octets: Uint8Array): string;
/** A thing. */
export declare class Thing {
    private secret;
    #own;
    /** Its size. */
    readonly size: number;
    grow(by: number): void;
}
// Not a docstring.
export type Pair = [number, number];
export declare const A: 1, B: 2;
`,
    'other.d.ts': 'export interface Inner { /** Deep. */ x: string; }\n',
    'all.d.ts': 'export declare const one: 1;\nexport declare const two: 2;\n',
  });
  const declarations = new Map(readDeclarations(new URL('index.d.ts', root)).map((each) => [each.name, each]));
  expect([...declarations].map(([name, { kind }]) => `${name} ${kind}`)).toEqual([
    'Inner interface',
    'renamed function',
    'one constant',
    'two constant',
    'read function',
    'Thing class',
    'Pair type',
    'A constant',
    'B constant',
  ]);
  const read = declarations.get('read')!;
  expect([read.signatures, read.doc, read.parameters]).toEqual([
    ['function read(text: string, ...rest: number[]): string;', 'function read(octets: Uint8Array): string;'],
    'Reads.',
    [
      { name: 'text', type: 'string' },
      { name: '...rest', type: 'number[]' },
    ],
  ]);
  const thing = declarations.get('Thing')!;
  expect([thing.signatures, thing.members]).toEqual([
    ['class Thing'],
    [
      { name: 'size', signature: 'size: number', doc: 'Its size.' },
      { name: 'grow', signature: 'grow(by: number): void', doc: '' },
    ],
  ]);
  expect(declarations.get('renamed')!.parameters).toEqual([{ name: 'a?', type: 'number' }]);
  expect(declarations.get('Inner')!.members).toEqual([{ name: 'x', signature: 'x: string', doc: 'Deep.' }]);
  expect(declarations.get('Pair')!.doc).toBe('');
  const missing = urlOf({ 'index.d.ts': "export { none } from './a.js';", 'a.d.ts': '' });
  expect(() => readDeclarations(new URL('index.d.ts', missing))).toThrow('exports none, which is not there');
});

test('the report card has its tables', () => {
  const counts = (passed: number, failed: number) => ({ passed, failed, unsupported: 0, notRun: 0 });
  const report = (name: string, part: object): string =>
    JSON.stringify({
      library: { package: `<${name}>`, registry: 'npm' },
      classes: [],
      groups: {},
      differs: [],
      firstDifference: null,
      ...part,
    });
  const root = urlOf({
    'vectors/reports/b.json': report('b', {
      classes: [{ class: 'hash', counts: counts(0, 3) }],
      groups: { simhash: counts(1200, 1), tokenise: counts(0, 0) },
      differs: [{ step: 7, how: 'as `fnv`' }],
      firstDifference: { id: 'simhash/x', place: 'hash', expected: '"a"', actual: '"b"' },
    }),
    'vectors/reports/a.json': report('a', { classes: [{ class: 'text', counts: counts(2, 0) }] }),
    'vectors/reports/notes.txt': '',
  });
  const { html, headings } = reportTables(root, { placeOf: (id: string) => `vectors/simhash.html#${id}` } as Citations);
  expect(headings.map(({ id }) => id)).toEqual(['first-differences', 'classes', 'steps']);
  const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) =>
    row!.replace(/^<th[^>]*>|<\/t[hd]>$/g, '').split(/<\/t[hd]><t[hd][^>]*>/),
  );
  const [a, b] = ['a', 'b'].map((name) => `<a href="#${name}">&lt;${name}&gt; <small>npm</small></a>`);
  expect(rows).toEqual([
    ['Library', 'First step that differs', 'First vector that differs', 'Expected', 'Its answer'],
    [a, 'none', 'none', '', ''],
    [
      b,
      'step 7 (token hash): as <code>fnv</code>',
      '<a href="../vectors/simhash.html#simhash/x">simhash/x</a> <a class="open" href="../index.html#vector=simhash%2Fx">open in the playground</a>',
      '<code>hash</code>: <code>&quot;a&quot;</code>',
      '<code>hash</code>: <code>&quot;b&quot;</code>',
    ],
    ['Library', 'text', 'hash'],
    [a, '<span class="right">✓ 2 of 2</span>', '–'],
    [b, '–', '<span class="wrong">0 of 3</span>'],
    ['Group', a, b],
    ['<a href="../vectors/simhash.html">simhash</a>', '–', '<span class="partly">1,200 of 1,201</span>'],
    ['<a href="../vectors/tokenise.html">tokenise</a>', '–', '–'],
  ]);
});

test('the table of implementations has the implementation, the date and the vectors', () => {
  const counts = { passed: 1200, failed: 1, unsupported: 255, notRun: 0 };
  const results = {
    adapter: { name: '<a>', version: '1.2', language: 'C' },
    suite: { version: '0.1.0', digest: '0123456789abcdef' },
    date: '2026-01-31T10:00:00Z',
    classes: [
      { class: 'hash', verdict: 'conforms' },
      { class: 'lookup', k: 8, verdict: 'conforms' },
      { class: 'text', verdict: 'fails' },
    ],
    ...{ counts, random: { compared: 2300 } },
  };
  const { html, headings } = claimTable(
    urlOf({
      'vectors/claims/b.json': JSON.stringify({ ...results, random: null }),
      'vectors/claims/a.json': JSON.stringify(results),
    }),
  );
  const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/g)]
    .slice(1)
    .map(([, row]) => [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell));
  const rest = ['C', 'hash and lookup (k\u00a0≤\u00a08)', '1,200 of 1,201', '255'];
  const when = ['<time>2026-01-31</time>', '0.1.0 <code>01234567</code>'];
  expect(rows).toEqual([
    ['<a href="../vectors/claims/a.json">&lt;a&gt; 1.2</a>', ...rest, '2,300', ...when],
    ['<a href="../vectors/claims/b.json">&lt;a&gt; 1.2</a>', ...rest, '–', ...when],
  ]);
  expect(headings).toEqual([{ id: 'results', title: 'Results of implementations', depth: 2 }]);
});

test('numbers in cells and names in titles do not break', () => {
  const { body } = renderMarkdown('# About simhash-doc\n\n|a|b|\n|-|-|\n|x y|25 of 256|\n', {
    targetOf: (href) => href,
  });
  expect(body).toContain('<h1>About <span class="name">simhash-doc</span></h1>');
  expect(body).toContain('<td>x y</td>');
  expect(body).toContain('>25\u00a0of\u00a0256</td>');
});

test('a plot has another file for narrow screens', () => {
  const sizeOf = (href: string): string => (href === 'b.svg' ? '' : ' width="1" height="2"');
  const bodyOf = (href: string): string =>
    renderMarkdown(`![x](${href})`, { targetOf: (to) => (to === 'c-narrow.svg' ? undefined : to), sizeOf }).body;
  expect(bodyOf('a.svg')).toContain(
    '<picture><source media="(max-width: 40rem)" srcset="a-narrow.svg" width="1" height="2"><img src="a.svg" alt="x" width="1" height="2" loading="lazy"></picture>',
  );
  expect(bodyOf('c.svg')).not.toContain('<picture>');
});
