import type { Archive, Medium } from './formats.ts';
import type { ExtractionLimits } from './limits.ts';

export type { Archive, Medium, PackageMedium } from './formats.ts';

/** The type of a document or archive, as detected; gzip is removed before anything else is detected. */
export type DocumentType = Medium | Archive | 'gzip';

/** Hints about a document, in addition to its bytes. */
export interface ExtractionHints {
  /** Name or path of the document. Only its extension is used, and only where the content does not decide. */
  readonly path?: string | undefined;
  /** The type: replaces detection, which may reject the content. gzip is still removed. */
  readonly type?: Medium | Archive | undefined;
  /**
   * A charset label that overrides everything but a byte order mark; an unknown one is an error. `auto` guesses the charset
   * from the content if neither a byte order mark, the transport nor the document itself names one.
   */
  readonly charset?: string | undefined;
  /** The extractor of HTML: `article` extracts the article instead of the whole body (HTM-7). Default: the whole body. */
  readonly extractor?: 'article' | undefined;
  /** Charset label of the transport (the `charset` of a Content-Type). An unknown one is ignored with a warning. */
  readonly transportCharset?: string | undefined;
}

/** Options of reading a document. */
export interface ExtractionOptions {
  /** The limits that differ from the defaults in {@link ExtractionLimits}. */
  readonly limits?: Partial<ExtractionLimits> | undefined;
  /** Called after every page (or other part) with the number done and the total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The text of a document, and how it was read. */
export interface Extraction {
  /** The text: Unicode scalar values, with lines separated by U+000A. It is the input of step 2. */
  readonly text: string;
  /** Media type that the document was read as, without parameters. */
  readonly mediaType: string;
  /** Name and version of the extractor, as `name/version`. The version changes whenever a text changes. */
  readonly extractor: string;
  /** Name of the decoded encoding in the Encoding Standard; absent for media without one. */
  readonly charset?: string;
  /** Warnings for a person, one sentence each; the text is usable. */
  readonly warnings: readonly string[];
}

/** The context of an extractor. */
export interface ExtractionContext {
  readonly limits: ExtractionLimits;
  /** Called after every page (or other part) with the number done and the total. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Name and version of an extractor, from which {@link Extraction.extractor} is made. */
export interface ExtractorName {
  readonly name: string;
  readonly version: string;
  readonly mediaType: string;
}

/** Reads one medium. */
export interface Extractor extends ExtractorName {
  /**
   * Extracts the text (EXT-1 to EXT-3).
   * @param bytes - the whole document
   * @param hints - what else is known about it; `type` is ignored
   * @param context - limits and progress
   * @throws (rejects) ExtractionError
   */
  extract(bytes: Uint8Array, hints: ExtractionHints, context: ExtractionContext): Promise<Extraction>;
  /** Loads a parser that `extract` would load for the first document. */
  load?(): Promise<void>;
}
