import { Marked } from 'marked';
import { parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { writeMarkdown } from '../../../../src/conformance/report/files/markdown.ts';
import { elementsOf, textOf } from '../../../page.ts';
import { FAILING, NASTY, PASSING } from '../report.ts';

/** The names of the elements of a page, and its text. */
function render(markdown: string) {
  const tree = parseFragment(new Marked({ gfm: true, async: false }).parse(markdown) as string);
  return { elements: new Set(elementsOf(tree).map(({ tagName }) => tagName)), text: textOf(tree) };
}

test('a summary has the verdict, the diagnosis, the classes, the groups and the failures', () => {
  const { elements, text } = render(writeMarkdown(FAILING));
  for (const part of [
    'Does not conform: 5 vectors failed, 1 was not run and random cases differ.',
    'First goes wrong in step 4 (strip locators)',
    'Fails like utf16-units-hashed on 14 of 14',
    'extraction (html)',
    '✅ conforms',
    '5 failures',
    'token-hash/crashed: pins token-hash/crashed',
  ])
    expect(text).toContain(part);
  expect([...elements].sort()).toEqual(
    ['details', 'h2', 'li', 'p', 'strong', 'summary', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'].sort(),
  );
});

test('texts of the adapter do not become markup, mentions or links', () => {
  const name = `${NASTY} | a | @someone https://example.org/ [x](y) <img src=x> *b* _c_ \`d\``;
  const { elements, text } = render(writeMarkdown({ ...FAILING, adapter: { ...FAILING.adapter, name } }));
  for (const element of ['a', 'b', 'img', 'em', 'code']) expect(elements.has(element)).toBe(false);
  expect(text).toContain('| a | @someone https://example.org/ [x](y) <img src=x> *b* _c_ `d`');
});

test('the summary of a run that conforms has no list of failures', () => {
  const markdown = writeMarkdown(PASSING);
  expect(markdown).toContain('**Conforms to classes hash and text of simhash-doc, by vectors 1.2.3.**');
  expect(markdown).not.toContain('<details>');
});

test('the summary does not list known failures', () => {
  const baseline = { passes: true, known: ['tokenise/bad'], problems: [] };
  const markdown = writeMarkdown(FAILING, { baseline });
  expect(markdown).toContain('4 failures');
  expect(markdown).toContain('Passes with its baseline');
});
