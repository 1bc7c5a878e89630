import { crc32 } from 'node:zlib';
import type { Fingerprint } from '../../../../scheme/labels/fingerprint.ts';

/*
 * Layout 4 (spec/annexes.md#layout-4). Numbers are 8 octets in network byte order; checksums are CRC-32, 4 octets.
 *
 *     table         key                          value
 *     meta          name in ASCII                layout: 4; label; state: first row, next row, number of documents, checksum; writer
 *     documents     row                          fingerprint (8 octets, or 32), then id in UTF-8, or nothing after the document was removed
 *     ids           id in UTF-8                  row
 *     fingerprints  row / 4096, rounded down     the fingerprints of these rows, also of those that were removed, then a checksum
 *     files         path in UTF-8                what is known of a file whose documents are in the index (JSON)
 *     members       number of the file, then id  generation: when the document was last found in that archive
 */
export const LAYOUT = '4';
export const TABLES = ['meta', 'documents', 'ids', 'fingerprints', 'files', 'members'] as const;

/** Writes a fingerprint, in network byte order. */
export function writeFingerprint(fingerprint: Fingerprint, target: Buffer, at = 0): void {
  if (fingerprint instanceof Uint8Array) target.set(fingerprint, at);
  else target.writeBigUInt64BE(fingerprint, at);
}

/**
 * Reads the fingerprint at the beginning of a record.
 * @param width - 8 or 32 octets
 */
export function readFingerprint(octets: Buffer, width: number): Fingerprint {
  return width === 8 ? octets.readBigUInt64BE() : new Uint8Array(octets.subarray(0, width));
}

/** How many fingerprints a value of the table `fingerprints` has. */
export const CHUNK_ROWS = 4096;

/** What the record `state` says. Rows are below `next`, and none are below `first`, which is a multiple of 4,096. */
export interface State {
  readonly first: number;
  readonly next: number;
  readonly count: number;
}

export const META = {
  layout: Buffer.from('layout'),
  label: Buffer.from('label'),
  state: Buffer.from('state'),
  writer: Buffer.from('writer'),
  files: Buffer.from('files'),
} as const;

/** Writes a number as 8 octets. */
export function encodeNumber(value: number, target: Buffer = Buffer.allocUnsafe(8), at = 0): Buffer {
  target.writeUInt32BE(Math.floor(value / 2 ** 32), at);
  target.writeUInt32BE(value >>> 0, at + 4);
  return target;
}

/** Reads a number of 8 octets. */
export function decodeNumber(octets: Buffer, at = 0): number {
  return octets.readUInt32BE(at) * 2 ** 32 + octets.readUInt32BE(at + 4);
}

export const CHECKSUM_OCTETS = 4;

/** Writes the checksum of a record after its value. */
export function seal(key: Buffer, value: Buffer): void {
  const end = value.length - CHECKSUM_OCTETS;
  value.writeUInt32BE(checksum(key, value.subarray(0, end)), end);
}

/**
 * Whether the checksum after a value is that of the record.
 * @param value - the value and its checksum
 * @param content - the value alone, if the caller has it
 */
export function isSealed(key: Buffer, value: Buffer, content?: Uint8Array): boolean {
  const end = value.length - CHECKSUM_OCTETS;
  return end >= 0 && value.readUInt32BE(end) === checksum(key, content ?? value.subarray(0, end));
}

/** The key counts, so that the value of another record does not fit. */
function checksum(key: Buffer, value: Uint8Array): number {
  return crc32(value, crc32(key));
}

export function encodeState({ first, next, count }: State): Buffer {
  const octets = encodeNumber(first, Buffer.allocUnsafe(24 + CHECKSUM_OCTETS));
  encodeNumber(next, octets, 8);
  encodeNumber(count, octets, 16);
  seal(META.state, octets);
  return octets;
}

/** Returns undefined if it is damaged. */
export function decodeState(octets: Buffer | undefined): State | undefined {
  if (octets?.length !== 24 + CHECKSUM_OCTETS || !isSealed(META.state, octets)) return undefined;
  return { first: decodeNumber(octets, 0), next: decodeNumber(octets, 8), count: decodeNumber(octets, 16) };
}
