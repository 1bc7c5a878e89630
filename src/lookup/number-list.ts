import { enlarge } from '../common/bytes.ts';

function createList<T extends number | bigint, A extends Uint32Array | BigUint64Array>(first: A) {
  let values = first;
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value: T): void {
      if (length === values.length) values = enlarge(values, 2 * length);
      values[length++] = value as never;
    },
    get: (index: number): T => values[index] as T,
    set(index: number, value: T): void {
      values[index] = value as never;
    },
    view: (): A => values.subarray(0, length) as A,
    clear(): void {
      length = 0;
    },
  };
}

export function createUint32List() {
  return createList<number, Uint32Array>(new Uint32Array(16));
}

export function createUint64List() {
  return createList<bigint, BigUint64Array>(new BigUint64Array(16));
}
