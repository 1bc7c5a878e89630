import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

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
  // Ending at a call that reads is ending at the next one that writes.
  end: ['change'],
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
const real: Readonly<Record<string, Call>> = Object.fromEntries(
  [...names.map(([name]) => name), 'existsSync' as const].map((name) => [name, fs[name] as Call]),
);

/** Makes calls about paths that begin with `folder` fail until `restore` is called. */
export function injectFaults(folder: string, plan: Plan) {
  const opened = new Map<unknown, string>();
  const synced: string[] = [];
  const log: string[] = [];
  /** What is on the disk for sure: the names in the folder, and the bytes of files, by their inodes. */
  let kept = new Map<string, number>();
  const bytes = new Map<number, Buffer>();
  let count = 0;
  let hasEnded = false;

  function inodes(): Map<string, number> {
    const list = real['existsSync']!(folder as never) ? (real['readdirSync']!(folder as never) as string[]) : [];
    return new Map(list.map((name) => [name, (real['statSync']!(join(folder, name) as never) as fs.Stats).ino]));
  }

  function sync(path: string): void {
    synced.push(path);
    if (path === folder) kept = inodes();
    else if (!(real['statSync']!(path as never) as fs.Stats).isDirectory())
      bytes.set((real['statSync']!(path as never) as fs.Stats).ino, real['readFileSync']!(path as never) as Buffer);
  }

  for (const [name, kind] of names) {
    const call = real[name]!;
    const run = (args: unknown[]): unknown => {
      const result = call(...(args as never[]));
      if (name === 'openSync') opened.set(result, String(args[0]));
      if (name === 'fsyncSync' || name === 'fdatasyncSync') sync(opened.get(args[0])!);
      return result;
    };
    const replaced = (...args: unknown[]): unknown => {
      const isMine = typeof args[0] === 'number' ? opened.has(args[0]) : String(args[0]).startsWith(folder);
      if (!isMine) return call(...(args as never[]));
      if (name === 'closeSync') opened.delete(args[0]);
      const canFail = FAILING[plan.fault]!.includes(kind) && (plan.fault !== 'short' || name === 'writeSync');
      const i = canFail ? count++ : -1;
      const fails = hasEnded || (canFail && (i === plan.at || (i > plan.at && plan.isLasting === true)));
      if (!fails) return run(args);
      hasEnded = plan.fault === 'end';
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
    /** Makes a folder that has what may be on the disk after a loss of power: any names and pages that were not synced. */
    losePower(target: string, random: () => number): void {
      real['mkdirSync']!(target as never);
      const now = inodes();
      const isOld = random() % 3;
      const names = new Map([...kept, ...[...now].filter(() => isOld > 0 && (isOld > 1 || random() % 2 === 0))]);
      const current = new Map([...now].map(([name, inode]) => [inode, fs.readFileSync(join(folder, name))]));
      for (const [name, inode] of names) {
        const old = bytes.get(inode) ?? Buffer.alloc(0);
        const whole = Buffer.from(current.get(inode) ?? old);
        for (let at = 0; at < whole.length; at += 4096)
          if (random() % 2 === 0) {
            const page = whole.subarray(at, at + 4096).fill(0);
            if (at < old.length) old.copy(page, 0, at, Math.min(old.length, at + 4096));
          }
        if (!name.startsWith('writer')) fs.writeFileSync(join(target, name), random() % 3 === 0 ? old : whole);
      }
    },
    restore(): void {
      Object.assign(fs, real);
      syncBuiltinESMExports();
    },
  };
}
