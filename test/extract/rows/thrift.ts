import { concatenate } from '../../../src/common/bytes.ts';

/** Types of the compact protocol of Thrift. */
export const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];

type ThriftValue = Uint8Array | { readonly type: number; readonly values: readonly ThriftValue[] } | ThriftStruct;

export interface ThriftStruct {
  readonly fields: readonly (readonly [id: number, type: number, value: ThriftValue])[];
}

/** Makes a structure of fields in ascending order of their ids, which differ by less than 16. */
export function structOf(...fields: ThriftStruct['fields']): ThriftStruct {
  return { fields };
}

/** Encodes a structure in the compact protocol of Thrift, which the metadata of Parquet has. */
export function writeThrift({ fields }: ThriftStruct): Uint8Array {
  let last = 0;
  const parts = fields.flatMap(([id, type, value]) => {
    const head = Uint8Array.of(((id - last) << 4) | type);
    last = id;
    return [head, encode(value)];
  });
  return concatenate([...parts, new Uint8Array(1)]);
}

function encode(value: ThriftValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if ('fields' in value) return writeThrift(value);
  const { type, values } = value;
  const head = values.length < 15 ? [(values.length << 4) | type] : [0xf0 | type, ...varint(BigInt(values.length))];
  return concatenate([Uint8Array.from(head), ...values.map(encode)]);
}

function varint(number: bigint): Uint8Array {
  const bytes: number[] = [];
  let left = number;
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return Uint8Array.from([...bytes, Number(left)]);
}

/** Encodes a whole number as the value of a field of type {@link I32} or {@link I64}. */
export function integer(number: number | bigint): Uint8Array {
  const value = BigInt(number);
  return varint(value < 0n ? -2n * value - 1n : 2n * value);
}

/** Encodes text as a value of type {@link BINARY}. */
export function binary(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return concatenate([varint(BigInt(bytes.length)), bytes]);
}
