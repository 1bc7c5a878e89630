import { startThread } from '../../../common/thread.ts';
import { documentError } from '../failure.ts';
import { type Answer, EXTRACTING, type Message, TASK, type Task, type WorkerData } from './protocol.ts';

/** A task, and whom to tell how it ended. */
export interface Job {
  readonly task: Task;
  readonly onPages: (done: number, total: number) => void;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** What happens to a worker. */
export interface SlotListener {
  /** All its jobs are done. */
  readonly onFree: () => void;
  /** The extraction of a text begins. */
  readonly onExtracting: () => void;
  /** It has ended; the job that it was working on has failed. These others it has not done. */
  readonly onEnd: (jobs: readonly Job[]) => void;
}

/** A worker, and the jobs that it was given. */
export interface WorkerSlot {
  isFree(): boolean;
  /** Gives jobs to a worker that is free. */
  give(jobs: readonly Job[], transfer: readonly ArrayBuffer[]): void;
  /** Since when it has been extracting the text of a document, in milliseconds; null if it does something else. */
  extractingSince(): number | null;
  /** Terminates it, and with it the job that it is working on. */
  abort(error: Error): void;
  /** Terminates it when there is nothing left to do. */
  close(): Promise<unknown>;
}

/**
 * Starts a worker.
 * @param octetsRead - where all workers count the octets that they read
 * @param timeout - the most milliseconds that extracting one text may take
 * @param listener - told what happens
 */
export function startWorker(octetsRead: BigInt64Array, timeout: number, listener: SlotListener): WorkerSlot {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const workerData: WorkerData = { octetsRead, state };
  const thread = startThread(new URL('./worker.js', import.meta.url), { workerData, onMessage, onEnd: end });
  let jobs: readonly Job[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The task whose extraction was announced last, and when. */
  let extraction: { readonly task: number; readonly since: number } | undefined;
  /** The task for which it is being terminated. */
  let failing: number | undefined;
  let hasEnded = false;

  const currentTask = (): number => Atomics.load(state, TASK);
  const isExtracting = (): boolean => Atomics.load(state, EXTRACTING) === 1 && currentTask() === extraction?.task;

  function onMessage(message: Message): void {
    if (message.kind === 'extracting') beginExtraction(message.task);
    else if (message.kind === 'pages') jobs[message.task]?.onPages(message.done, message.total);
    else {
      const done = takeJobs();
      for (const [index, answer] of message.answers.entries()) done[index]!.resolve(answer);
      listener.onFree();
    }
  }

  function beginExtraction(task: number): void {
    clearTimeout(timer);
    extraction = { task, since: performance.now() };
    // The time belongs to this document: when it is up, the worker may be working on another one.
    timer = setTimeout(() => {
      if (isExtracting())
        abort(documentError('timeout', `extracting its text took longer than ${timeout / 1000} s (--timeout)`));
    }, timeout);
    listener.onExtracting();
  }

  function takeJobs(): readonly Job[] {
    clearTimeout(timer);
    extraction = undefined;
    const taken = jobs;
    jobs = [];
    return taken;
  }

  function abort(error: Error): void {
    failing ??= currentTask();
    void thread.terminate(error);
  }

  /** The thread has stopped: from here on, it reads no file. */
  function end(error: unknown): void {
    hasEnded = true;
    const failed = failing ?? currentTask();
    const taken = takeJobs();
    taken[failed]?.reject(error);
    listener.onEnd(taken.filter((_, index) => index !== failed));
  }

  return {
    isFree: () => jobs.length === 0 && failing === undefined && !hasEnded,
    give(given, transfer) {
      jobs = given;
      Atomics.store(state, TASK, 0);
      thread.send(
        given.map(({ task }) => task),
        transfer,
      );
    },
    extractingSince: () => (isExtracting() ? extraction!.since : null),
    abort,
    close: () => thread.terminate(),
  };
}
