import { documentError } from '../failure.ts';

/** Bounds the time that workers spend on all documents of one archive. */
export interface TimeBudget {
  /** Adds milliseconds that a worker spent. */
  spend(time: number): void;
  /** @throws Error `timeout` once the time is spent */
  assertLeft(): void;
}

/** Milliseconds of workers for each MiB of an archive. */
const TIME_PER_MEBIBYTE = 5000;

/**
 * Creates the budget of one archive.
 * @param timeout - milliseconds for one document; an archive of any size is allowed half of them
 * @param size - returns the octets of the archive, or those that were read so far
 */
export function createTimeBudget(timeout: number, size: () => number): TimeBudget {
  let total = 0;
  return {
    spend(time) {
      total += time;
    },
    assertLeft() {
      const limit = timeout / 2 + (TIME_PER_MEBIBYTE * size()) / 2 ** 20;
      if (total < limit) return;
      const seconds = Number((limit / 1000).toPrecision(3));
      throw documentError('timeout', `extracting the texts of the archive took longer than ${seconds} s (--timeout)`);
    },
  };
}
