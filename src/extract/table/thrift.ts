import { concatenate } from '../../common/bytes.ts';

/** The types of the compact protocol of Thrift that the metadata of Parquet has. */
export const I32 = 5;
export const I64 = 6;
export const BINARY = 8;
export const LIST = 9;
export const STRUCT = 12;
const [TRUE, FALSE, BYTE, I16, DOUBLE, SET] = [1, 2, 3, 4, 7, 10];

/** A value. A scalar is kept as it is encoded, so that it is written as it was read. */
export type ThriftValue = Uint8Array | ThriftList | ThriftStruct;

export interface ThriftList {
  readonly type: number;
  readonly values: ThriftValue[];
}

export interface ThriftField {
  readonly id: number;
  readonly type: number;
  value: ThriftValue;
}

/** A structure: its fields in ascending order of their ids. */
export interface ThriftStruct {
  readonly fields: ThriftField[];
}

/** The maximum nesting: that of Parquet is about 8. */
const MAX_DEPTH = 64;

/**
 * Parses bytes that are one structure in the compact protocol. Throws an error without a code if they are malformed, or
 * more than that.
 * @see https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
export function parseThrift(bytes: Uint8Array): ThriftStruct {
  const reader = { bytes, at: 0 };
  const struct = readStruct(reader, 0);
  if (reader.at !== bytes.length) throw new Error('thrift: bytes after the end');
  return struct;
}

interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

function readStruct(reader: Reader, depth: number): ThriftStruct {
  const fields: ThriftField[] = [];
  if (depth > MAX_DEPTH) throw new Error('thrift: nested too deep');
  for (let id = 0; ; ) {
    const head = readByte(reader);
    if (head === 0) return { fields };
    const type = head & 15;
    id = head < 16 ? Number(unzigzag(readVarint(reader))) : id + (head >> 4);
    const value = type === TRUE || type === FALSE ? new Uint8Array(0) : readValue(reader, type, depth);
    fields.push({ id, type, value });
  }
}

function readValue(reader: Reader, type: number, depth: number): ThriftValue {
  if (type === STRUCT) return readStruct(reader, depth + 1);
  if (type === LIST || type === SET) return readList(reader, depth + 1);
  const start = reader.at;
  if (type === BYTE || type === TRUE || type === FALSE) reader.at++;
  else if (type === DOUBLE) reader.at += 8;
  else if (type === BINARY) {
    const length = Number(readVarint(reader));
    reader.at += length;
  } else if (type === I16 || type === I32 || type === I64) readVarint(reader);
  else throw new Error(`thrift: unknown type ${type}`);
  if (reader.at > reader.bytes.length) throw new Error('thrift: unexpected end');
  return reader.bytes.subarray(start, reader.at);
}

function readList(reader: Reader, depth: number): ThriftList {
  const head = readByte(reader);
  const [type, short] = [head & 15, head >> 4];
  const length = short < 15 ? short : Number(readVarint(reader));
  // Every value takes a byte at least.
  if (length > reader.bytes.length - reader.at || depth > MAX_DEPTH) throw new Error('thrift: a list is too long');
  return { type, values: Array.from({ length }, () => readValue(reader, type, depth)) };
}

function readByte(reader: Reader): number {
  const byte = reader.bytes[reader.at++];
  if (byte === undefined) throw new Error('thrift: unexpected end');
  return byte;
}

function readVarint(reader: Reader): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = readByte(reader);
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return value;
  }
  throw new Error('thrift: a number is too long');
}

export function writeThrift(struct: ThriftStruct): Uint8Array {
  const parts: Uint8Array[] = [];
  writeStruct(struct, parts);
  return concatenate(parts);
}

function writeStruct({ fields }: ThriftStruct, parts: Uint8Array[]): void {
  let last = 0;
  for (const { id, type, value } of fields) {
    const delta = id - last;
    if (delta > 0 && delta < 16) parts.push(Uint8Array.of((delta << 4) | type));
    else parts.push(Uint8Array.of(type), varint(zigzag(BigInt(id))));
    writeValue(value, parts);
    last = id;
  }
  parts.push(new Uint8Array(1));
}

function writeValue(value: ThriftValue, parts: Uint8Array[]): void {
  if (value instanceof Uint8Array) parts.push(value);
  else if ('fields' in value) writeStruct(value, parts);
  else {
    const { type, values } = value;
    if (values.length < 15) parts.push(Uint8Array.of((values.length << 4) | type));
    else parts.push(Uint8Array.of(0xf0 | type), varint(BigInt(values.length)));
    for (const each of values) writeValue(each, parts);
  }
}

/** Encodes a whole number without a sign. */
export function varint(number: bigint): Uint8Array {
  const bytes: number[] = [];
  let left = number;
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return Uint8Array.from([...bytes, Number(left)]);
}

const zigzag = (number: bigint): bigint => (number < 0n ? -2n * number - 1n : 2n * number);
const unzigzag = (number: bigint): bigint => ((number & 1n) === 0n ? number >> 1n : -(number >> 1n) - 1n);

/** Encodes a whole number as the value of a field of type {@link I32} or {@link I64}. */
export function integer(number: number | bigint): Uint8Array {
  return varint(zigzag(BigInt(number)));
}

/** Decodes what {@link integer} encodes. */
export function integerOf(value: Uint8Array): bigint {
  return unzigzag(readVarint({ bytes: value, at: 0 }));
}

/** Encodes text as a value of type {@link BINARY}. */
export function binary(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return concatenate([varint(BigInt(bytes.length)), bytes]);
}

/** Decodes what {@link binary} encodes. */
export function textOf(value: Uint8Array): string {
  const reader = { bytes: value, at: 0 };
  readVarint(reader);
  return new TextDecoder().decode(value.subarray(reader.at));
}

/** Makes a structure of fields in ascending order of their ids. */
export function structOf(
  ...fields: readonly (readonly [id: number, type: number, value: ThriftValue])[]
): ThriftStruct {
  return { fields: fields.map(([id, type, value]) => ({ id, type, value })) };
}
