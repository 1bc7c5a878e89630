import type { ExtractionLimits } from './limits.ts';
import type { Member, Skip } from './members.ts';
import type { Medium } from './types.ts';

/** A file of which any part can be read, so that an archive needs no memory for what is not read. */
export interface RandomAccess {
  /** Octets of the file. */
  readonly size: number;
  /** Reads the `length` octets from `offset` on, all of which are within the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/**
 * Reads a ZIP archive in the order of its central directory.
 * @param source - the archive
 * @param limits - per member: `octets` for what is stored of it, `inflated` for what it grows to
 * @param skip - told of every member that is no document; folders are not mentioned
 * @returns the documents; a member that cannot be read has a failure
 * @throws (rejects) Error `damaged` for an archive whose directory cannot be read; whatever `source` throws
 */
export async function* readZip(
  _source: RandomAccess,
  _limits: ExtractionLimits,
  _skip: Skip,
): AsyncGenerator<Member, undefined> {}

/**
 * Tells a document that is a ZIP archive (EPUB, DOCX, ODT) from an archive of documents, by the whole directory:
 * `detectType` sees the first members only.
 * @param source - the archive
 * @returns the medium, or null for an archive of documents
 * @throws (rejects) Error `damaged`; `unsupported-media-type` for a package that no extractor here reads
 */
export async function documentInZip(_source: RandomAccess): Promise<Medium | null> {
  return null;
}
