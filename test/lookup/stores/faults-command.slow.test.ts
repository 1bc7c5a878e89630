import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openFolder } from '../../../src/lookup/stores/folder/open-folder.ts';
import { isThere } from '../../adapters/implementations.ts';
import { MAIN } from '../../cli/command.ts';
import { NODE, outputOf, runToEnd } from '../../process.ts';
import { all, STRIDE } from '../../suite.ts';

const root = mkdtempSync(join(tmpdir(), 'simhash-doc-faults-'));

const LIBRARY = join(root, 'faults.so');
const hasLibrary =
  process.platform === 'linux' &&
  spawnSync('cc', ['-shared', '-fPIC', '-o', LIBRARY, fileURLToPath(new URL('faults.c', import.meta.url)), '-ldl'])
    .status === 0;

const STORE = join(root, 'index');
const SAVED = join(root, 'saved');
const run = (...args: string[]): string => outputOf([...NODE, MAIN, 'index', ...args], { cwd: root });

async function contentOf(): Promise<string[]> {
  if (!existsSync(join(STORE, 'manifest'))) return [];
  const index = openFolder(STORE, { mode: 'read' });
  const lines = await all(index.exportLines());
  expect(await index.verify()).toEqual({ documents: lines.length, faults: [] });
  await index.close();
  return lines;
}

function writeDocuments(folder: string, texts: Readonly<Record<string, string>>): void {
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder));
  for (const [name, text] of Object.entries(texts))
    writeFileSync(
      join(root, folder, `${name}.txt`),
      `${text} and words that make it a document of more than some tokens`,
    );
}

/** Makes an index of three documents, and what the commands read. */
function prepare(): void {
  writeDocuments('docs', { a: 'apple', b: 'banana', c: 'cherry' });
  run('sync', 'index', 'docs');
  cpSync(STORE, SAVED, { recursive: true });
  writeDocuments('docs', { b: 'banana', c: 'cranberry', d: 'date' });
  writeDocuments('more', { e: 'elder', f: 'fig' });
  // The same fingerprints under other ids.
  const lines = run('export', 'index').replace(/"id":"[^"]*([abc])\.txt"/g, '"id":"line $1"');
  writeFileSync(join(root, 'lines.jsonl'), lines);
}

function restore(isNew: boolean): void {
  rmSync(STORE, { recursive: true, force: true });
  if (!isNew) cpSync(SAVED, STORE, { recursive: true });
}

describe.runIf(isThere('cc', hasLibrary))('every call of the system may fail in', () => {
  prepare();
  test.each([
    { isNew: true, args: ['add', 'index', 'docs'] },
    { isNew: false, args: ['add', 'index', 'more', 'docs'] },
    { isNew: false, args: ['sync', 'index', 'docs'] },
    { isNew: false, args: ['import', 'index', 'lines.jsonl'] },
    { isNew: false, args: ['remove', 'index', 'docs/a.txt'] },
  ])('$args.0, new: $isNew', async ({ isNew, args }) => {
    restore(isNew);
    const before = await contentOf();
    const log = join(root, 'log');
    rmSync(log, { force: true });
    const command = [...NODE, MAIN, 'index', ...args];
    const base = { PATH: process.env['PATH'], LD_PRELOAD: LIBRARY, FAULT_FOLDER: STORE };
    const runFaulty = (env: NodeJS.ProcessEnv) => runToEnd(command, { cwd: root, env: { ...base, ...env } });
    expect(runFaulty({ FAULT_AT: '1000000', FAULT_CODE: '5', FAULT_LOG: log }).end).toBe('exit 0');
    const after = await contentOf();
    expect(after).not.toEqual(before);
    const count = readFileSync(log).length;
    expect(count).toBeGreaterThan(10);
    const { EIO, ENOSPC } = constants.errno;
    for (let at = 0; at < count; at++)
      for (const [kind, fault] of [
        { FAULT_CODE: `${EIO}` },
        { FAULT_CODE: `${ENOSPC}`, FAULT_LASTING: '1' },
        {},
      ].entries()) {
        if ((at + kind) % STRIDE !== 0) continue;
        restore(isNew);
        const what = `call ${at}, ${JSON.stringify(fault)}`;
        const { end, stderr } = runFaulty({ FAULT_AT: `${at}`, ...fault });
        expect(end, `${what}: ${stderr}`).toMatch('FAULT_CODE' in fault ? /^exit [03]$/ : /^exit 99$/);
        expect(stderr, what).not.toMatch(/^ +at /m);
        const content = await contentOf();
        if (end === 'exit 0') expect(content, what).toEqual(after);
        else {
          if ('FAULT_CODE' in fault) expect(stderr, what).toContain('index');
          expect(content, what).toEqual(expect.arrayContaining(before.filter((line) => after.includes(line))));
          expect([...before, ...after], what).toEqual(expect.arrayContaining(content));
        }
        if (/nothing of this transaction was written/.test(stderr) && /import|remove/.test(args[0]!))
          expect(content, `${what}: ${stderr}`).toEqual(before);
        // Nothing is left to remove if it was removed before.
        const again = runToEnd(command, { cwd: root });
        expect(again.end, `${what}: ${stderr}, again: ${again.stderr}`).toBe(
          args[0] === 'remove' && content.length === after.length ? 'exit 3' : 'exit 0',
        );
        expect(await contentOf(), what).toEqual(after);
      }
  });
});
