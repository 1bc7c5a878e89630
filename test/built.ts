import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.ts';

// Brings dist/ up to date with src/, for tests that run what is built: they import this file before. One process builds, the
// others wait for it, also those of another suite.

const root = fileURLToPath(new URL('..', import.meta.url));
const { isBuilt } = (await import(new URL('../src/sources.mjs', import.meta.url).href)) as { isBuilt(): boolean };

if (!isBuilt())
  withLock(`${root}build/dist.lock`, () => {
    if (isBuilt()) return;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/build.mjs'], { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`dist/ cannot be built from src/ as it is:\n${stdout}${stderr}`);
  });
