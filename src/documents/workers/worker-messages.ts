import type { WorkResult } from '../document-outcome.ts';
import type { DocumentContent, TaskKind, TaskResults } from '../document-tasks.ts';
import type { DocumentHints } from '../hints.ts';
import type { OpenFile } from '../read.ts';
import type { TextResults } from '../small-texts.ts';
import type { FileEntry } from '../walk.ts';

export type QueuedTask =
  | DocumentTask
  | { readonly kind: 'texts'; readonly entries: readonly FileEntry[]; readonly hints: DocumentHints };

export interface DocumentTask extends Omit<DocumentContent, 'head' | 'rest'> {
  readonly kind: TaskKind;
  /** All bytes of the document, or a regular file that holds them in layers of gzip. */
  readonly source: Uint8Array | { readonly file: OpenFile; readonly codings: number };
}

export type DocumentAnswer = WorkResult<TaskResults[TaskKind]>;

export type TaskAnswer = DocumentAnswer | TextResults;

export type QueueMessage =
  | { readonly kind: 'pages'; readonly task: number; readonly done: number; readonly total: number }
  /** Tasks are done: all of them, or, after some time, the first ones. The answers are in their order. */
  | { readonly kind: 'answers'; readonly answers: readonly TaskAnswer[] };

export interface WorkerData {
  /** Two numbers that all workers share, at {@link BYTES} and {@link TEXTS}. */
  readonly counters: BigInt64Array;
  /** Two numbers of this worker, at {@link TASK} and {@link SINCE}: for what changes too often for messages. */
  readonly state: BigInt64Array;
}

/** The place of the number of bytes that were read, in the counters. */
export const BYTES = 0;
/** The place of the number of small texts whose fingerprints are known, in the counters. */
export const TEXTS = 1;

export function countersOf(counters: BigInt64Array) {
  const onRead = (bytes: number): void => void Atomics.add(counters, BYTES, BigInt(bytes));
  const onText = (bytes: number): void => {
    onRead(bytes);
    Atomics.add(counters, TEXTS, 1n);
  };
  return { onRead, onText };
}

/** The place of the index of the current task in a worker's state. */
export const TASK = 0;
/** The place of the time at which it began to extract a text (`process.hrtime.bigint()`), or 0, in a worker's state. */
export const SINCE = 1;
