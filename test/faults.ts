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
const CALLS = {
  sync: [
    ...['openSync', 'readSync', 'writeSync', 'fsyncSync', 'fdatasyncSync', 'ftruncateSync', 'closeSync', 'fstatSync'],
    ...['renameSync', 'unlinkSync', 'rmSync', 'mkdirSync', 'readdirSync', 'statSync', 'copyFileSync', 'linkSync'],
  ],
  promises: ['open', 'rename', 'rm', 'mkdir', 'stat'],
  handle: ['read', 'write', 'writeFile', 'appendFile', 'sync', 'datasync', 'chmod', 'chown', 'stat', 'close'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Any = (this: unknown, ...args: unknown[]) => unknown;
type Table = Record<string, Any>;

/** A call of the file system for a path of interest, or for a file that was opened by one. */
export interface FileCall {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly path: string;
  readonly isOfHandle: boolean;
  /** Makes the call itself. */
  run(args?: readonly unknown[]): unknown;
}

/** Has `onCall` make some calls of `node:fs`, of its promises or of file handles for some paths; returns what ends that. */
export function interpose(
  isOurs: (path: string) => boolean,
  tables: readonly (readonly [table: object, names: readonly string[]])[],
  onCall: (call: FileCall) => unknown,
): () => void {
  const files = new Map<unknown, string>();
  const undo: (() => void)[] = [];
  const pathOf = (self: unknown, [first]: unknown[]): string | undefined => {
    if (typeof (self as Partial<FileHandle> | undefined)?.fd === 'number') return files.get(self);
    return files.get(first) ?? (isPath(first) && isOurs(String(first)) ? String(first) : undefined);
  };
  function replace(table: Table, name: string): void {
    const original = table[name]!;
    table[name] = function (this: unknown, ...args: unknown[]) {
      const path = pathOf(this, args);
      if (path === undefined) return original.apply(this, args);
      const run: FileCall['run'] = (given = args) => {
        const result = original.apply(this, [...given]);
        if (name === 'openSync') files.set(result, path);
        if (name === 'closeSync') files.delete(args[0]);
        if (name !== 'open') return result;
        return (result as Promise<FileHandle>).then((file) => {
          files.set(file, path);
          return file;
        });
      };
      return onCall({ name, args, path, isOfHandle: files.has(this), run });
    };
    undo.push(() => {
      table[name] = original;
    });
  }
  for (const [table, names] of tables) for (const name of names) replace(table as Table, name);
  syncBuiltinESMExports();
  return () => {
    for (const each of undo) each();
    syncBuiltinESMExports();
  };
}

/**
 * Runs an action in which calls of the file system for some paths are counted, and may fail. Nothing else may use these paths
 * meanwhile.
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

  function onCall({ name, args, isOfHandle, run }: FileCall): unknown {
    const number = calls.push(name) - 1;
    const isDue = fault !== undefined && (number === fault.at || (fault.isLasting === true && number > fault.at));
    if (!isDue) return run();
    if (fault.code === undefined) return run(name === 'writeSync' || name === 'write' ? shortened(args, name) : args);
    // A file that cannot be closed is closed all the same.
    const done = name.startsWith('close') ? run() : undefined;
    const base = name.replace(/Sync$|File$/g, '').replace('append', 'write');
    const syscall = isOfHandle && /^(?:sync|stat|chmod|chown)$/.test(name) ? `f${name}` : base;
    const error = Object.assign(new Error(`${fault.code}: injected, ${syscall}`), {
      code: fault.code,
      syscall,
      ...(!isOfHandle && typeof args[0] !== 'number' && { path: String(args[0]) }),
    });
    if (!name.endsWith('Sync')) return Promise.resolve(done).then(() => Promise.reject(error));
    throw error;
  }

  const probe = await open(process.execPath, 'r');
  const handle = Object.getPrototypeOf(probe);
  await probe.close();
  const tables = [[fs, CALLS.sync] as const, [fs.promises, CALLS.promises] as const, [handle, CALLS.handle] as const];
  const restore = interpose(isOurs, tables, onCall);
  try {
    return { result: await action(), calls };
  } finally {
    restore();
  }
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' || value instanceof Uint8Array || value instanceof URL;
}

/** The arguments of a write of a part of the bytes: `(file, buffer, offset, length)`, without the file for a handle. */
function shortened(args: readonly unknown[], name: string): readonly unknown[] {
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
