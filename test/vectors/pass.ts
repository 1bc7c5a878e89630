import { createInProcessAdapter } from '../../src/conformance/adapter/in-process-adapter.ts';
import { difference, valueAt } from '../../src/conformance/judge/judge.ts';
import { expectedOf, inputToSend, outcomeOf, runVector } from '../../src/conformance/judge/judge-vector.ts';
import type { Vector } from '../../src/conformance/vector.ts';

/** The reference implementation, as the runner asks it. */
export const adapter = createInProcessAdapter();

/** The maximum number of characters of a value in a message. */
const MAX_SHOWN = 400;

/** Shows a value in a message. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}... (${text.length} characters)` : text;
}

/** Runs a vector against the reference implementation, which has to give every intermediate. Returns what differs, or null. */
export async function faultOf(vector: Vector): Promise<string | null> {
  const { outcome, reply } = await runVector(adapter, '', vector);
  const expected = expectedOf(vector);
  const actual = reply && outcomeOf(reply);
  // Extraction is graded; everything else of the reference has to be equal.
  const place = vector.operation === 'extract' ? null : difference(expected, actual);
  if (outcome.status === 'pass' && place === null) return null;
  const details = reply !== undefined && 'message' in reply ? ` (${reply.message})` : '';
  const shown = [expected, actual].map((each) => show(valueAt(each, place ?? '')));
  return `${place || outcome.status}: expected ${shown[0]}, got ${shown[1]}${details}`;
}

/** Computes the outcome of a vector with the reference implementation. */
export async function shippedOutcome({ operation, input }: Vector): Promise<Pick<Vector, 'expected' | 'error'>> {
  const reply = await adapter.request(operation, inputToSend(input));
  const outcome = outcomeOf(reply);
  if (outcome === undefined) throw new Error(`the shipped implementation gives no outcome: ${show(reply)}`);
  return ('result' in outcome ? { expected: outcome.result } : outcome) as Pick<Vector, 'expected' | 'error'>;
}

/** Expects that a vector passes. */
export async function expectPass(vector: Vector): Promise<void> {
  const fault = await faultOf(vector);
  if (fault !== null) throw new Error(`${vector.id}, ${vector.title}: ${fault}`);
}
