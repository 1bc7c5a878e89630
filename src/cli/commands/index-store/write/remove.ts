import { resolve, sep } from 'node:path';
import { warn } from '../../../terminal/output.ts';
import { idsMeant } from '../ids.ts';
import type { Store } from '../store.ts';
import { noCounts } from './counts.ts';
import { removeFiles } from './pending.ts';

/** Removes documents by id, and all of files and folders. Names that are not in the index are counted and reported. */
export async function removeNamed(store: Store, names: readonly string[]) {
  let [removed, missing] = [0, 0];
  for (const name of names) {
    const count = (await removeIds(store, idsMeant(name))) + (await removeFolder(store, name));
    removed += count;
    if (count > 0) continue;
    missing++;
    warn(`${name}: not in the index`);
  }
  return { removed, missing };
}

/** Removes the documents of the first id, or file, that is in the index; returns how many there were. */
async function removeIds(store: Store, ids: readonly string[]): Promise<number> {
  for (const id of ids) {
    const count = ((await store.files.remove(id)) ?? 0) + ((await store.remove(id)) ? 1 : 0);
    if (count > 0) return count;
  }
  return 0;
}

/** Lists the files at or under a path, as it is shown, that the index has documents of. */
export async function* filesUnder(store: Store, path: string): AsyncGenerator<string, void> {
  const absolute = resolve(path);
  const folder = absolute.endsWith(sep) ? absolute : absolute + sep;
  if ((await store.files.get(absolute).catch(() => undefined)) !== undefined) yield absolute;
  yield* store.files.paths(folder);
}

async function removeFolder(store: Store, path: string): Promise<number> {
  const counts = noCounts();
  await removeFiles(store, filesUnder(store, path), counts);
  return counts.removed;
}
