import { readFileSync } from 'node:fs';
import { pathOf } from '../../../documents/file-path.ts';
import { statOf } from '../../../documents/walk-plan.ts';
import { type Document, isSymbolicLink } from '../../../duplicates/collect.ts';
import type { DocumentGroup, DocumentGroupMember } from '../../../duplicates/group.ts';
import { mayHaveAttachments } from '../../../extract/mail/recognise-mail.ts';
import type { Result } from './dupes-result.ts';

/** The confirmed members of a group that can be removed: files that take space, not documents in archives or messages with attachments. */
export function removableIn(
  { collection: { documents } }: Result,
  { kept, members }: DocumentGroup,
): readonly DocumentGroupMember[] {
  return members.filter(
    ({ document, isConfirmed, isIdentical }) =>
      isConfirmed &&
      isRemovable(documents[document]!, documents[kept]!) &&
      (isIdentical || !hasAttachments(documents[document]!)),
  );
}

function isDamaged({ losses = [] }: Document): boolean {
  return losses.includes('damaged');
}

function isRemovable(document: Document, kept: Document): boolean {
  if (document.place.member !== undefined || document.isLinked) return false;
  // A reference document is kept even if it is damaged.
  if (isDamaged(kept) && !isDamaged(document)) return false;
  const [file, other] = [document, kept].map(({ place }) => statOf({ ...place, found: true }));
  if (file === undefined || isSymbolicLink(document.place)) return false;
  // An index may have the same file under another name.
  return other === undefined || file.ino === 0 || file.ino !== other.ino || file.dev !== other.dev;
}

/** Tests whether the file is a message that may have attachments: its duplicate may have others. */
function hasAttachments({ place, kind }: Document): boolean {
  const isKnown = kind !== undefined || !/\.eml$/i.test(place.path);
  return place.hasAttachments ?? (!isKnown && mayHaveAttachments(readFileSync(pathOf(place))));
}

/** The paths of all files that match the one to keep, each ended by NUL. */
export function* groupsAsPaths(result: Result): Generator<Uint8Array> {
  for (const group of result.groups)
    for (const { document } of removableIn(result, group))
      yield Buffer.concat([Buffer.from(pathOf(result.collection.documents[document]!.place) as Buffer), Buffer.of(0)]);
}
