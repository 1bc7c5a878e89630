/** Makes an input of a size, and reads it. */
export interface Family {
  readonly name: string;
  /** The first of the sizes n, 2n and 4n. */
  readonly start: number;
  run(size: number): Promise<unknown>;
}
