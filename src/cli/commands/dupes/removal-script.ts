import { isUtf8 } from 'node:buffer';
import { lstatSync, realpathSync } from 'node:fs';
import { pluralize, printable } from '../../../common/text.ts';
import { nameOf } from '../../../documents/document-outcome.ts';
import { failureOf } from '../../../documents/failure.ts';
import { type FilePath, pathOf } from '../../../documents/file-path.ts';
import type { Document } from '../../../duplicates/collect.ts';
import type { DocumentGroup, DocumentGroupMember } from '../../../duplicates/group.ts';
import { roundOverlap } from '../../../duplicates/match.ts';
import type { Stamps } from '../../../duplicates/stamps.ts';
import type { SessionReport } from '../../session.ts';
import type { Result } from './dupes-result.ts';
import { removableIn } from './removable-paths.ts';

/** `sed` commands that escape the bytes of invisible characters as a `printf` format; joiners and variation selectors stay. */
const SHELL_UNSEEN = [
  ...['302[200-237]', '302255', '315217', '330234', '341205[237240]', '341236[264265]', '341240216'],
  ...['342200[213216217250-256]', '342201[240-257]', '343205244', '357273277', '357276240', '357277[260-273]'],
  ...['360235205[263-272]', '360233262[240-243]', '363240[200201].'],
]
  .map((bytes) => `s/${bytes.replace(/\d{3}/g, '\\$&')}/?/g`)
  .join(';');

/** The beginning of the script, for a POSIX shell with `test -ef`. No portable command compares times; the digest proves more. */
const SCRIPT_START = `#!/bin/sh
# Written by simhash-doc dupes, which removes nothing itself. Review this before you run it with sh.
#
# A file is removed only while it and the file to keep have the size and the SHA-256 digest
# that they had when they were compared, and neither is a link to the other.
# To move the files to a folder instead, where nothing is overwritten: MOVE_TO=FOLDER sh SCRIPT
# Exit code: 0 all were removed, 2 nothing was done, 3 some were skipped; the reasons are printed.

LC_ALL=C
export LC_ALL
removed=0 skipped=0 kept= state= problem='no file to keep was named'

stop() { # MESSAGE
  printf 'nothing was removed: %s\\n' "$1" >&2
  exit 2
}

[ / -ef / ] 2> /dev/null || stop 'this shell has no test -ef'

tool=
for each in sha256sum 'shasum -a 256' 'openssl dgst -sha256 -r' 'sha256 -q'; do
  sum=$(eval "$each" < /dev/null 2> /dev/null) || continue
  [ "\${sum%% *}" = e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 ] || continue
  tool=$each
  break
done
[ -n "$tool" ] || stop 'sha256sum, shasum or openssl is needed'

if [ -n "\${MOVE_TO+set}" ]; then
  [ -n "$MOVE_TO" ] || stop 'MOVE_TO is empty'
  case $MOVE_TO in /*) ;; *) MOVE_TO=$PWD/$MOVE_TO ;; esac
  mkdir -p -- "$MOVE_TO" || stop 'MOVE_TO is not a folder'
fi

fault() { # FILE BYTES SHA-256: says what is wrong with a file, if anything
  if [ -L "$1" ]; then
    echo 'is a symbolic link now'
  elif [ ! -e "$1" ]; then
    echo 'is gone'
  elif [ ! -f "$1" ]; then
    echo 'is not a file any more'
  elif [ ! -r "$1" ]; then
    echo 'cannot be read'
  elif [ "$(($(wc -c < "$1")))" -ne "$2" ]; then
    echo 'has changed its size'
  else
    sum=$(eval "$tool" < "$1")
    [ "\${sum%% *}" = "$3" ] || echo 'has changed'
  fi
}

visible() { # TEXT
  unseen=$(printf '${SHELL_UNSEEN}')
  printf '%s\\n' "$(printf '%s' "$1" | tr '\\001-\\037\\177' '?')" | sed "$unseen"
}

skip() { # FILE REASON
  printf 'not removed: %s: %s\\n' "$(visible "$1")" "$2" >&2
  skipped=$((skipped + 1))
}

keep() { # FILE BYTES SHA-256
  kept=$1
  state=$(ls -dil -- "$1" 2> /dev/null)
  problem=$(fault "$@")
}

remove() { # FILE BYTES SHA-256
  if [ -z "$problem" ] && [ "$(ls -dil -- "$kept" 2> /dev/null)" != "$state" ]; then
    problem='has changed'
  fi
  if [ -n "$problem" ]; then
    skip "$1" "the file to keep, $(visible "$kept"), $problem"
    return
  fi
  reason=$(fault "$@")
  if [ -n "$reason" ]; then
    skip "$1" "it $reason"
  elif [ "$1" -ef "$kept" ]; then
    skip "$1" 'it is a link to the file to keep'
  elif [ -n "\${MOVE_TO+set}" ]; then
    if [ -e "$MOVE_TO$1" ] || [ -L "$MOVE_TO$1" ]; then
      skip "$1" 'the folder of MOVE_TO has such a file'
    elif mkdir -p -- "$MOVE_TO\${1%/*}" && mv -- "$1" "$MOVE_TO$1"; then
      removed=$((removed + 1))
    else
      skip "$1" 'it could not be moved'
    fi
  elif rm -- "$1" && [ ! -e "$1" ]; then
    removed=$((removed + 1))
  else
    skip "$1" 'it could not be removed'
  fi
}
`;

const SCRIPT_END = `
printf '%d removed, %d skipped\\n' "$removed" "$skipped"
[ "$skipped" -eq 0 ] || exit 3
`;

/** A shell script that removes the files that match the one to keep. Changed files are reported and left out. */
export async function* groupsAsScript(
  result: Result,
  stamps: Stamps,
  report: SessionReport,
): AsyncGenerator<Uint8Array, undefined> {
  const { documents } = result.collection;
  const links: string[] = [];
  let isStarted = false;
  for (const group of result.groups) {
    const commands = await commandsFor(group, removableIn(result, group));
    if (commands.length === 0) continue;
    if (!isStarted) yield Buffer.from(SCRIPT_START);
    isStarted = true;
    yield Buffer.concat(commands);
  }
  if (isStarted) yield Buffer.from(SCRIPT_END);
  if (links.length > 0)
    report.note(
      `if the script runs, ${pluralize(links.length, 'symbolic link')} will point to nothing: ${list(links)}`,
    );

  /** The commands for a group, with comments; none if nothing can be removed. */
  async function commandsFor(
    { kept, members }: DocumentGroup,
    removable: readonly DocumentGroupMember[],
  ): Promise<Uint8Array[]> {
    if (removable.length === 0) return [];
    const toKeep = documents[kept]!;
    const keep = await commandFor('keep', toKeep);
    if (keep === null) return [];
    const count = pluralize(members.length + 1, 'document');
    const commands: Uint8Array[] = [Buffer.from(`\n# ${count}, to keep: ${printable(nameOf(toKeep.place))}\n`), keep];
    for (const member of removable) {
      const document = documents[member.document]!;
      const command = await commandFor('remove', document);
      if (command === null) continue;
      const dangling = stamps.linksTo(document.place).map(({ path }) => printable(path));
      links.push(...dangling);
      const { distance, overlap, isIdentical } = member;
      const match = isIdentical ? 'identical' : `distance ${distance}, overlap ${roundOverlap(overlap ?? 0)}`;
      const remarks = [
        [match, ...result.flagsOf(member.document)].join(', '),
        ...dangling.map((link) => `${link} will point to nothing`),
      ];
      commands.push(Buffer.from(remarks.map((remark) => `# ${remark}\n`).join('')), command);
    }
    return commands.length > 2 ? commands : [];
  }

  /** The command for a file with its proof; null if it has changed, which is reported. */
  async function commandFor(name: 'keep' | 'remove', { place }: Document): Promise<Buffer | null> {
    try {
      const { size, sha256 } = await stamps.prove(place);
      const path = absolute(place);
      const format = controlsEscaped(path);
      // The _ keeps `$(…)` from removing line ends.
      if (format !== null) return Buffer.from(`name=$(printf '${format}_')\n${name} "\${name%_}" ${size} ${sha256}\n`);
      return Buffer.concat([Buffer.from(`${name} `), quoteForShell(path), Buffer.from(` ${size} ${sha256}\n`)]);
    } catch (error) {
      report.fail(place.path, `left out of the script: ${failureOf(error).message}`);
      return null;
    }
  }
}

/** The maximum number of links in a message; the script names all of them. */
const MAX_NAMED = 10;

function list(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return [...names.slice(0, MAX_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** The script may run in another folder. A file to keep that is named by a symbolic link is checked itself. */
function absolute(file: FilePath): Buffer {
  const path = pathOf(file);
  if (lstatSync(path).isSymbolicLink()) return realpathSync.native(path, 'buffer');
  const bytes = Buffer.from(path as Buffer);
  if (bytes[0] === SLASH) return bytes;
  const isDotted = bytes[0] === DOT && bytes[1] === SLASH;
  return Buffer.concat([realpathSync.native('.', 'buffer'), Buffer.of(SLASH), isDotted ? bytes.subarray(2) : bytes]);
}

const SLASH = 0x2f;
const DOT = 0x2e;

/** Writes a path that a terminal would interpret as a `printf` format with octal escapes; null for one that needs none. */
function controlsEscaped(bytes: Buffer): string | null {
  const isText = isUtf8(bytes);
  if (isText && printable(bytes.toString()) === bytes.toString()) return null;
  const characters = [...bytes.toString(isText ? 'utf8' : 'latin1')];
  const isShown = (character: string): boolean =>
    printable(character) === character && (isText || character <= '~') && character !== "'";
  const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;
  return characters
    .map((character) => {
      if (isShown(character)) return character.replace(/[\\%]/, '$&$&');
      return Array.from(Buffer.from(character, isText ? 'utf8' : 'latin1'), octal).join('');
    })
    .join('');
}

/** Quotes bytes for a POSIX shell: between single quotes, nothing has a meaning but a single quote. */
function quoteForShell(bytes: Buffer): Buffer {
  return Buffer.from(`'${bytes.toString('latin1').replaceAll("'", "'\\''")}'`, 'latin1');
}
