import { warnOfOrigins } from '../../terminal/origins.ts';
import type { Store } from './store.ts';

/**
 * Warns if an index has documents of the same medium by another extractor than those that were read.
 * @param subject - the place to name in the warning
 * @param read - the extractors of the documents that were read
 * @param maxFiles - the maximum number of files of the index whose extractors are looked at
 */
export async function warnOfStored(
  subject: 'comparison' | 'index',
  { files }: Store,
  read: ReadonlySet<string>,
  maxFiles = 10_000,
): Promise<void> {
  if (read.size === 0) return;
  const known = new Set(read);
  let count = 0;
  for await (const path of files.paths('')) {
    if (++count > maxFiles) break;
    for (const extractor of (await files.get(path))?.extractors ?? []) known.add(extractor);
  }
  warnOfOrigins(subject, read, known);
}
