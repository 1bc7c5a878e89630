import { countCases } from '../../src/conformance/suite/accumulate.ts';
import type { Vector } from '../../src/conformance/vector.ts';

/** Tests whether a vector belongs to the slow suite: accumulated vectors of 10,000 and 100,000 cases take two minutes. */
export function isLong(vector: Vector): boolean {
  return vector.operation === 'accumulate' && countCases(vector.input) > 100;
}
