import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatenate } from '../../src/common/bytes.ts';
import { createEngine } from '../../src/fingerprint/engine.ts';
import type { Fingerprint } from '../../src/scheme/labels/fingerprint.ts';
import { schemeOf } from '../../src/scheme/labels/label.ts';
import { firstRows, IS_SLOW, runs, slowTest } from '../suite.ts';
import { makeHostileShapes } from './hostile-shapes.ts';
import { both, byBoth, byKernel, bySteps, byStream, cut } from './pipelines.ts';

/** The number of bytes that the kernel takes at once: the hard cases are at its borders. */
const WINDOW = 1 << 16;

function repeat(unit: Uint8Array, size: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(size / unit.length) * unit.length);
  for (let at = 0; at < bytes.length; at += unit.length) bytes.set(unit, at);
  return bytes;
}

const encoder = new TextEncoder();
const SHAPES = makeHostileShapes();
const TAIL = encoder.encode('@b.c/e\u0301 doi:x end 0123456789abcdef0123456789abcdef');

/** At full length every third in the fast suite, which runs all of them one byte at a time. */
const LONG = SHAPES.filter((_, i) => IS_SLOW || i % 3 === 0);

describe.each(LONG.map(({ name, head, unit }) => [name, head, unit] as const))(
  'endless repetitions agree to the bit: %s',
  (_name, head, unit) => {
    // Ends near a border; the next test but one ends at every place around one.
    test.each([IS_SLOW ? 2 * WINDOW + 3 : WINDOW - 5])('in %i bytes', (size) => {
      const bytes = concatenate([head, repeat(unit, size), TAIL]);
      for (const document of firstRows(1, [bytes, bytes.subarray(1), bytes.subarray(0, -TAIL.length)])) {
        const expected = bySteps(document);
        expect(byBoth([document])).toEqual(both(expected));
        if (IS_SLOW) expect(byKernel(cut(document, 9973))).toEqual(expected);
      }
    });
  },
);

slowTest('a repetition agrees that ends at every place around a border', () => {
  const ends = ['b', ' b', '\u0301', '\u00ad', '\u0378', '@b.c', '://b', '/x', '.www.x', '\u1161', '\ufffd'];
  for (const { head, unit } of SHAPES)
    for (let by = 0; by < 12; by++) {
      const filler = repeat(unit, WINDOW + by - 6).subarray(head.length);
      const document = concatenate([head, filler.subarray(by % 4), encoder.encode(`${ends[by % ends.length]!} end`)]);
      expect(byKernel([document])).toEqual(byStream([document]));
    }
});

test('repetitions of different shapes agree in parts', () => {
  const piece = fc
    .tuple(
      fc.constantFrom(...SHAPES),
      fc.oneof(fc.nat(40), fc.nat(WINDOW), fc.integer({ min: WINDOW - 9, max: WINDOW + 9 })),
      fc.constantFrom('', ' ', 'b', '\u0301', '@b.c', '\u00e9', '://', '\u3002'),
    )
    .map(([{ head, unit }, size, behind]) => concatenate([head, repeat(unit, size), encoder.encode(behind)]));
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 500, max: 200_000 }),
      (parts, size) => {
        const document = concatenate(parts);
        expect(byBoth(cut(document, size))).toEqual(both(byStream([document])));
      },
    ),
    { numRuns: runs(IS_SLOW ? 60 : 30) },
  );
});

test('bytes agree one at a time', () => {
  for (const { head, unit } of SHAPES) {
    const document = concatenate([head, repeat(unit, IS_SLOW ? 700 : 300), TAIL]);
    expect(byBoth(cut(document, 1))).toEqual(both(bySteps(document)));
  }
});

slowTest('an engine works after a token that is longer than its input', () => {
  const engine = createEngine()!;
  const run = (document: Uint8Array): Fingerprint | null => {
    engine.reset(schemeOf());
    for (const piece of cut(document, 9973)) engine.update(piece);
    engine.end();
    return engine.result();
  };
  const token = repeat(encoder.encode('a'), 100 * WINDOW);
  const { fingerprint } = bySteps(token);
  expect(run(token)).toBe(fingerprint);
  expect(run(TAIL)).toBe(bySteps(TAIL).fingerprint);
});

slowTest('surrogate pairs agree across all borders, as strings', () => {
  for (let by = 0; by < 3; by++)
    for (const head of ['', ' ', `${'a'.repeat(WINDOW)} `, ` ${'\u0301'.repeat(WINDOW / 2)}`]) {
      const text = `${head}${'b'.repeat(by)}${'\u{10400}\u{10428}'.repeat(WINDOW / 2)} end`;
      const expected = both(bySteps(encoder.encode(text)));
      expect(byBoth([text])).toEqual(expected);
      expect(byBoth(cut(text, 9973))).toEqual(expected);
    }
});
