import fs from 'node:fs';
import { join } from 'node:path';
import { interpose } from '../../faults.ts';

const CALLS = {
  open: ['openSync', 'readdirSync', 'readFileSync'],
  change: [
    ...['writeSync', 'fsyncSync', 'fdatasyncSync', 'ftruncateSync'],
    ...['renameSync', 'linkSync', 'unlinkSync', 'mkdirSync'],
  ],
  other: ['closeSync', 'readSync', 'fstatSync', 'statSync'],
} as const;

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

// As they are before any fault is injected.
const { closeSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } = fs;

/** Makes calls about paths that begin with `folder` fail until `restore` is called. */
export function injectFaults(folder: string, plan: Plan) {
  const synced: string[] = [];
  const log: string[] = [];
  /** What is on the disk for sure: the names in the folder, and the bytes of files, by their inodes. */
  let kept = new Map<string, number>();
  const bytes = new Map<number, Buffer>();
  let count = 0;
  let hasEnded = false;

  function inodes(): Map<string, number> {
    const list = existsSync(folder) ? readdirSync(folder) : [];
    return new Map(list.map((name) => [name, statSync(join(folder, name)).ino]));
  }

  function sync(path: string): void {
    synced.push(path);
    if (path === folder) kept = inodes();
    else if (!statSync(path).isDirectory()) bytes.set(statSync(path).ino, readFileSync(path));
  }

  const failing = FAILING[plan.fault]!.flatMap((kind): readonly string[] => CALLS[kind]);
  const isOurs = (path: string): boolean => path.startsWith(folder);
  const restore = interpose(isOurs, [[fs, Object.values(CALLS).flat()]], ({ name, args, path, run }) => {
    const runAndSync = (given = args): unknown => {
      const result = run(given);
      if (name === 'fsyncSync' || name === 'fdatasyncSync') sync(path);
      return result;
    };
    const shortened = (length: number): unknown[] => [...args.slice(0, 3), length, args[4]];
    const canFail = failing.includes(name) && (plan.fault !== 'short' || name === 'writeSync');
    const i = canFail ? count++ : -1;
    const fails = hasEnded || (canFail && (i === plan.at || (i > plan.at && plan.isLasting === true)));
    if (!fails) return runAndSync();
    hasEnded = plan.fault === 'end';
    log.push(`${name} ${String(args[0])}`);
    if (plan.fault === 'short') return runAndSync(shortened(Math.ceil((args[3] as number) / 2)));
    if (name === 'closeSync') run();
    else if (plan.isDone && i === plan.at) {
      const isHalf = name === 'writeSync' && plan.fault === 'end';
      const result = runAndSync(isHalf ? shortened((args[3] as number) >> 1) : args);
      if (name === 'openSync') closeSync(result as number);
    }
    throw Object.assign(new Error(`${plan.fault}: injected, ${name}`), { code: plan.fault.toUpperCase() });
  });
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
      mkdirSync(target);
      const now = inodes();
      const isOld = random() % 3;
      const names = new Map([...kept, ...[...now].filter(() => isOld > 0 && (isOld > 1 || random() % 2 === 0))]);
      const current = new Map([...now].map(([name, inode]) => [inode, readFileSync(join(folder, name))]));
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
    restore,
  };
}
