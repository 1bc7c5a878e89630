import type { Adapter, Reply } from '../adapter/protocol.ts';
import { judge } from '../judge/judge.ts';
import { expectedOf, outcomeOf, resultOf, type VectorRun } from '../judge/judge-vector.ts';
import { canonicalJson, pinnedMembers } from '../judge/outcome-name.ts';
import type { Vector } from '../vector.ts';
import { endWell } from './adapter-pool.ts';

export type Again = ReturnType<typeof createAgain>;

/** One in this many of the right answers is asked again. */
const SAMPLE = 16;
/** Wrong answers to ask again in a run, and how often each. */
const MAX_WRONG = 200;
const TIMES = 2;
/** Failures of the second process after which it is left alone. */
const MAX_FAILURES = 3;

/** Makes a check that asks again, in another process if the adapter can start one. */
export function createAgain(adapter: Adapter) {
  let other: Adapter | undefined;
  let [right, wrong, failures] = [0, 0, 0];
  const isDue = (status: string): boolean => {
    if (failures >= MAX_FAILURES) return false;
    if (status === 'fail') return wrong++ < MAX_WRONG;
    return status === 'pass' && right++ % SAMPLE === 0;
  };
  const ask = async (vector: Vector, sent: unknown): Promise<Reply> => {
    other ??= adapter.another?.() ?? adapter;
    const reply = await other.request(vector.operation, sent);
    if (outcomeOf(reply) === undefined && reply.kind !== 'unsupported') failures++;
    return reply;
  };
  return {
    async check(vector: Vector, run: VectorRun): Promise<VectorRun> {
      const { reply, sent, outcome } = run;
      // Cases that were sent one by one are too many to send again.
      if (run.lines !== undefined || reply === undefined || outcomeOf(reply) === undefined || !isDue(outcome.status))
        return run;
      for (let i = 0; i < (outcome.status === 'fail' ? TIMES : 1); i++) {
        const second = await ask(vector, sent);
        if (differs(vector, reply, second)) return withVariation(vector, run, second);
      }
      return run;
    },
    async end(): Promise<string | null> {
      return other === undefined || other === adapter ? null : endWell(other);
    },
  };
}

/** Tests whether a second answer contradicts the first. Two right answers may differ. */
function differs(vector: Vector, first: Reply, second: Reply): boolean {
  const [one, two] = [outcomeOf(first), outcomeOf(second)];
  if (one === undefined || two === undefined) return false;
  const expected = expectedOf(vector);
  const isRight = judge(vector.operation, expected, one) === null;
  if (isRight) return judge(vector.operation, expected, two) !== null;
  return pinnedOf(vector, first) !== pinnedOf(vector, second);
}

function pinnedOf(vector: Vector, reply: Reply): string {
  return canonicalJson(reply.kind === 'ok' ? pinnedMembers(vector, reply.result) : outcomeOf(reply));
}

function withVariation(vector: Vector, run: VectorRun, second: Reply): VectorRun {
  const isRight = run.outcome.status === 'pass';
  // The wrong one of the two answers is shown.
  const shown = isRight ? resultOf(vector, second) : run.outcome;
  const message = `the answer varies: from another process, it is ${isRight ? 'wrong' : 'different'}`;
  const outcome = { ...run.outcome, ...shown, outcome: 'varies', slip: { kind: 'varies', message, isOnly: true } };
  return { ...run, outcome: outcome as VectorRun['outcome'] };
}
