import { Worker } from 'node:worker_threads';
import { workerExecArgv } from '../../common/thread.ts';
import { createSharedGrouping } from '../pairs/grouping.ts';
import { FIND_PAIRS, type PairsMessage, type PairsWorkerData } from './messages.ts';

/** Batches that a worker may have sent before it waits for the consumer: 3 MiB. */
const CREDIT = 64;

/** Starts `count` workers that search for the pairs within distance k. Fingerprints not in shared memory are copied. */
export function startWorkers(fingerprints: BigUint64Array, k: number, count: number) {
  const isShared = fingerprints.buffer instanceof SharedArrayBuffer;
  const shared = isShared ? fingerprints : new BigUint64Array(new SharedArrayBuffer(fingerprints.byteLength));
  const [ready, next] = [createShared(0), createShared(0)];
  const inbox = createInbox(count);
  // There are never more workers than tables: each one begins a part, and so groups its share.
  const grouping = createSharedGrouping(count, fingerprints.length);
  const workers = Array.from({ length: count }, (_, share) => {
    const credit = createShared(CREDIT);
    const workerData: PairsWorkerData = {
      task: FIND_PAIRS,
      fingerprints: shared,
      ready,
      k,
      grouping,
      share,
      next,
      credit,
    };
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData, ...workerExecArgv() });
    let isDone = false;
    worker.on('message', (message: PairsMessage) => {
      isDone = message === null;
      inbox.add(message, credit);
    });
    worker.on('error', inbox.fail);
    worker.on('exit', (code) => {
      if (!isDone) inbox.fail(new Error(`a worker exited before it was done, with code ${code}`));
    });
    return worker;
  });
  if (!isShared) shared.set(fingerprints);
  Atomics.store(ready, 0, 1);
  Atomics.notify(ready, 0);
  return {
    next: inbox.next,
    async terminate(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

function createShared(value: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4)).fill(value);
}

/** Sorts the messages of workers by part. */
function createInbox(count: number) {
  const parts = new Map<number, { readonly numbers: Uint32Array | 'end of part'; readonly credit: Int32Array }[]>();
  let running = count;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  /** The credit that goes back when the consumer has used the last batch. */
  let spent: Int32Array | undefined;

  function giveBack(): void {
    if (spent === undefined) return;
    Atomics.add(spent, 0, 1);
    Atomics.notify(spent, 0);
    spent = undefined;
  }

  return {
    add(message: PairsMessage, credit: Int32Array): void {
      if (message === null) running--;
      else {
        const waiting = parts.get(message.part) ?? [];
        waiting.push({ numbers: message.numbers, credit });
        parts.set(message.part, waiting);
      }
      wake();
    },
    fail(error: unknown): void {
      failure ??= { error };
      wake();
    },
    /**
     * Returns the next batch of a part, in the order of `findPairs`, or its end; rejects with the error of a worker.
     * This releases the batch before it.
     */
    async next(part: number): Promise<Uint32Array | 'end of part' | 'done'> {
      giveBack();
      for (;;) {
        if (failure !== undefined) throw failure.error;
        const first = parts.get(part)?.shift();
        if (first !== undefined) {
          if (first.numbers !== 'end of part') spent = first.credit;
          return first.numbers;
        }
        if (running === 0) return 'done';
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
