import { countProcessors } from '../common/processors.ts';
import { assertInteger, assertOptions } from '../errors.ts';
import { type FindAllOptions, readDistance, toArray } from './find-all.ts';
import {
  type Cluster,
  clustersIn,
  createLinker,
  type FindClustersOptions,
  readClusterOptions,
} from './find-clusters.ts';
import { eachPair, type Pair } from './pairs/batches.ts';
import { findPairsInWorkers, MAX_WORKERS } from './workers/find.ts';

/** The number of threads that the functions of this module use. */
export interface WorkersOption {
  /** The number of worker threads, 1 to 4. Default: one per processor core, at most 4. */
  readonly workers?: number;
}

/** Options of {@link findAllInWorkers}. */
export interface FindAllInWorkersOptions extends FindAllOptions, WorkersOption {}

/** Options of {@link findClustersInWorkers}. */
export interface FindClustersInWorkersOptions extends FindClustersOptions, WorkersOption {}

/**
 * Finds pairs as `findAll` does, in the same order, in worker threads (Node, Bun, Deno). If the consumer is slower than the workers,
 * they wait, so memory does not grow with the number of pairs. The search takes 8 bytes for each fingerprint, 4 more if some are
 * equal; each worker takes the memory of `findAll` and 3 MiB. Leaving the loop early terminates the workers.
 * @param fingerprints - 64-bit numbers of one label; an array in shared memory is not copied
 * @param options - see {@link FindAllInWorkersOptions}
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`, `no-fingerprint`; Error if a worker fails
 * @see spec/lookup.md#step-11
 * @example
 * for await (const { a, b } of findAllInWorkers(fingerprints, { k: 3 })) console.log(a, b);
 */
export async function* findAllInWorkers(
  fingerprints: BigUint64Array | Iterable<bigint>,
  options: FindAllInWorkersOptions = {},
): AsyncGenerator<Pair, void> {
  const list = toArray(fingerprints);
  const k = readDistance(options);
  for await (const batch of findPairsInWorkers(list, k, readWorkers(options))) yield* eachPair([batch]);
}

/**
 * Finds clusters as `findClusters` does, in the same order, in worker threads (Node, Bun, Deno).
 * @param fingerprints - 64-bit numbers of one label; an array in shared memory is not copied
 * @param options - see {@link FindClustersInWorkersOptions}
 * @returns (promises) the clusters
 * @throws (rejects) as {@link findAllInWorkers}
 * @see spec/lookup.md#step-11
 * @example
 * const clusters = await findClustersInWorkers(fingerprints, { k: 3 });
 */
export async function findClustersInWorkers(
  fingerprints: BigUint64Array | Iterable<bigint>,
  options: FindClustersInWorkersOptions = {},
): Promise<Cluster[]> {
  const list = toArray(fingerprints);
  const { k, maxSpread } = readClusterOptions(options);
  const linker = createLinker(list.length);
  for await (const batch of findPairsInWorkers(list, k, readWorkers(options))) linker.link(batch);
  return clustersIn(linker.components(), list, maxSpread);
}

function readWorkers(options: WorkersOption): number {
  assertOptions('options', options);
  const { workers = Math.min(MAX_WORKERS, countProcessors()) } = options;
  assertInteger('workers', workers, 1, MAX_WORKERS);
  return workers;
}
