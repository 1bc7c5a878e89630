import fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** A fault: which of the counted calls fails, and how. */
export interface Fault {
  /** The number of the call, from 0. */
  readonly at: number;
  /** The code of the error. Missing: a write writes a part of its bytes, and succeeds. */
  readonly code?: 'EIO' | 'ENOSPC' | 'EMFILE';
  /** True if all later calls fail as well. */
  readonly isLasting?: boolean;
}

/** The functions of `node:fs`, of its promises and of file handles whose calls are counted, unless others are named. */
export const CALLS = {
  sync: [
    ...['openSync', 'readSync', 'writeSync', 'fsyncSync', 'fdatasyncSync', 'ftruncateSync', 'closeSync', 'fstatSync'],
    ...['renameSync', 'unlinkSync', 'rmSync', 'mkdirSync', 'readdirSync', 'statSync', 'copyFileSync', 'linkSync'],
  ],
  promises: ['open', 'rename', 'rm', 'mkdir', 'stat'],
  handle: ['read', 'write', 'writeFile', 'appendFile', 'sync', 'datasync', 'chmod', 'chown', 'stat', 'close'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Any = (this: unknown, ...args: unknown[]) => unknown;
type Table = Record<string, Any>;

/**
 * Runs an action in which calls of the file system for some paths are counted, and may fail. Calls for other paths, and for
 * descriptors of other files, are as usual. Nothing else may use these paths meanwhile.
 * @param isOurs - tests whether calls for a path count
 * @param action - what is run
 * @param fault - the call that fails; missing: none
 * @returns the result of the action, and the names of the counted calls
 */
export async function withFaults<T>(
  isOurs: (path: string) => boolean,
  action: () => Promise<T>,
  fault?: Fault,
): Promise<{ readonly result: T; readonly calls: readonly string[] }> {
  const calls: string[] = [];
  const files = new Set<unknown>();
  const undo: (() => void)[] = [];

  /** Counts a call; returns whether it fails. */
  function isDue(name: string): boolean {
    const number = calls.push(name) - 1;
    return fault !== undefined && (number === fault.at || (fault.isLasting === true && number > fault.at));
  }

  /** Makes the call, or fails. A file that cannot be closed is closed all the same. */
  function call(name: string, original: Any, self: unknown, args: unknown[], isPromise: boolean): unknown {
    if (!isDue(name)) return original.apply(self, args);
    const isWrite = name === 'writeSync' || name === 'write';
    if (fault!.code === undefined) return original.apply(self, isWrite ? shortened(args, name) : args);
    const done = name.startsWith('close') ? original.apply(self, args) : undefined;
    const base = name.replace(/Sync$|File$/g, '').replace('append', 'write');
    const syscall = files.has(self) && /^(?:sync|stat|chmod|chown)$/.test(name) ? `f${name}` : base;
    const path = isForPath(self, args) ? { path: String(args[0]) } : {};
    const error = Object.assign(new Error(`${fault!.code}: injected, ${syscall}`), {
      code: fault!.code,
      syscall,
      ...path,
    });
    if (isPromise) return Promise.resolve(done).then(() => Promise.reject(error));
    throw error;
  }

  function replace(
    table: Table,
    name: string,
    isCounted: (self: unknown, args: unknown[]) => boolean,
    isPromise: boolean,
  ) {
    const original = table[name]!;
    table[name] = function (this: unknown, ...args: unknown[]) {
      if (!isCounted(this, args)) return original.apply(this, args);
      const result = call(name, original, this, args, isPromise);
      if (name === 'openSync') files.add(result);
      if (name === 'open')
        return (result as Promise<FileHandle>).then((file) => {
          files.add(file);
          return file;
        });
      if (name === 'closeSync') files.delete(args[0]);
      return result;
    };
    undo.push(() => {
      table[name] = original;
    });
  }

  const isForPath = (_: unknown, [path]: unknown[]): boolean => isPath(path) && isOurs(String(path));
  const probe = await open(process.execPath, 'r');
  const handle = Object.getPrototypeOf(probe) as Table;
  await probe.close();
  for (const name of CALLS.sync)
    replace(fs as unknown as Table, name, (self, args) => files.has(args[0]) || isForPath(self, args), false);
  for (const name of CALLS.promises) replace(fs.promises as unknown as Table, name, isForPath, true);
  for (const name of CALLS.handle) replace(handle, name, (self) => files.has(self), true);
  syncBuiltinESMExports();
  try {
    return { result: await action(), calls };
  } finally {
    for (const each of undo) each();
    syncBuiltinESMExports();
  }
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' || value instanceof Uint8Array || value instanceof URL;
}

/** The arguments of a write of a part of the bytes: `(file, buffer, offset, length)`, without the file for a handle. */
function shortened(args: unknown[], name: string): unknown[] {
  const at = name === 'writeSync' ? 1 : 0;
  const bytes = args[at];
  if (!(bytes instanceof Uint8Array)) return args;
  const offset = typeof args[at + 1] === 'number' ? (args[at + 1] as number) : 0;
  const length = typeof args[at + 2] === 'number' ? (args[at + 2] as number) : bytes.length - offset;
  return [...args.slice(0, at), bytes, offset, Math.max(1, length >> 1), ...args.slice(at + 3)];
}

/** All faults of a scenario whose calls are known: each call, once and from there on, with each code, and short writes. */
export function faultsFor(
  calls: readonly string[],
  codes: readonly Fault['code'][] = ['EIO', 'ENOSPC', 'EMFILE'],
): Fault[] {
  return calls.flatMap((name, at): Fault[] => [
    ...codes.flatMap((code) => [false, true].map((isLasting) => ({ at, code, isLasting }) as Fault)),
    ...(/^write(?:Sync)?$/.test(name) ? [{ at }, { at, isLasting: true }] : []),
  ]);
}
