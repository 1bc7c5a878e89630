import type { Steps } from '../../twin/twin.ts';

/** Counts like the twin, but each hash once with the number of its occurrences. */
export function countQuickly(hashes: Iterable<bigint>, s: Pick<Steps, 'toBits'>): bigint[] {
  const times = new Map<bigint, number>();
  for (const hash of hashes) times.set(hash, (times.get(hash) ?? 0) + 1);
  const counters: number[] = new Array(64).fill(0);
  for (const [hash, count] of times) {
    const bits = s.toBits(hash);
    for (let i = 0; i < 64; i++) counters[i]! += bits[i] === '1' ? count : -count;
  }
  return counters.map(BigInt);
}
