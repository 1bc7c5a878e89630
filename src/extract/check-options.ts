import { assertOneOf, assertOptions, wrongType } from '../errors.ts';
import type { ExtractionHints, ExtractionOptions } from './types.ts';

const HINTS: Readonly<Record<keyof ExtractionHints, 'string?'>> = {
  path: 'string?',
  type: 'string?',
  charset: 'string?',
  extractor: 'string?',
  transportCharset: 'string?',
};

/** Throws `wrong-type` unless these are hints, `out-of-range` for a hint or an extractor that does not exist. */
export function assertHints(hints: ExtractionHints): void {
  assertOptions('hints', hints, HINTS);
  for (const name in hints) assertOneOf('a hint', name, Object.keys(HINTS));
  if (hints.extractor !== undefined) assertOneOf('hints.extractor', hints.extractor, ['article']);
}

export function assertExtractionOptions(options: ExtractionOptions): void {
  assertOptions('options', options, { limits: 'object?', onProgress: 'function?' });
}

export function assertChunks(chunks: unknown): void {
  const isAsync = typeof (chunks as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] === 'function';
  const isIterable = typeof (chunks as Iterable<unknown> | null)?.[Symbol.iterator] === 'function';
  if (typeof chunks === 'string' || !(isAsync || isIterable))
    throw wrongType('chunks', 'an iterable of Uint8Arrays', chunks);
}
