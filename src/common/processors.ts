import * as os from 'node:os';

/** Returns the number of threads that can run at once; some engines lack `availableParallelism`, so it cannot be imported. */
export function countProcessors(): number {
  return os.availableParallelism?.() ?? os.cpus().length;
}
