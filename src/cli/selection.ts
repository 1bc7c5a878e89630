import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { failureOf } from '../documents/failure.ts';
import { type Entry, type Root, STDIN, showOctets } from '../documents/walk.ts';
import { type Arguments, usageError } from './command.ts';
import { assertStdinOnce } from './options.ts';

/** Which documents a command reads. */
export interface Selection {
  readonly roots: readonly Root[];
  /** What messages call the roots. */
  readonly names: readonly string[];
  /** Whether what a walk found is to be read. */
  readonly isSelected: (entry: Entry) => boolean;
  /** Whether documents that cannot be read by their type are skipped, not failed. */
  readonly skipUnsupported: boolean;
}

/**
 * Reads the arguments and the options of `help files`.
 * @param args - the arguments
 * @throws (rejects) with a usage error if standard input is named twice, or the list of files cannot be read
 */
export async function selectionOf(args: Arguments): Promise<Selection> {
  const list = args.value('files0-from');
  const roots = list === undefined ? rootsOf(args) : await readList(list, args.positionals);
  const [isIncluded, isExcluded] = [await matcherOf(args.values('include')), await matcherOf(args.values('exclude'))];
  return {
    roots,
    names: list === undefined ? rootsOf(args) : [`the files of ${list}`],
    isSelected({ path }) {
      if (path === STDIN) return true;
      if (isIncluded !== null && !isIncluded(path)) return false;
      return isExcluded === null || !foldersAndFile(path).some(isExcluded);
    },
    skipUnsupported: args.flag('skip-unsupported'),
  };
}

/** The paths that are given as arguments; standard input if there are none. */
function rootsOf({ positionals }: Arguments): readonly string[] {
  if (positionals.length === 0) return [STDIN];
  assertStdinOnce(positionals);
  return positionals;
}

async function matcherOf(globs: readonly string[]): Promise<((path: string) => boolean) | null> {
  return globs.length === 0 ? null : (await import('../documents/select/globs.ts')).createPathMatcher(globs);
}

/** A path and those of the folders on the way to it. */
function foldersAndFile(path: string): string[] {
  const all = [path];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) all.push(path.slice(0, at));
  return all;
}

/** Reads paths that are each ended by NUL. */
async function readList(list: string, positionals: readonly string[]): Promise<Root[]> {
  if (positionals.length > 0) throw usageError(`--files0-from: expected no other paths, got ${positionals[0]}`);
  const octets = await readWhole(list).catch((error: unknown) => {
    throw usageError(`--files0-from: ${list}: ${failureOf(error).message}`);
  });
  const roots: Root[] = [];
  for (let at = 0; at < octets.length; ) {
    const end = octets.indexOf(0, at);
    const name = octets.subarray(at, end < 0 ? octets.length : end);
    if (name.length === 0) throw usageError(`--files0-from: ${list}: path ${roots.length + 1} is empty`);
    roots.push(rootOf(name));
    at += name.length + 1;
  }
  return roots;
}

async function readWhole(list: string): Promise<Buffer> {
  if (list !== STDIN) return readFileSync(list);
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** In a list, - is a file of that name. */
function rootOf(name: Buffer): Root {
  if (!isUtf8(name)) return { path: showOctets(name), raw: name };
  const path = name.toString();
  return path === STDIN ? `./${path}` : path;
}
