import { describe, expect, test } from 'vitest';
import { difference } from '../../src/conformance/judge/judge.ts';
import { generate, splitmix64 } from '../../src/conformance/suite/vector-inputs.ts';
import type { GeneratingRule } from '../../src/conformance/vector.ts';
import { canonicalJson } from '../tools/generate/json.ts';

describe('generating rules', () => {
  test('splitmix64 gives its published values', () => {
    const { next } = splitmix64(1234567);
    expect(Array.from({ length: 5 }, next)).toEqual([
      6457827717110365317n,
      3203168211198807973n,
      9817491932198370423n,
      4593380528125082431n,
      16408922859458223821n,
    ]);
  });

  // Worked out by hand from the five numbers above: modulo 3 they are 0 1 0 1 2, modulo 5 they are 2 3 3 1 1.
  const seed = 1234567;
  const cases: readonly (readonly [GeneratingRule, string | Uint8Array])[] = [
    [{ rule: 'repeat', text: 'a\u00e9', count: 3 }, 'a\u00e9a\u00e9a\u00e9'],
    [{ rule: 'repeat', text: 'a', count: 0 }, ''],
    [{ rule: 'words', seed, count: 3, vocabulary: ['x', 'y', 'z'], separators: [' ', '-'] }, 'x-x-z'],
    [{ rule: 'words', seed, count: 1, vocabulary: ['x', 'y', 'z'], separators: ['?'] }, 'x'],
    [{ rule: 'words', seed, count: 0, vocabulary: ['x'], separators: ['?'] }, ''],
    [{ rule: 'octets', seed, count: 5 }, Uint8Array.of(0x85, 0xa5, 0x77, 0x3f, 0xcd)],
    [
      {
        rule: 'code-points',
        seed,
        count: 5,
        ranges: [
          [0x61, 0x62],
          [0x1f600, 0x1f600, 2],
          [0x4e00, 0x4e00],
        ],
      },
      '\u{1f600}\u{1f600}\u{1f600}bb',
    ],
    [
      {
        rule: 'concat',
        parts: [
          { rule: 'repeat', text: 'a', count: 2 },
          { rule: 'words', seed, count: 1, vocabulary: ['x', 'y', 'z'], separators: ['?'] },
        ],
      },
      'aax',
    ],
    [
      {
        rule: 'concat',
        parts: [
          { rule: 'repeat', text: '\u00e9', count: 1 },
          { rule: 'octets', seed, count: 1 },
        ],
      },
      Uint8Array.of(0xc3, 0xa9, 0x85),
    ],
  ];
  test.each(cases.map(([rule, built]) => [rule.rule, rule, built] as const))(
    '%s builds its text or bytes',
    (_name, rule, built) => {
      expect(generate(rule)).toEqual(built);
    },
  );

  test('an unknown rule is rejected', () => {
    const guess = (): unknown => generate({ rule: 'guess' } as unknown as GeneratingRule);
    expect(guess).toThrow(RangeError);
    expect(guess).toThrow('guess');
  });
});

describe('the first difference', () => {
  const cases: readonly (readonly [expected: unknown, actual: unknown, place: string | null])[] = [
    [{ a: 1 }, { a: 1, b: 2 }, null],
    [{ a: 1, b: 2 }, { a: 1 }, 'b'],
    [{ a: [1, 2] }, { a: [1, 2] }, null],
    [{ a: [1, 2] }, { a: [1, 3] }, 'a[1]'],
    [{ a: [1, 2] }, { a: [1] }, 'a[1]'],
    [{ a: [1] }, { a: [1, 2] }, 'a[1]'],
    [{ a: [] }, { a: {} }, 'a'],
    [{ a: {} }, { a: [] }, 'a'],
    [{ a: [{ b: null }] }, { a: [{ b: 0 }] }, 'a[0].b'],
    [{ a: null }, { a: null }, null],
    [{ a: null }, {}, 'a'],
    [{ a: undefined }, {}, 'a'],
    [{ a: '1' }, { a: 1 }, 'a'],
    [{ toString: 1 }, {}, 'toString'],
    [{}, null, ''],
    [{}, 'text', ''],
  ];
  test.each(cases)('of %j and %j is found', (expected, actual, place) => {
    expect(difference(expected, actual)).toBe(place);
  });
});

test('canonical JSON has sorted keys and no spaces', () => {
  // python3 -c 'import json; print(json.dumps(value, sort_keys=True, separators=(",", ":")))'
  const value = { b: [1, 0.984375, null, true], a: { z: '\u007f\u0000\n"\\', '': '\u00e9\u{1f600}/' } };
  expect(canonicalJson(value)).toBe(
    '{"a":{"":"\\u00e9\\ud83d\\ude00/","z":"\\u007f\\u0000\\n\\"\\\\"},"b":[1,0.984375,null,true]}',
  );
});
