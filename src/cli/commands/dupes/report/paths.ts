import { pluralize, printable } from '../../../../common/text.ts';
import { nameOf } from '../../../../documents/outcome.ts';
import { pathOf } from '../../../../documents/walk.ts';
import type { Document } from '../../../../duplicates/collect.ts';
import type { Group, Member } from '../../../../duplicates/group.ts';
import { roundOverlap } from '../../../../duplicates/match.ts';
import type { Result } from './result.ts';

/** The octets of a path. */
function octetsOf({ place }: Document): Buffer {
  return Buffer.from(pathOf(place));
}

/** The confirmed members of a group that can be removed: files, not documents in archives. */
function removableIn({ collection }: Result, { members }: Group): readonly Member[] {
  return members.filter(
    ({ document, isConfirmed }) => isConfirmed && collection.documents[document]!.place.member === undefined,
  );
}

/** The paths of all files that match the one to keep, each ended by NUL. */
export function* groupsAsPaths(result: Result): Generator<Uint8Array> {
  for (const group of result.groups)
    for (const { document } of removableIn(result, group))
      yield Buffer.concat([octetsOf(result.collection.documents[document]!), Buffer.of(0)]);
}

/** The beginning of the script: POSIX shell. */
const SCRIPT_START = `#!/bin/sh
# Written by simhash-doc dupes, which removes nothing itself. Review each line before you run this with sh.
# A file is removed only while it has its size and the document to keep is there.

remove() { # FILE BYTES KEPT
  if [ ! -f "$3" ]; then
    printf 'not removed: %s: %s is gone\\n' "$1" "$3" >&2
  elif [ ! -f "$1" ] || [ "$(($(wc -c < "$1")))" -ne "$2" ]; then
    printf 'not removed: %s: it has changed\\n' "$1" >&2
  else
    rm -- "$1"
  fi
}
`;

/** A shell script that removes all files that match the one to keep. */
export function* groupsAsScript(result: Result): Generator<Uint8Array> {
  const { documents } = result.collection;
  let isStarted = false;
  for (const group of result.groups) {
    const removable = removableIn(result, group);
    if (removable.length === 0) continue;
    if (!isStarted) yield Buffer.from(SCRIPT_START);
    isStarted = true;
    const kept = documents[group.kept]!;
    yield Buffer.from(
      `\n# ${pluralize(removable.length + 1, 'document')}, to keep: ${printable(nameOf(kept.place))}\n`,
    );
    for (const member of removable) {
      const document = documents[member.document]!;
      yield Buffer.concat([
        Buffer.from(`# ${remarkOn(result, member)}\nremove `),
        quoteForShell(absolute(octetsOf(document))),
        Buffer.from(` ${document.size} `),
        quoteForShell(absolute(octetsOf(kept))),
        Buffer.from('\n'),
      ]);
    }
  }
}

function remarkOn({ flagsOf }: Result, { document, distance, overlap, isIdentical }: Member): string {
  const { short, repetitive } = flagsOf(document);
  return [
    isIdentical ? 'identical' : `distance ${distance}, overlap ${roundOverlap(overlap ?? 0)}`,
    ...(short ? ['short'] : []),
    ...(repetitive ? ['repetitive'] : []),
  ].join(', ');
}

/** The script may run in another folder. */
function absolute(path: Buffer): Buffer {
  return path[0] === SLASH ? path : Buffer.concat([Buffer.from(`${process.cwd()}/`), path]);
}

const SLASH = 0x2f;
const QUOTE = 0x27;
const ESCAPED_QUOTE = Buffer.from("'\\''");

/** Quotes octets for a POSIX shell: between single quotes, nothing has a meaning but a single quote. */
function quoteForShell(octets: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.of(QUOTE)];
  let from = 0;
  for (let at = octets.indexOf(QUOTE); at >= 0; at = octets.indexOf(QUOTE, from)) {
    parts.push(octets.subarray(from, at), ESCAPED_QUOTE);
    from = at + 1;
  }
  return Buffer.concat([...parts, octets.subarray(from), Buffer.of(QUOTE)]);
}
