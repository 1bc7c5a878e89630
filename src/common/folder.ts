import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a folder and those above it: `mkdirSync` with `recursive` never returns where one that exists answers ENOENT, as in /proc. */
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
