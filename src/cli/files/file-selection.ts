import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { failureOf } from '../../documents/failure.ts';
import { pathFromBytes } from '../../documents/file-path.ts';
import { type Root, STDIN } from '../../documents/walk.ts';
import type { Walked } from '../../documents/walk-plan.ts';
import { type Arguments, quoteWords, usageError } from '../command.ts';
import { assertExist, assertStdinOnce } from '../options.ts';

export interface FileSelection extends Walked {
  readonly names: readonly string[];
  readonly finds: Finds;
}

export interface Finds {
  /** The message for an empty standard input if PATH is missing, other than the usual one. */
  readonly missing?: string;
  readonly named: ReadonlySet<string>;
  folders: number;
  files: number;
}

export async function selectionOf(args: Arguments, others: readonly string[] = []): Promise<FileSelection> {
  const list = pathListOf(args);
  const named = list === undefined ? rootsOf(args) : [];
  const isMissing = list === undefined && args.positionals.length === 0;
  // Standard input has no name to match.
  for (const name of isMissing ? ['include', 'exclude', 'ext'] : [])
    for (const glob of args.values(name))
      throw usageError(`--${name}: ${JSON.stringify(glob)} was read as ${name === 'ext' ? 'EXT' : 'GLOB'}: add PATH`);
  const roots = list === undefined ? named : await readList(args, list);
  const [isIncluded, isExcluded] = [
    await matcherOf([...args.values('include'), ...args.values('ext').map(globOfExtension)]),
    await matcherOf(args.values('exclude')),
  ];
  const isLeftOut = (path: string): boolean => isExcluded !== null && foldersAndFile(path).some(isExcluded);
  const [other] = isMissing ? others : [];
  const finds: Finds = {
    ...createFinds([...named, ...others]),
    ...(other !== undefined && { missing: `expected PATH before or after --against ${quoteWords([other])}` }),
  };
  return {
    roots,
    names: list === undefined ? named : [`the files of ${list}`],
    hidden: args.flag('hidden'),
    onHidden(path, isFolder) {
      if (!isLeftOut(path)) countHidden(finds, isFolder);
    },
    isSelected({ path }) {
      if (path === STDIN) return true;
      return (isIncluded === null || isIncluded(path)) && !isLeftOut(path);
    },
    finds,
  };
}

export function pathListOf(args: Arguments): string | undefined {
  const [lines, terminated] = [args.value('files-from'), args.value('files0-from')];
  if (lines !== undefined && terminated !== undefined)
    throw usageError('--files-from cannot be used with --files0-from');
  return lines ?? terminated;
}

export function createFinds(named: Iterable<string>): Finds {
  return { named: new Set(named), folders: 0, files: 0 };
}

export function countHidden(finds: Finds, isFolder: boolean): void {
  if (isFolder) finds.folders++;
  else finds.files++;
}

function rootsOf({ positionals }: Arguments): readonly string[] {
  if (positionals.length === 0 && process.stdin.isTTY) throw usageError('expected PATH, or - for standard input');
  if (positionals.length === 0) return [STDIN];
  assertStdinOnce(positionals);
  assertExist(positionals);
  return positionals;
}

/** Makes a glob for the files whose names end in `.EXT`, in upper or lower case; a list is separated by commas. */
function globOfExtension(given: string): string {
  const names = given.split(',').map((each) => each.trim().replace(/^\*?\./, ''));
  if (!names.every((name) => /^[\p{L}\p{N}_.+-]+$/u.test(name)))
    throw usageError(`--ext: expected extensions such as pdf or html,txt, got ${JSON.stringify(given)}`);
  return `*.{${[...new Set(names.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()]))].join(',')},}`;
}

async function matcherOf(globs: readonly string[]): Promise<((path: string) => boolean) | null> {
  return globs.length === 0 ? null : (await import('../../documents/path-globs.ts')).createPathMatcher(globs);
}

function foldersAndFile(path: string): string[] {
  const all = [path];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) all.push(path.slice(0, at));
  return all;
}

const LINE_FEED = 0x0a;

/** Reads a list of paths. With --files-from, one that holds no NUL has a path in each line. */
async function readList(args: Arguments, list: string): Promise<Root[]> {
  const option = args.value('files-from') === undefined ? '--files0-from' : '--files-from';
  const [other] = args.positionals;
  if (other !== undefined) throw usageError(`${option}: expected no other paths, got ${other}`);
  let bytes: Buffer;
  try {
    bytes = list === STDIN ? await (await import('node:stream/consumers')).buffer(process.stdin) : readFileSync(list);
  } catch (error) {
    throw usageError(`${option}: ${list}: ${failureOf(error).message}`);
  }
  const hasLines = bytes.includes(LINE_FEED) && !bytes.includes(0);
  if (hasLines && option === '--files0-from')
    throw usageError(`${option}: ${list}: expected paths that are each terminated by NUL: --files-from reads lines`);
  const roots: Root[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(hasLines ? LINE_FEED : 0, at);
    const name = bytes.subarray(at, end < 0 ? bytes.length : end);
    if (name.length === 0) throw usageError(`${option}: ${list}: path ${roots.length + 1} is empty`);
    // In a list, - is a file of that name.
    roots.push(!isUtf8(name) ? pathFromBytes(name) : name.toString() === STDIN ? `./${STDIN}` : name.toString());
    at += name.length + 1;
  }
  return roots;
}
