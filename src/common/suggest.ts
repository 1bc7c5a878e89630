/** Returns `: did you mean x?` for the known word nearest to a mistyped one, or an empty string if none is near. */
export function didYouMean(given: string, known: readonly string[]): string {
  const best = nearest(given, known);
  return best === undefined ? '' : `: did you mean ${best}?`;
}

export function nearest(given: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  // One edit for every three letters, and at least one.
  let min = Math.max(1, Math.floor(given.replace(/^-+/, '').length / 3)) + 1;
  for (const word of known) {
    const distance = editDistance(given, word, min);
    if (distance < min) [best, min] = [word, distance];
  }
  return best;
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let [last, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, last[j - 2]! + 1);
      next.push(cost);
    }
    [last, row] = [row, next];
  }
  return row[b.length]!;
}
