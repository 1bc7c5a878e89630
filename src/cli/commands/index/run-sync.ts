import { lstatSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { printable } from '../../../common/text.ts';
import { type FilePath, pathFromShown, pathOf } from '../../../documents/file-path.ts';
import { openInput } from '../../../documents/read.ts';
import { fileOf, type Root, STDIN, walk } from '../../../documents/walk.ts';
import { startsWithLine } from '../../../duplicates/read-json-lines.ts';
import { type Arguments, programName, quoteWords, usageError } from '../../command.ts';
import { type FileSelection, pathListOf, selectionOf } from '../../files/file-selection.ts';
import { assertExist } from '../../options.ts';
import type { OpenIndex } from '../../stores/open-store.ts';
import { warn } from '../../terminal/print.ts';
import { addSelected } from './add-documents.ts';
import { prepareLines } from './run-import.ts';
import { assertOperands, type Prepared } from './run-index.ts';
import { type ChangeCounts, filesUnder, noCounts, printCounts, removeFiles } from './store-changes.ts';

export async function prepareAdd(args: Arguments, operands: readonly string[]): Promise<Prepared> {
  assertOperands(args, pathListOf(args) === undefined ? 'PATH' : null);
  const selection = await selectionOf({ ...args, positionals: operands });
  const [lines, roots]: [string[], Root[]] = [[], []];
  for (const root of selection.roots)
    if (operands.includes(root as string) && (await isLines(root as string))) lines.push(root as string);
    else roots.push(root);
  const { importAll, ...label } = await prepareLines(lines);
  return {
    ...label,
    async action(store) {
      const counts = noCounts();
      const { added, replaced, bad, failures } = await importAll(store, args.flag('quiet'));
      Object.assign(counts, { added, replaced, failed: bad + failures });
      if (roots.length > 0) await addSelected(store, args, { ...selection, roots }, counts);
      return printCounts(counts, args);
    },
  };
}

async function isLines(path: string): Promise<boolean> {
  if (path === STDIN) return true;
  try {
    if (!statSync(path).isFile()) return false;
    const input = await openInput({ path, found: false }, () => {});
    await input.close();
    return startsWithLine(input.head);
  } catch {
    // Reading it as a document will report why.
    return false;
  }
}

export async function prepareSync(args: Arguments, operands: readonly string[]): Promise<Prepared> {
  assertOperands(args, pathListOf(args) === undefined ? 'PATH' : null);
  const selection = await selectionOf({ ...args, positionals: operands });
  assertExist(selection.roots.filter((root) => typeof root === 'string'));
  for (const path of operands)
    if (path === STDIN || (await isLines(path)))
      throw usageError(`${path}: expected files or folders of documents; index import reads fingerprints`);
  return {
    async action(store) {
      const counts = noCounts();
      await addSelected(store, args, selection, counts);
      for (const root of selection.roots) await removeGone(store, fileOf(root), selection, counts);
      return printCounts(counts, args);
    },
  };
}

async function removeGone(
  store: OpenIndex,
  root: FilePath,
  { isSelected }: FileSelection,
  counts: ChangeCounts,
): Promise<void> {
  const shown = root.path;
  // Collected first, since the index must not change while it is listed.
  const gone: string[] = [];
  for await (const path of filesUnder(store, shown))
    if (isSelected({ path: asGiven(shown, path), found: true }) && isGone(path)) gone.push(path);
  if (gone.length === 0) return;
  if (walk([root]).next().done === true) {
    counts.failed++;
    const command = quoteWords([programName(), 'index', 'remove', store.folder ?? 'STORE', shown]);
    warn(
      `${printable(shown)}: the folder is empty (not mounted?): no documents were removed; to remove them: ${printable(command)}`,
    );
    return;
  }
  await removeFiles(store, gone, counts);
}

function asGiven(root: string, path: string): string {
  const rest = path.slice(resolve(root).length);
  return rest === '' ? root : root.replace(/\/+$/, '') + (rest.startsWith('/') ? rest : `/${rest}`);
}

/** Tests whether no file has this path. A path that cannot be examined may have one. */
function isGone(path: string): boolean {
  try {
    return lstatSync(pathOf(pathFromShown(path))).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR';
  }
}
