import { formatBytes } from '../common/text.ts';
import { assertOctets } from '../errors.ts';
import { detectType } from './detect.ts';
import { extractionError } from './errors.ts';
import { resolveLimits } from './limits.ts';
import { assertExtractionOptions, assertHints } from './options.ts';
import type { Extraction, ExtractionHints, ExtractionOptions, Extractor, Medium } from './types.ts';

/** The extractor of every medium; its file and the parsers that it needs are loaded when a document asks for them. */
const EXTRACTORS: Record<Medium, () => Promise<Extractor>> = {
  text: async () => (await import('./text/text.ts')).text,
  html: async () => (await import('./html/html.ts')).html,
  xml: async () => (await import('./xml/xml.ts')).xml,
  pdf: async () => (await import('./pdf/pdf.ts')).pdf,
  epub: async () => (await import('./package/epub.ts')).epub,
  docx: async () => (await import('./package/docx.ts')).docx,
  odt: async () => (await import('./package/odt.ts')).odt,
};

/**
 * Step 0: extracts the text of a document, whatever its medium (EXT-1 to EXT-3); gzip around it is undone.
 * @param octets - the whole document
 * @param hints - what else is known of it
 * @param options - what reading it may cost, and whom to tell of progress
 * @returns the text, ready for step 2, and how it was found. It may hold no token; that is for the scheme to say
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range` (a limit); Error with a code of {@link ExtractionErrorCode}:
 *   `archive` for what holds several documents
 * @see spec/simhash-doc.md#step-0
 */
export async function extract(
  octets: Uint8Array,
  hints: ExtractionHints = {},
  options: ExtractionOptions = {},
): Promise<Extraction> {
  assertOctets('octets', octets);
  assertHints(hints);
  assertExtractionOptions(options);
  const limits = resolveLimits(options.limits);
  if (octets.length > limits.octets)
    throw extractionError('too-large', `more than the ${formatBytes(limits.octets)} that may be read of it`);
  let { document, path } = { document: octets, path: hints.path };
  for (let depth = 0; ; depth++) {
    const type = detectType(document, { ...hints, path });
    if (type === 'zip' || type === 'warc')
      throw extractionError('archive', `is an archive (${type}) of several documents: expected one document`);
    if (type !== 'gzip') {
      const extractor = await EXTRACTORS[type]();
      const context = { limits, onProgress: options.onProgress ?? (() => undefined) };
      return extractor.extract(document, { ...hints, path }, context);
    }
    if (depth >= limits.nesting) throw extractionError('too-deep', `compressed more than ${limits.nesting} times over`);
    const { gunzip, withoutGzipSuffix } = await import('./archive/inflate.ts');
    document = await gunzip(document, limits);
    path = path === undefined ? undefined : withoutGzipSuffix(path);
  }
}
