import { DETECTION_WINDOW, detectType } from '../detect.ts';
import type { ExtractionErrorCode } from '../errors.ts';
import type { ExtractionHints } from '../types.ts';

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

/** Media types that are no documents, whatever their octets are; the style sheets, scripts and data of pages among them. */
const NO_DOCUMENT =
  /^(?:image|video|audio|font|model)\/|^(?:text|application)\/(?:x-)?(?:css|(?:java|ecma|j|live)script[\d.]*)$|^text\/dns$|^application\/(?:wasm|(?:x-)?font-.*|vnd\.ms-fontobject|x-shockwave-flash|(?:vnd\.apple\.)?mpegurl|x-mpegurl|dash\+xml)$|^[^/]+\/(?:.*\+|x-)?(?:json|ndjson|json5|json-seq|cbor|protobuf)$/;

/** Extensions by which `detectType` knows what a declared media type says. */
const EXTENSIONS: readonly (readonly [mediaType: RegExp, extension: string])[] = [
  [/^text\/html$/, '.html'],
  [/^application\/xhtml\+xml$/, '.xhtml'],
  [/^text\/(?:x-)?markdown$/, '.md'],
  [/^text\/plain$/, '.txt'],
  [/^(?:text|application)\/xml$|\+xml$/, '.xml'],
  [/^application\/(?:x-)?pdf$/, '.pdf'],
  [/^application\/epub\+zip$/, '.epub'],
  [/^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document$/, '.docx'],
  [/^application\/vnd\.oasis\.opendocument\.text$/, '.odt'],
];

/** Extensions that keep their meaning under `text/plain`, which is what servers call every text. */
const TEXT_NAME = /\.(?:txt|text|md|markdown|rst|adoc|asciidoc|org|log|csv|tsv)$/i;

/** A Content-Type, taken apart. */
export interface ContentType {
  /** In small letters, without parameters; empty where there is none. */
  readonly mediaType: string;
  readonly charset?: string;
}

/**
 * Reads a Content-Type, whatever its state.
 * @param value - the header's value
 */
export function parseContentType(value: string | undefined): ContentType {
  const mediaType = /^[^;,\s]*/.exec(value?.trim() ?? '')![0].toLowerCase();
  const charset = /;\s*charset\s*=\s*["']?([^"';,\s]+)/i.exec(value ?? '')?.[1];
  return { mediaType: /^[^/]+\/[^/]+$/.test(mediaType) ? mediaType : '', ...(charset !== undefined && { charset }) };
}

/**
 * Tells the media types that are no documents by their name alone: images, sound, fonts, style sheets, scripts, JSON.
 * @param mediaType - in small letters, without parameters
 */
export function isNoDocument(mediaType: string): boolean {
  return NO_DOCUMENT.test(mediaType);
}

/**
 * Says what hints a declared media type gives: its charset, and a path whose extension speaks for the type.
 * @param name - a path, or a URI
 * @param contentType - what is declared
 */
export function hintsOf(name: string, { mediaType, charset }: ContentType): ExtractionHints {
  const segment = lastSegment(name);
  const [, extension] = EXTENSIONS.find(([type]) => type.test(mediaType)) ?? [];
  const isTold = extension === undefined || (extension === '.txt' && TEXT_NAME.test(segment));
  const path = isTold || segment.toLowerCase().endsWith(extension) ? segment : `${segment}${extension}`;
  return { path, ...(charset !== undefined && { transportCharset: charset }) };
}

/** The last part of a URI's path, percent-encoding undone. */
function lastSegment(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '').replace(/^[a-z][a-z\d+.-]*:(?:\/\/[^/]*)?/i, '');
  const segment = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Looks at the octets of what a web server or a person calls a document.
 * @param octets - the octets, codings undone
 * @param hints - what else is known
 * @param mediaType - the declared media type, or empty
 * @returns null for a document, else why it is none: a media type, or what was recognised
 */
export function reasonToSkip(octets: Uint8Array, hints: ExtractionHints, mediaType: string): string | null {
  // A charset vouches for NULs, and servers name one for everything.
  const vouches = /utf-?16|utf-?32|ucs-?2|unicode$/i.test(hints.transportCharset ?? '');
  const { transportCharset, ...others } = hints;
  try {
    const type = detectType(octets.subarray(0, DETECTION_WINDOW), vouches ? hints : others);
    if (type === 'zip' || type === 'warc') return `application/${type}`;
    // A page that is still compressed is a page; a file that was offered compressed is an archive in the archive.
    if (type === 'gzip') return EXTENSIONS.some(([known]) => known.test(mediaType)) ? null : 'application/gzip';
    return null;
  } catch (error) {
    const isTold = mediaType !== '' && !/^text\/|^application\/octet-stream$/.test(mediaType);
    const [, what] = /^cannot read ([^(;]*[^(;\s])/.exec(String((error as Error).message)) ?? [];
    return isTold && !EXTENSIONS.some(([known]) => known.test(mediaType)) ? mediaType : (what ?? 'unrecognised');
  }
}
