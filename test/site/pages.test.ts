import { describe, expect, test } from 'vitest';
import type { Vector } from '../../src/conformance/vector.ts';
import { pagesOfGroup } from '../../src/site/pages/citations.ts';
import { contentsOf, relativeLink } from '../../src/site/pages/html.ts';
import { renderMarkdown } from '../../src/site/pages/markdown.ts';
import { parseDocstring } from '../../src/site/pages/reference/reference.ts';
import { vectorHtml } from '../../src/site/pages/vector.ts';

test('links between pages are relative', () => {
  expect(relativeLink('spec/a.html', 'index.html#vector=x')).toBe('../index.html#vector=x');
  expect(relativeLink('spec/a.html', 'spec/b.html')).toBe('b.html');
  expect(relativeLink('spec/a.html', 'spec/a.html#b')).toBe('#b');
});

test('a table of contents has two levels', () => {
  const headings = [
    { id: 'a', title: 'A', depth: 2 },
    { id: 'b', title: 'B', depth: 3 },
  ];
  expect(contentsOf(headings).replaceAll('\n', '')).toBe(
    '<ul><li><a href="#a">A</a><ul><li><a href="#b">B</a></li></ul></li></ul>',
  );
});

describe('Markdown is rendered so that', () => {
  const render = (markdown: string): string =>
    renderMarkdown(markdown, {
      targetOf: (href) => (href.startsWith('no') ? undefined : href),
      afterRule: (rule) => `[${rule}]`,
      endOfSection: (rules) => `(${rules.join()})`,
    }).body;

  test('headings have the anchor before them, or one of their own', () => {
    expect(render('<a id="x"></a>\n\n## A b')).toContain('<h2 id="x"><a href="#x">A b</a></h2>');
    expect(render('## A b\n\n## A b')).toMatch(/<h2 id="a-b">.*<h2 id="a-b-1">/s);
  });

  test('rules link to themselves, and are added to the end of their section', () => {
    const html = render('## A\n\n<a id="TOK-2"></a>**TOK-2** Cut.\n\n## B');
    expect(html).toContain('<a class="rule" id="TOK-2" href="#TOK-2"><strong>TOK-2</strong></a>[TOK-2] Cut.');
    expect(html).toMatch(/\(TOK-2\)<h2 id="b">/);
  });

  test('links without a target are texts, and code is escaped', () => {
    expect(render('[a](no.md) [b](yes)')).toContain('<p>a <a href="yes">b</a></p>');
    expect(render('```\n1 < 2\n```')).toContain('1 &lt; 2');
    expect(render('```js\n1 < 2\n```')).toContain('<span class="hljs-number">1</span> &lt; ');
  });
});

test('a docstring is parsed by its tags', () => {
  const doc =
    'Does it.\n\nIn detail.\n@param a - 0 to 7,\n  or more\n@returns b\n@throws C\n@throws D\n@see spec/x.md\n@example\nf();';
  expect(parseDocstring(doc)).toEqual({
    summary: 'Does it.\n\nIn detail.',
    parameters: new Map([['a', '0 to 7,\n  or more']]),
    returns: 'b',
    throws: ['C', 'D'],
    see: ['spec/x.md'],
    examples: ['f();'],
  });
});

const vector = {
  id: 'tokenise/x',
  since: '0.1.0',
  operation: 'tokenise',
  title: 'cuts <b>',
  rules: ['TOK-2'],
  flags: ['Ignorable'],
  input: { text: 'a\u00adb <i>' },
  expected: { tokens: ['ab', 'i'] },
  agrees: ['c', 'go'],
} as unknown as Vector;

test('a vector shows invisible characters and links to its rules, flags and the playground', () => {
  const html = vectorHtml(vector, { page: 'vectors/tokenise.html', placeOfRule: (rule) => `spec/a.html#${rule}` });
  expect(html).toContain('cuts &lt;b&gt;');
  expect(html).toContain('a<b>‹U+00AD›</b>b &lt;i&gt;');
  expect(html).toContain('<a href="../spec/a.html#TOK-2">TOK-2</a>');
  expect(html).toContain('<a href="flags.html#Ignorable">Ignorable</a>');
  expect(html).toContain('href="../index.html#vector=tokenise%2Fx"');
  expect(html).toContain('Confirmed by implementations in C and Go.');
});

test('a large group has pages of about equal size', () => {
  const vectors = Array.from({ length: 151 }, (_, i) => ({ ...vector, id: `g/${i}` }));
  const pages = pagesOfGroup({ group: 'g', description: '', vectors });
  expect(pages.map(({ path }) => path)).toEqual(['vectors/g.html', 'vectors/g-2.html', 'vectors/g-3.html']);
  expect(pages.map((page) => page.vectors.length)).toEqual([51, 51, 49]);
});
