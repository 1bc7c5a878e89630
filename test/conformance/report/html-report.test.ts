import { describe, expect, test } from 'vitest';
import { resultsOf } from '../../../src/conformance/records/results-file.ts';
import { writeHtml } from '../../../src/conformance/report/html-report.ts';
import { attribute, elementsOf as elements, parsePage, textOf } from '../../page.ts';
import { FAILING, PASSING } from './report.ts';

const env = { SOURCE_DATE_EPOCH: '0' };
const results = [resultsOf(FAILING, env), resultsOf(PASSING, env)];
const page = writeHtml(results);
const { document, errors } = parsePage(page);

describe('the page of results', () => {
  test('is valid HTML, loads nothing, and runs nothing', () => {
    expect(errors).toEqual([]);
    for (const name of ['script', 'link', 'img', 'iframe', 'b']) expect(elements(document, name)).toEqual([]);
    expect(page).not.toMatch(/url\(|@import|\ssrc=|\son\w+=/);
    expect(attribute(elements(document, 'html')[0]!, 'lang')).toBe('en');
  });

  test('follows the colour scheme of the reader', () => {
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).toContain('<meta name="color-scheme" content="light dark">');
  });

  test('has tables for screen readers', () => {
    const tables = elements(document, 'table');
    expect(tables.length).toBe(3);
    for (const table of tables) {
      expect(elements(table, 'caption').length).toBe(1);
      for (const header of elements(table, 'th')) expect(['col', 'row']).toContain(attribute(header, 'scope'));
      const [head, ...rows] = elements(table, 'tr');
      expect(elements(head!, 'th').length).toBe(1 + results.length);
      for (const row of rows) expect([elements(row, 'th').length, elements(row, 'td').length]).toEqual([1, 2]);
    }
  });

  test('shows groups by implementation, with counts and not only by colour', () => {
    const [classes, groups] = elements(document, 'table');
    const cells = (name: string, table = groups!): string[] => {
      const row = elements(table, 'tr').find((each) => elements(each, 'th').some((th) => textOf(th) === name));
      return elements(row!, 'td').map(textOf);
    };
    expect(cells('tokenise')).toEqual(['✗ 1 of 3', '✓ 1 of 1']);
    expect(cells('token-hash')).toEqual(['✗ 0 of 31 not run', '– not run']);
    expect(cells('lookup')).toEqual(['– not offered', '– not offered']);
    expect(cells('random cases')).toEqual(['✗ 2 differseed 42', '✓ 100 casesseed 1']);
    expect(cells('hash', classes)[0]).toMatch(/^✗ fails/);
    expect(cells('hash', classes)[1]).toMatch(/^✓ conforms/);
    expect(cells('lookup', classes)[0]).toMatch(/^– not tested/);
  });

  test('links a failing class and group to its first failing vector', () => {
    const linksOf = (part: number): string[] =>
      elements(elements(document, 'table')[part]!, 'a').map((link) => attribute(link, 'href')!.split('=')[1]!);
    expect(linksOf(0)).toEqual(['tokenise%2Fbad']);
    expect(linksOf(1)).toEqual(['tokenise%2Fbad', 'token-hash%2Fcrashed', 'tokenise%2Fbad']);
  });

  test('lists the vectors that fail anywhere', () => {
    const table = elements(document, 'table').at(-1)!;
    const rows = elements(table, 'tr')
      .slice(1)
      .map((row) => textOf(elements(row, 'code')[0]!));
    expect(rows).toEqual([
      ...['tokenise/bad', 'tokenise/refused', 'token-hash/crashed', 'token-hash/hung', 'token-hash/garbage'],
      'token-hash/silent',
    ]);
    expect(elements(table, 'a').map((link) => attribute(link, 'href'))[0]).toBe(
      'https://simhash-doc.example/index.html#vector=tokenise%2Fbad',
    );
    expect(textOf(table)).toContain('✗ wrong0123456789abcdef');
    expect(textOf(table)).toContain('✗ crashedended by SIGSEGV');
  });

  test('describes the first wrong step', () => {
    expect(elements(document, 'dd').map(textOf)).toContain(
      'first goes wrong in step 4 (strip locators); given correct input, steps 5 to 9 right',
    );
  });

  test('escapes markup in texts of implementations', () => {
    expect(textOf(document)).toContain('<b a="1">');
  });

  test('removes characters that change the order of text', () => {
    expect(page).not.toMatch(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
  });

  test('reports different suites, and distinguishes two runs of one implementation', () => {
    expect(page).not.toContain('different suites');
    expect(writeHtml([results[0]!, { ...results[1]!, suite: { version: '2', digest: '' } }])).toContain(
      'different suites',
    );
    const twice = parsePage(writeHtml([results[1]!, results[1]!])).document;
    expect(elements(elements(twice, 'thead')[0]!, 'th').map(textOf).slice(1)).toEqual(['fine 9.9 (1)', 'fine 9.9 (2)']);
    expect(writeHtml([results[1]!])).toContain('<p>None.</p>');
  });
});

test('of a summary has its groups, and does not report missing vectors', () => {
  const counts = { passed: 2, failed: 7, unsupported: 0, notRun: 0 };
  const summary = { ...resultsOf(PASSING, env), groups: { tokenise: counts }, vectors: {} };
  const both = writeHtml([results[0]!, summary]);
  expect(both).toContain('<td class="bad">✗<span class="more"> 2 of 9</span></td>');
  expect(both).toContain('<span class="more"> not listed</span></td>');
  expect(both).toContain('<p>Summaries without single vectors: fine.</p>');
  const alone = writeHtml([summary]);
  expect(alone).toContain('Summaries without single vectors');
  expect(alone).not.toContain('<p>None.</p>');
});
