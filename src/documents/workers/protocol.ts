import type { ExtractionLimits } from '../../extract/index.ts';
import type { Failure } from '../failure.ts';
import type { DocumentHints } from '../hints.ts';
import type { Done } from '../outcome.ts';
import type { OpenFile } from '../read.ts';
import type { Entry } from '../walk.ts';
import type { TextResults } from './texts.ts';
import type { Content, Kind, Results } from './work.ts';

/** What a worker is asked to do. */
export type Task = DocumentTask | TextsTask;

/** Work on one document. */
export interface DocumentTask extends Omit<Content, 'head' | 'rest'> {
  readonly kind: Kind;
  readonly limits: ExtractionLimits;
  /** All octets of the document, or a regular file that holds them in layers of gzip. */
  readonly source: Uint8Array | { readonly file: OpenFile; readonly codings: number };
}

/** Computing the fingerprints of small texts. */
export interface TextsTask {
  readonly entries: readonly Entry[];
  readonly hints: DocumentHints;
}

/** How the work on one document ended. */
export type DocumentAnswer = Done<Results[Kind]> | { readonly failure: Failure };

/** How a task ended. */
export type Answer = DocumentAnswer | TextResults;

/** What a worker says. */
export type Message =
  | { readonly kind: 'pages'; readonly task: number; readonly done: number; readonly total: number }
  /** Tasks are done: all of them, or, after some time, the first ones. The answers are in their order. */
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] };

/** What a worker is given at its start, in shared memory. */
export interface WorkerData {
  /** One number that all workers share: how many octets were read. */
  readonly octetsRead: BigInt64Array;
  /** Two numbers of this worker, at {@link TASK} and {@link SINCE}: it says there what a message would be too dear for. */
  readonly state: BigInt64Array;
}

/** Where a worker's state has the index of the task that it is working on. */
export const TASK = 0;
/** Where a worker's state has the time at which it began to extract a text (`process.hrtime.bigint()`), else 0. */
export const SINCE = 1;
