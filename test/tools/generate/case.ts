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
  /** The version of the suite that brought it; the first one if not given. */
  readonly since?: string;
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
