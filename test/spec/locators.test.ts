import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadFiles } from '../../src/conformance/suite/load-suite.ts';
import { stripLocators } from '../../src/index.ts';
import { forAll } from '../suite.ts';
import { locatorText, prefixes, raggedLocatorText, repetitiveLocatorText } from '../twin/arbitraries.ts';

const LETTER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGIT = '0123456789';
const HEX = `${DIGIT}ABCDEFabcdef`;
const ALPHANUMERIC = LETTER + DIGIT;
const URIC = `${ALPHANUMERIC}-._~%:/?#[]@!$&'()*+,;=`;
const LOCAL = `${ALPHANUMERIC}._%+-`;
const LABEL = `${ALPHANUMERIC}-`;
const STARTS = ['www.', ...prefixes.map((prefix) => `${prefix}:`)];

// The following is the pseudo-code of spec/simhash-doc.md#step-4, line by line and with its names. `read` counts the
// code points that run() reads.
let read = 0;

function strip(text: string): string {
  const T = [...text];
  let [dead1, dead4, dead5] = [0, 0, 0];
  const isIn = (at: number, set: string): boolean => T[at] !== undefined && set.includes(T[at]);

  function run(i: number, set: string): number {
    let end = i;
    while (isIn(end, set)) end++;
    read += end - i;
    return end;
  }

  function after(i: number, s: string, set: string): number | undefined {
    for (const [k, one] of [...s].entries()) if (!isIn(i + k, one + one.toUpperCase())) return undefined;
    const end = run(i + s.length, set);
    return end > i + s.length ? end : undefined;
  }

  function more(from: number, set: string): number {
    let e = from;
    for (let it = after(e, '.', set); it !== undefined; it = after(e, '.', set)) e = it;
    return e;
  }

  function isUuid(i: number): boolean {
    const shape = [8, 4, 4, 4, 12].map((count) => 'h'.repeat(count)).join('-');
    return [...shape].every((one, k) => isIn(i + k, one === 'h' ? HEX : '-'));
  }

  function match(i: number): number | undefined {
    let e: number | undefined;
    if (i >= dead1 && isIn(i, LETTER)) {
      dead1 = run(i, `${ALPHANUMERIC}+.-`);
      e = after(dead1, '://', URIC);
      if (e !== undefined) return e;
    }
    for (const s of STARTS) {
      e = after(i, s, URIC);
      if (e !== undefined) return e;
    }
    e = i >= dead4 ? after(i, '10.', DIGIT) : undefined;
    if (e !== undefined && 4 <= e - (i + 3) && e - (i + 3) <= 9) {
      dead4 = more(e, DIGIT);
      e = after(dead4, '/', URIC);
      if (e !== undefined) return e;
    }
    if (i >= dead5 && isIn(i, LOCAL)) {
      dead5 = run(i, LOCAL);
      e = after(dead5, '@', LABEL);
      if (e !== undefined && after(e, '.', LABEL) !== undefined) return more(e, LABEL);
    }
    if (isUuid(i) && !isIn(i + 36, ALPHANUMERIC)) return i + 36;
    e = run(i, HEX);
    const hasDigit = T.slice(i, e).some((one) => DIGIT.includes(one));
    return e - i >= 32 && hasDigit && !isIn(e, ALPHANUMERIC) ? e : undefined;
  }

  let out = '';
  for (let i = 0; i < T.length; ) {
    const e = i === 0 || !isIn(i - 1, ALPHANUMERIC) ? match(i) : undefined;
    out += e === undefined ? T[i] : ' ';
    i = e ?? i + 1;
  }
  return out;
}

describe('the pseudo-code of step 4', () => {
  test('gives the result of each vector', () => {
    for (const { operation, input, expected } of loadFiles().flatMap(({ vectors }) => vectors))
      if (operation === 'strip-locators' && 'text' in input) expect(strip(input.text), input.text).toBe(expected!.text);
  });

  test('gives the result of the implementation', () => {
    const texts = fc.oneof(locatorText, raggedLocatorText, repetitiveLocatorText);
    forAll([texts], 300, (text) => {
      expect(strip(text)).toBe(stripLocators(text));
    });
  });

  test.each(['a.', '1-', '10.1111.', '10.', 'a@b@', 'a@b-', 'a:', '10.12345678901.', '1234abcd-', 'a@b.', '-@'])(
    'takes linear time: %s',
    (unit) => {
      read = 0;
      strip(unit.repeat(500));
      expect(read).toBeLessThan(3 * 500 * unit.length);
    },
  );
});
