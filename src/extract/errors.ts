import { pluralize } from '../common/text.ts';

export const EXTRACTION_CODES = [
  /** The caller named a type that this package does not read. */
  'unknown-type',
  /** A charset label that the Encoding Standard does not list, or maps to "replacement". */
  'unknown-charset',
  /** The bytes are recognised as something that no extractor here reads, or as no text at all. */
  'unsupported-media-type',
  /** The bytes do not match their format: truncated, altered, or never well-formed. */
  'damaged',
  /** The document cannot be read without a password or a key. */
  'encrypted',
  /** The document was read, but contains no text: only pictures, as in a scan, or a number in the field of the text. */
  'no-text',
  /** The document has more bytes than the limit, as given or after decompression. */
  'too-large',
  /** Markup or archives are nested deeper than the limit. */
  'too-deep',
  /** The document has more pages than the limit. */
  'too-many-pages',
  /** The bytes are an archive of several documents; one document was expected. */
  'archive',
  /** Reading it took longer than the time limit of a worker. */
  'timeout',
  /** Reading it took more memory than the limit of a worker. */
  'out-of-memory',
  /** An optional package that is needed is not installed, or cannot run here. */
  'missing-package',
] as const;

/** The closed set of errors that extraction adds to the scheme: each concerns one document, never a batch. */
export type ExtractionErrorCode = (typeof EXTRACTION_CODES)[number];

/** An error with an {@link ExtractionErrorCode}. */
export interface ExtractionError extends Error {
  readonly code: ExtractionErrorCode;
}

export function extractionError(code: ExtractionErrorCode, message: string, cause?: unknown): ExtractionError {
  return Object.assign(new Error(message, cause === undefined ? undefined : { cause }), { code });
}

export interface Unreadable {
  readonly format: string;
  readonly detail?: string;
  /** The way in which the caller can help. */
  readonly advice?: string;
}

export function unreadableError({ format, detail, advice }: Unreadable): ExtractionError {
  const message = `cannot read ${format}${detail === undefined ? '' : ` (${detail})`}`;
  return extractionError('unsupported-media-type', advice === undefined ? message : `${message}: ${advice}`);
}

/** Awaits imports of optional packages. Throws one `missing-package` that names all that are not installed. */
export async function loadPackages<const T extends readonly Promise<unknown>[]>(
  task: string,
  names: readonly string[],
  imports: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(imports);
  const missing = names.filter((_, index) => results[index]!.status === 'rejected');
  if (missing.length === 0) return Promise.all(imports);
  const cause = results.find((result) => result.status === 'rejected')!.reason as unknown;
  const message = `${task} needs ${pluralize(missing.length, 'more package')}: npm install ${missing.join(' ')}`;
  throw extractionError('missing-package', message, cause);
}
