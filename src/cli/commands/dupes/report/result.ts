import type { Collection } from '../../../../duplicates/collect.ts';
import type { Group } from '../../../../duplicates/group.ts';

/** What was found, for every form of output. */
export interface Result {
  readonly collection: Collection;
  readonly groups: readonly Group[];
  /** Whether the matches were confirmed on the documents; else they are candidates. */
  readonly isVerified: boolean;
  /** What a person should know of a document before acting on it. */
  readonly flagsOf: (document: number) => Flags;
}

/** Why a match of a document says little. */
export interface Flags {
  /** Whether it has few tokens. */
  readonly short: boolean;
  /** Whether a few tokens make up most of it. */
  readonly repetitive: boolean;
}
