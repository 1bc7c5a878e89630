import type { DocumentIndex, Entry } from '../document-index.ts';

/** The result of checking a store. */
export interface Verification {
  readonly documents: number;
  /** The inconsistencies, one sentence each, at most 100 of them; none if the store is consistent. */
  readonly faults: readonly string[];
}

/** The state of a file when its documents were added. */
export interface FileState {
  /** The size in bytes. */
  readonly size: number;
  /** The time of the last write, in milliseconds. */
  readonly mtime: number;
  readonly inode: number;
  /** Names and versions of the extractors of its texts, as `name/version`. */
  readonly extractors: readonly string[];
  /** Anything else that its fingerprints depend on. */
  readonly options: string;
}

/** Changes to commit: documents of files, files that were read to their end, and files that are gone. */
export interface FileChanges {
  readonly documents: readonly (Entry & { readonly path: string })[];
  readonly finished: readonly { readonly path: string; readonly state: FileState }[];
  /** Files whose documents are removed. */
  readonly gone?: readonly string[];
}

/** The numbers of documents that a commit of files added, replaced and removed. */
export interface FileCounts {
  readonly added: number;
  readonly replaced: number;
  /** The number of documents that already had the same fingerprint. */
  readonly same: number;
  /** The number of documents that are no longer in their files, or whose files no longer exist. */
  readonly removed: number;
}

/** The files from which the documents of a store come, so that files that are unchanged need not be read again. */
export interface FileRegister {
  /** Returns the state of a file; undefined unless it was read to its end. */
  get(path: string): Promise<FileState | undefined>;
  /** Lists the files whose paths begin with a prefix, also those that were not read to their end. */
  paths(prefix: string): AsyncIterable<string>;
  /**
   * In one transaction, adds or replaces documents, and notes files that were read to their end: documents that such a file
   * held before and that were not added again are removed. All documents of files that are gone are also removed.
   */
  commit(changes: FileChanges): Promise<FileCounts>;
  /**
   * Removes all documents of a file.
   * @returns their number, or undefined if the file is unknown
   */
  remove(path: string): Promise<number | undefined>;
}

/** A {@link DocumentIndex} on disk or on a server. */
export interface StoredIndex extends DocumentIndex {
  /** The files from which its documents come. */
  readonly files: FileRegister;
  /** Reads the whole index and checks that it is consistent. */
  verify(): Promise<Verification>;
}
