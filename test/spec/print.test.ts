import { expect, test } from 'vitest';
import { loadRules } from '../../src/conformance/suite/rules.ts';
import { citationOf } from '../../src/site/pages/edition/citation.ts';
import { makePrintEdition } from '../../src/site/pages/edition/print.ts';
import { attribute, parsePage } from '../page.ts';

const root = new URL('../../', import.meta.url);
const html = makePrintEdition(root, citationOf(root, '2026-01-31'));
const { errors, elements } = parsePage(html);
const valuesOf = (name: string): string[] => elements.flatMap((element) => attribute(element, name) ?? []);

test('the edition is well-formed HTML that loads nothing', () => {
  expect(errors).toEqual([]);
  expect(elements.filter(({ tagName }) => ['script', 'link', 'img', 'iframe'].includes(tagName))).toEqual([]);
  expect(valuesOf('src')).toEqual([]);
});

test('each anchor is unique, and each internal link leads to one', () => {
  const anchors = valuesOf('id');
  expect(new Set(anchors).size).toBe(anchors.length);
  const inside = valuesOf('href').filter((href) => href.startsWith('#'));
  expect(inside.length).toBeGreaterThan(200);
  expect(inside.filter((href) => !anchors.includes(href.slice(1)))).toEqual([]);
});

test('the edition has every rule, and no link to a Markdown file', () => {
  const anchors = valuesOf('id').map((id) => id.replace(/^[a-z-]+?--/, ''));
  expect([...loadRules().keys()].filter((rule) => !anchors.includes(rule))).toEqual([]);
  expect(valuesOf('href').filter((href) => /\.md(#|$)/.test(href))).toEqual([]);
});

test('the edition has its version, date and citation', () => {
  expect(html).toMatch(/Specification, version \d+\.\d+\.\d+(-rc\.\d+)?, 2026-01-31/);
  expect(html).toMatch(/Cite as: <cite>.+ authors: .+, version \d+\.\d+\.\d+(-rc\.\d+)?, 2026\.<\/cite>/);
});
