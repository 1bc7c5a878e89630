import type { Answer, Answers, Task } from './types.ts';
import workerUrl from './worker.ts?worker&url';

/** How many workers compute at a time. */
const MAX_WORKERS = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));

/** How a job is watched and cancelled. */
export interface JobOptions {
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Why a job did not succeed. */
export class JobError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const idle: Worker[] = [];
const waiting: (() => void)[] = [];
let running = 0;

/**
 * Runs a task in a worker.
 * @param task - the task; its octets are moved, not copied
 * @param options - progress and cancellation, which terminates the worker
 * @returns its result
 * @throws (rejects) {@link JobError}; its code is `cancelled` after cancellation
 */
export async function runJob<K extends Task['kind']>(
  task: Extract<Task, { kind: K }>,
  options: JobOptions = {},
): Promise<Answers[K]> {
  while (running >= MAX_WORKERS) await new Promise<void>((resolve) => waiting.push(resolve));
  if (options.signal?.aborted) {
    waiting.shift()?.();
    throw cancelled();
  }
  running++;
  const worker = idle.pop() ?? startWorker();
  try {
    const result = await ask(worker, task, options);
    idle.push(worker);
    return result as Answers[K];
  } catch (error) {
    // After an error a worker may hold what a document of hundreds of megabytes left behind.
    worker.terminate();
    throw error;
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** Workers started from a blob inherit the page's policy: they cannot connect to anything either. */
function startWorker(): Worker {
  const url = new URL(workerUrl, import.meta.url).href;
  const blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)};`], { type: 'text/javascript' }));
  const worker = new Worker(blob, { type: 'module' });
  return worker;
}

function cancelled(): JobError {
  return new JobError('cancelled', 'cancelled');
}

function ask(worker: Worker, task: Task, { onProgress, signal }: JobOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(cancelled());
    signal?.addEventListener('abort', stop, { once: true });
    const settle = (action: () => void): void => {
      signal?.removeEventListener('abort', stop);
      worker.onmessage = worker.onerror = null;
      action();
    };
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if ('progress' in data) onProgress?.(data.progress.done, data.progress.total);
      else if ('failure' in data) settle(() => reject(new JobError(data.failure.code, data.failure.message)));
      else settle(() => resolve(data.result));
    };
    worker.onerror = (event) => settle(() => reject(new JobError('failed', event.message || 'the worker failed')));
    worker.postMessage(task, task.kind === 'analyse' && 'octets' in task.source ? [task.source.octets.buffer] : []);
  });
}
