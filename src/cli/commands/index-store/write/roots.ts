import { resolve, sep } from 'node:path';
import { type Root, walk } from '../../../../documents/walk.ts';
import type { Store } from '../store.ts';

/** Lists the files at or under a path, as it is shown, that the index has documents of. */
export async function* filesUnder(store: Store, path: string): AsyncGenerator<string, void> {
  const absolute = resolve(path);
  const folder = absolute.endsWith(sep) ? absolute : absolute + sep;
  if ((await store.files.get(absolute).catch(() => undefined)) !== undefined) yield absolute;
  yield* store.files.paths(folder);
}

/** Tests whether nothing is found at or under a path. */
export function isEmpty(root: Root): boolean {
  return walk([root]).next().done === true;
}
