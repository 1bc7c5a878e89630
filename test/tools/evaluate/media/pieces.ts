/** The number of tokens of an anchor: enough to occur only once, few enough to be the same in two media. */
const ANCHOR = 3;
/** The maximum share by which the lengths of two pieces of the same chapter differ. */
const LENGTH_TOLERANCE = 0.2;

/** The same passage of a document in two media, as its tokens. */
type PiecePair = readonly [readonly string[], readonly string[]];

/**
 * Cuts two renderings of a document in pieces of the same passages: from one anchor to the next, an anchor being some
 * tokens in a row that occur once in either.
 * @param one - tokens of the one
 * @param other - tokens of the other
 * @param length - tokens of a piece, at least
 * @returns pairs in the order of the first; passages in another order in the second are left out
 */
export function pairPieces(one: readonly string[], other: readonly string[], length: number): PiecePair[] {
  const places = uniquePlaces(other);
  const anchors = [...uniquePlaces(one)].flatMap(([anchor, at]): [number, number][] => {
    const there = places.get(anchor);
    return there === undefined ? [] : [[at, there]];
  });
  anchors.sort(([a], [b]) => a - b);
  const chain = longestRise(anchors);
  const pairs: PiecePair[] = [];
  let [from, fromThere] = chain[0] ?? [0, 0];
  for (const [at, there] of chain) {
    if (at - from < length) continue;
    const [here, across] = [at - from, there - fromThere];
    // If the next anchor is far away, the two texts differ in between.
    if (here <= 1.5 * length && Math.abs(here - across) <= LENGTH_TOLERANCE * here)
      pairs.push([one.slice(from, at), other.slice(fromThere, there)]);
    [from, fromThere] = [at, there];
  }
  return pairs;
}

function uniquePlaces(tokens: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = 0; at + ANCHOR <= tokens.length; at++) {
    const anchor = tokens.slice(at, at + ANCHOR).join(' ');
    places.set(anchor, places.has(anchor) ? -1 : at);
  }
  for (const [anchor, at] of places) if (at < 0) places.delete(anchor);
  return places;
}

/** Returns as many anchors as are in the same order in both; others would pair different passages. */
function longestRise(anchors: readonly [number, number][]): [number, number][] {
  // ends[n] is the anchor that ends a rise of n + 1 anchors at the earliest place; before leads back along it.
  const ends: number[] = [];
  const before = new Array<number>(anchors.length).fill(-1);
  anchors.forEach(([, there], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (anchors[ends[middle]!]![1] < there) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  });
  const rise: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) rise.push(anchors[at]!);
  return rise.reverse();
}
