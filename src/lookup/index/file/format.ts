import { createHash } from 'node:crypto';

/*
 * The file of an index, format version 1. All numbers are little-endian, the byte order of most processors, so that
 * fingerprints can be read directly to where they are used.
 *
 *     offset        octets    content
 *     0             8         89 53 48 44 0D 0A 1A 0A: "SHD" between octets that a transfer as text would damage
 *     8             4         format version, 1
 *     12            4         L, the number of octets of the label
 *     16            8         N, the number of documents
 *     24            8         I, the number of octets of all ids with their lengths
 *     32            L         the label, ASCII, in lower case
 *     32 + L        8         the first 8 octets of the SHA-256 of everything before: distinguishes a damaged header from a newer one
 *     40 + L        8 W N     the fingerprints: W words of 64 bits each, word 0 first; W is 4 for minhash-doc-256 and else 1
 *     … + 8 W N     I         for each document in the same order: the length of its id in octets (2), the id in UTF-8
 *     … + I         32        the SHA-256 of everything before
 */
export const MAGIC = Uint8Array.of(0x89, 0x53, 0x48, 0x44, 0x0d, 0x0a, 0x1a, 0x0a);
export const VERSION = 1;
/** The octets of the header before the label. */
export const FIXED_OCTETS = 32;
export const HEADER_CHECK_OCTETS = 8;
export const DIGEST_OCTETS = 32;
export const MAX_LABEL_OCTETS = 200;

/** The number of bytes read or written at a time. */
export const CHUNK_OCTETS = 1 << 20;

/** The closed set of errors that files add to those of the scheme. */
export type IndexFileErrorCode =
  /** It does not begin like the file of an index, or is not a regular file. */
  | 'not-an-index'
  /** It has a format version that this package does not read. */
  | 'other-version'
  /** It ends too early. */
  | 'truncated'
  /** Its content does not agree with its checksum, or with itself. */
  | 'damaged';

/** An error with a code of the closed set. */
export interface IndexFileError extends Error {
  readonly code: IndexFileErrorCode;
}

/** Makes an {@link IndexFileError}. */
export function fileError(code: IndexFileErrorCode, path: string, message: string): IndexFileError {
  return Object.assign(new Error(`${path}: ${message}`), { code });
}

/** The checksum at the end of a header. */
export function headerCheck(header: Uint8Array): Uint8Array {
  return createHash('sha256').update(header).digest().subarray(0, HEADER_CHECK_OCTETS);
}

/** Writes a header, with its checksum. */
export function encodeHeader(label: string, count: number, idOctets: number): Uint8Array {
  const end = FIXED_OCTETS + label.length;
  const octets = new Uint8Array(end + HEADER_CHECK_OCTETS);
  const view = new DataView(octets.buffer);
  octets.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, label.length, true);
  view.setBigUint64(16, BigInt(count), true);
  view.setBigUint64(24, BigInt(idOctets), true);
  octets.set(new TextEncoder().encode(label), FIXED_OCTETS);
  octets.set(headerCheck(octets.subarray(0, end)), end);
  return octets;
}
