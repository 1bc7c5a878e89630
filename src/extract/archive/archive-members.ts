import { cutName } from '../../common/text.ts';
import { assertOptions } from '../../errors.ts';
import { assertChunks } from '../check-options.ts';
import { DETECTION_WINDOW, detect } from '../detect.ts';
import type { ExtractionError, ExtractionErrorCode } from '../errors.ts';
import { extensionOf, hasNameOf } from '../formats.ts';
import { type Chunks, type ExtractionLimits, resolveLimits } from '../limits.ts';
import type { DocumentType, ExtractionHints } from '../types.ts';
import { type ByteReader, createReader } from './byte-reader.ts';

/** A document in an archive. */
export interface Member {
  /**
   * Name in a ZIP or tar archive, with `/` between folders; target URI of a WARC record; Message-ID in a mailbox. For damage in a
   * WARC file or a tar archive that belongs to no member, `@` and its offset in bytes after decompression.
   */
  readonly name: string;
  /** WARC-Record-ID, without angle brackets. */
  readonly recordId?: string;
  /** WARC-Date, as it is written. */
  readonly date?: string;
  /** WARC-Payload-Digest, as it is written. */
  readonly payloadDigest?: string;
  /**
   * The place in the file, in bytes, of a WARC record or of the gzip member that holds only this record. Absent if the record is
   * damaged or shares a gzip member, so that no index can point to it.
   */
  readonly location?: { readonly offset: number; readonly length: number };
  /** Status code of an HTTP response. */
  readonly status?: number;
  /** Media type that the archive declares, in lower case, without parameters. */
  readonly mediaType?: string;
  /**
   * The archive's hints about the document, for `extract`. The extension of `path` stands for the declared media type,
   * which takes precedence over the extension of a URI.
   */
  readonly hints: ExtractionHints;
  /** The whole document, decoded and decompressed, and its type as detected; or why it cannot be read. */
  readonly content:
    | { readonly bytes: Uint8Array; readonly type: DocumentType }
    | { readonly failure: { readonly code: ExtractionErrorCode; readonly message: string } };
  /** Warnings for a person, one sentence each. */
  readonly warnings: readonly string[];
}

export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x0a || byte === 0x0d);
}

export function toFailure({ code, message }: ExtractionError) {
  return { code, message };
}

/** Options of reading an archive. */
export interface ReadArchiveOptions {
  /** The limits of reading one member: `bytes` for what is stored, `inflated` for what it decompresses to. */
  readonly limits?: Partial<ExtractionLimits> | undefined;
  /** Called for every member that is not a document, with the reason: a media type, a type of record, or a few words. */
  readonly onSkipped?: ((reason: string) => void) | undefined;
}

export type OnSkipped = NonNullable<ReadArchiveOptions['onSkipped']>;

export function assertArchiveOptions(options: ReadArchiveOptions): void {
  assertOptions('options', options, { limits: 'object?', onSkipped: 'function?' });
}

export async function* readInOrder(
  chunks: Chunks,
  options: ReadArchiveOptions,
  read: (reader: ByteReader, limits: ExtractionLimits, onSkipped: OnSkipped) => AsyncGenerator<Member, undefined>,
): AsyncGenerator<Member, undefined> {
  assertChunks(chunks);
  assertArchiveOptions(options);
  const limits = resolveLimits(options.limits);
  const reader = createReader(chunks, 'chunks');
  try {
    yield* read(reader, limits, options.onSkipped ?? (() => undefined));
  } finally {
    await reader.close();
  }
}

/** Media types that are not documents, whatever their content: among them the style sheets, scripts and data of pages. */
const NO_DOCUMENT =
  /^(?:image|video|audio|font|model)\/|^(?:text|application)\/(?:x-)?(?:css|(?:java|ecma|j|live)script[\d.]*)$|^text\/dns$|^application\/(?:wasm|(?:x-)?font-.*|vnd\.ms-fontobject|x-shockwave-flash|(?:vnd\.apple\.)?mpegurl|x-mpegurl|dash\+xml)$|^[^/]+\/(?:.*\+|x-)?(?:json|ndjson|json5|json-seq|cbor|protobuf)$/;

/** Extensions of images, audio, video and fonts: what has one and looks like text is damaged. */
const BINARY_NAME =
  /\.(?:(?<image>png|jpe?g|gif|webp|bmp|ico|tiff?|avif|heic)|(?<audio>mp3|ogg|flac|wav|m4a)|(?<video>mp4|mkv|webm|avi|mov)|(?<font>woff2?|ttf|otf|eot))$/i;

const NO_DOCUMENT_NAME: readonly (readonly [name: RegExp, mediaType: string])[] = [
  [/\.css$/i, 'text/css'],
  [/\.[cm]?js$/i, 'text/javascript'],
  [/\.(?:json|geojson|webmanifest|map)$/i, 'application/json'],
];

const SYSTEM_FILE = /(?:^|\/)(__MACOSX\/|(?:\.DS_Store|Thumbs\.db|desktop\.ini)$)/i;

/** Returns the reason to skip a file without reading it: the name of a system file, or its media type. */
export function skipReasonOf(name: string): string | undefined {
  const [, systemFile] = SYSTEM_FILE.exec(name) ?? [];
  if (systemFile !== undefined) return systemFile;
  return NO_DOCUMENT_NAME.find(([pattern]) => pattern.test(name))?.[1];
}

export function createUniqueNames(): (name: string) => string {
  const counts = new Map<string, number>();
  return (whole) => {
    const name = cutName(whole);
    let count = 1 + (counts.get(name) ?? 0);
    let unique = name;
    if (count > 1) {
      while (counts.has(`${name}#${count}`)) count++;
      unique = `${name}#${count}`;
      counts.set(unique, 1);
    }
    counts.set(name, count);
    return unique;
  };
}

export interface ContentType {
  /** The media type in lower case, without parameters; empty without a valid one. */
  readonly mediaType: string;
  readonly charset?: string;
}

export function parseContentType(value: string | undefined): ContentType {
  const mediaType = /^[^;,\s]*/.exec(value?.trim() ?? '')![0].toLowerCase();
  const charset = /;\s*charset\s*=\s*["']?([^"';,\s]+)/i.exec(value ?? '')?.[1];
  return { mediaType: /^[^/]+\/[^/]+$/.test(mediaType) ? mediaType : '', ...(charset !== undefined && { charset }) };
}

/** Tests whether a media type stands for images, scripts or other data. A notebook may be declared as JSON. */
export function isNoDocument(mediaType: string, name = ''): boolean {
  if (!NO_DOCUMENT.test(mediaType)) return false;
  // Notebooks are JSON: most servers and programs declare them as nothing else.
  return extensionOf(mediaType) !== '.ipynb' && !hasNameOf('notebook', lastSegment(name));
}

/** Makes hints of a path or URI and a Content-Type, whose media type becomes the extension of `path`. */
export function hintsOf(name: string, { mediaType, charset }: ContentType): ExtractionHints {
  const segment = lastSegment(name);
  const extension = extensionOf(mediaType);
  const isNamed = extension === undefined || (extension === '.txt' && hasNameOf('text', segment));
  const path = isNamed || segment.toLowerCase().endsWith(extension) ? segment : `${segment}${extension}`;
  return { path, ...(charset !== undefined && { transportCharset: charset }) };
}

function lastSegment(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '').replace(/^[a-z][a-z\d+.-]*:(?:\/\/[^/]*)?/i, '');
  const segment = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the type of a decoded member, or the reason why it is not a document. The declared media type may be empty. */
export function detectMember(
  bytes: Uint8Array,
  hints: ExtractionHints,
  mediaType: string,
): { readonly type: DocumentType } | { readonly reason: string } {
  // A charset permits NUL bytes, and servers name one for everything: believe those only that have NULs.
  const permitsNul = /utf-?16|utf-?32|ucs-?2|unicode$/i.test(hints.transportCharset ?? '');
  const { transportCharset, ...others } = hints;
  const found = detect(bytes.subarray(0, DETECTION_WINDOW), permitsNul ? hints : others);
  if (typeof found === 'string') {
    // Only the name suggested that it may be a notebook.
    if (found !== 'notebook' && NO_DOCUMENT.test(mediaType)) return { reason: mediaType };
    const binary = found === 'text' ? mediaTypeOfName(hints.path ?? '') : undefined;
    return binary === undefined ? { type: found } : { reason: binary };
  }
  const isSpecific = mediaType !== '' && !/^text\/|^application\/octet-stream$/.test(mediaType);
  return { reason: isSpecific && !isDocumentType(mediaType) ? mediaType : found.format };
}

function mediaTypeOfName(name: string): string | undefined {
  const { groups = {} } = BINARY_NAME.exec(name) ?? {};
  const [type, extension] = Object.entries(groups).find(([, each]) => each !== undefined) ?? [];
  return type === undefined ? undefined : `${type}/${extension!.toLowerCase()}`;
}

export function isDocumentType(mediaType: string): boolean {
  return extensionOf(mediaType) !== undefined;
}
