import { IS_LITTLE_ENDIAN } from '../../../../common/lanes.ts';
import { lastAtMost } from '../../../../common/numbers.ts';
import {
  createSectionWriter,
  openSection,
  type Section,
  type SectionFile,
  type SectionPlace,
  type SectionWriter,
} from './segment-sections.ts';

/*
 * A table of a word has the fingerprints of a segment sorted by the word rotated to the left, so that one of its four blocks
 * (TAB-1) comes first. The columns are the block, the 16 bits after it and the last 32 bits. The first bits of the block choose
 * a bucket; the directory says where each begins. With 16 such bits, the column of blocks follows from the directory and is left out.
 * The table of block 0 also has the numbers of the documents.
 */

export interface TablePlaces {
  readonly directory: SectionPlace;
  readonly low: SectionPlace;
  readonly middle: SectionPlace;
  readonly block?: SectionPlace;
  readonly ordinals?: SectionPlace;
}

/** Numbers of a column, and their bytes, which are read from a file. */
interface Column<T extends Uint16Array | Uint32Array> {
  readonly values: T;
  readonly bytes: Uint8Array;
}

function columnOf<T extends Uint16Array | Uint32Array>(values: T): Column<T> {
  return { values, bytes: new Uint8Array(values.buffer) };
}

export type Entries = ReturnType<typeof createEntries>;

/** Entries of a table that are read together, column by column. The next reading overwrites them. */
export function createEntries(capacity: number) {
  return {
    capacity,
    low: columnOf(new Uint32Array(capacity)),
    middle: columnOf(new Uint16Array(capacity)),
    block: columnOf(new Uint16Array(capacity)),
    ordinals: columnOf(new Uint32Array(capacity)),
  };
}

export function highAt({ block, middle }: Entries, i: number): number {
  return ((block.values[i]! << 16) | middle.values[i]!) >>> 0;
}

export interface Words {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** Returns the number of bits of a block that choose a bucket of `count` entries: it has 256 to 511, or more from 2^25 on. */
function bucketBits(count: number): number {
  return Math.max(0, Math.min(16, 31 - Math.clz32(Math.max(1, count)) - 8));
}

export function rotatedHigh(high: number, low: number, block: number): number {
  if (block === 0) return high >>> 0;
  if (block === 1) return ((high << 16) | (low >>> 16)) >>> 0;
  return block === 2 ? low >>> 0 : ((low << 16) | (high >>> 16)) >>> 0;
}

export function rotatedLow(high: number, low: number, block: number): number {
  return rotatedHigh(low, high, block);
}

/** Returns the order of words rotated left by a number of blocks, as their places. */
export function sortRotated({ high, low }: Words, block: number): Uint32Array {
  const count = high.length;
  let order = Uint32Array.from(high, (_, i) => i);
  const digits = new Uint16Array(count);
  let target = new Uint32Array(count);
  for (let pass = 3; pass >= 0; pass--) {
    // Pass 3 takes the last 16 bits of the rotated word, pass 0 the first.
    const from = (block + pass) % 4;
    const lane = from < 2 ? high : low;
    const shift = from % 2 === 0 ? 16 : 0;
    const starts = new Uint32Array(65537);
    for (let i = 0; i < count; i++) {
      const digit = (lane[i]! >>> shift) & 0xffff;
      digits[i] = digit;
      starts[digit + 1]!++;
    }
    for (let i = 0; i < 65536; i++) starts[i + 1]! += starts[i]!;
    for (let i = 0; i < count; i++) {
      const place = order[i]!;
      target[starts[digits[place]!]!++] = place;
    }
    [order, target] = [target, order];
  }
  return order;
}

export type TableWriter = ReturnType<typeof createTableWriter>;

/** Writes from an offset of the file on. Only the table of block 0 has ordinals. */
export function createTableWriter(fd: number, offset: number, count: number, hasOrdinals: boolean) {
  const bits = bucketBits(count);
  const counts = new Uint32Array(2 ** bits + 1);
  let end = offset;
  const column = (width: number): SectionWriter => {
    const writer = createSectionWriter(fd, end, width * count);
    end += width * count;
    return writer;
  };
  const low = column(4);
  const middle = column(2);
  const block = bits < 16 ? column(2) : undefined;
  const ordinals = hasOrdinals ? column(4) : undefined;
  return {
    add(high: number, lowBits: number, ordinal: number): void {
      const own = high >>> 16;
      counts[(own >>> (16 - bits)) + 1]!++;
      low.push32(lowBits);
      middle.push16(high & 0xffff);
      block?.push16(own);
      ordinals?.push32(ordinal);
    },
    finish(): { readonly places: TablePlaces; readonly end: number } {
      const directory = createSectionWriter(fd, end, 4 * counts.length);
      let sum = 0;
      for (const each of counts) {
        sum += each;
        directory.push32(sum);
      }
      const places = {
        directory: directory.finish(),
        low: low.finish(),
        middle: middle.finish(),
        ...(block && { block: block.finish() }),
        ...(ordinals && { ordinals: ordinals.finish() }),
      };
      return { places, end: end + places.directory.length };
    },
  };
}

/** The maximum size in bytes of a column that is held in memory, once so much of it was read. */
const MAX_HELD = 1 << 25;

export type TableReader = ReturnType<typeof openTable>;

export function openTable(file: SectionFile, places: TablePlaces) {
  const directory = openSection(file, places.directory);
  const low = openSection(file, places.low);
  const middle = openSection(file, places.middle);
  const block = places.block && openSection(file, places.block);
  const ordinals = places.ordinals && openSection(file, places.ordinals);
  const count = low.length / 4;
  let [held, starts]: (Uint32Array | undefined)[] = [];
  let done = 0;
  const readWhole = (section: Section): Uint32Array => {
    const all = columnOf(new Uint32Array(section.length / 4));
    read32(section, all, all.values.length, 0);
    return all.values;
  };
  const readStarts = (): Uint32Array => (starts ??= readWhole(directory));
  return {
    bits: bucketBits(count),
    count,
    sections: [directory, low, middle, block, ordinals].filter((each) => each !== undefined),
    /** The start of each bucket. */
    starts: readStarts,
    /**
     * Returns the last 32 bits of all entries; undefined for a large table, and until queries have read as many entries
     * as it has. `more` is the number that this query reads.
     */
    heldLow(more: number): Uint32Array | undefined {
      if (held !== undefined || low.length > MAX_HELD) return held;
      done += more;
      if (done >= count) held = readWhole(low);
      return held;
    },
    readLow(to: Entries, from: number, length: number): void {
      read32(low, to.low, length, from);
    },
    readHigh(to: Entries, from: number, length: number): void {
      read16(middle, to.middle, length, from);
      if (block !== undefined) {
        read16(block, to.block, length, from);
        return;
      }
      const begins = readStarts();
      let bucket = lastAtMost(begins, from);
      for (let i = 0; i < length; i++) {
        while (begins[bucket + 1]! <= from + i) bucket++;
        to.block.values[i] = bucket;
      }
    },
    readOrdinals(to: Entries, from: number, length: number): void {
      read32(ordinals!, to.ordinals, length, from);
    },
  };
}

function read32(section: Section, { bytes }: Column<Uint32Array>, count: number, from: number): void {
  section.read(bytes, 4 * from, 4 * count);
  if (!IS_LITTLE_ENDIAN) Buffer.from(bytes.buffer, 0, 4 * count).swap32();
}

function read16(section: Section, { bytes }: Column<Uint16Array>, count: number, from: number): void {
  section.read(bytes, 2 * from, 2 * count);
  if (!IS_LITTLE_ENDIAN) Buffer.from(bytes.buffer, 0, 2 * count).swap16();
}
