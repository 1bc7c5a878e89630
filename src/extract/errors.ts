/** The closed set of errors that extraction adds to those of the scheme: each condemns one document, never a batch. */
export type ExtractionErrorCode =
  /** The medium named by the caller is none that this package reads. */
  | 'unknown-type'
  /** A charset label that the Encoding Standard does not know, or knows only to refuse it (its "replacement"). */
  | 'unknown-charset'
  /** The octets are recognised as something that no extractor here reads, or as no text at all. */
  | 'unsupported-media-type';

/** An error with a code of the closed set. */
export interface ExtractionError extends Error {
  readonly code: ExtractionErrorCode;
}

/**
 * Makes an error of extraction.
 * @param code - the code of the closed set
 * @param message - what is wrong with the document, and what the caller can do about it
 */
export function extractionError(code: ExtractionErrorCode, message: string): ExtractionError {
  return Object.assign(new Error(message), { code });
}
