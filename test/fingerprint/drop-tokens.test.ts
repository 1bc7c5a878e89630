import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStopSet } from '../../src/fingerprint/drop-tokens.ts';
import { createFastPipeline } from '../../src/fingerprint/engine.ts';
import { createPlainEngine } from '../../src/fingerprint/plain.ts';
import { createPipeline, type Pipeline } from '../../src/fingerprint/stream.ts';
import { createWebAssemblyEngine } from '../../src/fingerprint/wasm.ts';
import { explain, hashToken, simhash } from '../../src/index.ts';
import { createRandom } from '../bench/corpus.ts';
import * as arbitrary from '../twin/arbitraries.ts';

const RUNS = Number(process.env['SIMHASH_DOC_RUNS'] ?? 1);
const encoder = new TextEncoder();

/** Some thousand words of many scripts, in three forms as `sw1` has them, of 1 to 40 code points. */
const words: string[] = (() => {
  const random = createRandom(11);
  const alphabets = [
    'aeinorst',
    'абвгдеион',
    'αβγδεικλ',
    '的一是不了在有',
    'のをにはがで',
    'กขคงจาิี',
    'سنتيوأ',
    'हिन्दीका',
    '가나다라은는',
    '𐐨𐐩𐐪𐐫',
    'éàüßñœ',
    '_1',
  ];
  const made = new Set<string>();
  for (let i = 0; i < 4000; i++) {
    const letters = Array.from(alphabets[random() % alphabets.length]!);
    const length = random() % 50 === 0 ? 1 + (random() % 40) : 1 + (random() % 5);
    const word = Array.from({ length }, () => letters[random() % letters.length])
      .join('')
      .normalize('NFC');
    for (const form of [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()])
      if (explain(form).tokens.length === 1 && explain(form).tokens[0]!.text === form) made.add(form);
  }
  return [...made];
})();
const stops = createStopSet(words.map((word) => encoder.encode(word)));
const stopWords: ReadonlySet<string> = new Set(words);

const engines = [createWebAssemblyEngine(stops)!, createPlainEngine(stops)];
const PIPELINES: readonly [string, () => Pipeline][] = [
  ['the pipeline', () => createPipeline(stops)],
  ['WebAssembly', () => createFastPipeline(engines[0])],
  ['the plain engine', () => createFastPipeline(engines[1])],
];

function through(pipeline: Pipeline, pieces: readonly Uint8Array[]): { fingerprint: bigint | null; tokens: number } {
  for (const piece of pieces) pipeline.updateOctets(piece);
  pipeline.end();
  return { fingerprint: pipeline.result(), tokens: pipeline.tokenCount };
}

function expected(octets: Uint8Array): { fingerprint: bigint | null; tokens: number } {
  const kept = explain(octets).tokens.filter(({ text }) => !stopWords.has(text));
  return { fingerprint: simhash(kept.map(({ text }) => hashToken(text))), tokens: kept.length };
}

/** Words of the list, words that begin or end as one of them, and what other tests find bugs with. */
const stopWord = fc.nat(words.length - 1).map((at) => words[at]!);
const near = fc
  .tuple(stopWord, fc.constantFrom('', 'x', 'é', '\u0301', '\u00ad', '0', ' '))
  .map((parts) => parts.join(''));
const text = fc
  .array(
    fc.tuple(fc.oneof(stopWord, near, arbitrary.prose, arbitrary.text), fc.constantFrom(' ', ' ', '\n', '。', ', ')),
    {
      maxLength: 400,
      size: 'max',
    },
  )
  .map((parts) => parts.map((part) => part.join('')).join(''));

test('the list is like a real one', () => {
  expect(words.length).toBeGreaterThan(3000);
});

describe.each(PIPELINES)('step 6 by %s', (_name, make) => {
  test('drops what equals an entry and nothing else', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 3000 }), (document, size) => {
        const octets = encoder.encode(document);
        const pieces = Array.from({ length: Math.ceil(octets.length / size) }, (_, i) =>
          octets.subarray(i * size, (i + 1) * size),
        );
        expect(through(make(), [octets])).toEqual(expected(octets));
        expect(through(make(), pieces)).toEqual(expected(octets));
      }),
      { numRuns: 60 * RUNS },
    );
  });

  test('all entries, each once, leave nothing', () => {
    expect(through(make(), [encoder.encode(words.join(' '))])).toEqual({ fingerprint: null, tokens: 0 });
    // Nothing is left of them for the next document.
    const octets = encoder.encode(`${words.join(' ')} remains`);
    expect(through(make(), [octets])).toEqual({ fingerprint: hashToken('remains'), tokens: 1 });
  });

  test('a token whose hash is that of an entry, but not its octets, stays', () => {
    const set = { ...createStopSet([encoder.encode('alpha'), encoder.encode('a'.repeat(40))]) };
    const octets = set.octets.slice();
    // The set with other octets than those that were hashed: what a collision looks like.
    octets[0] = 0x41;
    octets[10] = 0x41;
    const pipelines = [
      createPipeline({ ...set, octets }),
      createFastPipeline(createWebAssemblyEngine({ ...set, octets })),
      createFastPipeline(createPlainEngine({ ...set, octets })),
    ];
    for (const pipeline of pipelines)
      expect(through(pipeline, [encoder.encode(`alpha ${'a'.repeat(40)}`)]).tokens).toBe(2);
  });
});

test('an empty set drops nothing', () => {
  const none = createStopSet([]);
  for (const pipeline of [
    createPipeline(none),
    createFastPipeline(createWebAssemblyEngine(none)),
    createFastPipeline(createPlainEngine(none)),
  ])
    expect(through(pipeline, [encoder.encode('alpha beta')]).tokens).toBe(2);
});
