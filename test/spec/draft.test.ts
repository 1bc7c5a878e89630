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

test('each anchor is unique, and each reference leads to one', () => {
  expect(new Set(anchors).size).toBe(anchors.length);
  expect(targets.length).toBeGreaterThan(15);
  expect(targets.filter((target) => !anchors.includes(target))).toEqual([]);
});

test('the draft has every rule of its documents under its anchor, and no line of a listing is too long', () => {
  // Sharing and carrying are in other documents, and grades in a part of one that is left out.
  const rules = [...loadRules().keys()].filter((rule) => !/^(IDX|CAR|GRD)/.test(rule));
  expect(rules.filter((rule) => !draft.includes(` anchor="${rule}"><strong>${rule}</strong>`))).toEqual([]);
  const listings = [...draft.matchAll(/<!\[CDATA\[(.*?)\]\]>/gs)].flatMap(([, text]) => text!.split('\n'));
  expect(listings.length).toBeGreaterThan(100);
  expect(listings.filter((line) => [...line].length > 69)).toEqual([]);
});

test('a file that the draft names is in it, at an address, or in the specification that it refers to', () => {
  const text = draft.replace(/<eref.*?<\/eref>|<!\[CDATA\[.*?\]\]>/gs, '');
  expect(
    [...text.matchAll(/[A-Za-z-]+\.(?:md|txt)\b.{0,30}/g)].filter(([end]) => !/<xref target="SPEC"/.test(end)),
  ).toEqual([]);
});
