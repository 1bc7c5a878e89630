import { closeSync, fstatSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { attempt, damaged, faultOf, type OnFault } from '../folder-errors.ts';
import { openTable, type TablePlaces } from './fingerprint-columns.ts';
import { openRecords, type RecordPlaces } from './segment-records.ts';
import {
  createSectionWriter,
  PAGE,
  readFile,
  type Section,
  type SectionFile,
  type SectionPlace,
  writeAll,
} from './segment-sections.ts';
import type { WordTables } from './word-search.ts';

export const MAGIC = Buffer.from('simhash-doc seg\n');

export interface SegmentNote {
  readonly name: string;
  /** The number of records, those that are gone included. */
  readonly records: number;
  /** The number of documents, including any of which a newer segment has a record. */
  readonly documents: number;
  /** The checksum of the footer, and so of all. */
  readonly checksum: number;
}

interface Footer {
  readonly width: number;
  readonly records: number;
  readonly documents: number;
  readonly places: RecordPlaces;
  readonly tables: readonly (readonly TablePlaces[])[];
}

export type Segment = ReturnType<typeof openFile>;

export function writeSection(fd: number, offset: number, bytes: Uint8Array): SectionPlace {
  const writer = createSectionWriter(fd, offset, bytes.length);
  writer.push(bytes);
  return writer.finish();
}

/**
 * Writes the end of a segment: the footer twice, with a page between, so that damage to a page leaves one of them.
 * Returns its checksum.
 */
export function writeFooter(fd: number, at: number, footer: Footer): number {
  const json = Buffer.from(
    JSON.stringify(footer, (_, value) => (value instanceof Uint32Array ? encode(value) : value)),
  );
  const end = Buffer.alloc(8);
  const checksum = crc32(json);
  end.writeUInt32LE(json.length, 0);
  end.writeUInt32LE(checksum, 4);
  const whole = Buffer.concat([json, end, MAGIC]);
  writeAll(fd, Buffer.concat([whole, Buffer.alloc(PAGE), whole]), at);
  return checksum;
}

function encode(checksums: Uint32Array): string {
  const bytes = Buffer.alloc(4 * checksums.length);
  for (const [i, checksum] of checksums.entries()) bytes.writeUInt32LE(checksum, 4 * i);
  return bytes.toString('base64');
}

function decode(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64');
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(4 * i));
}

export function openSegment(path: string, note: SegmentNote, width: number): Segment {
  return openFile(path, note.name, (file) => {
    const footer = readFooter(file);
    if (footer.width !== width || !isListed(footer, note))
      throw damaged(path, 'it is not the segment that the manifest lists');
    return footer;
  });
}

export function isListed(segment: Omit<SegmentNote, 'name'>, note: SegmentNote): boolean {
  const { records, documents, checksum } = note;
  return segment.records === records && segment.documents === documents && segment.checksum === checksum;
}

export function salvageSegment(path: string, name: string, onFault: OnFault): Segment {
  return openFile(path, name, (file) => salvageFooter(file, onFault));
}

function openFile(path: string, name: string, footerOf: (file: SectionFile) => ReadFooter) {
  const file = { path, fd: openSync(path, 'r') };
  try {
    const { width, records, documents, checksum, ...footer } = footerOf(file);
    const reader = openRecords(file, footer.places, width);
    const words = footer.tables.map(
      (tables) => tables.map((places) => openTable(file, places)) as unknown as WordTables,
    );
    const lengthOf = (sections: readonly Section[]): number => sections.reduce((sum, { length }) => sum + length, 0);
    const tables = (): Section[] => words.flat().flatMap(({ sections }) => sections);
    return {
      name,
      path,
      width,
      records,
      documents,
      checksum,
      reader,
      words,
      /** Bytes of the tables, and of the ids with everything else that is known by a key. */
      bytes: { fingerprints: lengthOf(tables()), ids: lengthOf(reader.sections) },
      sections: (): Section[] => [...reader.sections, ...tables()],
      /** Throws `damaged` unless the parts that no search reads, the first bytes and the copy of the footer, are there. */
      checkEnds: () => checkEnds(file),
      close: () => void attempt(() => closeSync(file.fd)),
    };
  } catch (error) {
    attempt(() => closeSync(file.fd));
    throw error;
  }
}

const END = 8 + MAGIC.length;

function checkEnds(file: SectionFile): void {
  const { path, fd } = file;
  const { size } = fstatSync(fd);
  const start = Buffer.alloc(MAGIC.length);
  readFile(file, start, 0);
  if (!start.equals(MAGIC)) throw damaged(path, 'its first bytes are damaged');
  const end = Buffer.alloc(4);
  readFile(file, end, size - END);
  const whole = Buffer.alloc(end.readUInt32LE(0) + END);
  const copy = Buffer.alloc(whole.length);
  readFile(file, whole, size - whole.length);
  readFile(file, copy, Math.max(0, size - PAGE - 2 * whole.length));
  if (!whole.equals(copy)) throw damaged(path, 'the copy of its footer is damaged');
}

function salvageFooter(file: SectionFile, onFault: OnFault): ReadFooter {
  try {
    return readFooter(file);
  } catch (error) {
    for (let end = fstatSync(file.fd).size; end >= 0; end = endBefore(file, end))
      try {
        const footer = readFooter(file, end);
        onFault(faultOf(error));
        return footer;
      } catch {
        // There may be one before it.
      }
    throw error;
  }
}

const WINDOW = 1 << 20;

/** Finds where the last {@link MAGIC} ends that ends before a position; −1 if there is none but the first bytes. */
function endBefore(file: SectionFile, before: number): number {
  for (let to = before - 1; to > MAGIC.length; to -= WINDOW - MAGIC.length) {
    const from = Math.max(1, to - WINDOW);
    const window = Buffer.allocUnsafe(to - from);
    readFile(file, window, from);
    const at = window.lastIndexOf(MAGIC);
    if (at >= 0) return from + at + MAGIC.length;
  }
  return -1;
}

type ReadFooter = Footer & { readonly checksum: number };

function readFooter(file: SectionFile, size = fstatSync(file.fd).size): ReadFooter {
  const { path } = file;
  if (size < END + MAGIC.length) throw damaged(path, `has only ${size} bytes`, 'truncated');
  const end = Buffer.alloc(END);
  readFile(file, end, size - END);
  if (!end.subarray(8).equals(MAGIC)) throw damaged(path, 'its end is missing', 'truncated');
  const length = end.readUInt32LE(0);
  if (length > size - END) throw damaged(path, 'its footer is damaged');
  const json = Buffer.alloc(length);
  readFile(file, json, size - END - length);
  const checksum = end.readUInt32LE(4);
  if (crc32(json) !== checksum) throw damaged(path, 'checksum mismatch in its footer');
  const footer = JSON.parse(json.toString(), (key, value) =>
    key === 'checksums' ? decode(value as string) : (value as unknown),
  ) as Footer;
  return { ...footer, checksum };
}
