import { type Outcome, runOperation } from './adapter/operations.ts';
import type { Adapter, Reply } from './adapter/protocol.ts';
import { type Location, locate } from './diagnosis/locate.ts';
import { judgeResult } from './judge/judge.ts';
import { createRandom, randomInputs } from './random.ts';
import type { Operation } from './types.ts';

/** A random input on which an implementation and the reference disagree. */
export interface Disagreement {
  readonly operation: Operation;
  /** The input, made as small as it could be while they still disagree. */
  readonly input: unknown;
  readonly expected: Outcome;
  readonly reply: Reply;
  /** Of a document: where it goes wrong. */
  readonly location?: Location;
  /** The number of the case: the same seed and number give the same input. */
  readonly case: number;
}

/** What a random comparison found. */
export interface DifferentialReport {
  readonly seed: number;
  /** How many cases were compared; those answered `unsupported` are not. */
  readonly compared: number;
  readonly disagreements: readonly Disagreement[];
}

// After so many disagreements of one operation the rest would tell nothing new.
const MOST_DISAGREEMENTS = 3;
const MOST_SHRINKS = 400;

/**
 * Tells whether a reply is what the reference came to.
 * @returns the place of the first difference (`''` for the whole), or `null` when there is none
 */
export function judgeReply(operation: Operation, expected: Outcome, reply: Reply): string | null {
  if ('error' in expected) return reply.kind === 'error' && reply.code === expected.error ? null : '';
  return reply.kind === 'ok' ? judgeResult(operation, expected.result, reply.result) : '';
}

/** The parts that an input is made of, and how to make one of fewer. */
function partsOf(
  input: unknown,
): { parts: readonly unknown[]; make: (parts: readonly unknown[]) => unknown } | undefined {
  const record = input as Readonly<Record<string, unknown>>;
  for (const key of ['text', 'serialised', 'labelled', 'label'])
    if (typeof record[key] === 'string')
      return { parts: Array.from(record[key]), make: (parts) => ({ ...record, [key]: parts.join('') }) };
  if (typeof record['utf8'] === 'string')
    return { parts: record['utf8'].match(/../g) ?? [], make: (parts) => ({ ...record, utf8: parts.join('') }) };
  for (const key of ['hashes', 'entries'])
    if (Array.isArray(record[key])) return { parts: record[key], make: (parts) => ({ ...record, [key]: parts }) };
  return undefined;
}

/** Removes parts of an input, larger stretches first, as long as `disagrees`. */
async function shrink(input: unknown, disagrees: (input: unknown) => Promise<boolean>): Promise<unknown> {
  const split = partsOf(input);
  if (split === undefined) return input;
  let { parts } = split;
  let tries = 0;
  for (let size = parts.length >> 1; size >= 1; size = size === 1 ? 0 : size >> 1) {
    for (let at = 0; at < parts.length && tries < MOST_SHRINKS; ) {
      const fewer = [...parts.slice(0, at), ...parts.slice(at + size)];
      tries++;
      if (await disagrees(split.make(fewer))) parts = fewer;
      else at += size;
    }
    if (size === 1) break;
  }
  return split.make(parts);
}

/**
 * Compares an implementation with the reference on random inputs, which nobody can have learned by heart. Every
 * disagreement is made small.
 * @param adapter - the implementation under test
 * @param cases - how many inputs for each operation
 * @param seed - 0 to 2^32 - 1; the same seed gives the same inputs
 * @param only - the operations that are compared; all that the adapter offers by default
 */
export async function compareRandomly(
  adapter: Adapter,
  cases: number,
  seed: number,
  only?: ReadonlySet<string>,
): Promise<DifferentialReport> {
  const { operations } = await adapter.hello();
  const disagreements: Disagreement[] = [];
  let compared = 0;
  for (const [name, make] of Object.entries(randomInputs)) {
    const operation = name as Operation;
    if (!operations.includes(operation) || only?.has(operation) === false) continue;
    const random = createRandom(seed);
    const seen = new Set<string>();
    let found = 0;
    for (let number = 0; number < cases && found < MOST_DISAGREEMENTS; number++) {
      const input = make(random);
      const expected = await runOperation(operation, input);
      const reply = await adapter.request(operation, input);
      if (reply.kind === 'unsupported') continue;
      if (reply.kind === 'not-run') return { seed, compared, disagreements };
      compared++;
      if (judgeReply(operation, expected, reply) === null) continue;
      found++;
      // A crash or a hang is not made small: each try would cost a restart.
      const small =
        reply.kind === 'ok' || reply.kind === 'error'
          ? await shrink(input, async (smaller) => {
              const answer = await adapter.request(operation, smaller);
              if (answer.kind !== 'ok' && answer.kind !== 'error') return false;
              return judgeReply(operation, await runOperation(operation, smaller), answer) !== null;
            })
          : input;
      const key = JSON.stringify(small);
      if (seen.has(key)) continue;
      seen.add(key);
      const answer = small === input ? reply : await adapter.request(operation, small);
      disagreements.push({
        operation,
        input: small,
        expected: await runOperation(operation, small),
        reply: answer,
        ...(operation === 'fingerprint' && answer.kind === 'ok' && { location: await locate(adapter, small, answer) }),
        case: number,
      });
    }
  }
  return { seed, compared, disagreements };
}
