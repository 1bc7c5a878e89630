import { warnOfOrigins } from '../../terminal/origins.ts';
import type { Store } from './store.ts';

/** Warns if documents of one medium were read by one extractor for the index, and by another one now. */
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
