import type { Variants } from '../scheme/label.ts';
import { createStreamingPipeline } from './stream.ts';
import type { Pipeline } from './types.ts';

/** The most octets or 16-bit units of a small document. */
export const MAX_SMALL = 4096;

/** So many small documents take less time in the streaming composition than loading and compiling the kernel does. */
const MAX_SMALL_DOCUMENTS = 16;
let smallDocuments = 0;

/**
 * Takes a pipeline without the kernel, for one of the first small documents.
 * @param size - the size of the document, in octets or 16-bit units
 * @param variants - what it computes
 * @returns undefined for a document that is not small, and after some that are: the kernel is faster then
 */
export function takeSmallPipeline(size: number, variants: Variants): Pipeline | undefined {
  if (size > MAX_SMALL || smallDocuments >= MAX_SMALL_DOCUMENTS) return undefined;
  smallDocuments++;
  return createStreamingPipeline({ variants });
}
