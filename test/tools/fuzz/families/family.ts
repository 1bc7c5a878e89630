/** Makes an input of a size, and reads it. */
export interface Family {
  readonly name: string;
  /** The first of the sizes n, 2n and 4n. */
  readonly start: number;
  run(size: number): Promise<unknown>;
}

/**
 * Makes a family for each maker of inputs.
 * @param prefix - goes before the name of each maker
 * @param start - the first size
 * @param read - the function whose cost is measured, with the making of its input
 */
export function familiesOf<T>(
  prefix: string,
  start: number,
  makers: Readonly<Record<string, (n: number) => T>>,
  read: (input: T) => unknown,
): Family[] {
  return Object.entries(makers).map(([name, make]) => ({
    name: prefix + name,
    start,
    run: async (size) => read(make(size)),
  }));
}

/** Makes a text for each number from 0 to `count - 1`, and joins them. */
export const numbered = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('');
