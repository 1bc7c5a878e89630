import { describe, expect, test } from 'vitest';
import { classify } from '../../src/scheme/classify.ts';
import { normalise, toNfc } from '../../src/scheme/normalise.ts';
import { BOUNDARY, quickCheckOf, UNSURE } from '../../src/scheme/unicode.ts';
import { IS_SLOW } from '../suite.ts';

function* codePointsThatReachNfc(): Generator<number> {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    const wordClass = classify(codePoint);
    if (wordClass !== 'unassigned' && wordClass !== 'ignorable') yield codePoint;
  }
}

const text = String.fromCodePoint;

describe('the quick check', () => {
  // NFC_Quick_Check = Maybe: the code points after the first one of a decomposition that composes again.
  const composedBackwards = new Set<number>();
  for (const codePoint of codePointsThatReachNfc()) {
    const parts = Array.from(text(codePoint).normalize('NFD'), (part) => part.codePointAt(0)!);
    if (text(codePoint).normalize('NFC') === text(codePoint))
      for (const part of parts.slice(1)) if (text(part).normalize('NFC') === text(part)) composedBackwards.add(part);
  }

  test('is unsure of exactly the code points that NFC may change or compose with the one before', () => {
    const differing: string[] = [];
    for (const codePoint of codePointsThatReachNfc()) {
      const expected = text(codePoint).normalize('NFC') !== text(codePoint) || composedBackwards.has(codePoint);
      if (expected !== (quickCheckOf(codePoint) === UNSURE)) differing.push(codePoint.toString(16));
    }
    expect(differing).toEqual([]);
  });

  test('has the combining classes, so that no boundary is reordered', () => {
    // U+0315 has class 232, U+031B class 216: anything with a class between or beside them moves around one of them.
    for (const codePoint of codePointsThatReachNfc()) {
      const check = quickCheckOf(codePoint);
      if (check === UNSURE) continue;
      const high = `\u0345${text(codePoint)}`.normalize('NFD');
      const moves = high !== `\u0345${text(codePoint).normalize('NFD')}`;
      if (moves !== (check > BOUNDARY && check < 240)) expect.fail(`U+${codePoint.toString(16)}: class ${check}`);
    }
  });
});

describe('toNfc', () => {
  test('orders a long run of marks like the engine orders a short one', () => {
    const marks = [
      '\u0301',
      '\u0323',
      '\u0345',
      '\u0f73',
      '\u0f75',
      '\u0f81',
      '\u0344',
      '\u05b0',
      '\u{1d165}',
      '\u302a',
    ];
    for (let length = 60; length < 300; length += 7) {
      const run = Array.from({ length }, (_, i) => marks[(i * i + length) % marks.length]).join('');
      const whole = `xa${run}e${run.slice(0, 5)} \u00e9`;
      expect(toNfc(whole)).toBe(whole.normalize('NFC'));
      expect(toNfc(run)).toBe(run.normalize('NFC'));
    }
  });

  test('leaves starters that decompose in their places, whatever their number', () => {
    for (const starter of '\u212b\u0958\ufb2c\u{1d15e}\u{2f800}\u1f82')
      for (const text of [starter.repeat(200), `${starter}\u0323\u0f73`.repeat(100), `${starter}\u0345`.repeat(100)])
        expect(toNfc(text)).toBe(text.normalize('NFC'));
  });

  const pairs = IS_SLOW ? 1_500_000 : 300_000;
  test(`takes linear time: ${2 * pairs} marks in the worst order (the engine alone would take minutes)`, () => {
    const composed = normalise(`a${'\u0301\u0323'.repeat(pairs)}`);
    expect(composed.length).toBe(2 * pairs);
    expect(composed.startsWith('\u1ea1\u0323')).toBe(true);
    expect(normalise(`\u0f40${'\u0f73'.repeat(pairs)}`).length).toBe(2 * pairs + 1);
  });
});
