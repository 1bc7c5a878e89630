import { lastAtMost } from '../../../../common/numbers.ts';
import { pluralize } from '../../../../common/text.ts';
import { damaged, type OnFault } from '../folder-errors.ts';
import { scanRecords } from './scan-records.ts';
import { Bytes, DOCUMENT, type KeyValue, SegmentBytesReader } from './segment-bytes.ts';
import { openSection, type SectionFile, type SectionPlace, type SectionWriter } from './segment-sections.ts';

/*
 * Records are sorted by their keys and cut into blocks. A key is a string of bytes (characters U+0000 to U+00FF), a value
 * bytes, or null where an older segment has a record of this key that is gone.
 *
 *     record   bytes that it shares with the key before, bytes that follow (4 bits each; 15: a number follows), these bytes, value
 *     value    in a block of documents alone: the fingerprint; in others: 0 for none, or 1 and its length, and its bytes
 */

/** The number of bytes after which a block ends. */
const BLOCK = 4096;

export interface RecordPlaces {
  readonly blocks: SectionPlace;
  readonly index: SectionPlace;
  readonly filter: SectionPlace;
}

export type RecordWriter = ReturnType<typeof createRecordWriter>;

/** @param max - the maximum number of records to come */
export function createRecordWriter(blocks: SectionWriter, max: number) {
  const filter = createFilter(new Uint8Array(Math.max(1, Math.ceil((max * BITS) / 8))));
  const index = new Bytes();
  const plain = new Bytes();
  const mixed = new Bytes();
  let [first, last] = ['', ''];
  let count = 0;
  let isPlain = true;
  const finishBlock = (): void => {
    const { bytes } = isPlain ? plain : mixed;
    blocks.push(bytes);
    index.number(first.length);
    index.text(first, 0);
    index.number(count);
    index.number(2 * bytes.length + (isPlain ? 0 : 1));
    plain.clear();
    mixed.clear();
    count = 0;
    isPlain = true;
  };
  return {
    add(key: string, value: Uint8Array | null): void {
      if (count === 0) first = key;
      const shared = count === 0 ? 0 : sharedLength(last, key);
      if (key.charCodeAt(0) !== DOCUMENT_CODE || value === null) isPlain = false;
      writeKey(mixed, key, shared);
      mixed.number(value === null ? 0 : value.length + 1);
      if (value !== null) mixed.push(value);
      if (isPlain) {
        writeKey(plain, key, shared);
        plain.push(value!);
      }
      filter.add(key);
      last = key;
      count++;
      if (mixed.length >= BLOCK) finishBlock();
    },
    finish(): { readonly index: Uint8Array; readonly filter: Uint8Array } {
      if (count > 0) finishBlock();
      return { index: index.bytes, filter: filter.bytes };
    },
  };
}

const DOCUMENT_CODE = DOCUMENT.charCodeAt(0);

function sharedLength(a: string, b: string): number {
  const max = Math.min(a.length, b.length);
  let length = 0;
  while (length < max && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

function writeKey(to: Bytes, key: string, shared: number): void {
  const rest = key.length - shared;
  to.byte((Math.min(shared, 15) << 4) | Math.min(rest, 15));
  if (shared >= 15) to.number(shared - 15);
  if (rest >= 15) to.number(rest - 15);
  to.text(key, shared);
}

export function openRecords(file: SectionFile, places: RecordPlaces, width: number) {
  const { path } = file;
  const blocks = openSection(file, places.blocks);
  const list = openSection(file, places.index);
  const bits = openSection(file, places.filter);
  const cursor = new Cursor(path);
  let index: BlockIndex | undefined;
  let filter: BloomFilter | undefined;
  let lookups = 0;
  let buffer = Buffer.alloc(0);
  let block = buffer;
  let inBlock = -1;

  const readIndex = (): BlockIndex => (index ??= parseIndex(path, list.readWhole()));

  const countOf = (number: number): number => {
    const { ordinals } = readIndex();
    return ordinals[number + 1]! - ordinals[number]!;
  };
  const lengthOf = (number: number): number => {
    const { lengths } = readIndex();
    if (!(number >= 0 && number < lengths.length)) throw damaged(path, 'there is no such block');
    return Math.floor(lengths[number]! / 2);
  };
  const start = (to: Cursor, bytes: Buffer, number: number): Cursor => {
    // The bytes of each value are given with it, unless all records are documents.
    to.open(bytes, countOf(number), readIndex().lengths[number]! % 2 === 0 ? width : -1);
    return to;
  };

  const open = (number: number): Cursor => {
    if (inBlock !== number) {
      inBlock = -1;
      const length = lengthOf(number);
      if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(2 * length);
      block = buffer.subarray(0, length);
      blocks.read(block, readIndex().offsets[number]!);
      inBlock = number;
    }
    return start(cursor, block, number);
  };

  return {
    sections: [blocks, list, bits],
    /** Returns the value of a key, valid until the next call; undefined if the key has no record. */
    get(key: string): Uint8Array | null | undefined {
      if (filter === undefined && lookups++ >= LOOKUPS_BEFORE_FILTER) filter = createFilter(bits.readWhole());
      if (filter?.has(key) === false) return undefined;
      const number = lastAtMost(readIndex().keys, key);
      if (number < 0) return undefined;
      const records = open(number);
      while (records.next()) if (records.isAt(key)) return records.value();
      return undefined;
    },
    /** Returns the record at a place in the order of all keys; its value until the next call. */
    at(ordinal: number): KeyValue {
      const { ordinals } = readIndex();
      const number = lastAtMost(ordinals, ordinal);
      const records = open(number);
      for (let left = ordinal - (ordinals[number] ?? 0); left >= 0; left--)
        if (!records.next()) throw damaged(path, `there is no record ${ordinal}`);
      return { key: records.key(), value: records.value() };
    },
    *from(first: string): Generator<KeyValue, void> {
      const { keys, offsets } = readIndex();
      for (let number = Math.max(0, lastAtMost(keys, first)); number < keys.length; number++) {
        const bytes = Buffer.allocUnsafeSlow(lengthOf(number));
        blocks.read(bytes, offsets[number]!);
        const records = start(new Cursor(path), bytes, number);
        while (records.next()) {
          const key = records.key();
          if (key >= first) yield { key, value: records.value() };
        }
      }
    },
    /** Lists all records whose checksums are right, in the order of their keys, also where the list of blocks is damaged. */
    *salvage(onFault: OnFault): Generator<KeyValue, void> {
      index = parseIndex(path, list.readBeforeDamage(0, list.length, onFault), true);
      const { keys, offsets } = index;
      let last = '';
      let [lost, fault] = [0, ''];
      const report = (next?: string): void => {
        const to = next === undefined ? '' : ` and before ${shown(next)}`;
        if (lost > 0) onFault(`${fault}; ${pluralize(lost, 'record')} lost after ${shown(last)}${to}`);
        lost = 0;
      };
      const onDamage = (found: string): void => {
        if (lost === 0) fault = found;
      };
      for (const [number, offset] of offsets.entries()) {
        const bytes = blocks.readBeforeDamage(offset, lengthOf(number), onDamage);
        const records = start(new Cursor(path), bytes, number);
        let left = countOf(number);
        for (; left > 0 && records.isNext(); left--) {
          report(records.key());
          last = records.key();
          yield { key: last, value: records.value() };
        }
        if (left > 0 && bytes.length === lengthOf(number)) onDamage(`${path}: a block of records is not one`);
        lost += left;
      }
      report();
      const listed = keys.length - 1;
      const end = listed < 0 ? 0 : offsets[listed]! + lengthOf(listed);
      yield* scanRecords(blocks, end, { path, width, last, onFault });
    },
  };
}

const LOOKUPS_BEFORE_FILTER = 64;

function shown(key: string): string {
  if (key.startsWith(DOCUMENT)) return JSON.stringify(Buffer.from(key, 'latin1').toString('utf8', 1));
  return key === '' ? 'the start' : 'the first record of a file';
}

/** Goes through the records of a block, and makes no objects on the way. */
class Cursor extends SegmentBytesReader {
  readonly #path: string;
  #left = 0;
  #width = 0;
  #key: Buffer = Buffer.allocUnsafeSlow(1024);
  #length = 0;
  #valueLength = 0;

  constructor(path: string) {
    super(Buffer.alloc(0));
    this.#path = path;
  }

  open(bytes: Buffer, count: number, width: number): void {
    this.bytes = bytes;
    this.at = 0;
    this.#left = count;
    this.#width = width;
    this.#length = 0;
  }

  next(): boolean {
    if (this.#left-- <= 0) return false;
    try {
      this.#read();
    } catch {
      throw damaged(this.#path, 'a block of records is not one');
    }
    return true;
  }

  #read(): void {
    const header = this.byte();
    let shared = header >> 4;
    let rest = header & 15;
    if (shared === 15) shared += this.number();
    if (rest === 15) rest += this.number();
    if (shared > this.#length) throw new RangeError('more bytes are shared than there are');
    const from = this.skip(rest);
    if (shared + rest > this.#key.length)
      this.#key = Buffer.concat([this.#key.subarray(0, shared)], 2 * (shared + rest));
    for (let i = 0; i < rest; i++) this.#key[shared + i] = this.bytes[from + i]!;
    this.#length = shared + rest;
    this.#valueLength = this.#width < 0 ? this.number() - 1 : this.#width;
    this.skip(Math.max(0, this.#valueLength));
  }

  /** Goes to the next record; returns false also if its bytes are missing. */
  isNext(): boolean {
    try {
      return this.next();
    } catch {
      return false;
    }
  }

  isAt(key: string): boolean {
    if (key.length !== this.#length) return false;
    for (let i = key.length - 1; i >= 0; i--) if (key.charCodeAt(i) !== this.#key[i]) return false;
    return true;
  }

  key(): string {
    return this.#key.toString('latin1', 0, this.#length);
  }

  value(): Uint8Array | null {
    return this.#valueLength < 0 ? null : this.bytes.subarray(this.at - this.#valueLength, this.at);
  }
}

type BlockIndex = ReturnType<typeof parseIndex>;

/** @param isPart - whether the end may be missing */
function parseIndex(path: string, bytes: Buffer, isPart = false) {
  const reader = new SegmentBytesReader(bytes);
  const keys: string[] = [];
  const ordinals = [0];
  const offsets: number[] = [];
  const lengths: number[] = [];
  let offset = 0;
  try {
    while (reader.at < bytes.length) {
      keys.push(reader.text(reader.number()));
      ordinals.push(ordinals.at(-1)! + reader.number());
      offsets.push(offset);
      lengths.push(reader.number());
      offset += Math.floor(lengths.at(-1)! / 2);
    }
  } catch {
    if (!isPart) throw damaged(path, 'the list of blocks is not one');
    keys.length = lengths.length;
    ordinals.length = lengths.length + 1;
    offsets.length = lengths.length;
  }
  return {
    /** The first key of each block. */
    keys,
    /** The number of the first record of each, and the number of all records. */
    ordinals: Uint32Array.from(ordinals),
    offsets: Float64Array.from(offsets),
    /** Twice the length in bytes, and 1 more unless all records are documents. */
    lengths: Uint32Array.from(lengths),
  };
}

/*
 * A Bloom filter: eight bits for each key, of which five are set. It says "no" for 98 of 100 keys that a segment does not have.
 */

const BITS = 8;
const HASHES = 5;

let first = 0;
let second = 0;

function hash(key: string): void {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < key.length; i++) {
    const byte = key.charCodeAt(i);
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x5bd1e995) ^ (b >>> 15);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b);
  b = Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  first = (a ^ (a >>> 13)) >>> 0;
  second = ((b ^ (b >>> 16)) | 1) >>> 0;
}

function bitOf(i: number, bits: number): number {
  return Math.floor((((first + Math.imul(i, second)) >>> 0) / 2 ** 32) * bits);
}

type BloomFilter = ReturnType<typeof createFilter>;

function createFilter(bytes: Uint8Array) {
  const bits = 8 * bytes.length;
  return {
    bytes,
    add(key: string): void {
      hash(key);
      for (let i = 0; i < HASHES; i++) {
        const bit = bitOf(i, bits);
        bytes[Math.floor(bit / 8)]! |= 1 << (bit % 8);
      }
    },
    has(key: string): boolean {
      hash(key);
      for (let i = 0; i < HASHES; i++) {
        const bit = bitOf(i, bits);
        if ((bytes[Math.floor(bit / 8)]! & (1 << (bit % 8))) === 0) return false;
      }
      return true;
    },
  };
}
