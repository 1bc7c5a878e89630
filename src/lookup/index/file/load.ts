import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { assertOptions, assertString } from '../../../errors.ts';
import { type Label, parseLabel } from '../../../scheme/labels/label.ts';
import { IS_LITTLE_ENDIAN } from '../../lanes.ts';
import { assertLabel, MAX_ID_OCTETS } from '../../options.ts';
import { type Fill, spread } from '../../segment/segment-list.ts';
import { wordsIn } from '../../widths.ts';
import { registeredLabel } from '../label.ts';
import { type MemoryIndex, type MemoryIndexOptions, restoreMemoryIndex } from '../memory-index.ts';
import {
  CHUNK_OCTETS,
  DIGEST_OCTETS,
  FIXED_OCTETS,
  fileError,
  HEADER_CHECK_OCTETS,
  headerCheck,
  MAGIC,
  MAX_LABEL_OCTETS,
  VERSION,
} from './format.ts';
import { Reader } from './reader.ts';

/** Options of {@link loadIndex}: those of an index in memory. */
export interface LoadIndexOptions extends Partial<MemoryIndexOptions> {
  /** The label that the index must have, in any case (LAB-1). Default: that of the file. */
  readonly label?: string;
}

/**
 * Loads an index that was saved. A file that is not whole is refused: its sizes, checksum and ids are checked before memory
 * is allocated for the documents that it claims to have.
 *
 * Fingerprints are read directly to where they are used, so this takes no more memory than the index itself. It blocks the
 * thread until it is done.
 * @param path - the file
 * @param options - see {@link LoadIndexOptions}
 * @throws (rejects) an {@link IndexFileError} `not-an-index`, `other-version`, `truncated` or `damaged`; RangeError
 * `invalid-label` for a label that is not registered, `label-mismatch` for another than is expected; TypeError `wrong-type`;
 * the file system's own Error, with its code: `ENOENT` if there is no file, `EISDIR` for a folder, `EACCES` without
 * permission, `EIO` and others
 */
export async function loadIndex(path: string, options: LoadIndexOptions = {}): Promise<MemoryIndex> {
  assertString('path', path);
  assertOptions('options', options);
  const expected = options.label === undefined ? undefined : parseLabel(options.label);
  // Without blocking: opening a pipe would wait for somebody who writes to it.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return load(fd, path, expected);
  } finally {
    closeSync(fd);
  }
}

function load(fd: number, path: string, expected: string | undefined): MemoryIndex {
  const stat = fstatSync(fd);
  if (!stat.isFile() && !stat.isDirectory()) throw fileError('not-an-index', path, 'not a regular file');
  const checked = new Reader(fd, path);
  const header = readHeader(checked, path, stat.size);
  const { label, count, idOctets } = header;
  if (expected !== undefined) assertLabel(path, label, expected);
  const words = wordsIn(label);
  // The first pass reads everything and allocates nothing: a small sparse file can claim any number of documents.
  checked.pass(8 * words * count);
  readIds(checked, path, header, () => true);
  if (!checked.endsWithDigest()) throw fileError('damaged', path, 'the checksum does not match the content');

  const file = new Reader(fd, path);
  file.pass(stat.size - 8 * words * count - idOctets - DIGEST_OCTETS);
  const index = restoreMemoryIndex(label, count, words === 1 ? readerOf(file) : wideReaderOf(file));
  readIds(file, path, header, index.addId);
  if (!file.endsWithDigest()) throw fileError('damaged', path, 'it changed while it was read');
  return index.finish();
}

/** Reads fingerprints of 64 bits directly to where they are used. */
function readerOf(file: Reader): (target: BigUint64Array) => void {
  return (target) => {
    file.read(new Uint8Array(target.buffer, target.byteOffset, target.byteLength));
    if (!IS_LITTLE_ENDIAN) swapOctets(target);
  };
}

/** Reads fingerprints of several words, some at a time. */
function wideReaderOf(file: Reader): Fill {
  const read = readerOf(file);
  return (...targets) => {
    const words = targets.length;
    const buffer = new BigUint64Array(CHUNK_OCTETS / 8);
    const rows = buffer.length / words;
    for (let from = 0; from < targets[0]!.length; from += rows) {
      const parts = targets.map((target) => target.subarray(from, from + rows));
      const chunk = buffer.subarray(0, words * parts[0]!.length);
      read(chunk);
      spread(chunk, parts);
    }
  };
}

/** Reads the ids; `take` returns whether it is the first with this value. */
function readIds(file: Reader, path: string, { count, idOctets }: Header, take: (id: Uint8Array) => boolean): void {
  let left = idOctets;
  for (let i = 0; i < count; i++) {
    const record = left < 2 ? undefined : file.peek(2);
    const length = record === undefined ? 0 : record[0]! | (record[1]! << 8);
    left -= 2 + length;
    if (length === 0 || length > MAX_ID_OCTETS || left < 0)
      throw fileError('damaged', path, `the id of document ${i} has an invalid length`);
    const id = file.peek(2 + length).subarray(2);
    if (!isUtf8(id)) throw fileError('damaged', path, `the id of document ${i} is not UTF-8`);
    if (!take(id)) throw fileError('damaged', path, `the id of document ${i} is not unique`);
    file.skip(2 + length);
  }
  if (left !== 0) throw fileError('damaged', path, `${left} octets after the last id`);
}

interface Header {
  readonly label: Label;
  readonly count: number;
  readonly idOctets: number;
}

/** Reads the header and checks it, also against the size of the file. */
function readHeader(file: Reader, path: string, size: number): Header {
  const truncated = (wanted: bigint | number): Error =>
    fileError('truncated', path, `expected ${wanted} octets, got ${size}`);
  const damaged = (): Error => fileError('damaged', path, 'the header does not match its checksum');
  assertVersion(file, path, size);
  const min = FIXED_OCTETS + HEADER_CHECK_OCTETS + DIGEST_OCTETS;
  if (size < min) throw truncated(min);
  const { buffer, byteOffset } = file.peek(FIXED_OCTETS);
  const view = new DataView(buffer, byteOffset);
  const labelLength = view.getUint32(12, true);
  if (labelLength > MAX_LABEL_OCTETS) throw damaged();
  const count = view.getBigUint64(16, true);
  const idOctets = view.getBigUint64(24, true);
  if (size < min + labelLength) throw truncated(min + labelLength);
  const end = FIXED_OCTETS + labelLength;
  const header = file.peek(end + HEADER_CHECK_OCTETS);
  if (Buffer.compare(headerCheck(header.subarray(0, end)), header.subarray(end)) !== 0) throw damaged();
  const label = registeredLabel(path, Buffer.from(header.subarray(FIXED_OCTETS, end)).toString('latin1'));
  file.skip(end + HEADER_CHECK_OCTETS);
  const wanted = BigInt(min + labelLength) + BigInt(8 * wordsIn(label)) * count + idOctets;
  if (BigInt(size) < wanted) throw truncated(wanted);
  if (BigInt(size) > wanted) throw fileError('damaged', path, `expected ${wanted} octets, got ${size}`);
  return { label, count: Number(count), idOctets: Number(idOctets) };
}

/** Throws unless the file begins like that of an index, of the version that is read. */
function assertVersion(file: Reader, path: string, size: number): void {
  const start = file.peek(Math.min(12, size));
  if (!start.subarray(0, MAGIC.length).every((octet, i) => octet === MAGIC[i]))
    throw fileError('not-an-index', path, 'not the file of an index');
  if (size < 12)
    throw fileError(
      'truncated',
      path,
      `expected ${FIXED_OCTETS + HEADER_CHECK_OCTETS + DIGEST_OCTETS} octets, got ${size}`,
    );
  const version = new DataView(start.buffer, start.byteOffset).getUint32(8, true);
  if (version !== VERSION) throw fileError('other-version', path, `expected format version ${VERSION}, got ${version}`);
}

/** Turns numbers that were stored in the other byte order than the processor's. */
function swapOctets(values: BigUint64Array): void {
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  for (let i = 0; i < values.length; i++) values[i] = view.getBigUint64(8 * i, true);
}
