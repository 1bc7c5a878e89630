import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKernel, fillTable, padInput, setScheme } from '../../src/fingerprint/kernel.ts';
import { classify } from '../../src/scheme/classify.ts';
import { schemeOf } from '../../src/scheme/labels/label.ts';
import { normalise } from '../../src/scheme/normalise.ts';
import { findLocators } from '../../src/scheme/strip-locators.ts';
import { runs } from '../suite.ts';
import * as arbitrary from '../twin/arbitraries.ts';

/** The addresses of the kernel's bitmaps. (By a name that the type checker does not follow: it cannot read AssemblyScript.) */
const layout = (await import(new URL('../../src/fingerprint/kernel/layout.as.ts', import.meta.url).href)) as {
  readonly SEPARATORS: number;
  readonly UNSURES: number;
  readonly LOCATORS: number;
};

const kernel = createKernel()!;
setScheme(kernel, schemeOf('simhash-doc'), undefined);

interface Marks {
  readonly separators: readonly number[];
  readonly unsures: readonly number[];
  readonly locators: readonly number[];
}

/** Classifies a document of one piece: the places that the kernel has marked. */
function marksOf(bytes: Uint8Array): Marks {
  kernel.exports.reset();
  fillTable(kernel, bytes);
  kernel.input.set(bytes);
  padInput(kernel, bytes.length);
  expect(kernel.exports.update(bytes.length, 1)).toBe(1);
  const placesOf = (address: number): number[] => {
    const bitmap = new Uint8Array(kernel.memory.buffer, address, (bytes.length >> 3) + 1);
    return Array.from(bytes.keys()).filter((at) => (bitmap[at >> 3]! >> (at & 7)) & 1);
  };
  return {
    separators: placesOf(layout.SEPARATORS),
    unsures: placesOf(layout.UNSURES),
    locators: placesOf(layout.LOCATORS),
  };
}

/** Replaces the unassigned code points of a text as step 3 does: the kernel treats them as breaks. */
function withoutUnassigned(text: string): string {
  const replaced = (point: string): string =>
    classify(point.codePointAt(0)!) === 'unassigned' ? normalise(point) : point;
  return Array.from(text, replaced).join('');
}

/** Asserts that no mark is missing in a text. */
function check(document: string): void {
  const bytes = Buffer.from(document);
  const text = bytes.toString();
  const { separators, unsures, locators } = marksOf(bytes);
  const cuts = [...new Set([0, ...separators, bytes.length])];
  const parts = cuts.slice(1).map((end, i) => ({ from: cuts[i]!, end, text: bytes.toString('utf8', cuts[i], end) }));
  expect(parts.map((part) => normalise(part.text)).join('')).toBe(normalise(text));
  const unmarked = parts.filter(({ from, end }) => !unsures.some((at) => at >= from && at < end));
  expect(unmarked.filter((part) => normalise(part.text) !== withoutUnassigned(part.text))).toEqual([]);
  // Spans that are put in NFC lose their marks of step 4, and get them again in the second buffer.
  if (normalise(text) !== text || unsures.length > 0) return;
  const found = findLocators(text).map(({ start, end }) => ({
    from: Buffer.byteLength(text.slice(0, start)),
    end: Buffer.byteLength(text.slice(0, end)),
  }));
  expect(found.filter(({ from, end }) => !locators.some((at) => at >= from && at < end))).toEqual([]);
}

describe('the kernel marks every place that step 3 or 4 changes', () => {
  const part = fc.oneof(
    arbitrary.locatorText,
    arbitrary.text,
    arbitrary.composingText,
    arbitrary.runText,
    arbitrary.prose,
    fc.constantFrom('a', ' ', 'x'.repeat(61), 'слово ', '\u0301', '\u0323', '\u00ad', '\u1161', '\u11a8', 'http://a'),
  );
  const texts = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));

  test('in any text', () => {
    fc.assert(fc.property(texts, check), { numRuns: runs(20_000) });
  });

  const CHANGED = [
    ...['e\u0301', '\u0344', '\u1100\u1161', '\uac00\u11a8', 'a\u0301\u0323', 'a\u302e\u05b0', '\u00ad', '\u2126'],
    ...['\u{1d15e}', '\u0627\u0653'],
  ];
  const LOCATORS = [
    ...[
      ...['http://a', 'mailto:a@b.c', 'www.a.b', '10.1000/a', 'a@b.c', 'doi:10.1/a', 'urn:isbn:1'],
      'd'.repeat(32),
      '0'.repeat(64),
    ],
    '123e4567-e89b-12d3-a456-426614174000',
  ];

  test.each([...CHANGED, ...LOCATORS].map((text) => [text]))('in %j, at every place of a block of 64 bytes', (text) => {
    for (let before = 0; before <= 130; before++)
      for (const filler of [' ', 'а ', '文']) check(`${filler.repeat(before)} ${text} ${filler.repeat(3)}`);
  });
});
