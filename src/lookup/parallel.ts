import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { assertInteger, assertOptions } from '../errors.ts';
import { DEFAULT_DISTANCE } from '../scheme/compare.ts';
import { type Pair, toArray } from './find-all.ts';
import { MOST_PROBED } from './segment/types.ts';

/** How {@link findAllInWorkers} works. */
export interface FindAllInWorkersOptions {
  /** The largest distance, 0 to 7. Default 3 (CMP-7). */
  readonly k?: number;
  /** How many threads, 1 to 4 (there are four tables to go through). Default: one per processor core, at most 4. */
  readonly workers?: number;
}

/** What a worker is given at its start. */
export interface PairsWorkerData {
  /** Fingerprints in shared memory, once they are there. */
  readonly fingerprints: BigUint64Array;
  /** Shared by all workers: 1 from when the fingerprints are there, so that workers start while they are written. */
  readonly ready: Int32Array;
  readonly k: number;
  /** Shared by all workers: the next table that nobody has begun. */
  readonly next: Int32Array;
  /** Of this worker alone: how many batches it may send before it has to wait. */
  readonly credit: Int32Array;
}

/** A message of a worker: pairs as `PairBatch` has them, or null when it has no more. */
export type PairsMessage = Uint32Array | null;

/** Batches of a worker that are on the way or wait to be consumed: enough for it not to wait for a quick consumer. */
const CREDIT = 8;

/**
 * `findAll` in several threads: the same pairs, in batches of some thousands, in no particular order. A consumer that is
 * slower than the threads makes them wait, so memory does not grow with the number of pairs: 8 octets for each
 * fingerprint, and what `findAll` takes for each thread. Leaving the loop early ends the threads.
 * @param fingerprints - 64-bit numbers of one label; an array in shared memory is not copied
 * @param options - see {@link FindAllInWorkersOptions}
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/simhash-doc.md#step-11
 */
export async function* findAllInWorkers(
  fingerprints: BigUint64Array | Iterable<bigint>,
  options: FindAllInWorkersOptions = {},
): AsyncGenerator<Pair[], void> {
  const list = toArray(fingerprints);
  assertOptions('options', options);
  const { k = DEFAULT_DISTANCE, workers: count = Math.min(4, availableParallelism()) } = options;
  assertInteger('k', k, 0, MOST_PROBED);
  assertInteger('workers', count, 1, 4);
  const isShared = list.buffer instanceof SharedArrayBuffer;
  const shared = isShared ? list : new BigUint64Array(new SharedArrayBuffer(list.byteLength));
  const ready = new Int32Array(new SharedArrayBuffer(4));
  const next = new Int32Array(new SharedArrayBuffer(4));
  const batches: { readonly numbers: Uint32Array; readonly credit: Int32Array }[] = [];
  let running = count;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  const workers = Array.from({ length: count }, () => {
    const credit = new Int32Array(new SharedArrayBuffer(4)).fill(CREDIT);
    const workerData: PairsWorkerData = { fingerprints: shared, ready, k, next, credit };
    const worker = new Worker(new URL('./parallel-worker.js', import.meta.url), { workerData });
    let done = false;
    worker.on('message', (numbers: PairsMessage) => {
      if (numbers !== null) batches.push({ numbers, credit });
      else {
        done = true;
        running--;
      }
      wake();
    });
    const fail = (error: unknown): void => {
      failure ??= { error };
      wake();
    };
    worker.on('error', fail);
    worker.on('exit', (code) => {
      if (!done) fail(new Error(`a worker ended by itself, with code ${code}`));
    });
    return worker;
  });
  try {
    if (!isShared) shared.set(list);
    Atomics.store(ready, 0, 1);
    Atomics.notify(ready, 0);
    for (;;) {
      if (failure !== undefined) throw failure.error;
      const batch = batches.shift();
      if (batch !== undefined) {
        yield pairsOf(batch.numbers);
        Atomics.add(batch.credit, 0, 1);
        Atomics.notify(batch.credit, 0);
      } else if (running === 0) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function pairsOf(numbers: Uint32Array): Pair[] {
  return Array.from({ length: numbers.length / 3 }, (_, i) => ({
    a: numbers[3 * i]!,
    b: numbers[3 * i + 1]!,
    distance: numbers[3 * i + 2]!,
  }));
}
