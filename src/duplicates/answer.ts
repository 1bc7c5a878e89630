import { joinWithAnd } from '../common/text.ts';
import { verdictOfDistance } from '../scheme/compare.ts';
import { type Label, schemeOf } from '../scheme/labels/label.ts';

/**
 * The label for documents that are compared with one another: of all labels, it finds the most duplicates with the fewest
 * false candidates.
 */
export const DOCUMENT_LABEL: Label = 'minhash-doc-256';

/** The minimum overlap of near-duplicates, unless another is requested (spec/verification.md). */
export const DEFAULT_OVERLAP = 0.8;

/** The largest distance of candidates of 256 bits that are verified, for an overlap of {@link DEFAULT_OVERLAP} or more. */
export const CANDIDATE_DISTANCE = 48;

/** At this distance, as good as all documents without a relation are candidates. */
const MAX_CANDIDATE_DISTANCE = 100;

/** Returns the distance of 256 bits to be expected of two documents that overlap so much, in which each token occurs as often. */
export const expectedDistance = (overlap: number): number => 128 * (1 - overlap);

/** Returns the distance up to which no pair within `k` should be missed, if pairs that overlap less do not matter. */
export const sureDistance = (k: number, minOverlap: number): number =>
  Math.min(k, Math.round(expectedDistance(minOverlap)));

/** Returns the largest distance that is verified, 22 bits or more beyond the expected one: 1 in 1,000 pairs was farther apart. */
export function candidateDistance(minOverlap: number): number {
  const margin = CANDIDATE_DISTANCE - expectedDistance(DEFAULT_OVERLAP);
  const distance = Math.round(expectedDistance(minOverlap) + margin);
  return Math.min(MAX_CANDIDATE_DISTANCE, Math.max(CANDIDATE_DISTANCE, distance));
}

/** Fingerprints of fewer tokens are unreliable: a new word in twenty moves every ninth by more than 6 bits (spec/evaluation.md). */
export const TRUSTED_TOKENS = 80;

export interface Measures {
  readonly label: string;
  readonly distance: number;
  /** The overlap of the words, 0 to 1; null if only fingerprints were compared. */
  readonly overlap: number | null;
  readonly minOverlap?: number;
  /** The largest distance of near fingerprints. Default: a loose match (CMP-6). */
  readonly maxDistance?: number;
  readonly differs?: readonly string[];
}

/** The names of differences, where the code is not a name. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  characters: 'other characters',
  order: 'word order',
  case: 'upper and lower case',
};

/** Compares documents by the overlap of their words, or else fingerprints by their distance; the answer is also a sentence. */
export function answerOf(measures: Measures) {
  const { label, distance, overlap, minOverlap = DEFAULT_OVERLAP, maxDistance, differs = [] } = measures;
  const { bits } = schemeOf(label);
  const measured = `distance ${distance} of ${bits}`;
  if (overlap === null) {
    const isNear = maxDistance === undefined ? verdictOfDistance(distance, bits) !== 'none' : distance <= maxDistance;
    return {
      isNear,
      sentence: `fingerprints are ${distance === 0 ? 'equal' : isNear ? 'near' : 'not near'}: ${measured}`,
    };
  }
  const shared = `${percent(overlap)} of the words are shared; ${measured}`;
  if (overlap < minOverlap) return { isNear: false, sentence: `not near-duplicates: ${shared}` };
  if (overlap === 1) return { isNear: true, sentence: `same words${exceptFor(differs)}; ${measured}` };
  return { isNear: true, sentence: `near-duplicate${exceptFor(differs)}: ${shared}` };
}

function exceptFor(differs: readonly string[]): string {
  if (differs.length === 0) return '';
  const names = joinWithAnd(differs.map((each) => DIFFERENCES[each] ?? each));
  return `, but ${names} ${differs.join() === 'order' ? 'differs' : 'differ'}`;
}

/** Rounds down, so that less than a threshold is not shown as the threshold. */
function percent(share: number): string {
  // A product such as 100 * 0.57 may be just below the exact integer.
  const whole = Math.floor(100 * share + 1e-9);
  return whole === 0 && share > 0 ? 'less than 1 %' : `${whole} %`;
}
