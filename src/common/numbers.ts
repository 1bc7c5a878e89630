/** Finds the last of ascending values that is no greater than a value; −1 if there is none. */
export function lastAtMost<T extends string | number>(values: ArrayLike<T>, value: T): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (values[middle]! <= value) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
