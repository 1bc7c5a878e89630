export { simhash } from '../scheme/simhash.ts';
export { type FindAllOptions, findAll, type Pair } from './find-all.ts';
export { type Cluster, type FindClustersOptions, findClusters } from './find-clusters.ts';
export type { LineError } from './index/json-lines.ts';
export { createMemoryIndex, type MemoryIndex, type MemorySnapshot } from './index/memory-index.ts';
export { createPairFinder, type PairFinder } from './pair-finder.ts';
export type { Hits } from './segment/types.ts';
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
  QueryOptions,
  QueryResult,
  TextParts,
} from './types.ts';
