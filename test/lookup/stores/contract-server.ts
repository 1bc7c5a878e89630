import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { DOCUMENT_LABEL } from '../../../src/cli/options.ts';
import type { StoredIndex } from '../../../src/lookup/stores/postgres/postgres-index.ts';
import { folder, jsonLines, run, success } from '../../cli/command.ts';
import { all } from '../../suite.ts';
import { expectLosses } from '../contract.ts';

/** Checks that an empty index whose table has no losses, as early versions made it, is read, and keeps them once it is written. */
export async function expectUpgrade(open: (mode: 'read' | 'write') => Promise<StoredIndex>): Promise<void> {
  const early = await open('read');
  const found = [await early.query(1n), await early.query(1n, { k: 9 })].map(({ matches }) => matches);
  expect([await all(early.entries()), ...found]).toEqual([[], [], []]);
  await early.close();
  const index = await open('write');
  await expectLosses(index);
  await index.close();
}

/** Checks the command with an index at a URL that has none yet, and an import into another one. */
export async function expectCommand(url: string, copy: string): Promise<void> {
  const cwd = folder({ 'a.txt': 'The quick brown fox.', 'b.txt': 'The quick brown fox.' });
  const index = (stdin: string, ...args: string[]) => run(['index', ...args], { cwd, stdin });
  const early = await index('', 'add', url, 'a.txt');
  expect(early).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('create one with index create') });
  expect(early.stderr).not.toContain('secret');
  expect(await index('', 'create', url)).toEqual(success(''));
  expect((await index('', 'add', url, '.')).stdout).toBe('added 2 documents, replaced 0\n');
  expect((await index('', 'add', url, '.')).stdout).toContain('skipped 2 unchanged files');
  expect(jsonLines((await index('', 'query', url, './a.txt', '--json', '--verify')).stdout)).toMatchObject(
    ['a.txt', 'b.txt'].map((name) => ({ id: join(realpathSync(cwd), name), distance: 0, overlap: 1 })),
  );
  // Import makes the index, with the label of the lines.
  const { stdout: lines } = await index('', 'export', url);
  expect(await index(lines, 'import', copy)).toEqual(success('added 2 documents, replaced 0\n'));
  expect((await index('', 'stats', copy)).stdout).toContain(`label         ${DOCUMENT_LABEL}\n`);
  expect((await index(lines, 'import', copy)).stdout).toBe('added 0 documents, replaced 2\n');
  rmSync(join(cwd, 'b.txt'));
  const synced = 'added 0 documents, replaced 0, removed 1, skipped 1 unchanged file\n';
  expect((await index('', 'sync', url, '.')).stdout).toBe(synced);
  expect((await index('', 'verify', url)).stdout).toBe('1 document, no faults\n');
}
