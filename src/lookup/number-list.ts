/** A list of unsigned numbers in a typed array, which doubles when it is full. */
export interface NumberList<T, A> {
  readonly length: number;
  push(value: T): void;
  get(index: number): T;
  set(index: number, value: T): void;
  /** All values, without a copy: valid until the next push. */
  view(): A;
  clear(): void;
}

interface TypedArray<T> {
  readonly length: number;
  [index: number]: T;
  set(from: this): void;
  subarray(from: number, to: number): this;
}

function createList<T, A extends TypedArray<T>>(allocate: (length: number) => A): NumberList<T, A> {
  let values = allocate(16);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const larger = allocate(2 * length);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    get: (index) => values[index]!,
    set(index, value) {
      values[index] = value;
    },
    view: () => values.subarray(0, length),
    clear() {
      length = 0;
    },
  };
}

export function createUint32List(): NumberList<number, Uint32Array> {
  return createList<number, Uint32Array>((length) => new Uint32Array(length));
}

export function createUint64List(): NumberList<bigint, BigUint64Array> {
  return createList<bigint, BigUint64Array>((length) => new BigUint64Array(length));
}
