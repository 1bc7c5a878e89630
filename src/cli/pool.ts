import { Worker } from 'node:worker_threads';
import { type Extraction, type ExtractionHints, extract } from '../extract/index.ts';
import { type DocumentHints, failed, hashDocument, type Outcome, type Source } from './document.ts';
import { documentError, type Failure, failureOf } from './failure.ts';
import { STDIN } from './walk.ts';

/** What a worker is asked to do. */
export type Task =
  | { readonly kind: 'hash'; readonly source: Source; readonly hints: DocumentHints }
  | { readonly kind: 'extract'; readonly octets: Uint8Array; readonly hints: ExtractionHints };

/** What a worker answers. */
export type Answer = { readonly value: unknown } | { readonly failure: Failure };

/** What a worker is given at its start. */
export interface WorkerData {
  /** One number, shared by all: how many octets were read. */
  readonly octetsRead: BigInt64Array;
}

/** Where documents are worked on: in this thread and in others. */
export interface Pool {
  /** {@link hashDocument} in a worker, as soon as one is free. Stdin can be read here only. */
  hash(source: Source): Promise<Outcome>;
  /** {@link hashDocument} here; what is dangerous here still goes to a worker. */
  hashHere(source: Source): Promise<Outcome>;
  /**
   * Extracts the text of a document.
   * @throws (rejects) with whatever goes wrong; see `failureOf`
   */
  extract(octets: Uint8Array, path: string): Promise<Extraction>;
  /** How many octets were read so far. */
  octetsRead(): number;
  /** Ends the workers. */
  close(): Promise<void>;
}

/**
 * The most octets of a document that is parsed in this thread. Misnested formatting elements make the tree of an HTML
 * document grow with the square of its length (measured: 17 kB, 0.6 GB), and out of memory this thread would take all
 * documents with it, a worker only its own.
 */
const SAFE_HERE = 1 << 14;

interface Job {
  readonly task: Task;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker, and what it is working on. */
interface Seat {
  readonly worker: Worker;
  job: Job | undefined;
}

/**
 * Makes a pool. Workers start when there is work for them; one that dies fails the document it was working on, and the
 * next document gets a new one.
 * @param size - the most workers at a time
 * @param hints - what the caller says of the documents
 * @param onRead - called whenever something was read in this thread
 */
export function createPool(size: number, hints: DocumentHints, onRead: () => void = () => {}): Pool {
  const octetsRead = new BigInt64Array(new SharedArrayBuffer(8));
  const waiting: Job[] = [];
  const seats = new Set<Seat>();

  function start(): Seat {
    const data: WorkerData = { octetsRead };
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: data });
    const seat: Seat = { worker, job: undefined };
    seats.add(seat);
    worker.on('message', (answer: Answer) => {
      const { job } = seat;
      seat.job = undefined;
      if ('failure' in answer) job?.reject(documentError(answer.failure.code, answer.failure.message));
      else job?.resolve(answer.value);
      assign();
    });
    const leave = (error: unknown): void => {
      seats.delete(seat);
      seat.job?.reject(error);
      seat.job = undefined;
      assign();
    };
    worker.on('error', leave);
    worker.on('exit', (code) => leave(new Error(`a worker ended by itself, with code ${code}`)));
    return seat;
  }

  function assign(): void {
    while (waiting.length > 0) {
      const free = [...seats].find((seat) => seat.job === undefined) ?? (seats.size < size ? start() : undefined);
      if (free === undefined) return;
      free.job = waiting.shift()!;
      const { task } = free.job;
      const octets = task.kind === 'hash' ? task.source.octets : task.octets;
      free.worker.postMessage(task, octets === undefined ? [] : [octets.buffer as ArrayBuffer]);
    }
  }

  function run(task: Task): Promise<unknown> {
    return new Promise((resolve, reject) => {
      waiting.push({ task, resolve, reject });
      assign();
    });
  }

  async function hashElsewhere(source: Source): Promise<Outcome> {
    try {
      return (await run({ kind: 'hash', source, hints })) as Outcome;
    } catch (error) {
      return failed(source.path, failureOf(error));
    }
  }

  function hashHere(source: Source): Promise<Outcome> {
    const read = (octets: number): void => {
      Atomics.add(octetsRead, 0, BigInt(octets));
      onRead();
    };
    return hashDocument(source, hints, read, (octets) =>
      octets.length > SAFE_HERE ? hashElsewhere({ ...source, octets }) : undefined,
    );
  }

  return {
    hash: (source) => (source.path === STDIN ? hashHere(source) : hashElsewhere(source)),
    hashHere,
    async extract(octets, path) {
      const known = { ...hints, path };
      if (octets.length <= SAFE_HERE) return extract(octets, known);
      return (await run({ kind: 'extract', octets, hints: known })) as Extraction;
    },
    octetsRead: () => Number(Atomics.load(octetsRead, 0)),
    async close() {
      await Promise.all([...seats].map(({ worker }) => worker.terminate()));
    },
  };
}

/**
 * Works on several documents at a time and gives the outcomes in the order of the documents. While the consumer is busy
 * with one, no new document is begun beyond the window.
 * @param documents - the documents
 * @param work - starts the work on one; never rejects
 * @param window - the most documents that are begun and not yet consumed
 */
export async function* inOrder<T, R>(
  documents: Iterable<T>,
  work: (document: T) => Promise<R>,
  window: number,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  for (const document of documents) {
    begun.push(work(document));
    if (begun.length >= window) yield await begun.shift()!;
  }
  for (const outcome of begun) yield await outcome;
}
