/** The number of standard deviations by which a distance may be greater than expected. */
const DEVIATIONS = 3;

const BITS = 256;

/**
 * Returns the greatest distance of 256 bits to be expected of two documents that overlap enough. If a share o of all
 * tokens is common, at most (1 - o) / (1 + o) of both documents' tokens are not, and no more distinct ones: that bounds
 * the Jaccard similarity J of the distinct tokens, and the bits differ with odds of (1 - J) / 2. `tokens` and
 * `distinct` are the sums of both documents.
 */
export function distanceLimit(tokens: number, distinct: number, minOverlap: number): number {
  const different = (tokens * (1 - minOverlap)) / (1 + minOverlap);
  const similarity = Math.max(0, (distinct - different) / (distinct + different));
  const odds = (1 - similarity) / 2;
  return BITS * odds + DEVIATIONS * Math.sqrt(BITS * odds * (1 - odds));
}
