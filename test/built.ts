import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// Brings dist/ up to date with src/, for tests that run what is built: they import this file before. One process builds, the
// others wait for it, also those of another suite.

const root = fileURLToPath(new URL('..', import.meta.url));
const lock = `${root}build/dist.lock`;
const { isBuilt } = (await import(new URL('../src/sources.mjs', import.meta.url).href)) as { isBuilt(): boolean };

/** Takes the lock, unless another process that is running has it. */
function takeLock(): boolean {
  try {
    mkdirSync(`${root}build`, { recursive: true });
    writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    if (!isHeld()) rmSync(lock, { force: true });
    return false;
  }
}

function isHeld(): boolean {
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    // (Not written yet: 0.)
    if (holder > 0) process.kill(holder, 0);
    return true;
  } catch {
    return false;
  }
}

while (!isBuilt()) {
  if (!takeLock()) {
    await setTimeout(200);
    continue;
  }
  try {
    if (isBuilt()) break;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/build.mjs'], { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`dist/ cannot be built from src/ as it is:\n${stdout}${stderr}`);
  } finally {
    rmSync(lock, { force: true });
  }
}
