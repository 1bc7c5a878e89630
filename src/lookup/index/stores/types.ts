import type { DocumentIndex } from '../../types.ts';

/** What checking a store gave. */
export interface Verification {
  readonly documents: number;
  /** What does not agree, one sentence each, at most 100 of them; none if all is well. */
  readonly faults: readonly string[];
}

/** A {@link DocumentIndex} in a folder, kept by LMDB. One process can write while others read. */
export interface LmdbIndex extends DocumentIndex {
  /** Goes through everything and checks that it agrees with itself. */
  verify(): Promise<Verification>;
}

/** Options of {@link openLmdbIndex}. */
export interface LmdbIndexOptions {
  /** A registered label, in any case (LAB-1): that of a new index, or the one that it must have. */
  readonly label?: string;
  /** Whether documents can be added and removed (the default), which one process at a time can do, or only looked up. */
  readonly mode?: 'write' | 'read';
  /** Becomes the writer even if a process of another machine or container is noted as such: only if it has ended. */
  readonly takeOver?: boolean;
}
