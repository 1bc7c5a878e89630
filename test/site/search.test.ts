import { expect, test } from 'vitest';
import type { Page } from '../../src/site/pages/html.ts';
import { entriesOf, renderSearchIndex, searchPage } from '../../src/site/pages/search/entries.ts';
import { find, MAX_FOUND, type SearchEntry } from '../../src/site/pages/search/find.ts';

const ENTRIES: readonly SearchEntry[] = [
  ['a.html', 'Scheme', 'Scheme', 'The distance of two fingerprints'],
  ['a.html#d', 'Scheme', 'Distance', 'CMP-1: the number of bits'],
  ['b.html#x', 'Guide of distances', 'Folders', 'Find a word'],
  ['c.html#y', 'Other', 'Distances in bits', `${'word '.repeat(40)}needle ${'word '.repeat(60)}`],
  ['vectors/d.html#CMP-1', 'Vectors', 'CMP-1', 'a needle'],
  ['spec/e.html#CMP-1', 'Lookup', 'CMP-1', 'The distance is a number of bits'],
  ['spec/e.html#f', 'Lookup', 'Fields', 'CMP-1 and CMP-1, word by word'],
];

test('sections with all words are found, those with the words in their titles first', () => {
  expect(find(ENTRIES, 'distance').found.map(({ path }) => path)).toEqual([
    'a.html#d',
    'c.html#y',
    'b.html#x',
    'a.html',
    'spec/e.html#CMP-1',
  ]);
  expect(find(ENTRIES, ' BITS  distance ').found.map(({ path }) => path)).toEqual([
    'a.html#d',
    'c.html#y',
    'spec/e.html#CMP-1',
  ]);
  // If none has all words, those with most of them.
  expect(find(ENTRIES, 'needle word missing').found.map(({ path }) => path)).toEqual(['c.html#y']);
  expect(find(ENTRIES, 'missing')).toEqual({ found: [], total: 0 });
  expect(find(ENTRIES, ' ')).toEqual({ found: [], total: 0 });
  const many = Array.from({ length: MAX_FOUND + 3 }, (_, at): SearchEntry => [`${at}`, 'p', 'word', '']);
  const { found, total } = find(many, 'word');
  expect([found.length, total, found[0]!.path]).toEqual([MAX_FOUND, MAX_FOUND + 3, '0']);
});

test('a rule comes first, and its vectors last', () => {
  expect(find(ENTRIES, 'cmp-1').found.map(({ path }) => path)).toEqual([
    'spec/e.html#CMP-1',
    'vectors/d.html#CMP-1',
    'spec/e.html#f',
    'a.html#d',
  ]);
});

test('an excerpt is the text around the rarest word, cut between words', () => {
  for (const query of ['needle', 'word needle']) {
    const { excerpt } = find(ENTRIES, query).found.find(({ path }) => path === 'c.html#y')!;
    expect(excerpt).toMatch(/^… (?:word )+needle (?:word )+…$/);
    expect(excerpt.length).toBeLessThan(200);
  }
  expect(find(ENTRIES, 'number of bits').found[0]!.excerpt).toBe('CMP-1: the number of bits');
});

test('a page is divided at its headings with anchors, and vectors are cut', async () => {
  const page: Page = {
    ...{ path: 'p.html', title: 'Title', description: '', section: 'guides' },
    body: '<h1>Title &amp; more</h1><p>one</p><p>two</p><h2 id="x"><a href="#x">Ex</a></h2><table><tr><td>a</td><td>b</td></tr></table><h3>y</h3><p>three',
  };
  const entries: SearchEntry[] = [
    ['p.html', 'Title', 'Title & more', 'one two'],
    ['p.html#x', 'Title', 'Ex', 'a b y three'],
  ];
  expect(entriesOf(page)).toEqual(entries);
  const rules: Page = {
    ...page,
    body: '<h2 id="x">Ex</h2><p>one</p><p><a class="rule" id="ABC-1" href="#ABC-1"><strong>ABC-1</strong></a> <a class="cited" href="#v">2 vectors</a> two</p>',
  };
  expect(entriesOf(rules)).toEqual([
    ['p.html#x', 'Title', 'Ex', 'one'],
    ['p.html#ABC-1', 'Title', 'ABC-1', 'two'],
  ]);
  const vectors: Page = { ...page, section: 'vectors', body: `<h1>V</h1>${'x '.repeat(500)}` };
  expect(entriesOf(vectors)[0]![3]).toHaveLength(150);
  const cut: Page = { ...vectors, body: '<h2 id="x">V</h2><p>about</p><p>open in the playground rules</p>' };
  expect(entriesOf(cut)[0]![3]).toBe('about');
  const all = ['vectors/all.html', 'vectors/a.html'].map((path) => ({ ...cut, path }));
  const parts = renderSearchIndex([page, ...all]).map(({ bytes }) => new TextDecoder().decode(bytes));
  expect(parts.map((code) => JSON.parse(code.replace(/^globalThis\S+ = |;\n$/g, '')))).toEqual([
    entries,
    [['vectors/a.html#x', 'Title', 'V', 'about']],
  ]);
  expect(entriesOf(searchPage)).toHaveLength(1);
});
