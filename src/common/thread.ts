import { Worker } from 'node:worker_threads';

/** How a thread is started. */
export interface ThreadOptions<Message> {
  /** What the thread is given at its start. */
  readonly workerData: unknown;
  /** The most MiB of JavaScript objects. Default: that of Node. */
  readonly maxHeap?: number | undefined;
  readonly onMessage: (message: Message) => void;
  /**
   * Called once, when the thread has stopped.
   * @param error - what it was terminated with, or what ended it
   */
  readonly onEnd: (error: unknown) => void;
}

/** A worker thread (Node, Deno, Bun). */
export interface Thread {
  send(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  /**
   * Terminates the thread, if it has not ended yet.
   * @param error - what to call `onEnd` with
   */
  terminate(error?: unknown): Promise<void>;
}

/**
 * What a worker must not inherit: with `node --input-type=module -e …`, no file could be its module. Arguments that are given
 * are checked more strictly than those that are inherited, so none are given otherwise.
 */
export function inheritance(): { execArgv?: string[] } {
  return process.execArgv.some((argument) => argument.startsWith('--input-type')) ? { execArgv: [] } : {};
}

/**
 * Starts a worker thread.
 * @param url - its module
 * @param options - see {@link ThreadOptions}
 */
export function startThread<Message>(url: URL, options: ThreadOptions<Message>): Thread {
  const { workerData, maxHeap, onMessage, onEnd } = options;
  const resourceLimits = maxHeap === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeap } };
  const worker = new Worker(url, { workerData, ...inheritance(), ...resourceLimits });
  /** Why it is being terminated. */
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
    send: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    async terminate(error = new Error('the worker was terminated')) {
      reason ??= { error };
      // Deno tells of the end before the promise resolves, Node of neither if it has ended before.
      await worker.terminate();
      end(error);
    },
  };
}
