import { expect } from 'vitest';
import { createInProcessAdapter } from '../../src/conformance/adapter/in-process.ts';
import { difference } from '../../src/conformance/judge/difference.ts';
import { runVector } from '../../src/conformance/judge/vector.ts';
import type { Vector } from '../../src/conformance/types.ts';

/** The reference implementation, as the runner asks it. */
export const adapter = createInProcessAdapter();

/** Runs a vector against the reference implementation: it passes, and with every intermediate. */
export async function expectPass(vector: Vector): Promise<void> {
  const { outcome, reply } = await runVector(adapter, '', vector);
  expect(outcome).toMatchObject({ status: 'pass' });
  // Extraction is graded; everything else of the reference has to be equal.
  if (vector.expected !== undefined && vector.operation !== 'extract')
    expect(difference({ result: vector.expected }, reply)).toBeNull();
}
