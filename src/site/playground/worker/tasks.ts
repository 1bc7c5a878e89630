import type { Passages } from '../../../duplicates/passages.ts';
import type { ExtractionHints } from '../../../extract/types.ts';
import type { Difference, Residue } from '../../../fingerprint/residue.ts';
import type { TokenCounts } from '../../../fingerprint/token-counts.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';

export interface FileSource {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly type?: string;
  readonly hints?: ExtractionHints;
}

export type JobSource = { readonly text: string; readonly name: string } | FileSource;

export type Listed = { readonly source: FileSource } | { readonly name: string; readonly failure: JobFailure };

export interface JobFailure {
  readonly code: string;
  readonly message: string;
}

export interface Listing {
  readonly listed: readonly Listed[];
  readonly left: number;
}

export interface ShownMember {
  readonly document: number;
  readonly distance: number;
  readonly overlap: number;
  /** The differences other than in the words: unless there are none, the document is not a duplicate. */
  readonly differs: readonly Difference[];
}

export interface ShownGroup {
  readonly kept: number;
  readonly members: readonly ShownMember[];
}

export interface CountedTokens {
  readonly total: number;
  readonly counts: TokenCounts;
  /** The distinct tokens by hash, of as much of the text as was read for this: joined by line feeds. */
  readonly names: { readonly hashes: BigUint64Array; readonly texts: string };
}

export interface PairSide extends CountedTokens {
  readonly fingerprint: Fingerprint | null;
  readonly residue: Residue;
}

export interface Analysis {
  readonly name: string;
  readonly extraction?: {
    readonly mediaType: string;
    readonly extractor: string;
    readonly charset?: string;
    readonly warnings: readonly string[];
  };
  /** The type as which typed text would be read from a file. */
  readonly markup?: 'html' | 'xml';
  readonly length: number;
  /** The whole text; null if it is too long to be shown or linked. */
  readonly text: string | null;
  readonly residue: Residue;
  readonly bare: CountedTokens;
  readonly bg1: CountedTokens;
  readonly fingerprints: Readonly<Record<string, Fingerprint | null>>;
}

export interface BinWinner {
  /** The token, or its hash if the token is not known. */
  readonly token: string;
  readonly round: number;
  readonly bit: 0 | 1;
  /** True if the other document also has the token. Where the bits differ, one of the two winners is not shared. */
  readonly isShared: boolean;
}

export interface PairAnalysis {
  readonly label: string;
  /** The distance of the fingerprints, in bits; null unless both documents have one. */
  readonly distance: number | null;
  /** The overlap of the words, 0 to 1; null unless both documents have a fingerprint. */
  readonly overlap: number | null;
  readonly differs: readonly Difference[];
  /** The winner of each bin in A and in B, bin 0 of word 0 first, none without tokens; null unless the label is of minhash-doc. */
  readonly winners: readonly [a: readonly BinWinner[], b: readonly BinWinner[]] | null;
  readonly differences: readonly { readonly token: string; readonly a: number; readonly b: number }[];
  readonly differenceCount: number;
}

export type JobTask =
  | { readonly kind: 'analyse'; readonly source: JobSource; readonly limit: number }
  | { readonly kind: 'pair'; readonly label: string; readonly a: PairSide; readonly b: PairSide }
  | { readonly kind: 'vectors'; readonly label: string; readonly texts: readonly string[] }
  | { readonly kind: 'passages'; readonly a: string; readonly b: string }
  | { readonly kind: 'groups'; readonly sides: readonly PairSide[] };

export interface JobResults {
  readonly analyse: Analysis | Listing;
  readonly pair: PairAnalysis;
  readonly vectors: string;
  readonly passages: Passages;
  readonly groups: readonly ShownGroup[];
}

export type JobMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'result'; readonly result: JobResults[keyof JobResults] }
  | { readonly kind: 'failure'; readonly failure: JobFailure };
