import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { writeJunit } from '../../../src/conformance/report/junit-report.ts';
import { FAILING, NASTY, PASSING } from './report.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Reads XML, which must be well-formed. */
function parse(xml: string): Element {
  const parser = new SaxesParser();
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    open.at(-1)!.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  return root.children[0]!;
}

const all = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);

const document = parse(writeJunit(FAILING));

test('the report is well-formed, with a suite for each group', () => {
  expect(document.name).toBe('testsuites');
  expect(document.attributes).toMatchObject({ tests: '10', failures: '4', errors: '3', skipped: '2' });
  expect(all(document, 'testsuite').map(({ attributes }) => attributes['name'])).toEqual([
    ...['tokenise', 'token-hash', 'lookup', 'random'],
  ]);
});

test('the report distinguishes failures, errors and skipped vectors', () => {
  const cases = all(document, 'testcase').map(({ attributes, children }) => [
    attributes['name']!.replace(/:.*/s, ''),
    children[0]?.name,
    children[0]?.attributes['type'],
  ]);
  expect(cases).toEqual([
    ['tokenise/good', undefined, undefined],
    ['tokenise/bad', 'failure', 'tokenise'],
    ['tokenise/refused', 'failure', 'tokenise'],
    ['token-hash/crashed', 'error', 'crash'],
    ['token-hash/hung', 'error', 'timeout'],
    ['token-hash/garbage', 'error', 'protocol'],
    ['token-hash/silent', 'skipped', undefined],
    ['lookup/absent', 'skipped', undefined],
    ['tokenise, seed 42, case 7', 'failure', 'tokenise'],
    ['token-hash, seed 42, case 8', 'failure', 'token-hash'],
  ]);
});

test('a failure has the expected result, and its markup is escaped', () => {
  const [bad] = all(document, 'testcase').filter(({ attributes }) => attributes['name']!.startsWith('tokenise/bad'));
  expect(bad!.children[0]!.attributes['message']).toBe('tokens[1]: expected "cafe\\u{0301}", got "café"');
  expect(bad!.children[0]!.text).toContain('<b a=');
  // Control characters and lone surrogates are not part of XML.
  const escapeCharacter = String.fromCharCode(27);
  expect(NASTY).toContain(escapeCharacter);
  expect(bad!.attributes['name']).toContain('<b a="1">');
  expect(bad!.attributes['name']).not.toContain(escapeCharacter);
  expect(all(document, 'system-err')[0]!.text).toContain('last words');
});

test('the report removes characters that change the order of text', () => {
  expect(writeJunit(FAILING)).not.toMatch(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
});

test('the properties identify the run', () => {
  const properties = Object.fromEntries(
    all(document, 'property').map(({ attributes }) => [attributes['name'], attributes['value']]),
  );
  expect(properties).toMatchObject({ language: 'Python', suite: '1.2.3', seed: '42', 'first-step': '4' });
});

test('the report of a run without failures has none', () => {
  expect(parse(writeJunit(PASSING)).attributes).toMatchObject({ tests: '3', failures: '0', errors: '0', skipped: '1' });
});
