import type { Collection } from '../../../duplicates/collect.ts';
import type { Contained } from '../../../duplicates/contained.ts';
import type { DocumentGroup } from '../../../duplicates/group.ts';

export interface Result {
  readonly collection: Collection;
  readonly groups: readonly DocumentGroup[];
  /** The documents in no group of which nearly all words are in a longer one; empty if they are not asked for. */
  readonly contained: readonly Contained[];
  /** True if the matches were confirmed on the documents; otherwise they are candidates. */
  readonly isVerified: boolean;
  /** The reasons why a match of a document is unreliable: it is short, or repetitive. */
  readonly flagsOf: (document: number) => readonly string[];
}
