import { latin1 } from '../../common/bytes.ts';
import type { ByteReader, ReaderMark } from './byte-reader.ts';
import { headerLength, inflateMember, SMALL } from './gzip-member.ts';
import { inflateStart } from './zlib.ts';

const BLOCK = 1 << 16;

/** The maximum number of bytes, read and inflated, that are spent on searching damaged members again: it bounds nested members. */
const MAX_RESCANNED = 1 << 28;

/** The maximum number of magic numbers that are tried after damage. Chance puts one into 16 MiB. */
const MAX_PROBES = 1 << 16;

/** The distance after the start of a member in which the first bytes of its content are searched. */
const PROBE = 1 << 12;

/** Reads gzip members, with marks; after damage, goes on at the next whose content begins with `begins` (ASCII). */
export async function* gunzipResuming(
  reader: ByteReader,
  begins: string,
): AsyncGenerator<Uint8Array | ReaderMark, undefined> {
  let rescan = MAX_RESCANNED;
  const probes = { left: MAX_PROBES };
  for (;;) {
    const start = await reader.peek(2);
    yield { position: reader.offset };
    if (start.length === 0) return;
    if (start[0] === 0x1f && start[1] === 0x8b) {
      const failure = yield* inflateMember(reader, SMALL);
      if (failure === null) continue;
      yield { damage: `damaged gzip: ${failure.damage}`, isBefore: failure.made > 0 };
      // The member may be cut off in front of whole ones that its data seemed to go on into: look after its start.
      rescan -= failure.read + failure.made;
      reader.skip(rescan > 0 ? Math.min(1, failure.read) : failure.read);
    } else {
      await skipZeros(reader);
      if ((await reader.peek(1)).length === 0) return;
      yield { damage: 'bytes between gzip members that belong to no member' };
    }
    if (!(await seekMember(reader, begins, probes))) return;
  }
}

/** Skips to the next member whose content begins with `begins`, or to the end. Returns false at the limit of the search. */
async function seekMember(reader: ByteReader, begins: string, probes: { left: number }): Promise<boolean> {
  for (;;) {
    const view = await reader.peek(BLOCK + PROBE);
    if (view.length === 0) return true;
    const end = Math.min(view.length, BLOCK);
    for (let at = view.indexOf(0x1f); at >= 0 && at < end; at = view.indexOf(0x1f, at + 1)) {
      if (view[at + 1] !== 0x8b || view[at + 2] !== 8) continue;
      if (probes.left-- <= 0) return false;
      if (latin1(startOfContent(view.subarray(at, at + PROBE), begins.length)) === begins) {
        reader.skip(at);
        return true;
      }
    }
    reader.skip(end);
  }
}

export function startOfContent(member: Uint8Array, length: number): Uint8Array {
  const start = headerLength(member);
  return typeof start === 'string' ? new Uint8Array(0) : inflateStart(member.subarray(start), length);
}

async function skipZeros(reader: ByteReader): Promise<void> {
  for (;;) {
    const view = await reader.peek(BLOCK);
    const end = view.findIndex((byte) => byte !== 0);
    reader.skip(end < 0 ? view.length : end);
    if (end >= 0 || view.length === 0) return;
  }
}
