import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasKernel } from '../../src/fingerprint/kernel.ts';
import { fingerprint } from '../../src/index.ts';
import { forAll, IS_SLOW, runs } from '../suite.ts';
import * as arbitrary from '../twin/arbitraries.ts';
import { twin } from '../twin/twin.ts';
import { both, byBoth, bySteps, cut } from './pipelines.ts';

/** Fingerprints by the kernel and the streaming composition. */
function fingerprintsOf(document: string): unknown[] {
  const { kernel, stream } = byBoth([document]);
  return [kernel.fingerprint, stream.fingerprint];
}

function same(fingerprint: unknown): unknown[] {
  return [fingerprint, fingerprint];
}

test('the kernel runs here', () => {
  expect(hasKernel()).toBe(true);
});

/** Texts over many input buffers of the kernel, with text that steps 3 and 4 change in any place. */
const special = fc.oneof(
  arbitrary.locatorText,
  arbitrary.text,
  arbitrary.composingText,
  arbitrary.runText,
  arbitrary.prose,
);
const filler = fc.constantFrom(
  ...['a', 'word ', 'Слово ', '文書。', '文', 'ภาษาไทย ', 'a,', '-', '\n', 'é ', '9', '10.', 'w', 'ab-', '\u0301'],
);
const longText = fc
  .array(fc.tuple(filler, fc.oneof(fc.nat(200), fc.nat(70_000)), special), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map(([unit, count, text]) => unit.repeat(count) + text).join(''));

describe('kernel, streaming composition, readable steps and twin agree', () => {
  test('on long documents', () => {
    forAll([longText, fc.integer({ min: 1000, max: 200_000 })], runs(IS_SLOW ? 60 : 30), (text, size) => {
      const bytes = new TextEncoder().encode(text);
      const expected = bySteps(bytes);
      for (const pieces of [[bytes], cut(bytes, size), [text], cut(text, size)])
        expect(byBoth(pieces)).toEqual(both(expected));
      expect(fingerprint(bytes)).toBe(expected.fingerprint);
    });
  });

  test('on each pattern of a locator across every border of blocks of 64 bytes', () => {
    const patterns = [
      ...['http://example.org/x', 'a://b', 'www.example', 'WWW.x', 'doi:10.1/x', 'isbn:1', '10.1000/182'],
      ...['me@example.org', '_.me+x@a-b.c', '550e8400-e29b-41d4-a716-446655440000'],
      ...['d41d8cd98f00b204e9800998ecf8427e', 'abcdefabcdefabcdefabcdefabcdefab', 'd41d8cd98f00b204e9800998ecf8427ez'],
      ...['x:y', 'a@b', '12:30', 'wwww.x', '110.1000/x', `a@${'b'.repeat(70)}.c`],
    ];
    for (const pattern of patterns)
      for (let offset = 0; offset < 130; offset += IS_SLOW ? 1 : 13) {
        const text = `${`${'x'.repeat(offset % 7)} ${'ab '.repeat(offset)}`.slice(-offset - 1)}${pattern} tail words`;
        for (const document of [text, text.replace(' tail', '\u00e9tail'), `${text.slice(0, -11)}`])
          expect([document, fingerprintsOf(document)]).toEqual([document, same(twin.fingerprint(document))]);
      }
  });
});

/** The results of the kernel and the streaming composition for sequences of bytes with spaces between, where they differ. */
function differencesIn(sequences: readonly Uint8Array[]): string[] {
  const differing: string[] = [];
  // At another place in the 64 bytes each time; and with few tokens, so that a wrong one is visible.
  for (let at = 0; at < sequences.length; at += 15) {
    const bytes = Buffer.concat(sequences.slice(at, at + 15).flatMap((sequence) => [sequence, Uint8Array.of(0x20)]));
    const { kernel, stream } = byBoth([bytes]);
    if (kernel.fingerprint !== stream.fingerprint || kernel.tokens !== stream.tokens)
      differing.push(bytes.toString('hex'));
  }
  return differing;
}

describe('letters that the kernel classifies sixteen bytes at a time', () => {
  test('agree in their ranges', () => {
    const points: number[] = [];
    for (let point = 0xa0; point < 0xd800; point++) {
      if (point === 0x250) point = 0x400;
      if (point === 0x600) point = 0x10f0;
      if (point === 0x1210) point = 0x1df0;
      if (point === 0x1f10) point = 0x3000;
      const isNearEdge = point < 0x3100 || [0x4d, 0x4e, 0x9f, 0xab, 0xac, 0xd7].includes(point >> 8);
      if (IS_SLOW || isNearEdge || point % 61 === 0) points.push(point);
    }
    expect(differencesIn(points.map((point) => Buffer.from(String.fromCodePoint(point).repeat(2))))).toEqual([]);
  });

  test('agree among ill-formed sequences with the same beginning', () => {
    const sequences: Uint8Array[] = [];
    for (const lead of [0xc2, 0xc3, 0xc7, 0xc8, ...Array.from({ length: 32 }, (_, i) => 0xcf + i)])
      for (let second = 0; second < 256; second += lead % 2 === 0 || (second >= 0x78 && second < 0xc8) ? 1 : 11)
        for (const third of [0x41, 0x80, 0xbf, 0xc0, 0xd0])
          sequences.push(Uint8Array.of(0xd0, 0xb0, lead, second, third, 0xd0, 0xb0, 0xe6, 0x96, 0x87));
    expect(differencesIn(sequences)).toEqual([]);
  });
});

describe('normalisation agrees', () => {
  /** Texts before and after a code point: marks of several classes, starters that compose with one, Hangul. */
  const contexts = [
    ['e', '\u0323\u0301'],
    ['e\u0345', ''],
    ['\u00e9', '\u0301\u0327\u0f73'],
    ['\u1100', '\u1161\u11a8'],
    ['\uac00', '\u11a8\u0301'],
    ['\u0cc6', '\u0cc2\u0cd5'],
    ['<', '\u0338\u0340'],
    ['', 'o'],
  ] as const;

  test('for every code point other than ideographs and syllables, among others', () => {
    let batch: string[] = [];
    const differing: string[] = [];
    for (let codePoint = 0x80; codePoint <= 0x2fa1f; codePoint++) {
      if (codePoint === 0x3400) codePoint = 0x4db0;
      if (codePoint === 0x4e00) codePoint = 0x9fe0;
      if (codePoint === 0xac40) codePoint = 0xd780;
      if (codePoint === 0xd800) codePoint = 0xf8f0;
      if (codePoint === 0x20000) codePoint = 0x2f800;
      batch.push(String.fromCodePoint(codePoint));
      if (batch.length < 6) continue;
      if (!IS_SLOW && codePoint % 32 > 0) {
        batch = [];
        continue;
      }
      // Few tokens, so that a wrong one is visible.
      for (const [before, behind] of contexts) {
        const text = batch.map((one) => before + one + behind).join(' ');
        const { fingerprint } = bySteps(text);
        const { kernel, stream } = byBoth([text]);
        if (kernel.fingerprint !== fingerprint || stream.fingerprint !== fingerprint) differing.push(text);
      }
      batch = [];
    }
    expect(differing).toEqual([]);
  });

  test('for marks in every order, in short runs and long ones, with the oracle', () => {
    const mark = fc.constantFrom(
      ...'\u0301\u0323\u0345\u0f73\u0f81\u0344\u05b0\u302a\u0300\u034f\u0338\u3099\u09be\u{1d165}',
    );
    const base = fc.constantFrom(...'aeo<\u00e9\u1ebf\u1100\uac00\u3042\u0915\u0958\u212b\u{1d15e} .\u3002');
    const marked = fc.tuple(base, fc.array(mark, { maxLength: 6 }), fc.constantFrom(1, 1, 1, 2, 40));
    forAll([fc.array(marked, { maxLength: 8 })], runs(1000), (runs) => {
      const text = runs.map(([first, marks, times]) => first + marks.join('').repeat(times)).join('');
      expect([text, fingerprintsOf(text)]).toEqual([text, same(twin.fingerprint(text))]);
    });
  });
});
