import type { TextParts } from '../common/lines.ts';
import type { Fingerprint } from '../scheme/labels/fingerprint.ts';

/** A value, or a promise of it; stores in memory return values. */
export type Awaitable<T> = T | Promise<T>;

/** A document in an index. */
export interface Entry {
  /** Any well-formed string of 1 to 500 bytes in UTF-8, compared byte by byte. */
  readonly id: string;
  /** 0 to 2^64 - 1, or 32 bytes with the label `minhash-doc-256`. */
  readonly fingerprint: Fingerprint;
  /** The codes of what its text may have lost, in the order of the specification. Kept on disk and on servers. */
  readonly losses?: readonly string[];
}

/** A document to be added. */
export interface NewEntry {
  readonly id: string;
  readonly fingerprint: FingerprintLike;
  /** Default: as they are, if the fingerprint is the same. */
  readonly losses?: readonly string[];
}

export interface Match extends Entry {
  /** Hamming distance to the query, 0 to 64 (CMP-3) or 0 to 256 (MIN-10). */
  readonly distance: number;
  /** 1 - distance/64 (CMP-4), or 1 - distance/256. */
  readonly similarity: number;
}

/**
 * A fingerprint as the label of the index has it (a number, or 32 bytes with `minhash-doc-256`), or in the labelled form
 * (SER-7), whose label must be the same. `null`, which is what a document without tokens has, is refused: `no-fingerprint`.
 */
export type FingerprintLike = Fingerprint | string | null;

/** The error of a query that would take more work than its limit (LKP-4): nothing was compared. */
export interface TooMuchWorkError extends RangeError {
  readonly code: 'too-much-work';
  /** The number of stored fingerprints that the query would have compared; with `minhash-doc-256`, of their words. */
  readonly work: number;
}

/** A limit on the work of a query. */
export interface WorkOption {
  /**
   * The maximum number of stored fingerprints to compare with the query, 1 or more; with `minhash-doc-256`, of their
   * words, of which each has four. A query that would take more is refused with `too-much-work`: see "Floods" in the
   * specification. Default: 100 million, which in memory takes some tenths of a second.
   */
  readonly maxWork?: number;
}

/** Options of a query. */
export interface QueryOptions extends WorkOption {
  /**
   * The largest distance, 0 to 64. Default 3 (CMP-7). Beyond 7 all documents are compared. With `minhash-doc-256`, a document
   * matches if at least one of its four words is at this distance or less from the same word of the query (MIN-11).
   */
  readonly k?: number;
  /** The maximum number of matches to return, 1 or more; the nearest come first. Default: all. */
  readonly limit?: number;
}

/** Options of {@link DocumentIndex.nearest}. */
export interface NearestOptions extends WorkOption {
  /** The number of matches, 1 or more. Default 10. */
  readonly count?: number;
  /**
   * The largest distance, 0 to 64, as in {@link QueryOptions}. Default 7. Beyond 7 all documents are compared unless `count`
   * documents within 7 are nearer than any other can be.
   */
  readonly k?: number;
}

/** The answer to a query. */
export interface QueryResult {
  /**
   * The distance up to which the answer is complete (LKP-4): every document at this distance or less is among the
   * matches. It is the requested k, unless `limit` or `count` left out matches; -1 if it left out some at distance 0. With
   * `minhash-doc-256` it is 4 k + 3 instead of k, since one word of four differs in at most a quarter of the bits;
   * some documents that are farther away match as well.
   */
  readonly completeTo: number;
  /** The method: by probing tables (LKP-5), or by comparing with all documents. */
  readonly by: 'tables' | 'scan';
  /** Ordered by distance, then by the bytes of the id (LKP-3). Documents with equal fingerprints are each listed (LKP-2). */
  readonly matches: readonly Match[];
}

/** The numbers of documents that were added. */
export interface AddCounts {
  /** The number of ids that were new. */
  readonly added: number;
  /** The number of existing ids that got the new fingerprint. */
  readonly replaced: number;
  /** The number of existing ids that kept their fingerprint. */
  readonly refused: number;
}

/** Options for adding many documents. */
export interface AddOptions {
  /** The treatment of an id that is there already: refuse it (the default) or give it the new fingerprint. */
  readonly existing?: 'refuse' | 'replace';
}

/** A line of JSON Lines that could not be imported. */
export interface BadLine {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The error in it. */
  readonly error: Error;
}

/** Options for importing JSON Lines. */
export interface ImportOptions extends AddOptions {
  /**
   * The treatment of a line that cannot be read: throw an error with its number (the default; the lines before it are in the
   * index), or leave it out.
   */
  readonly bad?: 'stop' | 'skip';
  /** Called for each line that is left out. */
  readonly onBad?: (bad: BadLine) => void;
}

/** The numbers of an import. */
export interface ImportCounts extends AddCounts {
  /** The number of lines that cannot be read or have no fingerprint. */
  readonly bad: number;
}

/** Facts about an index. */
export interface IndexStats {
  readonly documents: number;
  /** The size of the index, in bytes of memory or of its store. */
  readonly bytes: { readonly fingerprints: number; readonly ids: number };
  /** The numbers of documents in a bucket, over the buckets of all tables, except empty ones. */
  readonly buckets: {
    /** The number of bits of a fingerprint that choose a bucket: 16 (a block) or 28 (a key, TAB-3). */
    readonly bits: number;
    readonly count: number;
    readonly mean: number;
    readonly median: number;
    readonly p90: number;
    readonly p99: number;
    readonly largest: number;
  };
  /** The numbers of documents with each loss, in an index on disk or on a server. */
  readonly losses?: Readonly<Record<string, number>>;
}

/**
 * Documents by id with their fingerprints, all with the same label, which can be queried for those near a fingerprint.
 *
 * Every store implements this interface and passes test/lookup/contract.ts. A store in memory returns values and throws;
 * others return promises and reject. Errors of the scheme: `wrong-type` (also for an id with a lone surrogate),
 * `out-of-range` (also for an id that is empty or too long), `invalid-label` and `invalid-fingerprint` (of a labelled string),
 * `label-mismatch` and `no-fingerprint` (for `null`, which is what a document without tokens has: LKP-1). A call that throws
 * has changed nothing, except one that takes many documents: those before the document at fault are in the index.
 * Queries may also fail with a {@link TooMuchWorkError}.
 * @see spec/lookup.md#step-11
 */
export interface DocumentIndex {
  /** The label of all fingerprints in it. */
  readonly label: string;
  /**
   * Adds a document, unless its id is there already.
   * @returns whether it was added; false leaves the index as it was
   */
  add(id: string, fingerprint: FingerprintLike): Awaitable<boolean>;
  /**
   * Adds a document, or gives it a new fingerprint.
   * @returns whether the id is new
   */
  upsert(id: string, fingerprint: FingerprintLike): Awaitable<boolean>;
  /** Adds many documents, which is faster than one by one. */
  addAll(entries: Iterable<NewEntry>, options?: AddOptions): Awaitable<AddCounts>;
  /** Adds many documents as they arrive; they can be found at the latest when the promise is fulfilled. */
  addAll(entries: AsyncIterable<NewEntry>, options?: AddOptions): Promise<AddCounts>;
  /**
   * Removes a document.
   * @returns whether it was there
   */
  remove(id: string): Awaitable<boolean>;
  /**
   * Removes many documents.
   * @returns the number of them that were there
   */
  removeAll(ids: Iterable<string>): Awaitable<number>;
  /** Tests whether the index has a document of this id. */
  has(id: string): Awaitable<boolean>;
  /** Returns the fingerprint of a document, or undefined for an unknown id. */
  get(id: string): Awaitable<Fingerprint | undefined>;
  /** Finds the documents at distance k or less (of one word: MIN-11): complete for every k (LKP-2), ordered (LKP-3). */
  query(fingerprint: FingerprintLike, options?: QueryOptions): Awaitable<QueryResult>;
  /**
   * Finds the nearest of the documents that {@link DocumentIndex.query} finds, without searching further than needed.
   */
  nearest(fingerprint: FingerprintLike, options?: NearestOptions): Awaitable<QueryResult>;
  /** Returns the number of documents. */
  size(): Awaitable<number>;
  /** Returns facts about the index; reads all documents. */
  stats(): Awaitable<IndexStats>;
  /**
   * Lists all documents, as they are when the iteration begins, in the order of the store. The index may be changed meanwhile.
   */
  entries(): Iterable<Entry> | AsyncIterable<Entry>;
  /** Yields all documents as JSON Lines, `{"id":…,"label":…,"fingerprint":…}`: a line for each, with its line feed. */
  exportLines(): Iterable<string> | AsyncIterable<string>;
  /**
   * Adds documents from JSON Lines as `exportLines` or `simhash-doc hash --json` writes them. The keys are `label`,
   * `fingerprint` (13 characters, SER-1, or 52, MIN-9) and `id`, or else `path`; with `member` the id is PATH!MEMBER. Other keys
   * and empty lines are ignored. A line with `error` and no fingerprint, of a document that could not be read, is left out.
   * @throws (rejects) LineError for a line that cannot be read, unless such lines are skipped
   */
  importLines(lines: TextParts, options?: ImportOptions): Promise<ImportCounts>;
  /** Releases the resources of the index, which must not be used afterwards. */
  close(): Awaitable<void>;
}
