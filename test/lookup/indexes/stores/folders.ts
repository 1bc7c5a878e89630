import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** In memory, where there is such a folder: flushing a transaction takes no time there. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const folder = mkdtempSync(join(parent, 'simhash-doc-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

/** A path where nothing is yet, removed after the tests of the file. */
export function newPath(): string {
  return join(folder, String(count++));
}
