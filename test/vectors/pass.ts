import { expect } from 'vitest';
import { createInProcessAdapter } from '../../src/conformance/adapter/in-process.ts';
import { difference, valueAt } from '../../src/conformance/judge/difference.ts';
import { expectedOf, outcomeOf, runVector } from '../../src/conformance/judge/vector.ts';
import type { Vector } from '../../src/conformance/types.ts';

/** The reference implementation, as the runner asks it. */
export const adapter = createInProcessAdapter();

/** The maximum number of characters of a value in a message. */
const MAX_SHOWN = 400;

/** Shows a value in a message. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}... (${text.length} characters)` : text;
}

/** Runs a vector against the reference implementation: it passes, and with every intermediate. */
export async function expectPass(vector: Vector): Promise<void> {
  const { outcome, reply } = await runVector(adapter, '', vector);
  const expected = expectedOf(vector);
  const actual = reply && outcomeOf(reply);
  // Extraction is graded; everything else of the reference has to be equal.
  const place = vector.operation === 'extract' ? null : difference(expected, actual);
  if (outcome.status === 'pass' && place === null) return;
  const details = reply !== undefined && 'message' in reply ? ` (${reply.message})` : '';
  expect.fail(
    `${vector.id}, ${vector.title}: ${place || outcome.status}: ` +
      `expected ${show(valueAt(expected, place ?? ''))}, got ${show(valueAt(actual, place ?? ''))}${details}`,
  );
}
