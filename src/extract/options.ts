import { assertOptions, wrongType } from '../errors.ts';
import type { ExtractionHints, ExtractionOptions } from './types.ts';

/** Throws `wrong-type` unless these are hints. */
export function assertHints(hints: ExtractionHints): void {
  assertOptions('hints', hints, {
    path: 'string?',
    type: 'string?',
    charset: 'string?',
    transportCharset: 'string?',
  });
}

/** Throws `wrong-type` unless these are options; their limits are checked elsewhere. */
export function assertExtractionOptions(options: ExtractionOptions): void {
  assertOptions('options', options, { limits: 'object?', onProgress: 'function?' });
}

/** Throws `wrong-type` unless this is an iterable, which may yield octets. */
export function assertChunks(chunks: unknown): void {
  const isAsync = typeof (chunks as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] === 'function';
  const isIterable = typeof (chunks as Iterable<unknown> | null)?.[Symbol.iterator] === 'function';
  if (typeof chunks === 'string' || !(isAsync || isIterable))
    throw wrongType('chunks', 'an iterable of Uint8Arrays', chunks);
}
