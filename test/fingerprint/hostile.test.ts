import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFastPipeline } from '../../src/fingerprint/engine.ts';
import { createPlainEngine } from '../../src/fingerprint/plain.ts';
import { createPipeline, type Pipeline } from '../../src/fingerprint/stream.ts';
import type { Engine } from '../../src/fingerprint/types.ts';
import { createWebAssemblyEngine } from '../../src/fingerprint/wasm.ts';
import { explain } from '../../src/index.ts';
import { makeHostileShapes } from '../bench/corpus.ts';
import { firstRows, RUNS, slowTest } from '../suite.ts';

/** As much as the engine in WebAssembly takes at once: what is interesting happens at its borders. */
const WINDOW = 1 << 16;

const webAssemblyEngine = createWebAssemblyEngine()!;
const plainEngine = createPlainEngine();

interface Outcome {
  readonly fingerprint: bigint | null;
  readonly tokens: number;
}

function through(pipeline: Pipeline, octets: Uint8Array, size: number): Outcome {
  for (let at = 0; at < octets.length; at += size) pipeline.updateOctets(octets.subarray(at, at + size));
  pipeline.end();
  return { fingerprint: pipeline.result(), tokens: pipeline.tokenCount };
}

const fast = (engine: Engine, octets: Uint8Array, size = WINDOW * 100): Outcome =>
  through(createFastPipeline(engine), octets, size);

/** Step by step, on the whole document. */
function expected(octets: Uint8Array): Outcome {
  const { fingerprint, tokens } = explain(octets);
  return { fingerprint, tokens: tokens.length };
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function repeat(unit: Uint8Array, size: number): Uint8Array {
  const octets = new Uint8Array(Math.ceil(size / unit.length) * unit.length);
  for (let at = 0; at < octets.length; at += unit.length) octets.set(unit, at);
  return octets;
}

const encoder = new TextEncoder();
const SHAPES = makeHostileShapes();
const TAIL = encoder.encode('@b.c/e\u0301 doi:x end 0123456789abcdef0123456789abcdef');

describe.each(SHAPES.map(({ name, head, unit }) => [name, head, unit] as const))(
  'what has no end, exact to the bit: %s',
  (_name, head, unit) => {
    // Ends a little before, at and behind the border, so that its last unit is cut in all ways.
    test.each(firstRows(1, [WINDOW - 5, 2 * WINDOW + 3]))('%i octets', (size) => {
      const octets = join([head, repeat(unit, size), TAIL]);
      for (const document of firstRows(1, [octets, octets.subarray(1), octets.subarray(0, -TAIL.length)])) {
        const outcome = expected(document);
        expect(through(createPipeline(), document, document.length)).toEqual(outcome);
        expect(fast(webAssemblyEngine, document)).toEqual(outcome);
        expect(fast(webAssemblyEngine, document, 9973)).toEqual(outcome);
        expect(fast(plainEngine, document)).toEqual(outcome);
      }
    });
  },
);

slowTest('what ends at every place around a border', () => {
  const ends = ['b', ' b', '\u0301', '\u00ad', '\u0378', '@b.c', '://b', '/x', '.www.x', '\u1161', '\ufffd'];
  for (const { head, unit } of SHAPES)
    for (let by = 0; by < 12; by++) {
      const filler = repeat(unit, WINDOW + by - 6).subarray(head.length);
      const document = join([head, filler.subarray(by % 4), encoder.encode(`${ends[by % ends.length]!} end`)]);
      expect(fast(webAssemblyEngine, document)).toEqual(through(createPipeline(), document, document.length));
    }
});

test('shapes one behind the other, in parts', () => {
  const piece = fc
    .tuple(
      fc.constantFrom(...SHAPES),
      fc.oneof(fc.nat(40), fc.nat(WINDOW), fc.integer({ min: WINDOW - 9, max: WINDOW + 9 })),
      fc.constantFrom('', ' ', 'b', '\u0301', '@b.c', '\u00e9', '://', '\u3002'),
    )
    .map(([{ head, unit }, size, behind]) => join([head, repeat(unit, size), encoder.encode(behind)]));
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 500, max: 200_000 }),
      (parts, size) => {
        const document = join(parts);
        const outcome = through(createPipeline(), document, document.length);
        expect(fast(webAssemblyEngine, document, size)).toEqual(outcome);
        expect(fast(plainEngine, document, size)).toEqual(outcome);
      },
    ),
    { numRuns: 60 * RUNS },
  );
});

test('one octet at a time', () => {
  for (const { head, unit } of SHAPES) {
    const document = join([head, repeat(unit, 700), TAIL]);
    const outcome = expected(document);
    expect(fast(webAssemblyEngine, document, 1)).toEqual(outcome);
    expect(fast(plainEngine, document, 1)).toEqual(outcome);
  }
});

slowTest('an engine whose memory has grown is not kept, and works on', () => {
  const engine = createWebAssemblyEngine()!;
  expect(engine.isLarge).toBe(false);
  const token = repeat(encoder.encode('a'), 100 * WINDOW);
  const outcome = expected(token);
  expect(fast(engine, token)).toEqual(outcome);
  expect(engine.isLarge).toBe(true);
  expect(fast(engine, token, 9973)).toEqual(outcome);
  expect(fast(engine, TAIL)).toEqual(expected(TAIL));
});

slowTest('surrogate pairs across all borders, as strings', () => {
  for (const engine of [webAssemblyEngine, plainEngine])
    for (let by = 0; by < 3; by++)
      for (const head of ['', ' ', `${'a'.repeat(WINDOW)} `, ` ${'\u0301'.repeat(WINDOW / 2)}`]) {
        const text = `${head}${'b'.repeat(by)}${'\u{10400}\u{10428}'.repeat(WINDOW / 2)} end`;
        const pipeline = createFastPipeline(engine);
        pipeline.updateText(text);
        pipeline.end();
        expect({ fingerprint: pipeline.result(), tokens: pipeline.tokenCount }).toEqual(expected(encoder.encode(text)));
      }
});
