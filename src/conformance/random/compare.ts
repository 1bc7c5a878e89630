import { LABEL } from '../../index.ts';
import { runOperation } from '../adapter/operations.ts';
import type { Adapter, Reply } from '../adapter/protocol.ts';
import { declinedKind } from '../declared.ts';
import type { Disagreement } from '../diagnosis/failure.ts';
import { locate } from '../diagnosis/locate.ts';
import { judge } from '../judge/judge.ts';
import { labelOf } from '../judge/label.ts';
import { prune } from '../judge/prune.ts';
import type { SilentCases } from '../judge/unanswered.ts';
import { outcomeOf } from '../judge/vector.ts';
import type { Operation, Outcome } from '../types.ts';
import { createRandom, type Random, randomInputs, withLabels } from './inputs.ts';
import { shrink } from './shrink.ts';

/** The result of a random comparison. */
export interface RandomReport {
  readonly seed: number;
  /** The number of cases for each operation. */
  readonly cases: number;
  /** The number of cases answered. */
  readonly compared: number;
  readonly disagreements: readonly Disagreement[];
  /** Cases that were not answered. */
  readonly unanswered: readonly SilentCases[];
}

/** Options of a comparison. */
export interface RandomOptions {
  readonly cases: number;
  /** 0 to 2^32 - 1; the same seed gives the same inputs. */
  readonly seed: number;
  /** The operations to compare; by default all that the adapter offers. */
  readonly operations?: ReadonlySet<string> | undefined;
}

/** The maximum number of disagreements to find for one operation and label. */
const MAX_DISAGREEMENTS = 3;

/**
 * Compares an implementation with the reference on random inputs, whose answers cannot have been prepared. Each input on
 * which they disagree is shrunk.
 */
export async function compareRandomly(adapter: Adapter, options: RandomOptions): Promise<RandomReport> {
  const { cases, seed, operations: selected } = options;
  const { operations, labels = [LABEL] } = await adapter.hello();
  const disagreements: Disagreement[] = [];
  const unanswered: SilentCases[] = [];
  let compared = 0;
  for (const [name, make] of Object.entries(randomInputs)) {
    const operation = name as Operation;
    if (!operations.includes(operation) || selected?.has(operation) === false) continue;
    const inputs = withLabels(operation, make as (random: Random) => object, labels);
    const result = await compareOperation(adapter, operation, inputs, cases, seed);
    compared += result.compared;
    disagreements.push(...result.disagreements);
    unanswered.push(...result.unanswered);
  }
  return { seed, cases, compared, disagreements, unanswered };
}

export type Comparison = Omit<RandomReport, 'seed' | 'cases'>;

async function compareOperation(
  adapter: Adapter,
  operation: Operation,
  make: (random: Random) => unknown,
  cases: number,
  seed: number,
): Promise<Comparison> {
  const random = createRandom(seed);
  const hello = await adapter.hello();
  const agrees = async (input: unknown, reply: Reply): Promise<boolean> => {
    const actual = outcomeOf(reply);
    return actual !== undefined && judge(operation, await runOperation(operation, input), actual) === null;
  };
  const seen = new Map<string, Disagreement>();
  const silent = new Map<string, SilentCases>();
  const found = new Map<string | undefined, number>();
  let compared = 0;
  for (let number = 0; number < cases; number++) {
    const input = await make(random);
    const label = labelOf(operation, input);
    const known = found.get(label) ?? 0;
    if (known >= MAX_DISAGREEMENTS) continue;
    const reply = await adapter.request(operation, input);
    // It failed too often.
    if (reply.kind === 'not-run') break;
    if (reply.kind === 'unsupported') {
      countSilent(silent, operation, label, declinedKind(operation, input, hello));
      continue;
    }
    compared++;
    if (await agrees(input, reply)) continue;
    found.set(label, known + 1);
    // Inputs that crash or time out are not shrunk: each trial would cost a restart.
    const isAnswer = outcomeOf(reply) !== undefined;
    const small = !isAnswer
      ? input
      : await shrink(input, async (smaller) => {
          const answer = await adapter.request(operation, smaller);
          return outcomeOf(answer) !== undefined && !(await agrees(smaller, answer));
        });
    const key = JSON.stringify(small);
    if (!seen.has(key))
      seen.set(key, await describe(adapter, operation, small, small === input ? reply : undefined, number));
  }
  return { compared, disagreements: [...seen.values()], unanswered: [...silent.values()] };
}

function countSilent(
  silent: Map<string, SilentCases>,
  operation: Operation,
  label: string | undefined,
  kind: string | undefined,
): void {
  const key = JSON.stringify([label, kind]);
  const count = (silent.get(key)?.count ?? 0) + 1;
  silent.set(key, { operation, ...(label !== undefined && { label }), ...(kind !== undefined && { kind }), count });
}

function pruneReply(reply: Reply, expected: Outcome): Reply {
  if (reply.kind !== 'ok') return reply;
  const result = prune(reply.result, 'result' in expected ? expected.result : undefined);
  return { kind: 'ok', result: result as typeof reply.result };
}

async function describe(
  adapter: Adapter,
  operation: Operation,
  input: unknown,
  known: Reply | undefined,
  number: number,
): Promise<Disagreement> {
  const reply = known ?? (await adapter.request(operation, input));
  const isLocated = operation === 'fingerprint' && reply.kind === 'ok';
  const expected = await runOperation(operation, input);
  return {
    operation,
    input,
    expected,
    reply: pruneReply(reply, expected),
    ...(isLocated && { location: await locate(adapter, input, reply) }),
    case: number,
  };
}
