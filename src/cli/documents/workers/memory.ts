import { formatBytes } from '../../../common/text.ts';
import { documentError } from '../failure.ts';
import type { WorkerSlot } from './slot.ts';

/** Milliseconds between two looks at the memory of the process while texts are extracted. */
const INTERVAL = 100;

/** Watches the memory of the process while texts are extracted. */
export interface MemoryGuard {
  /** Begins, unless it has begun. It ends by itself when no text is being extracted. */
  start(): void;
  stop(): void;
}

/**
 * Makes a guard that aborts the document whose extraction began first when the process has too little memory for all.
 * @param slots - the workers
 * @param limit - octets of resident memory
 */
export function createMemoryGuard(
  slots: Iterable<Pick<WorkerSlot, 'extractingSince' | 'abort'>>,
  limit: number,
): MemoryGuard {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const check = (): void => {
    let [longest, since] = [undefined as Pick<WorkerSlot, 'abort'> | undefined, Number.POSITIVE_INFINITY];
    for (const slot of slots) {
      const start = slot.extractingSince();
      if (start !== null && start < since) [longest, since] = [slot, start];
    }
    if (longest === undefined) stop();
    else if (process.memoryUsage.rss() > limit)
      longest.abort(documentError('out-of-memory', `the process exceeded ${formatBytes(limit)} (--max-memory)`));
  };
  return {
    start(): void {
      timer ??= setInterval(check, INTERVAL);
    },
    stop,
  };
}
