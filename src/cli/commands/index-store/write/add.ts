import { statSync } from 'node:fs';
import { openInput } from '../../../../documents/read.ts';
import { type Root, STDIN } from '../../../../documents/walk.ts';
import { startsWithLine } from '../../../../duplicates/lines.ts';
import type { Arguments } from '../../../command.ts';
import { selectionOf } from '../../../files/selection.ts';
import { assertOperands, type Prepared } from '../run-index.ts';
import { noCounts, printCounts } from './counts.ts';
import { prepareLines } from './import.ts';
import { addSelected } from './read.ts';

export async function prepareAdd(args: Arguments, operands: readonly string[]): Promise<Prepared> {
  assertOperands(args, args.value('files0-from') === undefined ? 'PATH' : null);
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

/** Tests whether a file that is named, or standard input, has lines of fingerprints. */
export async function isLines(path: string): Promise<boolean> {
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
