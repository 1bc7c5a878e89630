interface TypedArray<T> {
  readonly length: number;
  [index: number]: T;
  set(from: this): void;
  subarray(from: number, to: number): this;
}

function createList<T, A extends TypedArray<T>>(allocate: (length: number) => A) {
  let values = allocate(16);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value: T): void {
      if (length === values.length) {
        const larger = allocate(2 * length);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    get: (index: number): T => values[index]!,
    set(index: number, value: T): void {
      values[index] = value;
    },
    /** Returns all values without a copy, valid until the next push. */
    view: (): A => values.subarray(0, length),
    clear(): void {
      length = 0;
    },
  };
}

export function createUint32List() {
  return createList<number, Uint32Array>((length) => new Uint32Array(length));
}

export function createUint64List() {
  return createList<bigint, BigUint64Array>((length) => new BigUint64Array(length));
}
