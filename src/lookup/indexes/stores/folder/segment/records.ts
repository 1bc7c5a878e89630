import { pluralize } from '../../../../../common/text.ts';
import { damaged, type OnFault } from '../errors.ts';
import { ByteReader, Bytes, DOCUMENT, type KeyValue } from './bytes.ts';
import { scanRecords } from './scan.ts';
import { Section, type SectionFile, type SectionPlace, type SectionWriter } from './sections.ts';

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

export class RecordWriter {
  readonly #blocks: SectionWriter;
  readonly #filter: BloomFilter;
  readonly #index = new Bytes();
  readonly #plain = new Bytes();
  readonly #mixed = new Bytes();
  #first = '';
  #last = '';
  #count = 0;
  #isPlain = true;

  constructor(blocks: SectionWriter, max: number) {
    this.#blocks = blocks;
    this.#filter = BloomFilter.for(max);
  }

  add(key: string, value: Uint8Array | null): void {
    const isFirst = this.#count === 0;
    if (isFirst) this.#first = key;
    const shared = isFirst ? 0 : sharedLength(this.#last, key);
    if (key.charCodeAt(0) !== DOCUMENT_CODE || value === null) this.#isPlain = false;
    writeKey(this.#mixed, key, shared);
    this.#mixed.number(value === null ? 0 : value.length + 1);
    if (value !== null) this.#mixed.push(value);
    if (this.#isPlain) {
      writeKey(this.#plain, key, shared);
      this.#plain.push(value!);
    }
    this.#filter.add(key);
    this.#last = key;
    this.#count++;
    if (this.#mixed.length >= BLOCK) this.#finishBlock();
  }

  finish(): { readonly index: Uint8Array; readonly filter: Uint8Array } {
    if (this.#count > 0) this.#finishBlock();
    return { index: this.#index.bytes, filter: this.#filter.bytes };
  }

  #finishBlock(): void {
    const bytes = this.#isPlain ? this.#plain : this.#mixed;
    this.#blocks.push(bytes.bytes);
    this.#index.number(this.#first.length);
    this.#index.text(this.#first, 0);
    this.#index.number(this.#count);
    this.#index.number(2 * bytes.length + (this.#isPlain ? 0 : 1));
    this.#plain.clear();
    this.#mixed.clear();
    this.#count = 0;
    this.#isPlain = true;
  }
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

export class RecordReader {
  readonly #file: SectionFile;
  readonly #places: RecordPlaces;
  readonly #width: number;
  readonly #blocks: Section;
  #index: BlockIndex | undefined;
  #filter: BloomFilter | undefined;
  #lookups = 0;
  #block = Buffer.alloc(0);
  #number = -1;
  readonly #cursor: Cursor;

  constructor(file: SectionFile, places: RecordPlaces, width: number) {
    this.#file = file;
    this.#places = places;
    this.#width = width;
    this.#blocks = new Section(file, places.blocks);
    this.#cursor = new Cursor(file.path);
  }

  sections(): Section[] {
    const { index, filter } = this.#places;
    return [this.#blocks, new Section(this.#file, index), new Section(this.#file, filter)];
  }

  /** Returns the value of a key, until the next call: undefined where there is no record. */
  get(key: string): Uint8Array | null | undefined {
    if (!this.#mayHave(key)) return undefined;
    const number = lastAtMost(this.#readIndex().keys, key);
    if (number < 0) return undefined;
    const cursor = this.#open(number);
    while (cursor.next()) if (cursor.isAt(key)) return cursor.value();
    return undefined;
  }

  /** Returns the record at a place in the order of all keys; its value until the next call. */
  at(ordinal: number): KeyValue {
    const { ordinals } = this.#readIndex();
    const number = lastAtMost(ordinals, ordinal);
    const cursor = this.#open(number);
    for (let left = ordinal - (ordinals[number] ?? 0); left >= 0; left--)
      if (!cursor.next()) throw damaged(this.#file.path, `there is no record ${ordinal}`);
    return { key: cursor.key(), value: cursor.value() };
  }

  *from(start: string): Generator<KeyValue, void> {
    const index = this.#readIndex();
    for (let number = Math.max(0, lastAtMost(index.keys, start)); number < index.keys.length; number++) {
      const cursor = new Cursor(this.#file.path);
      const block = Buffer.allocUnsafeSlow(this.#lengthOf(number));
      this.#blocks.read(block, index.offsets[number]!);
      cursor.open(block, block.length, this.#countOf(number), this.#widthOf(number));
      while (cursor.next()) {
        const key = cursor.key();
        if (key >= start) yield { key, value: cursor.value() };
      }
    }
  }

  /** Lists all records whose checksums are right, in the order of their keys, also where the list of blocks is damaged. */
  *salvage(onFault: OnFault): Generator<KeyValue, void> {
    const { path } = this.#file;
    const section = new Section(this.#file, this.#places.index);
    const index = readIndex(path, section.readBeforeDamage(0, section.length, onFault), true);
    this.#index = index;
    let last = '';
    let [lost, fault] = [0, ''];
    const report = (next?: string): void => {
      const to = next === undefined ? '' : ` and before ${shown(next)}`;
      if (lost > 0) onFault(`${fault}; ${pluralize(lost, 'record')} lost after ${shown(last)}${to}`);
      lost = 0;
    };
    for (const number of index.keys.keys()) {
      const onDamage = (found: string): void => {
        if (lost === 0) fault = found;
      };
      const block = this.#blocks.readBeforeDamage(index.offsets[number]!, this.#lengthOf(number), onDamage);
      const cursor = new Cursor(path);
      cursor.open(block, block.length, this.#countOf(number), this.#widthOf(number));
      let left = this.#countOf(number);
      for (; left > 0 && cursor.isNext(); left--) {
        report(cursor.key());
        last = cursor.key();
        yield { key: last, value: cursor.value() };
      }
      if (left > 0 && block.length === this.#lengthOf(number)) onDamage(`${path}: a block of records is not one`);
      lost += left;
    }
    report();
    const listed = index.keys.length - 1;
    const end = listed < 0 ? 0 : index.offsets[listed]! + this.#lengthOf(listed);
    yield* scanRecords(this.#blocks, end, { path, width: this.#width, last, onFault });
  }

  /** Tests whether a key may have a record. The filter is read when some keys have been asked for. */
  #mayHave(key: string): boolean {
    if (this.#filter === undefined) {
      if (this.#lookups++ < LOOKUPS_BEFORE_FILTER) return true;
      this.#filter = new BloomFilter(new Section(this.#file, this.#places.filter).readWhole());
    }
    return this.#filter.has(key);
  }

  #readIndex(): BlockIndex {
    this.#index ??= readIndex(this.#file.path, new Section(this.#file, this.#places.index).readWhole());
    return this.#index;
  }

  #open(number: number): Cursor {
    const length = this.#lengthOf(number);
    if (this.#number !== number) {
      this.#number = -1;
      if (this.#block.length < length) this.#block = Buffer.allocUnsafeSlow(2 * length);
      this.#blocks.read(this.#block, this.#readIndex().offsets[number]!, length);
      this.#number = number;
    }
    this.#cursor.open(this.#block, length, this.#countOf(number), this.#widthOf(number));
    return this.#cursor;
  }

  #countOf(number: number): number {
    const { ordinals } = this.#readIndex();
    return ordinals[number + 1]! - ordinals[number]!;
  }

  /** Bytes of each value of a block; -1 if they are given with each. */
  #widthOf(number: number): number {
    return this.#readIndex().lengths[number]! % 2 === 0 ? this.#width : -1;
  }

  #lengthOf(number: number): number {
    const { lengths } = this.#readIndex();
    if (!(number >= 0 && number < lengths.length)) throw damaged(this.#file.path, 'there is no such block');
    return Math.floor(lengths[number]! / 2);
  }
}

const LOOKUPS_BEFORE_FILTER = 64;

function shown(key: string): string {
  if (key.startsWith(DOCUMENT)) return JSON.stringify(Buffer.from(key, 'latin1').toString('utf8', 1));
  return key === '' ? 'the start' : 'the first record of a file';
}

/** Goes through the records of a block, and makes no objects on the way. */
class Cursor {
  readonly #path: string;
  #bytes: Buffer = Buffer.alloc(0);
  #end = 0;
  #at = 0;
  #left = 0;
  #width = 0;
  #key: Buffer = Buffer.allocUnsafeSlow(1024);
  #length = 0;
  #valueAt = 0;
  #valueLength = 0;

  constructor(path: string) {
    this.#path = path;
  }

  open(bytes: Buffer, length: number, count: number, width: number): void {
    this.#bytes = bytes;
    this.#end = length;
    this.#at = 0;
    this.#left = count;
    this.#width = width;
    this.#length = 0;
  }

  next(): boolean {
    if (this.#left-- <= 0) return false;
    const header = this.#byte();
    let shared = header >> 4;
    let rest = header & 15;
    if (shared === 15) shared += this.#number();
    if (rest === 15) rest += this.#number();
    if (shared > this.#length || this.#at + rest > this.#end) throw this.#damaged();
    if (shared + rest > this.#key.length)
      this.#key = Buffer.concat([this.#key.subarray(0, shared)], 2 * (shared + rest));
    for (let i = 0; i < rest; i++) this.#key[shared + i] = this.#bytes[this.#at + i]!;
    this.#length = shared + rest;
    this.#at += rest;
    this.#valueLength = this.#width < 0 ? this.#number() - 1 : this.#width;
    this.#valueAt = this.#at;
    this.#at += Math.max(0, this.#valueLength);
    if (this.#at > this.#end) throw this.#damaged();
    return true;
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
    if (this.#valueLength < 0) return null;
    return this.#bytes.subarray(this.#valueAt, this.#valueAt + this.#valueLength);
  }

  #byte(): number {
    if (this.#at >= this.#end) throw this.#damaged();
    return this.#bytes[this.#at++]!;
  }

  #number(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 53; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw this.#damaged();
  }

  #damaged(): Error {
    return damaged(this.#path, 'a block of records is not one');
  }
}

interface BlockIndex {
  readonly keys: readonly string[];
  /** The number of the first record of each, and the number of all records. */
  readonly ordinals: Uint32Array;
  readonly offsets: Float64Array;
  /** Twice the length in bytes, and 1 more unless all records are documents. */
  readonly lengths: Uint32Array;
}

/** @param isPart - whether the end may be missing */
function readIndex(path: string, bytes: Buffer, isPart = false): BlockIndex {
  const reader = new ByteReader(bytes);
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
    keys,
    ordinals: Uint32Array.from(ordinals),
    offsets: Float64Array.from(offsets),
    lengths: Uint32Array.from(lengths),
  };
}

function lastAtMost<T extends string | number>(values: ArrayLike<T>, value: T): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (values[middle]! <= value) from = middle + 1;
    else to = middle;
  }
  return from - 1;
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

class BloomFilter {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  static for(max: number): BloomFilter {
    return new BloomFilter(new Uint8Array(Math.max(1, Math.ceil((max * BITS) / 8))));
  }

  add(key: string): void {
    hash(key);
    const bits = 8 * this.bytes.length;
    for (let i = 0; i < HASHES; i++) {
      const bit = bitOf(i, bits);
      this.bytes[Math.floor(bit / 8)]! |= 1 << (bit % 8);
    }
  }

  has(key: string): boolean {
    hash(key);
    const bits = 8 * this.bytes.length;
    for (let i = 0; i < HASHES; i++) {
      const bit = bitOf(i, bits);
      if ((this.bytes[Math.floor(bit / 8)]! & (1 << (bit % 8))) === 0) return false;
    }
    return true;
  }
}
