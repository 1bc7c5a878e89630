export type { TextParts } from '../common/lines.ts';
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
} from './document-index.ts';
export { type FindAllOptions, findAll } from './find-all.ts';
export { type Cluster, type FindClustersOptions, findClusters } from './find-clusters.ts';
export type { LineError } from './index-json-lines.ts';
export {
  createMemoryIndex,
  type MemoryIndex,
  type MemoryIndexOptions,
} from './memory/memory-index.ts';
export type { Pair } from './pairs/pair-batches.ts';
