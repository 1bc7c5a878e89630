import { splitLanes, viewLanes } from '../../common/lanes.ts';
import { copyPairs, createPairBuffer, type PairBatches } from './pair-batches.ts';
import { splitPairs } from './split-pairs.ts';

/** Finds the same pairs as `kernelPairs`: its fallback, and the reference in its tests. */
export function* plainPairs(fingerprints: BigUint64Array, k: number): PairBatches {
  const { once, firsts } = distinct(fingerprints);
  const pairs = createPairBuffer();
  yield* copyPairs(firsts);
  yield* splitPairs({ lanes: viewLanes(fingerprints), k, isReported: () => true, pairs }, { a: once }, []);
  yield* pairs.take();
}

/** The positions of the first of equal fingerprints, and for each copy the position of its first, plus 1; 0 for all others. */
function distinct(fingerprints: BigUint64Array) {
  const { high, low } = splitLanes(fingerprints);
  // Sorted, since a hash table of numbers from an attacker needs a key.
  const order = new Uint32Array(high.length)
    .map((_, position) => position)
    .sort((a, b) => high[a]! - high[b]! || low[a]! - low[b]! || a - b);
  const firsts = new Uint32Array(order.length);
  let [first] = order;
  for (const position of order)
    if (high[position] !== high[first!] || low[position] !== low[first!]) first = position;
    else if (position !== first) firsts[position] = first! + 1;
  return { once: order.filter((position) => firsts[position] === 0), firsts };
}
