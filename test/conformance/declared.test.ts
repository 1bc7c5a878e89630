import { describe, expect, test } from 'vitest';
import { declinedKind, parseHello } from '../../src/conformance/adapter/protocol.ts';
import type { Operation } from '../../src/conformance/vector.ts';

const HELLO = { name: 'x', version: '1', language: 'x', protocol: 1, operations: ['fingerprint', 'lookup'] };

describe('hello', () => {
  test('declares nothing by default', () => {
    expect(parseHello(HELLO)).toMatchObject({ declines: [], functions: {} });
  });

  test('declares kinds of inputs and functions', () => {
    const declared = { declines: ['utf16', 'k>7'], functions: { fingerprint: 'shd_fingerprint' } };
    expect(parseHello({ ...HELLO, ...declared })).toMatchObject(declared);
  });

  test.each([
    [{ declines: 'utf16' }, 'expected a list of "utf8", "utf16" and "k>N", N from 3 to 63, as "declines", got "utf16"'],
    [{ declines: ['text'] }, 'got ["text"]'],
    [{ declines: ['k>2'] }, 'got ["k>2"]'],
    [{ declines: ['k>64'] }, 'got ["k>64"]'],
    [{ declines: ['k>07'] }, 'got ["k>07"]'],
    [{ declines: [5] }, 'got [5]'],
    [{ declines: null }, 'got null'],
    [{ declines: ['utf16', 'utf16'] }, 'expected each kind once'],
    [{ declines: ['k>3', 'k>7'] }, 'expected each kind once'],
    [{ functions: ['fingerprint'] }, 'expected an object of names as "functions", got ["fingerprint"]'],
    [{ functions: { parse: 'f' } }, '"functions" names "parse", which "operations" does not'],
    [
      { functions: { lookup: '' } },
      'expected the name of a function for "lookup", of 1 to 200 printable characters, got ""',
    ],
    [{ functions: { lookup: 'a\nb' } }, 'printable characters'],
    [{ functions: { lookup: 'x'.repeat(201) } }, 'of 1 to 200'],
    [{ functions: { lookup: 7 } }, 'got 7'],
  ])('with %j is rejected', (declared, message) => {
    expect(() => parseHello({ ...HELLO, ...declared })).toThrow(message);
  });
});

test.each<[Operation, object, string[], string | undefined]>([
  ['decode', { utf16: '0061' }, ['utf8', 'utf16'], 'utf16'],
  ['decode', { utf8: '61' }, ['utf8', 'utf16'], 'utf8'],
  ['token-hash', { utf8: '61' }, ['utf8'], 'utf8'],
  ['token-hash', { text: 'a' }, ['utf8'], undefined],
  ['extract-html', { utf8: '61' }, ['utf8'], undefined],
  ['lookup3', { utf8: '61' }, ['utf8'], undefined],
  ['accumulate', { step: 'decode', rule: { rule: 'octets' } }, ['utf8'], 'utf8'],
  ['accumulate', { step: 'fingerprint', rule: { rule: 'words' } }, ['utf8'], undefined],
  ['accumulate', { step: 'simhash', rule: { rule: 'octets' } }, ['utf8'], undefined],
  ['lookup', { k: 4 }, ['k>3'], 'k>3'],
  ['lookup', { k: 64 }, ['k>3'], 'k>3'],
  ['lookup', { k: 65 }, ['k>3'], undefined],
  ['lookup', { k: 3 }, ['k>3'], undefined],
  ['lookup', {}, ['k>3'], undefined],
  ['probe', { k: 8 }, ['k>3'], undefined],
  ['fingerprint', { text: 'a' }, ['utf8', 'utf16', 'k>3'], undefined],
])('the input %s of %j is of a declared kind among %j: %s', (operation, input, declines, kind) => {
  expect(declinedKind(operation, input, { declines })).toBe(kind);
});
