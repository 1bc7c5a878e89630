import { type Adapter, describeExit } from '../adapter/protocol.ts';

export type AdapterPool = ReturnType<typeof createPool>;

/** Makes a pool of `jobs` processes: one if the adapter cannot start another. */
export function createPool(adapter: Adapter, jobs: number) {
  const others = Array.from({ length: jobs - 1 }, () => adapter.another?.()).filter((each) => each !== undefined);
  const all = [adapter, ...others];
  const free = [...all];
  const waiting: ((adapter: Adapter) => void)[] = [];
  const take = (isFirst: boolean): Promise<Adapter> | Adapter => {
    const next = free.shift();
    if (next !== undefined) return next;
    return new Promise((resolve) => {
      if (isFirst) waiting.unshift(resolve);
      else waiting.push(resolve);
    });
  };
  const giveBack = (each: Adapter): void => {
    const next = waiting.shift();
    if (next === undefined) free.unshift(each);
    else next(each);
  };
  return {
    size: all.length,
    /** Runs work with a free process. `isFirst` puts it before the work that is waiting for one. */
    async use<T>(work: (adapter: Adapter) => Promise<T>, isFirst = false): Promise<T> {
      const each = await take(isFirst);
      try {
        return await work(each);
      } finally {
        giveBack(each);
      }
    },
    async end(): Promise<string | null> {
      // Work that was begun, and is not needed any more, is done first.
      await Promise.all(all.map(() => take(false)));
      const problems = await Promise.all(all.map(endWell));
      free.push(...all);
      return problems.find((problem) => problem !== null) ?? null;
    },
  };
}

/** Ends a process; returns the fault in its exit (rule 7 of the protocol), or null. */
export async function endWell(adapter: Adapter): Promise<string | null> {
  const status = await adapter.end?.();
  if (status === undefined) return null;
  if (status === null) return 'did not exit when its standard input was closed';
  return status.code === 0 ? null : `${describeExit(status)} when its standard input was closed`;
}
