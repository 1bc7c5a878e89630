import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it that are missing. `mkdirSync` with `recursive` never returns where a folder that exists
 * answers ENOENT, as /proc does.
 * @param path - the folder; one that exists is left as it is
 * @throws Error of the system
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && statSync(dirname(path), { throwIfNoEntry: false }) === undefined) {
      makeFolder(dirname(path));
      makeFolder(path);
    } else if (!(code === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory())) throw error;
  }
}
