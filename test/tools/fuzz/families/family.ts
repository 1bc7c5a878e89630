/** Makes an input of a size, and reads it. */
export interface Family {
  readonly name: string;
  /** The first of the sizes n, 2n and 4n. */
  readonly start: number;
  run(size: number): Promise<unknown>;
}

/**
 * Makes a family of each maker of inputs.
 * @param prefix - what precedes the names of the makers
 * @param start - the first size
 * @param read - reads an input
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

/** Joins what is made for each number from 0 on. */
export const numbered = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('');
