import { distance } from '../../../scheme/compare.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';

/**
 * Finds the groups of fingerprints that are linked by distances of k or less. It compares all pairs: the playground holds few
 * documents.
 * @returns the positions in each group of two or more, ascending
 */
export function groupsOf(fingerprints: readonly Fingerprint[], k: number): number[][] {
  const groups: number[][] = [];
  fingerprints.forEach((fingerprint, index) => {
    const linked = groups.filter((group) => group.some((other) => distance(fingerprints[other]!, fingerprint) <= k));
    const [first = [], ...others] = linked;
    for (const other of others) groups.splice(groups.indexOf(other), 1);
    if (linked.length === 0) groups.push(first);
    first.push(...others.flat(), index);
  });
  return groups.filter(({ length }) => length > 1).map((group) => group.sort((a, b) => a - b));
}
