import { IS_LITTLE_ENDIAN } from '../../../../../scheme/labels/lanes.ts';
import { Section, type SectionFile, type SectionPlace, SectionWriter } from './sections.ts';

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

/** Entries of a table that are read together, column by column. The next reading overwrites them. */
export class Entries {
  readonly capacity: number;
  readonly low: Column<Uint32Array>;
  readonly middle: Column<Uint16Array>;
  readonly block: Column<Uint16Array>;
  readonly ordinals: Column<Uint32Array>;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.low = columnOf(new Uint32Array(capacity));
    this.middle = columnOf(new Uint16Array(capacity));
    this.block = columnOf(new Uint16Array(capacity));
    this.ordinals = columnOf(new Uint32Array(capacity));
  }

  highAt(i: number): number {
    return ((this.block.values[i]! << 16) | this.middle.values[i]!) >>> 0;
  }
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

/** The number of words from which on counting their digits, of which there are 65,536, is faster than comparing them. */
const MANY = 1 << 13;

/** Returns the order of words rotated left by a number of blocks, as their places: many are sorted by 16 bits at a time. */
export function sortRotated({ high, low }: Words, block: number): Uint32Array {
  const count = high.length;
  let order = Uint32Array.from(high, (_, i) => i);
  if (count < MANY) {
    const highs = high.map((each, i) => rotatedHigh(each, low[i]!, block));
    const lows = low.map((each, i) => rotatedLow(high[i]!, each, block));
    return order.sort((a, b) => highs[a]! - highs[b]! || lows[a]! - lows[b]! || a - b);
  }
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

export class TableWriter {
  readonly #bits: number;
  readonly #counts: Uint32Array;
  readonly #low: SectionWriter;
  readonly #middle: SectionWriter;
  readonly #block: SectionWriter | undefined;
  readonly #ordinals: SectionWriter | undefined;
  readonly #fd: number;
  readonly #end: number;

  /** Writes from an offset of the file on. Only the table of block 0 has ordinals. */
  constructor(fd: number, offset: number, count: number, hasOrdinals: boolean) {
    this.#fd = fd;
    this.#bits = bucketBits(count);
    this.#counts = new Uint32Array(2 ** this.#bits + 1);
    let at = offset;
    const column = (width: number): SectionWriter => {
      const writer = new SectionWriter(fd, at, width * count);
      at += width * count;
      return writer;
    };
    this.#low = column(4);
    this.#middle = column(2);
    this.#block = this.#bits < 16 ? column(2) : undefined;
    this.#ordinals = hasOrdinals ? column(4) : undefined;
    this.#end = at;
  }

  add(high: number, low: number, ordinal: number): void {
    const block = high >>> 16;
    this.#counts[(block >>> (16 - this.#bits)) + 1]!++;
    this.#low.push32(low);
    this.#middle.push16(high & 0xffff);
    this.#block?.push16(block);
    this.#ordinals?.push32(ordinal);
  }

  finish(): { readonly places: TablePlaces; readonly end: number } {
    const directory = new SectionWriter(this.#fd, this.#end, 4 * this.#counts.length);
    let sum = 0;
    for (const count of this.#counts) {
      sum += count;
      directory.push32(sum);
    }
    const places = {
      directory: directory.finish(),
      low: this.#low.finish(),
      middle: this.#middle.finish(),
      ...(this.#block && { block: this.#block.finish() }),
      ...(this.#ordinals && { ordinals: this.#ordinals.finish() }),
    };
    return { places, end: this.#end + places.directory.length };
  }
}

/** The maximum size in bytes of a column that is held in memory, once so much of it was read. */
const MAX_HELD = 1 << 25;

export class TableReader {
  readonly bits: number;
  readonly count: number;
  readonly #directory: Section;
  readonly #low: Section;
  readonly #middle: Section;
  readonly #block: Section | undefined;
  readonly #ordinals: Section | undefined;
  #starts: Uint32Array | undefined;
  #held: Uint32Array | undefined;
  #read = 0;

  constructor(file: SectionFile, places: TablePlaces) {
    const open = (place: SectionPlace): Section => new Section(file, place);
    this.count = places.low.length / 4;
    this.bits = bucketBits(this.count);
    this.#directory = open(places.directory);
    this.#low = open(places.low);
    this.#middle = open(places.middle);
    this.#block = places.block && open(places.block);
    this.#ordinals = places.ordinals && open(places.ordinals);
  }

  sections(): Section[] {
    return [this.#directory, this.#low, this.#middle, this.#block, this.#ordinals].filter((each) => each !== undefined);
  }

  get starts(): Uint32Array {
    if (this.#starts === undefined) {
      const starts = columnOf(new Uint32Array(this.#directory.length / 4));
      read32(this.#directory, starts, starts.values.length, 0);
      this.#starts = starts.values;
    }
    return this.#starts;
  }

  /**
   * Returns the last 32 bits of all entries; undefined for a large table, and until queries have read as many entries
   * as it has. `count` is the number that this query reads.
   */
  heldLow(count: number): Uint32Array | undefined {
    if (this.#held !== undefined || this.#low.length > MAX_HELD) return this.#held;
    this.#read += count;
    if (this.#read < this.count) return undefined;
    const all = columnOf(new Uint32Array(this.count));
    read32(this.#low, all, this.count, 0);
    // Not before: a column with a damaged page must not be taken for one that was read.
    this.#held = all.values;
    return this.#held;
  }

  readLow({ low }: Entries, from: number, count: number): void {
    read32(this.#low, low, count, from);
  }

  readHigh({ middle, block }: Entries, from: number, count: number): void {
    read16(this.#middle, middle, count, from);
    if (this.#block !== undefined) {
      read16(this.#block, block, count, from);
      return;
    }
    const { starts } = this;
    let bucket = bucketAt(starts, from);
    for (let i = 0; i < count; i++) {
      while (starts[bucket + 1]! <= from + i) bucket++;
      block.values[i] = bucket;
    }
  }

  readOrdinals({ ordinals }: Entries, from: number, count: number): void {
    read32(this.#ordinals!, ordinals, count, from);
  }
}

function bucketAt(starts: Uint32Array, entry: number): number {
  let [from, to] = [0, starts.length - 1];
  while (to - from > 1) {
    const middle = (from + to) >>> 1;
    if (starts[middle]! <= entry) from = middle;
    else to = middle;
  }
  return from;
}

function read32(section: Section, { bytes }: Column<Uint32Array>, count: number, from: number): void {
  section.read(bytes, 4 * from, 4 * count);
  if (!IS_LITTLE_ENDIAN) Buffer.from(bytes.buffer, 0, 4 * count).swap32();
}

function read16(section: Section, { bytes }: Column<Uint16Array>, count: number, from: number): void {
  section.read(bytes, 2 * from, 2 * count);
  if (!IS_LITTLE_ENDIAN) Buffer.from(bytes.buffer, 0, 2 * count).swap16();
}
