import { startThread } from '../../common/thread.ts';
import type { RunBudget, TimeBudget } from '../time-budget.ts';
import {
  type QueuedTask,
  type QueueMessage,
  SINCE,
  TASK,
  type TaskAnswer,
  type WorkerData,
} from './worker-messages.ts';

export interface Job {
  readonly task: QueuedTask;
  readonly size: number;
  /** Charged for the time of the worker; all jobs given at once have the same. */
  readonly time: TimeBudget | undefined;
  /** Milliseconds for extracting its text, if less than usual. */
  limit?: number;
  readonly onPages: (done: number, total: number) => void;
  readonly resolve: (answer: TaskAnswer) => void;
  readonly reject: (error: unknown) => void;
}

export interface SlotListener {
  readonly onSpent: RunBudget['spend'];
  /** Called when the worker has nothing to do, with its jobs that it has not begun. */
  readonly onFree: (jobs: readonly Job[]) => void;
  /** Called when the worker has ended, and its current job has failed, with its other jobs that are not done. */
  readonly onEnd: (jobs: readonly Job[]) => void;
}

export type WorkerSlot = ReturnType<typeof startWorker>;

export function startWorker(counters: BigInt64Array, listener: SlotListener) {
  const state = new BigInt64Array(new SharedArrayBuffer(16));
  const workerData: WorkerData = { counters, state };
  const thread = startThread(new URL('./document-worker.js', import.meta.url), { workerData, onMessage, onEnd });
  let jobs: readonly Job[] = [];
  /** The task for which it is being terminated. */
  let failing: number | undefined;
  let hasEnded = false;
  let start = 0;

  function onMessage(message: QueueMessage): void {
    if (message.kind === 'pages') {
      jobs[message.task]?.onPages(message.done, message.total);
    } else {
      const taken = takeJobs();
      for (const [index, answer] of message.answers.entries()) taken[index]!.resolve(answer);
      listener.onFree(taken.slice(message.answers.length));
    }
  }

  function takeJobs(): readonly Job[] {
    const taken = jobs;
    const time = performance.now() - start;
    taken[0]?.time?.spend(time);
    if (taken.length > 0) listener.onSpent(time);
    jobs = [];
    return taken;
  }

  /** The thread has stopped, and reads no more files. */
  function onEnd(error: unknown): void {
    hasEnded = true;
    const failed = failing ?? Number(Atomics.load(state, TASK));
    const taken = takeJobs();
    taken[failed]?.reject(error);
    listener.onEnd(taken.filter((_, index) => index !== failed));
  }

  return {
    isBusy: (): boolean => jobs.length > 0,
    isFree: (): boolean => jobs.length === 0 && failing === undefined && !hasEnded,
    give(given: readonly Job[], transfer: readonly ArrayBuffer[]): void {
      jobs = given;
      start = performance.now();
      Atomics.store(state, TASK, 0n);
      thread.send(
        given.map(({ task }) => task),
        transfer,
      );
    },
    /** Returns the extraction that the worker is running; null if it is doing something else. */
    extraction: () => (failing === undefined ? runningIn(state, jobs) : null),
    /** Terminates the worker. Of its jobs, the one of this number fails with the error. */
    abort(error: Error, job: number): void {
      failing ??= job;
      void thread.terminate(error);
    },
    close: (): Promise<void> => thread.terminate(),
  };
}

function runningIn(state: BigInt64Array, jobs: readonly Job[]) {
  const job = Atomics.load(state, TASK);
  const since = Atomics.load(state, SINCE);
  // It may have begun the next job meanwhile.
  const isRunning = since !== 0n && Atomics.load(state, TASK) === job;
  return isRunning ? { job: Number(job), since, limit: jobs[Number(job)]?.limit } : null;
}
