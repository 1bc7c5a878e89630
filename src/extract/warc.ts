import type { ExtractionLimits } from './limits.ts';
import type { Member, Skip } from './members.ts';

/**
 * Reads a WARC file, compressed with gzip or not, in memory bounded by its largest record within the limits.
 * @param chunks - the file's octets, in parts of any size; a part may be overwritten once the next one is asked for
 * @param limits - per record: `octets` for its block as it is stored, `inflated` for what its codings grow to
 * @param skip - told of every record that is no document
 * @returns the documents in their order; what is damaged is a member with a failure, and reading goes on behind it
 * @throws whatever `chunks` throws, nothing else
 */
export async function* readWarc(
  _chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  _limits: ExtractionLimits,
  _skip: Skip,
): AsyncGenerator<Member, undefined> {}
