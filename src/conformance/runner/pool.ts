import type { Adapter } from '../adapter/protocol.ts';
import { describeExit } from '../adapter/protocol.ts';

/** Processes of one adapter that work side by side. */
export interface Pool {
  readonly size: number;
  /** `isFirst`: before the work that waits. */
  use<T>(work: (adapter: Adapter) => Promise<T>, isFirst?: boolean): Promise<T>;
  /** Returns the fault in the exit of one process; null if there is none. */
  end(): Promise<string | null>;
}

/** Makes a pool of `jobs` processes: one if the adapter cannot be multiplied. */
export function createPool(adapter: Adapter, jobs: number): Pool {
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
    async use(work, isFirst = false) {
      const each = await take(isFirst);
      try {
        return await work(each);
      } finally {
        giveBack(each);
      }
    },
    async end() {
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
