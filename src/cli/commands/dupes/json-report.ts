import { nameOf, placeAsJson } from '../../../documents/document-outcome.ts';
import type { Collection } from '../../../duplicates/collect.ts';
import type { DocumentGroupMember } from '../../../duplicates/group.ts';
import { type DuplicateMatch, roundOverlap } from '../../../duplicates/match.ts';
import { fingerprintAt } from '../../../duplicates/near/column.ts';
import { serialise } from '../../../index.ts';
import { asJsonLine } from '../../terminal/print.ts';
import type { Result } from './dupes-result.ts';

export function pairAsJson(
  { documents }: Collection,
  { kept, other, distance, overlap, differs }: DuplicateMatch,
): string {
  const [a, b] = [documents[kept]!.place, documents[other]!.place];
  const [aDate, bDate] = [a.member?.date, b.member?.date];
  return asJsonLine({
    ...{ a: nameOf(a), b: nameOf(b), distance },
    ...(overlap !== null && { overlap: roundOverlap(overlap), differs }),
    ...(aDate !== undefined && { aDate }),
    ...(bDate !== undefined && { bDate }),
  });
}

export function* groupsAsJson({ collection, groups, contained, isVerified, flagsOf }: Result): Generator<string> {
  const { label, documents, fingerprints } = collection;
  const asJson = (document: number, member: Partial<DocumentGroupMember>) => {
    const { place, size, tokens } = documents[document]!;
    const { distance = 0, overlap = 1, isConfirmed = true, isIdentical = false, differs = [] } = member;
    const flags = flagsOf(document);
    return {
      ...placeAsJson(place),
      fingerprint: serialise(fingerprintAt(fingerprints, document)),
      distance,
      ...(isVerified && overlap !== null && { overlap: roundOverlap(overlap) }),
      size,
      ...(tokens !== null && { tokens }),
      ...(isVerified && { identical: isIdentical }),
      ...(!isConfirmed && isVerified && { confirmed: false }),
      ...(differs.length > 0 && { differs }),
      ...(flags.length > 0 && { flags }),
    };
  };
  for (const { kept, members, reclaimable } of groups) {
    const list = [asJson(kept, {}), ...members.map((member) => asJson(member.document, member))];
    yield asJsonLine({ label, verified: isVerified, documents: list, ...(isVerified && { reclaimable }) });
  }
  for (const { document, container, distance, overlap, share } of contained)
    yield asJsonLine({
      contained: nameOf(documents[document]!.place),
      in: nameOf(documents[container]!.place),
      share: roundOverlap(share),
      distance,
      overlap: roundOverlap(overlap),
    });
}
