import { type ArchiveFound, failed, type Outcome } from './document.ts';

/**
 * Takes what became of a path as one document: an archive is a failure, since it is unclear which document is meant.
 * @param path - as the caller gave it
 * @param found - what became of it
 */
export function single<T>(path: string, found: Outcome<T> | ArchiveFound): Outcome<T> {
  if (!('archive' in found)) return found;
  const message = `holds several documents (${found.archive}): expected one; hash and extract read them all`;
  return failed({ path }, { code: 'archive', message });
}
