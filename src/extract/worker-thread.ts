import { parentPort, workerData } from 'node:worker_threads';
import { extract } from './extract.ts';
import type { ExtractionLimits } from './limits.ts';
import type { Extraction, ExtractionHints } from './types.ts';

export interface WorkerTask {
  readonly bytes: Uint8Array;
  readonly hints: ExtractionHints;
  readonly limits: Partial<ExtractionLimits> | undefined;
}

/** The reply of the worker. Errors lose their class and their code between threads, so their parts are sent. */
export type WorkerMessage =
  | { readonly kind: 'pages'; readonly done: number; readonly total: number }
  | { readonly kind: 'extraction'; readonly extraction: Extraction }
  | { readonly kind: 'error'; readonly name: string; readonly code?: string; readonly text: string };

function send(message: WorkerMessage): void {
  parentPort!.postMessage(message);
}

const { bytes, hints, limits } = workerData as WorkerTask;
try {
  const onProgress = (done: number, total: number): void => send({ kind: 'pages', done, total });
  send({ kind: 'extraction', extraction: await extract(bytes, hints, { limits, onProgress }) });
} catch (error) {
  const { name, message, code } = error as Error & { readonly code?: string };
  send({ kind: 'error', name, text: message, ...(code !== undefined && { code }) });
}
