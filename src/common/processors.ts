import * as os from 'node:os';

/** How many threads can run at once. Some engines lack the function that tells: a named import of it would not even load. */
export function countProcessors(): number {
  return os.availableParallelism?.() ?? os.cpus().length;
}
