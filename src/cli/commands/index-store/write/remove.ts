import { warn } from '../../../terminal/output.ts';
import { idsMeant } from '../ids.ts';
import type { Store } from '../store.ts';
import { noCounts } from './counts.ts';
import { createPending } from './pending.ts';
import { filesUnder } from './roots.ts';

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

async function removeFolder(store: Store, path: string): Promise<number> {
  const counts = noCounts();
  const pending = createPending(store, counts);
  for await (const file of filesUnder(store, path)) {
    pending.remove(file);
    await pending.commitIfDue();
  }
  await pending.commit();
  return counts.removed;
}
