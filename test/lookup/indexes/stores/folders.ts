import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { salvageLines } from '../../../../src/lookup/indexes/stores/salvage.ts';

/** In memory, where there is such a folder: flushing a transaction takes no time there. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const folder = mkdtempSync(join(parent, 'simhash-doc-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

/** A path where nothing is yet, removed after the tests of the file. */
export function newPath(): string {
  return join(folder, String(count++));
}

/** The documents that can be read of an index, and the faults that are reported meanwhile. */
export function salvage(path: string, label?: string): { readonly lines: string[]; readonly faults: string[] } {
  const faults: string[] = [];
  return { lines: [...salvageLines(path, (fault) => faults.push(fault), label)], faults };
}
