import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/**
 * Gives the tests folders for all that they and their processes write, which nobody else removes: one on disk, and one in memory
 * where there is such a place, since flushing a transaction takes no time there.
 * @param project - all parts of a suite, or one, which has the same folder
 * @returns what removes it
 */
// biome-ignore lint/style/noDefaultExport: vitest calls the default export before the tests, and what it returns after them.
export default function makeTemporaryFolder(project: TestProject): (() => void) | undefined {
  if (!project.isRootProject()) return undefined;
  const parents = { TMPDIR: tmpdir(), SIMHASH_DOC_MEMORY: existsSync('/dev/shm') ? '/dev/shm' : tmpdir() };
  for (const [name, parent] of Object.entries(parents)) {
    process.env[name] = mkdtempSync(join(parent, 'simhash-doc-tests-'));
    // A test becomes another user, who must get through.
    chmodSync(process.env[name], 0o711);
  }
  return () => {
    for (const name of Object.keys(parents)) rmSync(process.env[name]!, { recursive: true, force: true });
  };
}
