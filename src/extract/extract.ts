import { assertOctets } from '../scheme/errors.ts';
import { detectMedium } from './detect.ts';
import type { Extraction, ExtractionHints, Extractor, Medium } from './types.ts';

/** The extractor of every medium; its file and the parsers that it needs are loaded when a document asks for them. */
const EXTRACTORS: Record<Medium, () => Promise<Extractor>> = {
  text: async () => (await import('./text.ts')).text,
  html: async () => (await import('./html.ts')).html,
};

/**
 * Step 0: extracts the text of a document, whatever its medium (EXT-1 to EXT-3).
 * @param octets - the whole document
 * @param hints - what else is known of it
 * @returns the text, ready for step 2, and how it was found. It may hold no token; that is for the scheme to say
 * @throws (rejects) TypeError `wrong-type` for anything but octets; Error `unknown-type`, `unknown-charset` or
 *   `unsupported-media-type`
 * @see spec/simhash-doc.md#step-0
 */
export async function extract(octets: Uint8Array, hints: ExtractionHints = {}): Promise<Extraction> {
  assertOctets('octets', octets);
  const extractor = await EXTRACTORS[detectMedium(octets, hints)]();
  return extractor.extract(octets, hints);
}
