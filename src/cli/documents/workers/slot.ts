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
  /** It has nothing to do. These of its jobs it has not begun. */
  readonly onFree: (jobs: readonly Job[]) => void;
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
  const thread = startThread(new URL('./worker.js', import.meta.url), { workerData, onMessage, onEnd });
  const extraction = createStopwatch(state, timeout, () =>
    abort(documentError('timeout', `extracting its text took longer than ${timeout / 1000} s (--timeout)`)),
  );
  let jobs: readonly Job[] = [];
  /** The task for which it is being terminated. */
  let failing: number | undefined;
  let hasEnded = false;

  function onMessage(message: Message): void {
    if (message.kind === 'pages') jobs[message.task]?.onPages(message.done, message.total);
    else if (message.kind === 'extracting') {
      extraction.start(message.task);
      listener.onExtracting();
    } else {
      const taken = takeJobs();
      for (const [index, answer] of message.answers.entries()) taken[index]!.resolve(answer);
      listener.onFree(taken.slice(message.answers.length));
    }
  }

  function takeJobs(): readonly Job[] {
    extraction.stop();
    const taken = jobs;
    jobs = [];
    return taken;
  }

  function abort(error: Error): void {
    failing ??= Atomics.load(state, TASK);
    void thread.terminate(error);
  }

  /** The thread has stopped: from here on, it reads no file. */
  function onEnd(error: unknown): void {
    hasEnded = true;
    const failed = failing ?? Atomics.load(state, TASK);
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
    extractingSince: extraction.since,
    abort,
    close: () => thread.terminate(),
  };
}

/**
 * Measures the extraction of one text at a time. The time belongs to that document: when it is up, the worker may be working
 * on another one, which has its own time or none.
 * @param state - the state of the worker
 * @param timeout - the most milliseconds
 * @param onTimeout - called when they are over and the document is still being extracted
 */
function createStopwatch(state: Int32Array, timeout: number, onTimeout: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: { readonly task: number; readonly since: number } | undefined;
  const isRunning = (): boolean => Atomics.load(state, EXTRACTING) === 1 && Atomics.load(state, TASK) === current?.task;
  return {
    start(task: number): void {
      clearTimeout(timer);
      current = { task, since: performance.now() };
      timer = setTimeout(() => {
        if (isRunning()) onTimeout();
      }, timeout);
    },
    stop(): void {
      clearTimeout(timer);
      current = undefined;
    },
    since: (): number | null => (isRunning() ? current!.since : null),
  };
}
