import { accessSync, closeSync, constants, openSync, readSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { replaceFile, targetOf } from '../../common/replace-file.ts';
import { describeSystemError } from '../../common/system-error.ts';
import { printable } from '../../common/text.ts';
import { documentError } from '../../documents/failure.ts';
import { isUsageError, usageError } from '../command.ts';

export interface Output {
  readonly option: string;
  readonly path: string;
  /** Tests by its beginning whether this program wrote such a file; absent if nothing in it shows that. */
  readonly isOurs?: (head: string) => boolean;
}

/** Tests whether two paths lead to the same file, or would if it existed. */
export function isSameFile(a: string | Buffer, b: string): boolean {
  const [left, right] = [lookAt(a), lookAt(b)];
  if (left === undefined || right === undefined) return typeof a === 'string' && resolve(a) === resolve(b);
  return left.dev === right.dev && left.ino === right.ino;
}

/** Looks at a file; undefined if that fails: using it will report why. */
function lookAt(path: string | Buffer): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** The number of bytes at the beginning of a file that identify its writer. */
const HEAD = 1 << 16;

/** Throws a usage error unless each file can be written and is new, empty or from the same option. `next` ends messages. */
export function assertOutputs(outputs: readonly Output[], inputs: readonly (string | Buffer)[], next = ''): void {
  for (const [index, output] of outputs.entries()) {
    const { option, path } = output;
    const fail = (message: string): Error => usageError(`--${option}: ${message}`);
    const isHere = (other: string | Buffer): boolean => isSameFile(other, path);
    const shown = printable(path);
    if (path === '') throw fail('expected the name of a file to write');
    if (outputs.slice(0, index).some((other) => isHere(other.path)))
      throw fail(`${shown} is the output of two options`);
    if (inputs.some(isHere)) throw fail(`${shown} is also an input: name a new file${next}`);
    assertWritable(output, next);
    const obstacle = obstacleAt(output);
    if (obstacle !== undefined) throw fail(`${shown}${obstacle}${next}`);
  }
}

function obstacleAt({ option, path, isOurs }: Output): string | undefined {
  const stat = lookAt(path);
  if (stat?.isFile() !== true || stat.size === 0) return undefined;
  if (isOurs === undefined) return ' exists: remove it first, or name a new file';
  try {
    return isOurs(headOf(path).toString()) ? undefined : ` exists and was not written by --${option}: name a new file`;
  } catch (error) {
    return ` exists and cannot be read: ${describeSystemError(error)}`;
  }
}

export function headOf(path: string): Buffer {
  const head = Buffer.alloc(HEAD);
  const file = openSync(path, 'r');
  try {
    return head.subarray(0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}

export function assertWritable({ option, path }: Pick<Output, 'option' | 'path'>, next = ''): void {
  const fail = (message: string): Error => usageError(`--${option}: ${printable(path)}${message}`);
  const stat = lookAt(path);
  if (stat?.isDirectory()) throw fail(` is a folder: expected the name of a file${next}`);
  if (stat?.isSocket()) throw fail(` is a socket: expected the name of a file${next}`);
  if (stat?.isBlockDevice()) throw fail(` is a disk: expected the name of a file${next}`);
  try {
    if (stat !== undefined) accessSync(path, constants.W_OK);
    if (stat?.isFile() === false) return;
    // The file is replaced by renaming a temporary one, which needs a writable folder.
    const folder = dirname(targetOf(path));
    if (lookAt(folder)?.isDirectory() !== true) throw fail(`: no such folder: ${printable(folder)}`);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    if (isUsageError(error)) throw error;
    throw fail(`: cannot be written: ${describeSystemError(error)}`);
  }
}

export function assertStillFree(output: Output): void {
  const obstacle = obstacleAt(output);
  if (obstacle === undefined) return;
  throw Object.assign(documentError('unreadable', `not written: the file${obstacle}`), { path: output.path });
}

export async function writeOutput(output: Output, text: string): Promise<void> {
  assertStillFree(output);
  await replaceFile(output.path, (file) => file.writeFile(text));
}
