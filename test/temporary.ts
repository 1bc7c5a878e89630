import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/**
 * Gives the tests a folder for all that they and their processes write. Files of tests that share their modules, and processes
 * that are killed, leave some of it there.
 * @param project - all parts of a suite, or one, which has the same folder
 * @returns what removes it
 */
// biome-ignore lint/style/noDefaultExport: vitest calls the default export before the tests, and what it returns after them.
export default function makeTemporaryFolder(project: TestProject): (() => void) | undefined {
  if (!project.isRootProject()) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-tests-'));
  // A test becomes another user, who must get through.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
