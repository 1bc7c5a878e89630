import type { SharedGrouping } from '../pairs/grouping.ts';

/** Data for a worker at its start. */
export interface PairsWorkerData {
  /** Distinguishes this data from that of other workers, into which a bundler may have put the worker's code. */
  readonly task: typeof FIND_PAIRS;
  /** Fingerprints in shared memory, once `ready`. */
  readonly fingerprints: BigUint64Array;
  /** Shared by all workers: 1 when the fingerprints are there; workers start while they are written. */
  readonly ready: Int32Array;
  /** The largest distance, 0 to 7. */
  readonly k: number;
  readonly grouping: SharedGrouping;
  /** For this worker alone: the share of the fingerprints that it groups. */
  readonly share: number;
  /** Shared by all workers: the next part that no worker has begun. */
  readonly next: Int32Array;
  /** For this worker alone: the number of batches that it may send before it has to wait. */
  readonly credit: Int32Array;
}

export const FIND_PAIRS = 'simhash-doc: find pairs';

/** A message of a worker: some pairs of a part as `PairBatch` has them, the end of a part, or null at the end of all. */
export type PairsMessage = { readonly part: number; readonly numbers: Uint32Array | 'end of part' } | null;
