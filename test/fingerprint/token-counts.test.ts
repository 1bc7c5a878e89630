import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/fingerprint/engine.ts';
import { createStreamingPipeline } from '../../src/fingerprint/stream.ts';
import { createTokenCounter, sumCounts } from '../../src/fingerprint/token-counts.ts';
import {
  countTokens,
  fingerprint,
  hashToken,
  normalise,
  overlap,
  stripLocators,
  type TokenCounts,
  tokenise,
} from '../../src/index.ts';
import { LABELS, schemeOf } from '../../src/scheme/labels/label.ts';
import { forAll } from '../suite.ts';
import { cut } from './pipelines.ts';

/** Counts tokens in the simple way, with a map of strings. */
function tokensOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text: token } of tokenise(stripLocators(normalise(text))))
    counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function slowOverlap(a: string, b: string): number {
  const [left, right] = [tokensOf(a), tokensOf(b)];
  let [common, all] = [0, 0];
  for (const token of new Set([...left.keys(), ...right.keys()])) {
    common += Math.min(left.get(token) ?? 0, right.get(token) ?? 0);
    all += Math.max(left.get(token) ?? 0, right.get(token) ?? 0);
  }
  return common / all;
}

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'dé', 'https://x.y/z', '12', 'e\u0301', 'long'.repeat(9)));
const texts = fc.oneof(
  words.map((list) => list.join(' ')),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
);

describe('countTokens', () => {
  test('counts the tokens of tokenise', () => {
    forAll([texts], 100, (text) => {
      const { hashes, counts } = countTokens(text);
      const expected = [...tokensOf(text)].map(([token, count]) => [hashToken(token), count] as const);
      expected.sort(([a], [b]) => (a < b ? -1 : 1));
      expect([...hashes].map((hash, i) => [hash, counts[i]])).toEqual(expected);
      expect(countTokens(new TextEncoder().encode(text))).toEqual({ hashes, counts });
    });
  });

  test('counts many tokens', () => {
    const { hashes, counts } = countTokens(Array.from({ length: 20_000 }, (_, i) => `w${i % 7000}`).join(' '));
    expect(hashes.length).toBe(7000);
    expect(hashes).toEqual(hashes.slice().sort());
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20_000);
  });
});

test('the kernel and the streaming composition count the same tokens, however the text is cut', () => {
  const engine = createEngine()!;
  forAll([texts, fc.constantFrom(...LABELS), fc.integer({ min: 1, max: 40 })], 100, (text, label, size) => {
    const scheme = schemeOf(label);
    const [shown, expected]: [bigint[], bigint[]] = [[], []];
    const addTo = (list: bigint[]) => (lows: Uint32Array, highs: Uint32Array, count: number) => {
      for (let i = 0; i < count; i++) list.push((BigInt(highs[i]!) << 32n) | BigInt(lows[i]!));
    };
    engine.reset(scheme, addTo(shown));
    const stream = createStreamingPipeline({ scheme, onTokens: addTo(expected) });
    for (const piece of cut(text, size)) for (const pipeline of [engine, stream]) pipeline.update(piece);
    for (const pipeline of [engine, stream]) pipeline.end();
    expect(shown.sort()).toEqual(expected.sort());
    expect(engine.result()).toEqual(stream.result());
    expect(engine.tokenCount).toBe(shown.length);
  });
});

describe('overlap', () => {
  test('gives the result of the example in the specification', () => {
    expect(overlap(countTokens('to be or not to be'), countTokens('to be, to be'))).toBe(4 / 6);
  });

  test('equals its definition, is symmetric, and is 1 for the same tokens', () => {
    forAll([texts, texts], 100, (a, b) => {
      const [left, right] = [countTokens(a), countTokens(b)];
      if (left.counts.length + right.counts.length === 0) {
        expect(() => overlap(left, right)).toThrow(expect.objectContaining({ code: 'no-fingerprint' }));
        return;
      }
      expect(overlap(left, right)).toBe(slowOverlap(a, b));
      expect(overlap(right, left)).toBe(overlap(left, right));
      if (left.counts.length > 0) expect(overlap(left, left)).toBe(1);
    });
  });
});

describe('a counter with a limit of tokens', () => {
  const text = Array.from({ length: 500 }, (_, i) => `w${i % 120} w${i % 31}`).join(' ');

  test('narrows to a part, and all parts are the whole', () => {
    const whole = createTokenCounter().update(text).digest();
    const first = createTokenCounter({ limit: 40 }).update(text).digest();
    expect(first.counted.hashes.length).toBeLessThanOrEqual(40);
    expect(first.counted.part).toBe(0);
    expect([first.fingerprint, first.tokens]).toEqual([fingerprint(text), 1000]);
    const { bits } = first.counted;
    expect(bits).toBeGreaterThan(0);
    const parts = Array.from({ length: 2 ** bits }, (_, part) =>
      createTokenCounter({ bits, part }).update(text).digest(),
    ).map(({ counted }) => counted);
    expect(parts[0]).toEqual(first.counted);
    expect(parts.flatMap(({ hashes }) => [...hashes])).toEqual([...whole.counted.hashes]);
    expect(parts.flatMap(({ counts }) => [...counts])).toEqual([...whole.counted.counts]);
  });

  test('has parts whose sums add up', () => {
    const other = `${text} more words here`;
    const sums = (bits: number, part: number) => {
      const [a, b] = [text, other].map(
        (each): TokenCounts => createTokenCounter({ bits, part }).update(each).digest().counted,
      );
      return sumCounts(a!, b!);
    };
    const parts = Array.from({ length: 8 }, (_, part) => sums(3, part));
    const added = parts.reduce((sum, each) => ({ common: sum.common + each.common, all: sum.all + each.all }));
    expect(added).toEqual(sums(0, 0));
    expect(added).toEqual({ common: 1000, all: 1003 });
  });
});
