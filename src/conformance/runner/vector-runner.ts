import type { Adapter } from '../adapter/protocol.ts';
import { isWrongAnswer } from '../diagnosis/first-step.ts';
import { locateFailure } from '../diagnosis/locate.ts';
import { findScalars } from '../diagnosis/wrong-scalars.ts';
import { type FingerprintPair, fingerprintIn } from '../judge/grade.ts';
import { headerOf, operationAsked, runVector, type VectorRun } from '../judge/judge-vector.ts';
import { type GroupedVector, isDocumentOfStep } from '../suite/select-vectors.ts';
import type { ScalarCases, Vector } from '../vector.ts';
import type { VectorOutcome } from '../vector-outcome.ts';
import type { AdapterPool } from './adapter-pool.ts';
import type { Again } from './ask-again.ts';
import { type Gate, guard } from './run-limits.ts';

interface VectorOptions {
  readonly skip: ReadonlySet<string>;
  readonly located: number;
  readonly stopAt?: ((outcome: VectorOutcome) => boolean) | undefined;
  readonly onOutcome?: ((outcome: VectorOutcome, done: number, all: number) => void) | undefined;
}

/** Vectors that each process may be ahead of the one whose result is next. */
const LOOKAHEAD = 8;

/** Runs vectors, and locates failures. All decisions are made in the order of the vectors, whatever the number of processes. */
export async function runVectors(
  pool: AdapterPool,
  live: readonly GroupedVector[],
  gate: Gate,
  again: Again,
  options: VectorOptions,
) {
  const { skip, located: maxLocated, stopAt, onOutcome } = options;
  const outcomes: VectorOutcome[] = [];
  const pairs: FingerprintPair[] = [];
  const aside = gate.aside();
  let located = 0;
  let isStopped = false;
  const ahead = startAhead(pool, live, (each) => {
    return isStopped || skip.has(each.id) || gate.refuse(operationAsked(each), each.input) !== undefined;
  });
  for (const [i, each] of live.entries()) {
    const { vector } = each;
    let run: VectorRun;
    if (skip.has(vector.id)) run = notRun(each, 'skipped', { skipped: true });
    else if (isStopped) run = notRun(each, 'stopped after a failure');
    else {
      run = await again.check(vector, await resultInOrder(ahead, i, gate, each));
      if ((located < maxLocated || run.lines !== undefined) && isWrongAnswer(run.outcome))
        run = await pool.use((adapter) => withLocation(guard(adapter, aside), vector, run), true);
      pairs.push(...pairOf(vector, run));
      isStopped = stopAt?.(run.outcome) === true;
    }
    const { outcome } = run;
    if (outcome.location !== undefined) located++;
    outcomes.push(outcome);
    onOutcome?.(outcome, outcomes.length, live.length);
  }
  return { outcomes, pairs, isStopped };
}

function notRun(
  { group, vector }: GroupedVector,
  detail: string,
  more: Pick<VectorOutcome, 'skipped'> = {},
): VectorRun {
  return { outcome: { ...headerOf(group, vector), status: 'not-run', detail, ...more } };
}

function startAhead(pool: AdapterPool, live: readonly GroupedVector[], isVain: (vector: Vector) => boolean) {
  const running: Promise<VectorRun | undefined>[] = [];
  const window = pool.size === 1 ? 1 : LOOKAHEAD * pool.size;
  return async (i: number): Promise<VectorRun | undefined> => {
    for (let next = running.length; next < Math.min(live.length, i + window); next++) {
      const { group, vector } = live[next]!;
      const work = pool.use(async (adapter) => (isVain(vector) ? undefined : runVector(adapter, group, vector)));
      // A promise that is no longer awaited must not end the process.
      work.catch(() => undefined);
      running.push(work);
    }
    return running[i]!;
  };
}

/** Waits for the result of a vector, which does not count if an earlier one has closed the gate. */
async function resultInOrder(
  ahead: (i: number) => Promise<VectorRun | undefined>,
  i: number,
  gate: Gate,
  each: GroupedVector,
): Promise<VectorRun> {
  const operation = operationAsked(each.vector);
  const { input } = each.vector;
  const run = await ahead(i);
  const isAsked = run === undefined || run.reply !== undefined;
  const detail = isAsked ? gate.refuse(operation, input) : undefined;
  if (detail !== undefined) return notRun(each, detail);
  gate.note(operation, input, run!.reply);
  return run!;
}

export async function withLocation(adapter: Adapter, vector: Vector, run: VectorRun): Promise<VectorRun> {
  if (!isWrongAnswer(run.outcome)) return run;
  if (run.lines !== undefined) {
    const scalars = await findScalars(adapter, vector.input as ScalarCases, run.lines);
    return scalars === undefined ? run : { ...run, outcome: { ...run.outcome, scalars } };
  }
  const location = await locateFailure(adapter, vector, run.sent, run.reply);
  return location === undefined ? run : { ...run, outcome: { ...run.outcome, location } };
}

/** Returns the fingerprints to grade: only of documents under `simhash-doc`, not of inputs of steps. */
function pairOf(vector: Vector, { outcome, reply }: VectorRun): FingerprintPair[] {
  if (vector.operation !== 'fingerprint' || vector.expected === undefined || isDocumentOfStep(vector.id)) return [];
  if (outcome.status === 'unsupported' || outcome.label !== undefined) return [];
  const actual = reply?.kind === 'ok' ? fingerprintIn(reply.result) : undefined;
  return [[vector.expected.fingerprint, actual ?? null]];
}
