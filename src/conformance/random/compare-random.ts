import { LABEL } from '../../index.ts';
import { runOperation } from '../adapter/operations.ts';
import { type Adapter, declinedKind, type Reply } from '../adapter/protocol.ts';
import type { Disagreement } from '../diagnosis/first-step.ts';
import { locate } from '../diagnosis/locate.ts';
import { labelOf, type SilentCases } from '../judge/conformance-classes.ts';
import { judge, prune } from '../judge/judge.ts';
import { outcomeOf } from '../judge/judge-vector.ts';
import type { Operation } from '../vector.ts';
import { createRandom, type Random, randomInputs, withLabels } from './random-inputs.ts';

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

const MAX_DISAGREEMENTS = 3;

export async function compareRandomly(
  adapter: Adapter,
  options: Pick<RandomReport, 'cases' | 'seed'> & { readonly operations?: ReadonlySet<string> | undefined },
): Promise<RandomReport> {
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

async function compareOperation(
  adapter: Adapter,
  operation: Operation,
  make: (random: Random) => unknown,
  cases: number,
  seed: number,
): Promise<Omit<RandomReport, 'seed' | 'cases'>> {
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
      const kind = declinedKind(operation, input, hello);
      const key = JSON.stringify([label, kind]);
      const count = (silent.get(key)?.count ?? 0) + 1;
      silent.set(key, { operation, ...(label !== undefined && { label }), ...(kind !== undefined && { kind }), count });
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
  const right = 'result' in expected ? expected.result : undefined;
  return {
    operation,
    input,
    expected,
    reply: reply.kind !== 'ok' ? reply : { ...reply, result: prune(reply.result, right) as typeof reply.result },
    ...(isLocated && { location: await locate(adapter, input, reply) }),
    case: number,
  };
}

const MAX_TRIALS = 400;

interface Divisible {
  readonly parts: readonly unknown[];
  make(parts: readonly unknown[]): unknown;
}

function divide(input: unknown): Divisible | undefined {
  const record = input as Readonly<Record<string, unknown>>;
  for (const key of ['hashes', 'entries'])
    if (Array.isArray(record[key])) return { parts: record[key], make: (parts) => ({ ...record, [key]: parts }) };
  const characters = /./gsu;
  const patterns = { text: characters, serialised: characters, labelled: characters, utf8: /../g, utf16: /..../g };
  for (const [key, pattern] of Object.entries(patterns)) {
    const value = record[key];
    if (typeof value === 'string')
      return { parts: value.match(pattern) ?? [], make: (parts) => ({ ...record, [key]: parts.join('') }) };
  }
  // The label of a document is not divided, since the adapter offers it.
  if (typeof record['label'] === 'string' && Object.keys(record).length === 1)
    return { parts: Array.from(record['label']), make: (parts) => ({ label: parts.join('') }) };
  return undefined;
}

/** Removes parts of an input, half of it first and single parts last, as long as a property holds. */
export async function shrink(input: unknown, holds: (input: unknown) => Promise<boolean>): Promise<unknown> {
  const divisible = divide(input);
  if (divisible === undefined) return input;
  let { parts } = divisible;
  let trials = 0;
  for (let size = parts.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < parts.length && trials < MAX_TRIALS; ) {
      const fewer = [...parts.slice(0, at), ...parts.slice(at + size)];
      trials++;
      if (await holds(divisible.make(fewer))) parts = fewer;
      else at += size;
    }
  }
  return divisible.make(parts);
}
