import type { Reply } from '../adapter/protocol.ts';
import { valueAt } from '../judge/difference.ts';
import { judgeResult } from '../judge/judge.ts';
import type { Location, VectorOutcome } from '../outcome.ts';
import type { Operation, Outcome } from '../types.ts';
import { STEP_OF_OPERATION } from './steps.ts';

/** A random input on which an implementation and the reference disagree. */
export interface Disagreement {
  readonly operation: Operation;
  /** The input, made as small as possible. */
  readonly input: unknown;
  readonly expected: Outcome;
  readonly reply: Reply;
  /** For a document: the place where it goes wrong. */
  readonly location?: Location;
  /** The number of the case: the same seed and number give the same input. */
  readonly case: number;
}

/** The parts of a failed vector or random case that a diagnosis needs. */
export type Failure = Pick<VectorOutcome, 'operation' | 'about' | 'location' | 'place' | 'expected' | 'actual'>;

export function failureOf({ operation, expected, reply, location }: Disagreement): Failure {
  const about = { operation, ...(location !== undefined && { location }) };
  if (!('result' in expected) || reply.kind !== 'ok') return about;
  const place = judgeResult(operation, expected.result, reply.result) ?? '';
  return { ...about, place, expected: expected.result, actual: reply.result };
}

export function stepOf(failure: Failure): number | undefined {
  const { operation, about = operation, location } = failure;
  if (isMiswritten(failure)) return 9;
  // An extraction also fails if a later step is wrong.
  return operation === 'extract-html' ? location?.step : (STEP_OF_OPERATION[about] ?? location?.step);
}

/** Tests whether a failure is a right 64-bit number that is not written in the form of SER-6. */
function isMiswritten({ place = '', expected, actual }: Failure): boolean {
  const [right, wrong] = [valueAt(expected, place), valueAt(actual, place)];
  if (typeof right !== 'string' || typeof wrong !== 'string' || !/^[0-9a-f]{16}$/.test(right)) return false;
  const number = BigInt(`0x${right}`);
  const unpadded = [right.slice(0, 8), right.slice(8)].map((half) => half.replace(/^0+(?=.)/, '')).join('');
  const forms = [
    number.toString(),
    BigInt.asIntN(64, number).toString(),
    BigInt.asIntN(64, number).toString(16),
    unpadded,
  ];
  const digits = wrong.toLowerCase().replace(/^0x/, '');
  return right !== wrong && (digits === right || digits === number.toString(16) || forms.includes(digits));
}
