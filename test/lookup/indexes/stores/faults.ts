import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** The calls of `node:fs` that an index makes, by the kinds of failure that they can have. */
const CALLS = {
  open: ['openSync', 'readdirSync', 'readFileSync'],
  change: [
    'writeSync',
    'fsyncSync',
    'fdatasyncSync',
    'ftruncateSync',
    'renameSync',
    'linkSync',
    'unlinkSync',
    'mkdirSync',
  ],
  other: ['closeSync', 'readSync', 'fstatSync', 'statSync'],
} as const;

/** The kinds of calls that fail with a code. */
const FAILING: Readonly<Record<string, readonly (keyof typeof CALLS)[]>> = {
  EIO: ['open', 'change', 'other'],
  ENOSPC: ['change'],
  EMFILE: ['open'],
  short: ['change'],
  end: ['open', 'change', 'other'],
};

export interface Plan {
  /** A code; `short`: a part is written; `end`: no call has an effect from there on. */
  readonly fault: 'EIO' | 'ENOSPC' | 'EMFILE' | 'short' | 'end';
  /** The number of the first call that fails, from 0; Infinity for none. */
  readonly at: number;
  readonly isLasting?: boolean;
  /** The call has its effect, or half of it if it writes, before it fails. */
  readonly isDone?: boolean;
}

type Call = (...args: never[]) => unknown;

const names = Object.entries(CALLS).flatMap(([kind, list]) =>
  list.map((name) => [name, kind as keyof typeof CALLS] as const),
);
const real = Object.fromEntries(names.map(([name]) => [name, fs[name] as Call]));

/** Makes calls about paths that begin with `folder` fail until `restore` is called. */
export function injectFaults(folder: string, plan: Plan) {
  const opened = new Map<unknown, string>();
  const synced: string[] = [];
  const log: string[] = [];
  let count = 0;
  for (const [name, kind] of names) {
    const call = real[name]!;
    const run = (args: unknown[]): unknown => {
      const result = call(...(args as never[]));
      if (name === 'openSync') opened.set(result, String(args[0]));
      if (name === 'fsyncSync') synced.push(opened.get(args[0])!);
      return result;
    };
    const replaced = (...args: unknown[]): unknown => {
      const isMine = typeof args[0] === 'number' ? opened.has(args[0]) : String(args[0]).startsWith(folder);
      if (!isMine) return call(...(args as never[]));
      if (name === 'closeSync') opened.delete(args[0]);
      const canFail = FAILING[plan.fault]!.includes(kind) && (plan.fault !== 'short' || name === 'writeSync');
      const i = canFail ? count++ : -1;
      const fails = canFail && (i === plan.at || (i > plan.at && (plan.isLasting === true || plan.fault === 'end')));
      if (!fails) return run(args);
      log.push(`${name} ${String(args[0])}`);
      if (plan.fault === 'short') return run([args[0], args[1], args[2], Math.ceil((args[3] as number) / 2), args[4]]);
      if (name === 'closeSync') call(...(args as never[]));
      else if (plan.isDone && i === plan.at) {
        if (name === 'writeSync' && plan.fault === 'end') args[3] = (args[3] as number) >> 1;
        const result = run(args);
        if (name === 'openSync') real['closeSync']!(result as never);
      }
      throw Object.assign(new Error(`${plan.fault}: injected, ${name}`), { code: plan.fault.toUpperCase() });
    };
    Object.assign(fs, { [name]: replaced });
  }
  syncBuiltinESMExports();
  return {
    /** The number of calls that could fail. */
    get count(): number {
      return count;
    },
    /** The calls that failed. */
    log,
    /** The files and folders that were written to the disk. */
    synced,
    restore(): void {
      Object.assign(fs, real);
      syncBuiltinESMExports();
    },
  };
}
