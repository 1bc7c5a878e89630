/*
 * Layout 2 (spec/annexes.md#layout-2). Numbers are 8 octets in network byte order.
 *
 *     table         key                          value
 *     meta          name in ASCII                layout: 2; label; state: first row, next row, number of documents; writer
 *     documents     row                          fingerprint, then id in UTF-8
 *     ids           id in UTF-8                  row
 *     fingerprints  row / 4096, rounded down     the fingerprints of these rows, also of those that were removed
 *     files         path in UTF-8                what is known of a file whose documents are in the index (JSON)
 *     members       number of the file, then id  generation: when the document was last found in that archive
 */
export const LAYOUT = '2';
export const TABLES = ['meta', 'documents', 'ids', 'fingerprints', 'files', 'members'] as const;

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

export function encodeState({ first, next, count }: State): Buffer {
  const octets = encodeNumber(first, Buffer.allocUnsafe(24));
  encodeNumber(next, octets, 8);
  return encodeNumber(count, octets, 16);
}

export function decodeState(octets: Buffer): State {
  return { first: decodeNumber(octets, 0), next: decodeNumber(octets, 8), count: decodeNumber(octets, 16) };
}
