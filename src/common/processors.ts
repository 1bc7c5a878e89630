import * as os from 'node:os';

/**
 * Returns the number of threads that can run at once. Some engines lack `availableParallelism`, so a named import of
 * it would fail to load.
 */
export function countProcessors(): number {
  return os.availableParallelism?.() ?? os.cpus().length;
}
