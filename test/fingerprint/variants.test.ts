import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/fingerprint/engine.ts';
import { createFingerprinter, fingerprint, LABELS } from '../../src/index.ts';
import { IS_SLOW, RUNS } from '../suite.ts';
import * as arbitrary from '../twin/arbitraries.ts';
import { fingerprintTwin } from '../twin/twin.ts';
import { both, byBoth, bySteps, byStream, cut } from './pipelines.ts';

const label = fc.constantFrom(...LABELS);

/** Words that occur often and rarely, in scripts with spaces and without, with marks, digits and joined letters side by side. */
const word = fc.constantFrom(
  ...[
    'the ',
    'the ',
    'of ',
    'a',
    'é',
    '9',
    '_',
    'Слово ',
    '10.1000/x ',
    'in a word that is long ',
    '\u0301',
    ' ',
    '。',
  ],
  ...[
    '文',
    '文書',
    '書',
    '類似文書',
    'カ\u3099',
    'ー',
    'ｶﾞ',
    'ภาษา',
    'ที่',
    'ໂລກ',
    'ក្ក',
    'မြန်',
    '𠀀',
    '々',
    '〇',
    '한국어 ',
    '\u{e0100}',
  ],
);
const text = fc
  .array(fc.tuple(word, fc.constantFrom(1, 1, 1, 1, 2, 7, 8, 9, 30)), { maxLength: 40, size: 'max' })
  .map((parts) => parts.map(([unit, times]) => unit.repeat(times)).join(''));
const filler = fc.tuple(word, fc.oneof(fc.nat(200), fc.nat(40_000)), text);
const longText = fc
  .array(filler, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([unit, count, rest]) => unit.repeat(count) + rest).join(''));

describe('kernel, streaming composition, readable steps and twin agree on every label', () => {
  test('short documents in parts', () => {
    const documents = fc.oneof(arbitrary.chunked(text), arbitrary.chunkedText, arbitrary.chunkedOctets);
    fc.assert(
      fc.property(label, documents, (name, { whole, pieces }) => {
        const expected = bySteps(whole, name);
        expect(expected.fingerprint).toBe(fingerprintTwin(whole, name));
        expect(byBoth(pieces, name)).toEqual(both(expected));
      }),
      { numRuns: 1000 * RUNS },
    );
  });

  test('long documents', () => {
    fc.assert(
      fc.property(label, longText, fc.integer({ min: 1000, max: 100_000 }), (name, whole, size) => {
        const octets = new TextEncoder().encode(whole);
        const expected = bySteps(octets, name);
        for (const pieces of [[octets], cut(octets, size), [whole]])
          expect(byBoth(pieces, name)).toEqual(both(expected));
      }),
      { numRuns: 30 * RUNS },
    );
  });

  test('so many different tokens that the table of occurrences grows', () => {
    const words = Array.from({ length: IS_SLOW ? 300_000 : 20_000 }, (_, i) => `w${i.toString(36)}`);
    const whole = [words, words, words.slice(0, 99), ['most'.repeat(9)], Array(5000).fill('most')].flat().join(' ');
    const expected = bySteps(whole, 'simhash-doc+cap8');
    expect(byBoth([whole], 'simhash-doc+cap8')).toEqual(both(expected));
  });
});

test('the memory of the kernel grows while occurrences are counted', () => {
  // A token that fills what is held, and the tokens after it in the same span: they come while the memory grows.
  const words = Array.from({ length: 30_000 }, (_, i) => `w${i % 20 < 14 ? 0 : i % 20}`).join('!');
  const whole = `${'x'.repeat(460_000)}!${words}`;
  const engine = createEngine()!;
  engine.reset({ bg1: true, cap8: true });
  engine.updateText(whole);
  engine.end();
  expect(engine.result()).toBe(byStream([whole], 'simhash-doc+bg1+cap8').fingerprint);
});

test('documents of different variants do not disturb one another', () => {
  const document = '類似文書検索 and or the the the not. '.repeat(300);
  const expected = LABELS.map((variant) => fingerprint(document, { variant }));
  expect(new Set(expected).size).toBe(LABELS.length);
  const open = LABELS.map((variant) => createFingerprinter({ variant }));
  for (const piece of cut(document, 1000)) for (const each of open) each.update(piece);
  expect(open.map((each) => each.digest())).toEqual(expected);
});

test('a label in any case names a variant; another is refused', () => {
  expect(fingerprint('a a', { variant: 'SimHash-Doc+CAP8' })).toBe(fingerprint('a a'));
  expect(() => fingerprint('a', { variant: 'cap8' })).toThrow(expect.objectContaining({ code: 'invalid-label' }));
  expect(() => createFingerprinter({ variant: 'simhash-doc+sw1' })).toThrow(RangeError);
  expect(() => fingerprint('a', { variant: 8 as never })).toThrow(TypeError);
});
