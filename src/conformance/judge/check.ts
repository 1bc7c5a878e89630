import { type Outcome, runOperation } from '../adapter/operations.ts';
import { isLarge } from '../suite/accumulate.ts';
import type { Vector, VectorGroup } from '../types.ts';
import { difference } from './difference.ts';
import { judgeResult } from './judge.ts';

/** A vector whose outcome is not the expected one. */
export interface Failure {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  /** Where in the result the first difference is, such as `tokens[3]`; `''` when the outcome as a whole is another. */
  readonly place: string;
  readonly expected: Outcome;
  /** What came instead; a string when the vector could not be run at all. */
  readonly actual: Outcome | string;
}

/** How the vectors of a group fared. */
export interface GroupReport {
  readonly group: string;
  readonly description: string;
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly Failure[];
}

/**
 * Judges an outcome by what a vector expects.
 * @returns the place of the first difference (`''` for the whole), or `null` when there is none
 */
export function judge(vector: Vector, outcome: Outcome): string | null {
  if (vector.error !== undefined) return 'error' in outcome && outcome.error === vector.error ? null : '';
  if (!('result' in outcome)) return '';
  // Extraction is graded; everything else of the reference has to be equal.
  if (vector.operation === 'extract') return judgeResult('extract', vector.expected, outcome.result);
  return difference(vector.expected, outcome.result);
}

/**
 * Runs one vector against the shipped implementation.
 * @returns what went wrong, or `null` when the outcome is the expected one
 */
export async function checkVector(vector: Vector): Promise<Failure | null> {
  const { id, title, rules } = vector;
  const expected: Outcome = vector.error === undefined ? { result: vector.expected } : { error: vector.error };
  try {
    const actual = await runOperation(vector.operation, vector.input);
    const place = judge(vector, actual);
    return place === null ? null : { id, title, rules, place, expected, actual };
  } catch (error) {
    return { id, title, rules, place: '', expected, actual: String(error) };
  }
}

/** Runs the vectors of a group that are neither retired nor large against the shipped implementation. */
export async function checkGroup({ group, description, vectors }: VectorGroup): Promise<GroupReport> {
  const failures: Failure[] = [];
  let passed = 0;
  for (const vector of vectors) {
    if (vector.status === 'retired' || isLarge(vector)) continue;
    const failure = await checkVector(vector);
    if (failure === null) passed++;
    else failures.push(failure);
  }
  return { group, description, passed, failed: failures.length, failures };
}
