/** Fewer pairs than these say too little about a share. */
const MIN_SEEN = 10;

/**
 * The share of pairs within k bits: as counted, or where too few were seen, as a beta-binomial distribution of 64 bits with
 * the mean and the variance of the histogram has it.
 * @param histogram - pairs at each distance, 0 to 64
 */
export function shareWithin(histogram: ArrayLike<number>, k: number): { share: number; isModelled: boolean } {
  let [count, seen, sum, squares] = [0, 0, 0, 0];
  for (let distance = 0; distance <= 64; distance++) {
    const pairs = histogram[distance]!;
    count += pairs;
    if (distance <= k) seen += pairs;
    sum += pairs * distance;
    squares += pairs * distance ** 2;
  }
  if (seen >= MIN_SEEN) return { share: seen / count, isModelled: false };
  const mean = sum / count;
  return { share: betaBinomialTail(mean, squares / count - mean ** 2, k), isModelled: true };
}

/** P(D ≤ k) for D of 0 to 64 bits, beta-binomial; binomial if the variance is not above that. */
function betaBinomialTail(mean: number, variance: number, k: number): number {
  const p = mean / 64;
  // The variance of a beta-binomial is 64·p·(1 − p)·(1 + 63·ρ), ρ being 1 / (α + β + 1).
  const correlation = (variance / (64 * p * (1 - p)) - 1) / 63;
  const size = correlation > 1e-6 ? 1 / correlation - 1 : 1e6;
  const [alpha, beta] = [p * size, (1 - p) * size];
  let share = 0;
  for (let d = 0; d <= k; d++) {
    const logChoose = logGamma(65) - logGamma(d + 1) - logGamma(65 - d);
    share += Math.exp(logChoose + logBeta(d + alpha, 64 - d + beta) - logBeta(alpha, beta));
  }
  return share;
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** Stirling's series; small arguments are moved up by the recurrence first. */
function logGamma(x: number): number {
  let shift = 0;
  for (; x < 8; x++) shift -= Math.log(x);
  const inverse = 1 / x;
  const series = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1260;
  return shift + (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}
