import { readFileSync } from 'node:fs';
import { expect, vi } from 'vitest';

/** Tests whether a process runs. (A zombie, ended but not yet collected by its parent, does not.) */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits for the end of a process. */
export async function ended(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1);
  await vi.waitUntil(() => !isAlive(pid), { timeout: 10_000, interval: 5 });
}
