import { CANDIDATE_DISTANCE, DEFAULT_OVERLAP } from '../../../duplicates/answer.ts';
import { differencesOf } from '../../../fingerprint/residue.ts';
import { overlap } from '../../../fingerprint/token-counts.ts';
import { distance } from '../../../scheme/compare.ts';
import type { PairSide, ShownGroup, ShownMember } from './tasks.ts';

/** Groups documents as `dupes` does. Compares all pairs: the playground holds few documents. */
export function groupsOf(sides: readonly PairSide[]): ShownGroup[] {
  /** `done` for duplicates; `shown` for documents that also differ other than in their words, which may have copies of their own. */
  const states = new Map<number, 'done' | 'shown'>();
  const isOpen = (kept: number, other: number): boolean => {
    const [a, b] = [sides[kept]!.residue, sides[other]!.residue];
    const hasSameRest = a.numbers === b.numbers && a.locators === b.locators;
    return states.get(other) === undefined || (states.get(other) === 'shown' && hasSameRest);
  };
  return sides.flatMap((side, kept): ShownGroup[] => {
    if (states.get(kept) === 'done') return [];
    const members: ShownMember[] = [];
    for (let other = kept + 1; other < sides.length; other++) {
      const member = isOpen(kept, other) ? matchOf(side, sides[other]!) : null;
      if (member === null) continue;
      states.set(other, member.differs.length === 0 ? 'done' : 'shown');
      members.push({ document: other, ...member });
    }
    return members.length === 0 ? [] : [{ kept, members }];
  });
}

function matchOf(a: PairSide, b: PairSide): Omit<ShownMember, 'document'> | null {
  const apart = distance(a.fingerprint!, b.fingerprint!);
  if (apart > CANDIDATE_DISTANCE) return null;
  const shared = overlap(a.counts, b.counts);
  if (shared < DEFAULT_OVERLAP) return null;
  return { distance: apart, overlap: shared, differs: differencesOf(a.residue, b.residue, shared) };
}
