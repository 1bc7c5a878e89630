import type { Collection } from '../../../../duplicates/collect.ts';
import type { Group } from '../../../../duplicates/group.ts';

/** The result, for every form of output. */
export interface Result {
  readonly collection: Collection;
  readonly groups: readonly Group[];
  /** True if the matches were confirmed on the documents; otherwise they are candidates. */
  readonly isVerified: boolean;
  /** Warnings about a document for a person who removes it. */
  readonly flagsOf: (document: number) => Flags;
}

/** The reasons why a match of a document is unreliable. */
export interface Flags {
  /** True if it has few tokens. */
  readonly short: boolean;
  /** True if a few tokens make up most of it. */
  readonly repetitive: boolean;
}
