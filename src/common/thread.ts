import { Worker } from 'node:worker_threads';

interface ThreadOptions<Message> {
  readonly workerData: unknown;
  /** The maximum size of the JavaScript heap in MiB. Default: Node's. */
  readonly maxHeap?: number | undefined;
  readonly onMessage: (message: Message) => void;
  /** Called once, when the thread has stopped, with the error of `terminate` or the one that ended it. */
  readonly onEnd: (error: unknown) => void;
}

/** Keeps a worker from inheriting `--input-type`, with which no file can be its module. Given arguments are checked more strictly. */
function workerExecArgv(): { execArgv?: string[] } {
  return process.execArgv.some((argument) => argument.startsWith('--input-type')) ? { execArgv: [] } : {};
}

export function startThread<Message>(url: URL, options: ThreadOptions<Message>) {
  const { workerData, maxHeap, onMessage, onEnd } = options;
  const resourceLimits = maxHeap === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeap } };
  const worker = new Worker(url, { workerData, ...workerExecArgv(), ...resourceLimits });
  let reason: { readonly error: unknown } | undefined;
  let hasEnded = false;
  const end = (error: unknown): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd(reason === undefined ? error : reason.error);
  };
  worker.on('message', (message: Message) => {
    if (!hasEnded && reason === undefined) onMessage(message);
  });
  worker.on('error', end);
  worker.on('exit', (code) => end(new Error(`a worker exited with code ${code}`)));
  return {
    send: (message: unknown, transfer: readonly ArrayBuffer[] = []): void => worker.postMessage(message, [...transfer]),
    /** Terminates the thread, if it has not ended yet; `onEnd` gets the error. */
    async terminate(error: unknown = new Error('the worker was terminated')): Promise<void> {
      reason ??= { error };
      // Deno emits exit before the promise resolves; Node emits nothing after exit.
      await worker.terminate();
      end(error);
    },
  };
}
