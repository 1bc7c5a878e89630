import { closeSync, fsyncSync, openSync, unlinkSync } from 'node:fs';
import { attempt } from '../folder-errors.ts';
import {
  createEntries,
  createTableWriter,
  highAt,
  rotatedHigh,
  rotatedLow,
  sortRotated,
  type TablePlaces,
  type TableWriter,
  type Words,
} from './fingerprint-columns.ts';
import { MAGIC, type Segment, type SegmentNote, writeFooter, writeSection } from './segment.ts';
import { DOCUMENT, type KeyValue, read32, type StoredValue } from './segment-bytes.ts';
import { createRecordWriter, type RecordWriter } from './segment-records.ts';
import { createSectionWriter, type SectionPlace, writeAll } from './segment-sections.ts';
import type { WordTables } from './word-search.ts';

type Note = Omit<SegmentNote, 'name'>;
type Counts = Omit<Note, 'checksum'>;

interface Content {
  readonly max: number;
  writeRecords(writer: RecordWriter): Iterable<void>;
  counts(): Counts;
  writeTable(table: TableWriter, word: number, block: number): Iterable<void>;
}

/** Writes a file with its footer, or none at all if that fails or is aborted. */
function* writeFile(path: string, width: number, content: Content): Generator<void, Note> {
  const fd = openSync(path, 'wx');
  let isDone = false;
  try {
    writeAll(fd, MAGIC, 0);
    const blockWriter = createSectionWriter(fd, MAGIC.length);
    const writer = createRecordWriter(blockWriter, content.max);
    yield* content.writeRecords(writer);
    const records = writer.finish();
    const blocks = blockWriter.finish();
    const index = writeSection(fd, endOf(blocks), records.index);
    const filter = writeSection(fd, endOf(index), records.filter);
    const counts = content.counts();
    const tables: TablePlaces[][] = [];
    let at = endOf(filter);
    for (let word = 0; word < width / 8; word++) {
      tables[word] = [];
      for (let block = 0; block < 4; block++) {
        const table = createTableWriter(fd, at, counts.documents, block === 0);
        yield* content.writeTable(table, word, block);
        const { places, end } = table.finish();
        tables[word]!.push(places);
        at = end;
      }
    }
    const note = { records: counts.records, documents: counts.documents };
    const checksum = writeFooter(fd, at, { width, ...note, places: { blocks, index, filter }, tables });
    fsyncSync(fd);
    isDone = true;
    return { ...note, checksum };
  } finally {
    attempt(() => closeSync(fd));
    if (!isDone) attempt(() => unlinkSync(path));
  }
}

function endOf({ offset, length }: SectionPlace): number {
  return offset + length;
}

export function writeSegment(path: string, records: readonly KeyValue[], width: number): Note {
  const { words, ordinals } = collectDocuments(records, width);
  const steps = writeFile(path, width, {
    max: records.length,
    writeRecords(writer) {
      for (const { key, value } of records) writer.add(key, value);
      return [];
    },
    counts: () => ({ records: records.length, documents: ordinals.length }),
    writeTable(table, word, block) {
      const { high, low } = words[word]!;
      for (const i of sortRotated(words[word]!, block))
        table.add(rotatedHigh(high[i]!, low[i]!, block), rotatedLow(high[i]!, low[i]!, block), ordinals[i]!);
      return [];
    },
  });
  // The records are in memory, so this generator never yields.
  return steps.next().value as Note;
}

function collectDocuments(records: readonly KeyValue[], width: number) {
  const ordinals: number[] = [];
  for (const [ordinal, { key, value }] of records.entries())
    if (value !== null && key.startsWith(DOCUMENT)) ordinals.push(ordinal);
  const words = Array.from({ length: width / 8 }, (_, word) => ({
    high: Uint32Array.from(ordinals, (ordinal) => read32(records[ordinal]!.value!, 8 * word)),
    low: Uint32Array.from(ordinals, (ordinal) => read32(records[ordinal]!.value!, 8 * word + 4)),
  }));
  return { words, ordinals };
}

const STEPS = 4096;

/**
 * Merges adjacent segments, the oldest first, into a new one; yields often, so that the caller can pause. If these
 * are all segments (`isWhole`), the records of removed documents are dropped.
 */
export function mergeSegments(
  path: string,
  segments: readonly Segment[],
  width: number,
  isWhole: boolean,
): Generator<void, Note> {
  let merged: MergedRecords;
  return writeFile(path, width, {
    max: segments.reduce((sum, { records }) => sum + records, 0),
    *writeRecords(writer) {
      merged = yield* mergeRecords(segments, width, isWhole, writer);
    },
    counts: () => merged,
    writeTable(table, word, block) {
      const inputs = segments.map(({ words }) => words[word]!);
      return mergeTables(inputs, block, merged.numbers, merged.gone[word]!, table);
    },
  });
}

const NONE = 0xffffffff;

interface MergedRecords extends Counts {
  /** For each record of each segment its number in the new one, or {@link NONE}. */
  readonly numbers: readonly Uint32Array[];
  readonly gone: readonly { readonly high: number[]; readonly low: number[] }[];
}

function* mergeRecords(
  segments: readonly Segment[],
  width: number,
  isWhole: boolean,
  writer: RecordWriter,
): Generator<void, MergedRecords> {
  const inputs = segments.map(({ reader }) => reader.from(''));
  const heads = inputs.map((input) => input.next().value as KeyValue | undefined);
  const places = segments.map(() => 0);
  const numbers = segments.map(({ records }) => new Uint32Array(records));
  const gone = Array.from({ length: width / 8 }, () => ({ high: [] as number[], low: [] as number[] }));
  let [records, documents] = [0, 0];
  for (let steps = 1; ; steps++) {
    if (steps % STEPS === 0) yield;
    const best = newestOf(heads);
    if (best < 0) break;
    const { key, value } = heads[best]!;
    const isKept = value !== null || !isWhole;
    const isDocument = key.startsWith(DOCUMENT);
    for (let i = 0; i <= best; i++) {
      const head = heads[i];
      if (head === undefined || head.key !== key) continue;
      numbers[i]![places[i]!++] = i === best && isKept ? records : NONE;
      if (i < best && isDocument && head.value !== null) dropWords(gone, head.value);
      heads[i] = inputs[i]!.next().value as KeyValue | undefined;
    }
    if (!isKept) continue;
    writer.add(key, value);
    records++;
    if (isDocument && value !== null) documents++;
  }
  return { records, documents, numbers, gone };
}

/** The newest of the records with the smallest key; -1 if there are none. */
function newestOf(heads: readonly (KeyValue | undefined)[]): number {
  let best = -1;
  for (let i = heads.length - 1; i >= 0; i--)
    if (heads[i] !== undefined && (best < 0 || heads[i]!.key < heads[best]!.key)) best = i;
  return best;
}

function dropWords(gone: MergedRecords['gone'], fingerprint: Uint8Array): void {
  for (const [word, { high, low }] of gone.entries()) {
    high.push(read32(fingerprint, 8 * word));
    low.push(read32(fingerprint, 8 * word + 4));
  }
}

const CHUNK = 1 << 14;

/** Goes through the entries of a table. */
export function createCursor(table: WordTables[number], hasOrdinals: boolean) {
  const entries = createEntries(CHUNK);
  let [from, count, at] = [0, 0, -1];
  const fill = (): void => {
    from += count;
    count = Math.min(CHUNK, table.count - from);
    at = 0;
    cursor.isAtEnd = count === 0;
    if (count === 0) return;
    table.readLow(entries, from, count);
    table.readHigh(entries, from, count);
    if (hasOrdinals) table.readOrdinals(entries, from, count);
  };
  const cursor = {
    high: 0,
    low: 0,
    ordinal: 0,
    isAtEnd: false,
    next(): void {
      if (++at === count) fill();
      if (cursor.isAtEnd) return;
      cursor.high = highAt(entries, at);
      cursor.low = entries.low.values[at]!;
      cursor.ordinal = entries.ordinals.values[at]!;
    },
  };
  cursor.next();
  return cursor;
}

/** Merges tables; the words of documents that are not kept are left out, one entry for each. */
function* mergeTables(
  inputs: readonly WordTables[],
  block: number,
  numbers: readonly Uint32Array[],
  gone: { readonly high: number[]; readonly low: number[] },
  table: TableWriter,
): Generator<void, void> {
  const cursors = inputs.map((tables) => createCursor(tables[block]!, block === 0));
  const words = { high: Uint32Array.from(gone.high), low: Uint32Array.from(gone.low) };
  const order = block === 0 ? new Uint32Array(0) : sortRotated(words, block);
  let left = 0;
  for (let steps = 1; ; steps++) {
    if (steps % STEPS === 0) yield;
    let best = -1;
    for (let i = 0; i < cursors.length; i++) {
      const cursor = cursors[i]!;
      if (cursor.isAtEnd) continue;
      const other = cursors[best];
      if (other === undefined || cursor.high < other.high || (cursor.high === other.high && cursor.low < other.low))
        best = i;
    }
    if (best < 0) return;
    const cursor = cursors[best]!;
    const { high, low } = cursor;
    if (block === 0) {
      const number = numbers[best]![cursor.ordinal]!;
      if (number !== NONE) table.add(high, low, number);
    } else if (left < order.length && isAt(words, order[left]!, block, high, low)) left++;
    else table.add(high, low, 0);
    cursor.next();
  }
}

function isAt({ high, low }: Words, i: number, block: number, otherHigh: number, otherLow: number): boolean {
  return rotatedHigh(high[i]!, low[i]!, block) === otherHigh && rotatedLow(high[i]!, low[i]!, block) === otherLow;
}

/**
 * Lists the records whose keys have a prefix, in their order, the newest of each key (the oldest source comes first),
 * without removed ones.
 */
export function* mergeSnapshots(sources: readonly Iterable<KeyValue>[], prefix: string): Generator<StoredValue, void> {
  const inputs = sources.map((source) => source[Symbol.iterator]());
  const next = (i: number): KeyValue | undefined => {
    for (;;) {
      const { done, value } = inputs[i]!.next();
      if (done === true) return undefined;
      if (value.key >= prefix) return value;
    }
  };
  const heads = inputs.map((_, i) => next(i));
  for (;;) {
    const best = newestOf(heads);
    if (best < 0) return;
    const { key, value } = heads[best]!;
    if (value !== null && !key.startsWith(prefix)) return;
    for (let i = 0; i <= best; i++) if (heads[i]?.key === key) heads[i] = next(i);
    if (value !== null) yield { key, value };
  }
}
