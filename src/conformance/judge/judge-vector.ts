import { toHexDigits } from '../../common/bytes.ts';
import { DEFAULT_DISTANCE, LABEL } from '../../index.ts';
import { type Adapter, declinedKind, type Reply } from '../adapter/protocol.ts';
import { caseOf, countCases, digestOfLines, isLarge, isOfScalars, lineOf } from '../suite/accumulate.ts';
import { generate } from '../suite/vector-inputs.ts';
import type { GeneratingRule, Operation, Outcome, ScalarCases, Vector } from '../vector.ts';
import type { VectorOutcome } from '../vector-outcome.ts';
import { labelOf, labelsOfVector } from './conformance-classes.ts';
import { judge, prune } from './judge.ts';
import { nameOfOutcome } from './outcome-name.ts';
import { findSlip } from './slips.ts';

export function expectedOf(vector: Vector): Outcome {
  return vector.error === undefined ? { result: vector.expected } : { error: vector.error };
}

/** Returns the result without a wrapper, or the object with the error. */
export function bareOutcome(outcome: Outcome): unknown {
  return 'result' in outcome ? outcome.result : outcome;
}

export function outcomeOf(reply: Reply): Outcome | undefined {
  if (reply.kind === 'ok') return { result: reply.result };
  return reply.kind === 'error' ? { error: reply.code } : undefined;
}

/** Replaces a generating rule, which an adapter never receives, by the text or bytes that it builds. */
export function inputToSend(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('generate' in input)) return input;
  const { generate: rule, ...rest } = input as { readonly generate: GeneratingRule };
  const built = generate(rule);
  return typeof built === 'string' ? { ...rest, text: built } : { ...rest, utf8: toHexDigits(built) };
}

/** The result of a vector, with the input as it was sent and the reply; both are undefined if nothing was sent. */
export interface VectorRun {
  readonly outcome: VectorOutcome;
  readonly sent?: unknown;
  readonly reply?: Reply;
  /** For cases that were sent one by one: the line of each answer, of which the digest is made. */
  readonly lines?: readonly string[];
}

export async function runVector(adapter: Adapter, group: string, vector: Vector): Promise<VectorRun> {
  const header = headerOf(group, vector);
  const { operation } = header;
  const hello = await adapter.hello();
  const { operations, labels = [LABEL] } = hello;
  const isOffered = labelsOfVector(header).some((label) => labels.includes(label));
  if (!operations.includes(operation) || !isOffered) return { outcome: { ...header, status: 'unsupported' } };
  const judge = (reply: Reply, asked: unknown): VectorOutcome => {
    const kind = reply.kind === 'unsupported' ? declinedKind(operation, asked, hello) : undefined;
    return { ...header, ...resultOf(vector, reply), ...(kind !== undefined && { kind }) };
  };
  if (vector.operation === 'accumulate' && isOfScalars(vector.input)) {
    const { reply, lines } = await runCases(adapter, vector.input);
    return { outcome: judge(reply, caseOf(vector.input, 0).input), sent: vector.input, reply, lines };
  }
  const sent = inputToSend(vector.input);
  const reply = await adapter.request(operation, sent);
  return { outcome: judge(reply, sent), sent, reply };
}

export function headerOf(group: string, vector: Vector): Omit<VectorOutcome, 'status'> {
  const { id, title, rules, flags } = vector;
  const operation = operationAsked(vector);
  return { id, group, operation, ...aboutOf(vector), title, rules, flags };
}

export function operationAsked({ operation, input }: Vector): Operation {
  return operation === 'accumulate' && isOfScalars(input) ? input.step : operation;
}

function aboutOf(vector: Vector): Pick<VectorOutcome, 'about' | 'isLarge' | 'medium' | 'label' | 'k'> {
  const label = labelOf(vector.operation, vector.input);
  switch (vector.operation) {
    case 'accumulate':
      // To an adapter, cases that are sent one by one are not accumulated.
      if (isOfScalars(vector.input)) break;
      return { about: vector.input.step, ...(isLarge(vector) && { isLarge: true }) };
    case 'extract':
      return { medium: vector.input.type };
    case 'extract-html':
      return { medium: 'html' };
    case 'lookup':
      if (vector.error === undefined && label === undefined) return { k: vector.input.k ?? DEFAULT_DISTANCE };
  }
  return label === undefined ? {} : { label };
}

type Result = Omit<VectorOutcome, 'id' | 'group' | 'operation' | 'title' | 'rules' | 'flags'>;

export function resultOf(vector: Vector, reply: Reply): Result {
  if (reply.kind === 'unsupported') return { status: 'unsupported' };
  if (reply.kind === 'not-run') return { status: 'not-run', detail: reply.detail };
  if (reply.kind !== 'ok' && reply.kind !== 'error')
    return { status: reply.kind, input: vector.input, detail: reply.detail, stderr: reply.stderr };
  const place = judge(vector.operation, expectedOf(vector), outcomeOf(reply)!);
  if (place === null) return { status: 'pass' };
  const slip = findSlip(vector.operation, expectedOf(vector), reply);
  return {
    status: 'fail',
    place,
    input: vector.input,
    expected: bareOutcome(expectedOf(vector)),
    actual: reply.kind === 'ok' ? prune(reply.result, vector.expected) : { error: prune(reply.code, '') },
    outcome: nameOfOutcome(vector, reply),
    ...(slip && { slip }),
  };
}

export function lineOfReply({ step }: ScalarCases, reply: Reply): string | undefined {
  const outcome = outcomeOf(reply);
  try {
    return outcome && lineOf(step, outcome);
  } catch {
    // The result does not have the form of its operation.
    return 'malformed\n';
  }
}

/** Sends cases one by one, as an adapter would run them in `accumulate`, until a reply is not an outcome. */
async function runCases(adapter: Adapter, input: ScalarCases): Promise<Required<Pick<VectorRun, 'reply' | 'lines'>>> {
  const lines: string[] = [];
  for (let i = 0; i < countCases(input); i++) {
    const each = caseOf(input, i);
    const reply = await adapter.request(each.operation, each.input);
    const line = lineOfReply(input, reply);
    if (line === undefined) return { reply, lines };
    lines.push(line);
  }
  return { reply: { kind: 'ok', result: { digest: await digestOfLines(lines) } }, lines };
}
