import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { salvageLines } from '../../../src/lookup/stores/folder/salvage-lines.ts';

const folder = mkdtempSync(join(process.env['SIMHASH_DOC_MEMORY'] ?? tmpdir(), 'stores-'));

let count = 0;

/** A path where nothing is yet, removed after all tests. */
export function newPath(): string {
  return join(folder, String(count++));
}

/** The documents that can be read of an index, and the faults that are reported meanwhile. */
export function salvage(path: string, label?: string): { readonly lines: string[]; readonly faults: string[] } {
  const faults: string[] = [];
  return { lines: [...salvageLines(path, (fault) => faults.push(fault), label)], faults };
}
