/** Numbers in a typed array that grows by doubling. */
export interface Growing<T, A> {
  readonly length: number;
  push(value: T): void;
  get(index: number): T;
  set(index: number, value: T): void;
  /** What was pushed so far, without a copy: good until the next push. */
  view(): A;
  clear(): void;
}

interface Numbers<T> {
  readonly length: number;
  [index: number]: T;
  set(from: this): void;
  subarray(from: number, to: number): this;
}

function createGrowing<T, A extends Numbers<T>>(make: (length: number) => A): Growing<T, A> {
  let values = make(16);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const larger = make(2 * length);
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

/** An empty list of unsigned 32-bit numbers. */
export function createNumbers(): Growing<number, Uint32Array> {
  return createGrowing<number, Uint32Array>((length) => new Uint32Array(length));
}

/** An empty list of fingerprints. */
export function createFingerprints(): Growing<bigint, BigUint64Array> {
  return createGrowing<bigint, BigUint64Array>((length) => new BigUint64Array(length));
}
