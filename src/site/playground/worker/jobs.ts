import type { JobMessage, JobResults, JobTask } from './tasks.ts';
import workerUrl from './worker.ts?worker&url';

const MAX_WORKERS = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));

export interface JobOptions {
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

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

/** Runs a task in a worker. Its bytes are transferred. @throws (rejects) {@link JobError}, `cancelled` after cancellation */
export async function runJob<K extends JobTask['kind']>(
  task: Extract<JobTask, { kind: K }>,
  options: JobOptions = {},
): Promise<JobResults[K]> {
  while (running >= MAX_WORKERS) await new Promise<void>((resolve) => waiting.push(resolve));
  if (options.signal?.aborted) {
    waiting.shift()?.();
    throw cancelled();
  }
  running++;
  let worker: Worker | undefined;
  try {
    worker = idle.pop() ?? (await startWorker());
    const result = await ask(worker, task, options);
    idle.push(worker);
    return result as JobResults[K];
  } catch (error) {
    // After an error a worker may still hold the memory of a document of hundreds of megabytes.
    worker?.terminate();
    throw error;
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** Starts a worker from a blob, so that it inherits the policy of the page; waits until its modules are loaded. */
function startWorker(): Promise<Worker> {
  const url = new URL(workerUrl, import.meta.url).href;
  const blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)};`], { type: 'text/javascript' }));
  return new Promise<Worker>((resolve, reject) => {
    const worker = new Worker(blob, { type: 'module' });
    worker.onmessage = () => resolve(worker);
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      reject(new JobError('failed', 'its worker could not be loaded'));
    };
  }).finally(() => URL.revokeObjectURL(blob));
}

const cancelled = (): JobError => new JobError('cancelled', 'cancelled');

function ask(worker: Worker, task: JobTask, { onProgress, signal }: JobOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(cancelled());
      return;
    }
    const stop = (): void => reject(cancelled());
    signal?.addEventListener('abort', stop, { once: true });
    const settle = (action: () => void): void => {
      signal?.removeEventListener('abort', stop);
      worker.onmessage = worker.onerror = null;
      action();
    };
    worker.onmessage = ({ data }: MessageEvent<JobMessage>) => {
      if (data.kind === 'ready') return;
      if (data.kind === 'progress') onProgress?.(data.done, data.total);
      else if (data.kind === 'failure') settle(() => reject(new JobError(data.failure.code, data.failure.message)));
      else settle(() => resolve(data.result));
    };
    worker.onerror = (event) => settle(() => reject(new JobError('failed', event.message || 'the worker failed')));
    worker.postMessage(task, task.kind === 'analyse' && 'bytes' in task.source ? [task.source.bytes.buffer] : []);
  });
}
