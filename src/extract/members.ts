import type { ExtractionErrorCode } from './errors.ts';
import type { ExtractionHints } from './types.ts';

/** A document of an archive: its octets, or why they cannot be had. */
export interface Member {
  /**
   * Name within a ZIP archive (separators are `/`); target URI of a WARC record; `@` and the offset (in octets, gzip
   * undone) of a damaged place in a WARC file that belongs to no record.
   */
  readonly name: string;
  /** WARC-Record-ID, without angle brackets. */
  readonly recordId?: string;
  /** WARC-Date, as it is written. */
  readonly date?: string;
  /** Status of the HTTP response, if it is one. */
  readonly status?: number;
  /** Media type that the archive declares, in small letters, without parameters. */
  readonly mediaType?: string;
  /**
   * What the archive tells of it, for `extract`. `path` need not be its name: it is there for its extension, and a
   * declared media type beats the extension of a URI.
   */
  readonly hints: ExtractionHints;
  /** The document whole, its codings undone; or why it cannot be read. */
  readonly content:
    | { readonly octets: Uint8Array }
    | { readonly failure: { readonly code: ExtractionErrorCode; readonly message: string } };
  /** What a person should know of how it was read, one sentence each. */
  readonly warnings: readonly string[];
}

/** Told of every part of an archive that is no document: a media type, a kind of record, or another short reason. */
export type Skip = (reason: string) => void;
