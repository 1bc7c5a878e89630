import { DOCUMENT, type KeyValue, read32 } from './bytes.ts';
import { Entries, rotatedHigh, rotatedLow, sortRotated, type TablePlaces, TableWriter, type Words } from './columns.ts';
import { RecordWriter } from './records.ts';
import { SectionWriter, writeAll } from './sections.ts';
import { MAGIC, NewFile, type Segment, type SegmentNote, writeFooter, writeSection } from './segment.ts';
import type { WordTables } from './word-search.ts';

/** Documents whose tables are to be written: their words, and the numbers of their records. */
interface Documents {
  readonly words: readonly Words[];
  readonly ordinals: Uint32Array;
}

/** Writes a segment of records that are in memory, in the order of their keys. */
export function writeSegment(path: string, records: readonly KeyValue[], width: number): Omit<SegmentNote, 'name'> {
  return writeFile(path, width, (file) => {
    const writer = startRecords(file.fd, records.length);
    const documents = collectDocuments(records, width);
    for (const { key, value } of records) writer.add(key, value);
    const { places, end } = writer.finish();
    const tables: TablePlaces[][] = [];
    let at = end;
    for (const words of documents.words) {
      const own = [0, 1, 2, 3].map((block) => {
        const table = new TableWriter(file.fd, at, documents.ordinals.length, block === 0);
        for (const i of sortRotated(words, block)) {
          const [high, low] = [words.high[i]!, words.low[i]!];
          table.add(rotatedHigh(high, low, block), rotatedLow(high, low, block), documents.ordinals[i]!);
        }
        const { places: own, end: next } = table.finish();
        at = next;
        return own;
      });
      tables.push(own);
    }
    return { at, records: records.length, documents: documents.ordinals.length, places, tables };
  });
}

interface Written {
  readonly at: number;
  readonly records: number;
  readonly documents: number;
  readonly places: Parameters<typeof writeFooter>[2]['places'];
  readonly tables: TablePlaces[][];
}

/** Writes a file with its footer, or none at all. */
function writeFile(path: string, width: number, write: (file: NewFile) => Written): Omit<SegmentNote, 'name'> {
  const file = new NewFile(path);
  try {
    writeAll(file.fd, MAGIC, 0);
    return finishFile(file, width, write(file));
  } catch (error) {
    file.abandon();
    throw error;
  }
}

function finishFile(file: NewFile, width: number, { at, ...written }: Written): Omit<SegmentNote, 'name'> {
  const { records, documents } = written;
  writeFooter(file.fd, at, { width, ...written });
  file.finish();
  return { records, documents };
}

/** Begins to write records after the first bytes of a file. */
function startRecords(fd: number, max: number) {
  const blocks = new SectionWriter(fd, MAGIC.length);
  const writer = new RecordWriter(blocks, max);
  return {
    add: (key: string, value: Uint8Array | null): void => writer.add(key, value),
    finish() {
      const { index, filter } = writer.finish();
      const places = { blocks: blocks.finish() };
      const indexPlace = writeSection(fd, MAGIC.length + places.blocks.length, index);
      const filterPlace = writeSection(fd, indexPlace.offset + indexPlace.length, filter);
      return {
        places: { ...places, index: indexPlace, filter: filterPlace },
        end: filterPlace.offset + filterPlace.length,
      };
    },
  };
}

/** Takes the words of the documents among some records. */
function collectDocuments(records: readonly KeyValue[], width: number): Documents {
  const isDocument = ({ key, value }: KeyValue): boolean => value !== null && key.startsWith(DOCUMENT);
  let count = 0;
  for (const record of records) if (isDocument(record)) count++;
  const words = Array.from({ length: width / 8 }, () => ({
    high: new Uint32Array(count),
    low: new Uint32Array(count),
  }));
  const ordinals = new Uint32Array(count);
  let at = 0;
  for (const [ordinal, record] of records.entries()) {
    if (!isDocument(record)) continue;
    for (const [word, { high, low }] of words.entries()) {
      high[at] = read32(record.value!, 8 * word);
      low[at] = read32(record.value!, 8 * word + 4);
    }
    ordinals[at++] = ordinal;
  }
  return { words, ordinals };
}

/** Steps between two pauses of a merge. */
const STEPS = 4096;

/**
 * Merges segments (the oldest first, next to each other) into a new one, and pauses often. If they are all that are
 * there (`isWhole`), nothing has to be kept of what is gone.
 */
export function* mergeSegments(
  path: string,
  segments: readonly Segment[],
  width: number,
  isWhole: boolean,
): Generator<void, Omit<SegmentNote, 'name'>> {
  const file = new NewFile(path);
  let isDone = false;
  try {
    writeAll(file.fd, MAGIC, 0);
    const max = segments.reduce((sum, { records }) => sum + records, 0);
    const writer = startRecords(file.fd, max);
    const merged = yield* mergeRecords(segments, width, isWhole, writer.add);
    const { places, end } = writer.finish();
    const tables: TablePlaces[][] = [];
    let at = end;
    for (let word = 0; word < width / 8; word++) {
      const own: TablePlaces[] = [];
      for (let block = 0; block < 4; block++) {
        const table = new TableWriter(file.fd, at, merged.documents, block === 0);
        const inputs = segments.map(({ words }) => words[word]!);
        yield* mergeTables(inputs, block, merged.numbers, merged.gone[word]!, table);
        const { places: written, end: next } = table.finish();
        own.push(written);
        at = next;
      }
      tables.push(own);
    }
    const { records, documents } = merged;
    const note = finishFile(file, width, { at, records, documents, places, tables });
    isDone = true;
    return note;
  } finally {
    // Also if the merge was aborted.
    if (!isDone) file.abandon();
  }
}

/** The number of a record that is not kept. */
const NONE = 0xffffffff;

interface MergedRecords {
  readonly records: number;
  readonly documents: number;
  /** For each record of each segment its number in the new one, or {@link NONE}. */
  readonly numbers: readonly Uint32Array[];
  /** The words of documents that were not kept. */
  readonly gone: readonly { readonly high: number[]; readonly low: number[] }[];
}

function* mergeRecords(
  segments: readonly Segment[],
  width: number,
  isWhole: boolean,
  add: (key: string, value: Uint8Array | null) => void,
): Generator<void, MergedRecords> {
  const inputs = segments.map(({ reader }) => reader.from(''));
  const heads = inputs.map((input) => input.next().value as KeyValue | undefined);
  const places = segments.map(() => 0);
  const numbers = segments.map(({ records }) => new Uint32Array(records));
  const gone = Array.from({ length: width / 8 }, () => ({ high: [] as number[], low: [] as number[] }));
  let [records, documents] = [0, 0];
  for (let steps = 1; ; steps++) {
    if (steps % STEPS === 0) yield;
    // The newest of the records with the smallest key.
    let best = -1;
    for (let i = heads.length - 1; i >= 0; i--)
      if (heads[i] !== undefined && (best < 0 || heads[i]!.key < heads[best]!.key)) best = i;
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
    add(key, value);
    records++;
    if (isDocument && value !== null) documents++;
  }
  return { records, documents, numbers, gone };
}

function dropWords(gone: MergedRecords['gone'], fingerprint: Uint8Array): void {
  for (const [word, { high, low }] of gone.entries()) {
    high.push(read32(fingerprint, 8 * word));
    low.push(read32(fingerprint, 8 * word + 4));
  }
}

const CHUNK = 1 << 14;

/** Goes through the entries of a table. */
class Cursor {
  readonly #table: WordTables[number];
  readonly #hasOrdinals: boolean;
  readonly #entries = new Entries(CHUNK);
  #from = 0;
  #count = 0;
  #at = -1;
  high = 0;
  low = 0;
  ordinal = 0;
  isAtEnd = false;

  constructor(table: WordTables[number], hasOrdinals: boolean) {
    this.#table = table;
    this.#hasOrdinals = hasOrdinals;
    this.next();
  }

  next(): void {
    if (++this.#at === this.#count) this.#fill();
    if (this.isAtEnd) return;
    this.high = this.#entries.highAt(this.#at);
    this.low = this.#entries.low.values[this.#at]!;
    this.ordinal = this.#entries.ordinals.values[this.#at]!;
  }

  #fill(): void {
    this.#from += this.#count;
    this.#count = Math.min(CHUNK, this.#table.count - this.#from);
    this.#at = 0;
    this.isAtEnd = this.#count === 0;
    if (this.isAtEnd) return;
    this.#table.readLow(this.#entries, this.#from, this.#count);
    this.#table.readHigh(this.#entries, this.#from, this.#count);
    if (this.#hasOrdinals) this.#table.readOrdinals(this.#entries, this.#from, this.#count);
  }
}

/** Merges tables; the words of documents that are not kept are left out, one entry for each. */
function* mergeTables(
  inputs: readonly WordTables[],
  block: number,
  numbers: readonly Uint32Array[],
  gone: { readonly high: number[]; readonly low: number[] },
  table: TableWriter,
): Generator<void, void> {
  const cursors = inputs.map((tables) => new Cursor(tables[block]!, block === 0));
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
