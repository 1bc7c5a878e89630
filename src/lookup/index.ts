export type { TextParts } from '../common/lines.ts';
export { simhash } from '../scheme/simhash.ts';
export { type FindAllOptions, findAll } from './find-all.ts';
export { type Cluster, type FindClustersOptions, findClusters } from './find-clusters.ts';
export type { LineError } from './index/json-lines.ts';
export {
  createMemoryIndex,
  type MemoryIndex,
  type MemoryIndexOptions,
  type MemorySnapshot,
} from './index/memory-index.ts';
export { createPairFinder, type PairFinder, type PairFinderOptions } from './pair-finder.ts';
export type { Pair } from './pairs/batches.ts';
export { shingle } from './shingle.ts';
export type {
  AddCounts,
  AddOptions,
  Awaitable,
  BadLine,
  DocumentIndex,
  Entry,
  FingerprintLike,
  ImportCounts,
  ImportOptions,
  IndexStats,
  Match,
  NearestOptions,
  NewEntry,
  QueryOptions,
  QueryResult,
  TooMuchWorkError,
  WorkOption,
} from './types.ts';
