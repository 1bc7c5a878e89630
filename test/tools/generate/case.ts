import type { InputOf, Operation, ResultOf } from '../../../src/conformance/types.ts';
import type { ErrorCode } from '../../../src/errors.ts';

/**
 * A vector as it is authored: without its outcome, which the twin computes. Whether the outcome is an error is part of
 * the case, and whatever of a result was worked out by hand stands in `hand`; the twin has to agree with both.
 */
export interface CaseOf<O extends Operation> {
  /** The id without its group. */
  readonly name: string;
  readonly operation: O;
  readonly title: string;
  readonly rules: readonly string[];
  readonly flags: readonly string[];
  readonly input: InputOf<O>;
  readonly error?: ErrorCode;
  readonly hand?: Partial<ResultOf<O>>;
  /** An input that the twin, being slow, is given instead. Its result is the same, save for what stands in `hand`. */
  readonly shorter?: InputOf<O>;
  /** A retired vector keeps its id. */
  readonly status?: 'retired';
}

export type Case = { [O in Operation]: CaseOf<O> }[Operation];

export interface Group {
  readonly group: string;
  readonly description: string;
  readonly cases: readonly Case[];
}

/** Splits a list of names at its spaces. */
export function list(names: string): string[] {
  return names === '' ? [] : names.split(' ');
}

/** Parses a range of code points in hexadecimal: `61-7a`, or `fffd` for one code point. */
export function endsOf(range: string): [first: number, last: number] {
  const [first = 0, last = first] = range.split('-').map((end) => Number.parseInt(end, 16));
  return [first, last];
}

/** Parses ranges of code points, each with its weight unless that is 1: `20*15 61-7a fffd`. */
export function rangesOf(ranges: string): [first: number, last: number, times?: number][] {
  return list(ranges).map((range) => {
    const [ends = '', times] = range.split('*');
    return times === undefined ? endsOf(ends) : [...endsOf(ends), Number(times)];
  });
}

/**
 * Cases in rows: name, title, and the values of a case. A string is a heading, such as `LOC-13 LocatorCharacters`: the
 * rules and flags of the rows below it, up to the next heading.
 */
export type Table<V extends readonly unknown[]> = readonly (
  | string
  | readonly [name: string, title: string, ...values: V]
)[];

/** A row of a table with its heading. */
export interface RowOf<V extends readonly unknown[]> {
  readonly name: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly flags: readonly string[];
  readonly values: V;
}

const isRule = (name: string): boolean => /^[A-Z]{3}-\d+$/.test(name);

/** Returns the rows of a table, each with its heading. */
export function rowsOf<V extends readonly unknown[]>(table: Table<V>): RowOf<V>[] {
  let heading: string[] = [];
  return table.flatMap((entry) => {
    if (typeof entry === 'string') {
      heading = list(entry);
      return [];
    }
    const [name, title, ...values] = entry;
    const rules = heading.filter(isRule);
    const flags = heading.filter((each) => !isRule(each));
    return [{ name, title, rules, flags, values: values as unknown as V }];
  });
}

/** The rest of a case: its input, its outcome as far as it is known, and members that replace those of the row. */
type Made<O extends Operation> = Pick<CaseOf<O>, 'input'> & Partial<CaseOf<O>>;

/**
 * Makes the cases of a table.
 * @param make - makes the rest of a case from its values; a case with an error gets the flag `InvalidInput`
 */
export function casesOf<O extends Operation, V extends readonly unknown[]>(
  operation: O,
  table: Table<V>,
  make: (...values: NoInfer<V>) => Made<O>,
): CaseOf<O>[] {
  return rowsOf(table).map(({ values, ...row }) => {
    const made = make(...values);
    const { flags = row.flags } = made;
    return { operation, ...row, ...made, flags: made.error === undefined ? flags : [...flags, 'InvalidInput'] };
  });
}
