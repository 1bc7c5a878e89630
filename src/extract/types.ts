import type { ExtractionLimits } from './limits.ts';

/** The media that can be read, by the names that a caller uses for them. */
export type Medium = 'text' | 'html' | 'xml' | 'pdf' | 'epub' | 'docx' | 'odt';

/** What holds several documents, by the names that a caller uses for them. */
export type Archive = 'zip' | 'warc';

/** A document in one medium, or several in an archive, or either compressed. */
export type DocumentType = Medium | Archive | 'gzip';

/** What is known of a document besides its octets. Everything is optional; nothing is read from it but what is named. */
export interface ExtractionHints {
  /** Name or path of the document; only its extension counts, and only where the octets do not tell. */
  readonly path?: string | undefined;
  /** The type, from someone who knows: nothing is detected or refused then. (gzip is undone all the same.) */
  readonly type?: Medium | Archive | undefined;
  /**
   * Charset label, from someone who knows. Beats everything but a byte order mark; an unknown one is an error. `auto`
   * guesses it from the octets where neither a mark, the transport nor the document itself names one.
   */
  readonly charset?: string | undefined;
  /** Charset label of the transport (the `charset` of a Content-Type). An unknown one is passed over with a warning. */
  readonly transportCharset?: string | undefined;
}

/** How a document is read. */
export interface ExtractionOptions {
  /** What reading it may cost; see {@link ExtractionLimits} for what holds by default. */
  readonly limits?: Partial<ExtractionLimits> | undefined;
  /** Told of every page (or other part) that is done, and how many there are. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The text of a document, and how it was found. */
export interface Extraction {
  /** Unicode scalar values; lines are ended by U+000A, the last one by nothing. Input of step 2. */
  readonly text: string;
  /** Media type that the document was read as, without parameters. */
  readonly mediaType: string;
  /** Name and version of the extractor, as `name/version`. Whatever changes a text changes the version. */
  readonly extractor: string;
  /** Name of the encoding that was decoded, as the Encoding Standard writes it; absent for media without one. */
  readonly charset?: string;
  /** What a person should know about this text, one sentence each; the text is usable all the same. */
  readonly warnings: readonly string[];
}

/** What an extractor is given besides the document: the limits, all of them, and whom to tell of progress. */
export interface ExtractionContext {
  readonly limits: ExtractionLimits;
  /** Told of every page (or other part) that is done, and how many there are. */
  readonly onProgress: (done: number, total: number) => void;
}

/** One medium: its octets in, its text out. One file each; {@link Extraction.extractor} is made of `name` and `version`. */
export interface Extractor {
  readonly name: string;
  readonly version: string;
  /** Media types that this extractor reads; the first is the one it reports, unless it finds a more exact one. */
  readonly mediaTypes: readonly string[];
  /**
   * Extracts the text (EXT-1 to EXT-3).
   * @param octets - the whole document
   * @param hints - what else is known of it; `path` and `type` have done their work by now
   * @param context - what it may cost
   * @throws (rejects) with an error that carries a `code`
   */
  extract(octets: Uint8Array, hints: ExtractionHints, context: ExtractionContext): Promise<Extraction>;
}
