import { Worker } from 'node:worker_threads';
import { formatBytes } from '../../common/text.ts';
import type { Extraction, ExtractionHints } from '../../extract/index.ts';
import {
  type ArchiveFound,
  type DocumentHints,
  extractDocument,
  failed,
  hashDocument,
  type Listener,
  type Outcome,
} from './document.ts';
import { documentError, type Failure, failureOf } from './failure.ts';
import type { Source } from './open.ts';
import { STDIN } from './walk.ts';

/** What a worker is asked to do. */
export interface Task {
  readonly kind: 'hash' | 'extract';
  readonly source: Source;
  readonly hints: DocumentHints;
}

/** How a task ended. */
export type Answer = { readonly value: unknown } | { readonly failure: Failure };

/** What a worker says: what it is about to do, how far it is, and how its tasks ended, in their order. */
export type Message =
  | { readonly kind: 'extracting' }
  | { readonly kind: 'pages'; readonly done: number; readonly total: number }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] };

/** What a worker is given at its start. */
export interface WorkerData {
  /** One number, shared by all: how many octets were read. */
  readonly octetsRead: BigInt64Array;
  /** One number, shared with this worker: which of the tasks it was given it is working on. */
  readonly current: Int32Array;
}

/** Where documents are worked on: in this thread and in others. */
export interface Pool {
  /** What the caller says of all documents. */
  readonly hints: DocumentHints;
  /** {@link hashDocument} in a worker, as soon as one is free. Stdin can be read here only. Never rejects. */
  hash(source: Source): Promise<Outcome | ArchiveFound>;
  /** {@link hashDocument} here; what is dangerous here still goes to a worker. Never rejects. */
  hashHere(source: Source): Promise<Outcome | ArchiveFound>;
  /** {@link extractDocument}, in a worker where it can be. Never rejects. */
  extract(source: Source): Promise<Outcome<Extraction> | ArchiveFound>;
  /** Counts octets that were read in this thread. */
  read(octets: number): void;
  /** How many octets were read so far. */
  octetsRead(): number;
  /** Ends the workers. */
  close(): Promise<void>;
}

/**
 * The most octets of markup that is parsed in this thread: out of memory or time this thread would take all documents
 * with it, a worker only its own.
 */
const SAFE_HERE = 1 << 14;
const SAFE_TYPES: ReadonlySet<ExtractionHints['type']> = new Set(['text', 'html', 'xml']);

/** Milliseconds between two looks at the memory of the process while texts are extracted. */
const WATCH = 100;

/** The most files that a worker is given at once. */
const AT_ONCE = 32;

interface Job {
  readonly task: Task;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker, and what it is working on. */
interface Seat {
  readonly worker: Worker;
  /** What it was given, in order. */
  jobs: readonly Job[];
  /** Which of them it is at. */
  readonly current: Int32Array;
  /** Ends the worker when its document takes too long. */
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Since when it extracts a text, in milliseconds. */
  since: number;
}

/** What a pool tells of its work. */
export interface PoolListener {
  /** Something was read in this thread. */
  onRead?(): void;
  /** So many pages of so many of a document are done. */
  onPages?(path: string, done: number, total: number): void;
}

/**
 * Makes a pool. Workers start when there is work for them, and are given files several at a time, since a message costs
 * more than a small file; one that dies, or that extracts one text for longer than the limit, fails the document it was
 * working on, and the others get a new one.
 * @param size - the most workers at a time
 * @param hints - what the caller says of the documents
 * @param told - told of reading in this thread, and of pages
 */
export function createPool(size: number, hints: DocumentHints, { onRead, onPages }: PoolListener = {}): Pool {
  const octetsRead = new BigInt64Array(new SharedArrayBuffer(8));
  const waiting: Job[] = [];
  const seats = new Set<Seat>();
  let watch: ReturnType<typeof setInterval> | undefined;

  function start(): Seat {
    const current = new Int32Array(new SharedArrayBuffer(4));
    const data: WorkerData = { octetsRead, current };
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: data });
    const seat: Seat = { worker, jobs: [], current, timer: undefined, since: 0 };
    seats.add(seat);
    worker.on('message', (message: Message) => hear(seat, message));
    worker.on('error', (error) => leave(seat, error));
    worker.on('exit', (code) => leave(seat, new Error(`a worker ended by itself, with code ${code}`)));
    return seat;
  }

  function hear(seat: Seat, message: Message): void {
    const job = seat.jobs[Atomics.load(seat.current, 0)];
    if (job === undefined) return;
    if (message.kind === 'extracting') {
      clearTimeout(seat.timer);
      const late = documentError(
        'timeout',
        `extracting its text took longer than ${hints.timeout / 1000} s (--timeout)`,
      );
      seat.timer = setTimeout(() => end(seat, late), hints.timeout);
      seat.since = performance.now();
      watch ??= setInterval(lookAtMemory, WATCH);
    } else if (message.kind === 'pages') onPages?.(job.task.source.path, message.done, message.total);
    else {
      clearTimeout(seat.timer);
      seat.timer = undefined;
      const { jobs } = seat;
      seat.jobs = [];
      for (const [index, answer] of message.answers.entries()) {
        if ('value' in answer) jobs[index]!.resolve(answer.value);
        else jobs[index]!.reject(documentError(answer.failure.code, answer.failure.message));
      }
      assign();
    }
  }

  /** Ends a worker whose document costs too much. */
  function end(seat: Seat, error: Error): void {
    leave(seat, error);
    void seat.worker.terminate();
  }

  /** Of the workers, the one that has worked longest on a text is given up where there is too little memory for all. */
  function lookAtMemory(): void {
    const busy = [...seats].filter(({ timer }) => timer !== undefined).sort((a, b) => a.since - b.since);
    const [longest] = busy;
    if (longest === undefined) {
      clearInterval(watch);
      watch = undefined;
    } else if (process.memoryUsage.rss() > hints.memory) {
      const most = formatBytes(hints.memory);
      end(longest, documentError('out-of-memory', `reading it took more than ${most} of memory (--max-memory)`));
    }
  }

  function leave(seat: Seat, error: unknown): void {
    clearTimeout(seat.timer);
    seat.timer = undefined;
    seats.delete(seat);
    const { jobs } = seat;
    seat.jobs = [];
    const failing = Atomics.load(seat.current, 0);
    jobs[failing]?.reject(error);
    // What it had been given besides is done again, by another.
    waiting.unshift(...jobs.filter((_, index) => index !== failing));
    assign();
  }

  function assign(): void {
    while (waiting.length > 0) {
      const free = [...seats].find(({ jobs }) => jobs.length === 0) ?? (seats.size < size ? start() : undefined);
      if (free === undefined) return;
      const jobs = [waiting.shift()!];
      const { source } = jobs[0]!.task;
      // Files are given in such numbers that all workers are busy to the end.
      const most = source.octets === undefined ? Math.min(AT_ONCE, Math.ceil(waiting.length / (2 * size))) : 1;
      while (jobs.length < most && waiting[0]?.task.source.octets === undefined) jobs.push(waiting.shift()!);
      free.jobs = jobs;
      Atomics.store(free.current, 0, 0);
      // What is a view of something larger is copied, since others may use the rest.
      const { octets } = source;
      const isOwn = octets !== undefined && octets.byteLength === octets.buffer.byteLength;
      free.worker.postMessage(
        jobs.map(({ task }) => task),
        isOwn ? [octets.buffer as ArrayBuffer] : [],
      );
    }
  }

  function run(task: Task): Promise<unknown> {
    return new Promise((resolve, reject) => {
      waiting.push({ task, resolve, reject });
      // Those that come in the same turn go together.
      if (waiting.length === 1) setImmediate(assign);
    });
  }

  async function elsewhere<T>(kind: Task['kind'], source: Source): Promise<T> {
    try {
      return (await run({ kind, source, hints })) as T;
    } catch (error) {
      return failed(source, failureOf(error)) as T;
    }
  }

  const here: Partial<Listener> = {
    read(octets) {
      Atomics.add(octetsRead, 0, BigInt(octets));
      onRead?.();
    },
  };

  /** Leaves here what is small and harmless. */
  const unlessSafe =
    <T>(kind: Task['kind']) =>
    (whole: Source, type: ExtractionHints['type']): Promise<T> | undefined =>
      SAFE_TYPES.has(type) && whole.octets!.length <= SAFE_HERE ? undefined : elsewhere<T>(kind, sendable(whole));

  const hashHere = (source: Source): Promise<Outcome | ArchiveFound> =>
    hashDocument(source, hints, here, unlessSafe('hash'));

  return {
    hints,
    hash: (source) => (isHere(source) ? hashHere(source) : elsewhere('hash', source)),
    hashHere,
    extract: (source) =>
      isHere(source) ? extractDocument(source, hints, here, unlessSafe('extract')) : elsewhere('extract', source),
    read: here.read!,
    octetsRead: () => Number(Atomics.load(octetsRead, 0)),
    async close() {
      clearInterval(watch);
      for (const seat of seats) clearTimeout(seat.timer);
      await Promise.all([...seats].map(({ worker }) => worker.terminate()));
    },
  };
}

/** Whether a document can be read in this thread only. */
function isHere({ path, octets, opened }: Source): boolean {
  return opened !== undefined || (path === STDIN && octets === undefined);
}

/** A document that has been read whole, as a worker can be given it. */
function sendable({ path, found, octets, known }: Source): Source {
  return { path, found, ...(octets !== undefined && { octets }), ...(known !== undefined && { known }) };
}

/**
 * Works on several documents at a time and gives the outcomes in the order of the documents. While the consumer is busy
 * with one, no new document is begun beyond the window, nor beyond the octets that documents may hold together.
 * @param documents - the documents
 * @param work - starts the work on one; never rejects
 * @param window - the most documents that are begun and not yet consumed
 * @param octetsOf - how many octets a document holds in memory
 */
export async function* inOrder<T, R>(
  documents: Iterable<T> | AsyncIterable<T>,
  work: (document: T) => Promise<R>,
  window: number,
  octetsOf: (document: T) => number = () => 0,
): AsyncGenerator<R> {
  const begun: { readonly done: Promise<R>; readonly octets: number }[] = [];
  let held = 0;
  const next = async (): Promise<R> => {
    const { done, octets } = begun.shift()!;
    held -= octets;
    return done;
  };
  for await (const document of documents) {
    const octets = octetsOf(document);
    held += octets;
    begun.push({ done: work(document), octets });
    while (begun.length >= window || (held > MOST_HELD && begun.length > 0)) yield await next();
  }
  while (begun.length > 0) yield await next();
}

/** The most octets of documents that are held at a time, beside one. */
const MOST_HELD = 64 << 20;

/** Lets timers and streams have their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
