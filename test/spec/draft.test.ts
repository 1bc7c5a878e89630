import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { loadRules } from '../../src/conformance/suite/rules.ts';
import { makeDraft } from '../tools/generate/draft.ts';

const draft = makeDraft('2026-01-31');
const anchors: string[] = [];
const targets: string[] = [];
const parser = new SaxesParser();
parser.on('opentag', ({ name, attributes }) => {
  if (attributes['anchor'] !== undefined) anchors.push(attributes['anchor']);
  if (name === 'xref') targets.push(attributes['target']!);
});
parser.write(draft).close();

test('each anchor stands once, and each reference leads to one', () => {
  expect(new Set(anchors).size).toBe(anchors.length);
  expect(targets.length).toBeGreaterThan(15);
  expect(targets.filter((target) => !anchors.includes(target))).toEqual([]);
});

test('it has every rule but those of extraction, and no line of a listing is too long', () => {
  const rules = [...loadRules().keys()].filter((rule) => !/^(EXT|HTM|MED)/.test(rule));
  expect(rules.filter((rule) => !draft.includes(`<strong>${rule}</strong>`))).toEqual([]);
  const listings = [...draft.matchAll(/<!\[CDATA\[(.*?)\]\]>/gs)].flatMap(([, text]) => text!.split('\n'));
  expect(listings.length).toBeGreaterThan(100);
  expect(listings.filter((line) => [...line].length > 69)).toEqual([]);
});
