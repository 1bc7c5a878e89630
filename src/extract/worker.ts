import { startThread } from '../common/thread.ts';
import { assertBytes, assertInteger } from '../errors.ts';
import { assertExtractionOptions, assertHints } from './check-options.ts';
import { extractionError } from './errors.ts';
import { resolveLimits } from './limits.ts';
import type { Extraction, ExtractionHints, ExtractionOptions } from './types.ts';
import type { WorkerMessage, WorkerTask } from './worker-thread.ts';

/** Options of reading a document in a worker. */
export interface ExtractionInWorkerOptions extends ExtractionOptions {
  /** The maximum number of milliseconds, 1 to 2^31 − 1. Default 120,000. */
  readonly timeout?: number;
  /** The maximum number of MiB of JavaScript objects, 1 or more. Default: the limit that Node gives a worker. */
  readonly heap?: number;
}

/**
 * Extracts the text in a worker, which is terminated at a limit of time or memory: for untrusted documents, which
 * must not block or crash the process (Node, Deno, Bun).
 * @param bytes - the whole document; it is copied
 * @param hints - what else is known about it
 * @param options - limits, time and memory
 * @returns the text, as `extract` returns it
 * @throws (rejects) as `extract` does; Error `timeout`; `out-of-memory` if it exceeds `heap`
 * @see spec/extraction.md#step-0
 * @example
 * const { text } = await extractInWorker(bytes, { path: 'a.pdf' }, { timeout: 10_000 });
 */
export async function extractInWorker(
  bytes: Uint8Array,
  hints: ExtractionHints = {},
  options: ExtractionInWorkerOptions = {},
): Promise<Extraction> {
  assertBytes('bytes', bytes);
  assertHints(hints);
  assertExtractionOptions(options);
  const { onProgress, timeout = 120_000, heap } = options;
  const limits = resolveLimits(options.limits);
  assertInteger('options.timeout', timeout, 1, 2 ** 31 - 1);
  if (heap !== undefined) assertInteger('options.heap', heap, 1, Number.MAX_SAFE_INTEGER);
  const workerData: WorkerTask = { bytes, hints, limits };
  return new Promise((resolve, reject) => {
    const thread = startThread<WorkerMessage>(new URL('./worker-thread.js', import.meta.url), {
      workerData,
      maxHeap: heap,
      onMessage(message) {
        if (message.kind === 'pages') onProgress?.(message.done, message.total);
        else if (message.kind === 'error') void thread.terminate(toError(message));
        else {
          resolve(message.extraction);
          void thread.terminate();
        }
      },
      // No effect if the promise is settled.
      onEnd(error) {
        clearTimeout(timer);
        const { code } = Object(error) as { readonly code?: unknown };
        const isFull = code === 'ERR_WORKER_OUT_OF_MEMORY';
        reject(isFull ? extractionError('out-of-memory', 'not enough memory for this document', error) : error);
      },
    });
    const late = (): Error => extractionError('timeout', `extracting its text took longer than ${timeout} ms`);
    const timer = setTimeout(() => void thread.terminate(late()), timeout);
  });
}

function toError({ name, code, text }: Extract<WorkerMessage, { kind: 'error' }>): Error {
  const error =
    name === 'TypeError' ? new TypeError(text) : name === 'RangeError' ? new RangeError(text) : new Error(text);
  return code === undefined ? error : Object.assign(error, { code });
}
