import type { DocumentHints } from '../hints.ts';
import { minTimeFor, type RunBudget, type TimeBudget } from '../time-budget.ts';
import type { QueuedTask, TaskAnswer } from './worker-messages.ts';
import { type Job, startWorker, type WorkerSlot } from './worker-slot.ts';
import { createWatch } from './worker-watch.ts';

/** The maximum number of documents, and bytes of them, that a worker is given at once: a message costs more than a small document. */
const MAX_BATCH = 32;
const MAX_BATCH_BYTES = 1 << 20;

/** The milliseconds for a document of an archive without time. */
const MIN_TIME = 10;

export type Queue = ReturnType<typeof createQueue>;

/** Makes a queue of tasks for at most `size` workers, which start when there is work for them. */
export function createQueue(size: number, hints: DocumentHints, counters: BigInt64Array, budget: RunBudget) {
  const slots = new Set<WorkerSlot>();
  let waiting: Job[] = [];
  const watch = createWatch(slots, hints);

  function start(): WorkerSlot {
    const slot = startWorker(counters, {
      onSpent: budget.spend,
      onFree: resume,
      onEnd(jobs) {
        slots.delete(slot);
        resume(jobs);
      },
    });
    slots.add(slot);
    return slot;
  }

  function resume(jobs: readonly Job[]): void {
    waiting.unshift(...jobs);
    assign();
  }

  function assign(): void {
    waiting = waiting.filter(hasTime);
    while (waiting.length > 0) {
      // The main thread also works on batches of texts.
      const max = waiting.every(({ task }) => task.kind === 'texts') ? size - 1 : size;
      const free = [...slots].find((slot) => slot.isFree()) ?? (slots.size < max ? start() : undefined);
      if (free === undefined) return;
      // Enough to keep all workers busy to the end.
      const count = batchOf(waiting, Math.min(MAX_BATCH, Math.ceil(waiting.length / (2 * size))));
      const batch = waiting.splice(0, count);
      for (const job of batch) limitTime(job);
      watch.start();
      free.give(batch, batch.length === 1 ? transferable(batch[0]!.task) : []);
    }
  }

  /** Lowers the limit of a document once the others have taken the time for all. */
  function limitTime(job: Job): void {
    const left = budget.left();
    if (left >= hints.timeout || job.task.kind === 'texts') return;
    const limit = Math.max(left, job.time?.minLeft() ?? minTimeFor(job.size), MIN_TIME);
    if (limit < hints.timeout) job.limit = limit;
  }

  return {
    /** Runs a task. Rejects with `timeout` if no time is left for its archive, or with the error that ends the worker. */
    run: (task: QueuedTask, onPages: Job['onPages'], size: number, time?: TimeBudget): Promise<TaskAnswer> =>
      new Promise((resolve, reject) => {
        if (time === undefined) budget.begin();
        waiting.push({ task: withOwnBytes(task), size, time, onPages, resolve, reject });
        // Tasks added in the same turn share a batch.
        if (waiting.length === 1) setImmediate(assign);
      }),
    async close(): Promise<void> {
      watch.stop();
      await Promise.all([...slots].map((slot) => slot.close()));
    },
  };
}

function hasTime({ time, reject }: Job): boolean {
  try {
    time?.assertLeft();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

/** Counts the waiting jobs that make a batch: small documents in memory, of one archive or none, or one of any other kind. */
function batchOf(waiting: readonly Job[], max: number): number {
  let bytes = 0;
  let count = 0;
  for (const { task, time } of waiting) {
    bytes += task.kind !== 'texts' && task.source instanceof Uint8Array ? task.source.length : Number.POSITIVE_INFINITY;
    if (count > 0 && (count === max || time !== waiting[0]!.time || bytes > MAX_BATCH_BYTES)) break;
    count++;
  }
  return count;
}

/** Copies a view of a larger buffer, all of which would be sent otherwise. */
function withOwnBytes(task: QueuedTask): QueuedTask {
  if (task.kind === 'texts') return task;
  const { source } = task;
  if (!(source instanceof Uint8Array) || source.byteLength === source.buffer.byteLength) return task;
  return { ...task, source: source.slice() };
}

/** The buffer of a document that is sent alone is transferred, not copied: it is not needed again. */
function transferable(task: QueuedTask): readonly ArrayBuffer[] {
  return task.kind !== 'texts' && task.source instanceof Uint8Array ? [task.source.buffer as ArrayBuffer] : [];
}
