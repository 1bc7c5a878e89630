import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { failureOf } from '../../../../documents/failure.ts';
import { pathOf, type Root, STDIN, walk } from '../../../../documents/walk.ts';
import { usageError } from '../../../command.ts';
import type { Store } from '../store.ts';

/** Throws a usage error if one of the paths does not exist. */
export function assertExists(roots: readonly Root[]): void {
  for (const root of roots) {
    const place = typeof root === 'string' ? { path: root } : root;
    if (place.path === STDIN) continue;
    try {
      statSync(pathOf(place));
    } catch (error) {
      const { code, message } = failureOf(error);
      if (code === 'not-found') throw usageError(`${place.path}: ${message}`);
    }
  }
}

/** Lists the files at or under a path that the index has documents of. */
export async function* filesUnder(store: Store, path: string): AsyncGenerator<string, void> {
  const absolute = resolve(path);
  const folder = absolute.endsWith(sep) ? absolute : absolute + sep;
  if ((await store.files.get(absolute).catch(() => undefined)) !== undefined) yield absolute;
  yield* store.files.paths(folder);
}

/** Whether nothing is found at or under a path. */
export function isEmpty(path: string): boolean {
  return walk([path]).next().done === true;
}
