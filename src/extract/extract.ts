import { accessOfBytes } from '../common/bytes.ts';
import { assertBytes } from '../errors.ts';
import { assertExtractionOptions, assertHints } from './check-options.ts';
import { detectType } from './detect.ts';
import { extractionError } from './errors.ts';
import { EXTRACTORS, loadPlain } from './extractors.ts';
import { aboutType, isArchiveType, isPackage, type Medium } from './formats.ts';
import { documentTooLarge, limitInflation, resolveLimits } from './limits.ts';
import type { DocumentType, Extraction, ExtractionContext, ExtractionHints, ExtractionOptions } from './types.ts';

/**
 * Extracts the text of a document in any medium (step 0; EXT-1 to EXT-3). gzip around it is removed.
 * @param bytes - the whole document
 * @param hints - what else is known about it
 * @param options - limits and progress
 * @returns the text, which is the input of step 2, and how it was read. The text may have no tokens
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range` (a limit); Error with a code of
 *   {@link ExtractionErrorCode}: `archive` for several documents
 * @see spec/extraction.md#step-0
 * @example const { text } = await extract(new Uint8Array(await readFile('a.pdf')), { path: 'a.pdf' });
 */
export async function extract(
  bytes: Uint8Array,
  hints: ExtractionHints = {},
  options: ExtractionOptions = {},
): Promise<Extraction> {
  assertBytes('bytes', bytes);
  assertHints(hints);
  assertExtractionOptions(options);
  const limits = resolveLimits(options.limits);
  if (bytes.length > limits.bytes) throw documentTooLarge(limits);
  const context = { limits, onProgress: options.onProgress ?? (() => undefined) };
  let document = bytes;
  let known = hints;
  for (let depth = 0; ; depth++) {
    const type = await detectWhole(document, known);
    if (type !== 'gzip' && isArchiveType(type))
      throw extractionError('archive', `is an archive of several documents (${type}): expected one document`);
    if (type !== 'gzip') return extractAs(type, document, known, context);
    if (depth >= limits.nesting) throw extractionError('too-deep', `is compressed more than ${limits.nesting} times`);
    const { gunzip, withoutGzipSuffix } = await import('./archive/gzip.ts');
    document = await gunzip(document, { limits: limitInflation(limits, bytes.length) });
    if (known.path !== undefined) known = { ...known, path: withoutGzipSuffix(known.path) };
  }
}

/** Detects the type of a whole document: the members at the start of a ZIP archive need not show that it is one. */
async function detectWhole(bytes: Uint8Array, hints: ExtractionHints): Promise<DocumentType> {
  const type = detectType(bytes, hints);
  if (type !== 'zip' || hints.type !== undefined) return type;
  const { openZip } = await import('./archive/zip.ts');
  return (await openZip(accessOfBytes(bytes))).medium ?? type;
}

async function extractAs(
  medium: Medium,
  bytes: Uint8Array,
  hints: ExtractionHints,
  context: ExtractionContext,
): Promise<Extraction> {
  if (!isPackage(medium)) return (await loadPlain(medium)).extract(bytes, hints, context);
  const { openPackage } = await import('./package/package.ts');
  const extractor = await EXTRACTORS[medium]();
  const limits = limitInflation(context.limits, bytes.length);
  const parts = await openPackage(bytes, limits, aboutType(medium).split(':')[0]!);
  const extraction = await extractor.extract(parts, { ...context, limits });
  return { ...extraction, warnings: [...parts.warnings, ...extraction.warnings] };
}
