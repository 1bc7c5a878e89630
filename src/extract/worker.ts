import { Worker } from 'node:worker_threads';
import { assertInteger, assertOctets } from '../errors.ts';
import { extractionError } from './errors.ts';
import { resolveLimits } from './limits.ts';
import { assertExtractionOptions, assertHints } from './options.ts';
import type { Extraction, ExtractionHints, ExtractionOptions } from './types.ts';
import type { WorkerMessage, WorkerTask } from './worker-thread.ts';

/** How a document is read by a worker. */
export interface ExtractionInWorkerOptions extends ExtractionOptions {
  /** The most milliseconds that it may take. Default 120,000. */
  readonly timeout?: number;
  /** The most MiB of JavaScript objects that it may make. Default: what Node gives a worker. */
  readonly heap?: number;
}

/**
 * `extract` in a worker of its own, which is ended when it takes too long or too much: for documents from strangers, whose
 * parsers must not stop or end the process (Node only).
 * @param octets - the whole document; it is copied
 * @param hints - what else is known of it
 * @param options - what reading it may cost
 * @returns the text, as `extract` gives it
 * @throws (rejects) as `extract` does; Error `timeout`; `out-of-memory` where the heap's limit is met
 * @see spec/simhash-doc.md#step-0
 */
export async function extractInWorker(
  octets: Uint8Array,
  hints: ExtractionHints = {},
  options: ExtractionInWorkerOptions = {},
): Promise<Extraction> {
  assertOctets('octets', octets);
  assertHints(hints);
  assertExtractionOptions(options);
  const { onProgress, timeout = 120_000, heap } = options;
  const limits = resolveLimits(options.limits);
  assertInteger('options.timeout', timeout, 1, 2 ** 31 - 1);
  if (heap !== undefined) assertInteger('options.heap', heap, 1, Number.MAX_SAFE_INTEGER);
  return new Promise((resolve, reject) => {
    const workerData: WorkerTask = { octets, hints, limits };
    const worker = new Worker(new URL('./worker-thread.js', import.meta.url), {
      workerData,
      ...(heap !== undefined && { resourceLimits: { maxOldGenerationSizeMb: heap } }),
    });
    const settle = (action: () => void): void => {
      clearTimeout(timer);
      void worker.terminate();
      action();
    };
    const timer = setTimeout(() => {
      const late = extractionError('timeout', `extracting its text took longer than ${timeout} ms`);
      settle(() => reject(late));
    }, timeout);
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'pages') onProgress?.(message.done, message.total);
      else if (message.kind === 'extraction') settle(() => resolve(message.extraction));
      else {
        const { name, code, text } = message;
        const error =
          name === 'TypeError' ? new TypeError(text) : name === 'RangeError' ? new RangeError(text) : new Error(text);
        settle(() => reject(code === undefined ? error : Object.assign(error, { code })));
      }
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      settle(() =>
        reject(isFull ? extractionError('out-of-memory', 'not enough memory for this document', error) : error),
      );
    });
    worker.on('exit', (code) => settle(() => reject(new Error(`the worker ended by itself, with code ${code}`))));
  });
}
