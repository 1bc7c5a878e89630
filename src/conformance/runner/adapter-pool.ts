import { type Adapter, describeExit, type Reply } from '../adapter/protocol.ts';
import { judge } from '../judge/judge.ts';
import { expectedOf, outcomeOf, resultOf, type VectorRun } from '../judge/judge-vector.ts';
import { canonicalJson, pinnedMembers } from '../judge/outcome-name.ts';
import type { Vector } from '../vector.ts';

export type AdapterPool = ReturnType<typeof createPool>;

/** Makes a pool of `jobs` processes: one if the adapter cannot start another. */
export function createPool(adapter: Adapter, jobs: number) {
  const others = Array.from({ length: jobs - 1 }, () => adapter.another?.()).filter((each) => each !== undefined);
  const all = [adapter, ...others];
  const free = [...all];
  const waiting: ((adapter: Adapter) => void)[] = [];
  const take = (isFirst: boolean): Promise<Adapter> | Adapter => {
    const next = free.shift();
    if (next !== undefined) return next;
    return new Promise((resolve) => {
      if (isFirst) waiting.unshift(resolve);
      else waiting.push(resolve);
    });
  };
  const giveBack = (each: Adapter): void => {
    const next = waiting.shift();
    if (next === undefined) free.unshift(each);
    else next(each);
  };
  return {
    size: all.length,
    /** Runs work with a free process. `isFirst` puts it before the work that is waiting for one. */
    async use<T>(work: (adapter: Adapter) => Promise<T>, isFirst = false): Promise<T> {
      const each = await take(isFirst);
      try {
        return await work(each);
      } finally {
        giveBack(each);
      }
    },
    async end(): Promise<string | null> {
      // Work that was begun, and is not needed any more, is done first.
      await Promise.all(all.map(() => take(false)));
      const problems = await Promise.all(all.map(endWell));
      free.push(...all);
      return problems.find((problem) => problem !== null) ?? null;
    },
  };
}

/** Ends a process; returns the fault in its exit (rule 7 of the protocol), or null. */
async function endWell(adapter: Adapter): Promise<string | null> {
  const status = await adapter.end?.();
  if (status === undefined) return null;
  if (status === null) return 'did not exit when its standard input was closed';
  return status.code === 0 ? null : `${describeExit(status)} when its standard input was closed`;
}

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
