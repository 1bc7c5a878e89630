import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/fingerprint/engine.ts';
import { createFingerprinter, fingerprint, LABELS } from '../../src/index.ts';
import { schemeOf } from '../../src/scheme/labels/label.ts';
import { forAll, IS_SLOW, runs } from '../suite.ts';
import * as arbitrary from '../twin/arbitraries.ts';
import { twin } from '../twin/twin.ts';
import { both, byBoth, bySteps, byStream, cut } from './pipelines.ts';

const label = fc.constantFrom(...LABELS);

/** Words that occur often and rarely, in scripts with spaces and without, with marks, digits and joined letters side by side. */
const word = fc.constantFrom(
  ...'the |the |of |a|é|9|_|Слово |10.1000/x |in a word that is long |\u0301| |。'.split('|'),
  ...'文|文書|書|類似文書|カ\u3099|ー|ｶﾞ|ภาษา|ที่|ໂລກ|ក្ក|မြန်|𠀀|々|〇|한국어 |\u{e0100}'.split('|'),
);
const text = fc
  .array(fc.tuple(word, fc.constantFrom(1, 1, 1, 1, 2, 7, 8, 9, 30)), { maxLength: 40, size: 'max' })
  .map((parts) => parts.map(([unit, times]) => unit.repeat(times)).join(''));
const filler = fc.tuple(word, fc.oneof(fc.nat(200), fc.nat(IS_SLOW ? 40_000 : 10_000)), text);
const longText = fc
  .array(filler, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([unit, count, rest]) => unit.repeat(count) + rest).join(''));

describe('kernel, streaming composition, readable steps and twin agree on every label', () => {
  test('for short documents in parts', () => {
    const documents = fc.oneof(arbitrary.chunked(text), arbitrary.chunkedText, arbitrary.chunkedBytes);
    forAll([label, documents], runs(1000), (name, { whole, pieces }) => {
      const expected = bySteps(whole, name);
      expect(expected.fingerprint).toEqual(twin.fingerprint(whole, name));
      expect(byBoth(pieces, name)).toEqual(both(expected));
    });
  });

  test('for long documents', () => {
    forAll([label, longText, fc.integer({ min: 1000, max: 100_000 })], runs(30), (name, whole, size) => {
      const bytes = new TextEncoder().encode(whole);
      const expected = bySteps(bytes, name);
      for (const pieces of [[bytes], cut(bytes, size), [whole]]) expect(byBoth(pieces, name)).toEqual(both(expected));
    });
  });

  test.each(['minhash-doc', 'minhash-doc-256'])('for more different tokens than the kernel holds: %s', (name) => {
    const words = Array.from({ length: IS_SLOW ? 300_000 : 6000 }, (_, i) => `w${i.toString(36)}`);
    for (const count of [1, 2, 63, 255, 256, 511, 512, 513, 514, 767, 768, 769, words.length]) {
      const whole = [...words.slice(0, count), ...words.slice(0, 99), ...Array(300).fill('w0')].join(' ');
      const expected = bySteps(whole, name);
      expect([count, byBoth([whole], name)]).toEqual([count, both(expected)]);
      expect([count, byBoth(cut(whole, 997), name)]).toEqual([count, both(expected)]);
    }
  });
});

test('elements before and after a token that is longer than the input count', () => {
  const words = Array.from({ length: 30_000 }, (_, i) => `w${i % 20 < 14 ? 0 : i % 700}`).join('!');
  const whole = `${'x'.repeat(460_000)}!${words}`;
  for (const name of ['minhash-doc', 'minhash-doc-256']) {
    const engine = createEngine()!;
    engine.reset(schemeOf(name));
    engine.update(whole);
    engine.end();
    expect(engine.result()).toEqual(byStream([whole], name).fingerprint);
  }
});

test.each(['minhash-doc', 'minhash-doc-256'])('many different tokens agree in any order: %s', (name) => {
  const engine = createEngine()!;
  engine.reset(schemeOf(name));
  const count = IS_SLOW ? 1_000_000 : 100_000;
  for (let at = 0; at < count; at += 1000)
    engine.update(Array.from({ length: 1000 }, (_, i) => `w${(at + i).toString(36)} `).join(''));
  engine.end();
  expect(engine.tokenCount).toBe(count);
  const pieces = Array.from({ length: count / 1000 }, (_, j) =>
    Array.from({ length: 1000 }, (_, i) => `w${(1000 * j + i).toString(36)} `).join(''),
  );
  expect(byStream(pieces.reverse(), name).fingerprint).toEqual(engine.result());
});

test('one engine computes one label after the other, and forgets the tokens of the document before', () => {
  const engine = createEngine()!;
  const run = (text: string, name: string) => {
    engine.reset(schemeOf(name));
    engine.update(text);
    engine.end();
    return engine.result();
  };
  const texts = [
    'a',
    '類似文書検索 and or the',
    Array.from({ length: 2000 }, (_, i) => `w${i}`).join(' '),
    '1 2',
    'b a',
  ];
  const rounds = [...LABELS, ...LABELS.toReversed(), 'minhash-doc', 'minhash-doc-256', 'minhash-doc'];
  for (const text of texts)
    for (const name of rounds)
      expect([text, name, run(text, name)]).toEqual([text, name, bySteps(text, name).fingerprint]);
});

test('documents of different labels do not disturb one another', () => {
  const document = '類似文書検索 and or the the the not. '.repeat(300);
  const expected = LABELS.map((name) => fingerprint(document, { label: name as string }));
  expect(new Set(expected.map(String)).size).toBe(LABELS.length);
  const open = LABELS.map((name) => createFingerprinter({ label: name as string }));
  for (const piece of cut(document, 1000)) for (const each of open) each.update(piece);
  expect(open.map((each) => each.digest())).toEqual(expected);
});

test('a label is read in any case; an unknown one is rejected', () => {
  expect(fingerprint('a a', { label: 'SimHash-Doc+BG1' })).toBe(fingerprint('a a'));
  expect(fingerprint('a', { label: 'MINHASH-DOC-256' })).toBeInstanceOf(Uint8Array);
  for (const label of ['bg1', 'minhash-doc+bg1', 'minhash-doc-64', 'simhash-doc-256', ''])
    expect(() => fingerprint('a', { label })).toThrow(expect.objectContaining({ code: 'invalid-label' }));
  expect(() => createFingerprinter({ label: 'minhash-doc-512' })).toThrow(RangeError);
  expect(() => fingerprint('a', { label: 8 as never })).toThrow(TypeError);
});
