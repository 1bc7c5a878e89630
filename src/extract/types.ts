/** The media that can be read, by the names that a caller uses for them. */
export type Medium = 'text' | 'html';

/** What is known of a document besides its octets. Everything is optional; nothing is read from it but what is named. */
export interface ExtractionHints {
  /** Name or path of the document; only its extension counts, and only where the octets do not tell. */
  readonly path?: string | undefined;
  /** The medium, from someone who knows: nothing is detected or refused then. */
  readonly type?: Medium | undefined;
  /** Charset label, from someone who knows. Beats everything but a byte order mark; an unknown one is an error. */
  readonly charset?: string | undefined;
  /** Charset label of the transport (the `charset` of a Content-Type). An unknown one is passed over with a warning. */
  readonly transportCharset?: string | undefined;
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

/** One medium: its octets in, its text out. One file each; {@link Extraction.extractor} is made of `name` and `version`. */
export interface Extractor {
  readonly name: string;
  readonly version: string;
  /** Media types that this extractor reads; the first is the one it reports. */
  readonly mediaTypes: readonly string[];
  /**
   * Extracts the text (EXT-1 to EXT-3).
   * @param octets - the whole document
   * @param hints - what else is known of it; `path` and `type` have done their work by now
   * @throws (rejects) with an error that carries a `code`
   */
  extract(octets: Uint8Array, hints: ExtractionHints): Promise<Extraction>;
}
