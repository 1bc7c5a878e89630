import { closeSync, createReadStream, openSync } from 'node:fs';
import { pluralize } from '../../../common/text.ts';
import type { ImportCounts } from '../../../lookup/types.ts';
import { type Arguments, DONE, FAILED } from '../../command.ts';
import { STDIN } from '../../documents/walk.ts';
import { print, printable, printJson, warn } from '../../terminal/output.ts';
import type { Store } from './store.ts';

/** Adds documents from files of JSON Lines, or from standard input. */
export async function importFiles(store: Store, args: Arguments, operands: readonly string[]): Promise<number> {
  const total = { added: 0, replaced: 0, bad: 0 };
  let failures = 0;
  for (const path of operands.length === 0 ? [STDIN] : operands) {
    const counts = await importFile(store, path);
    if (counts === undefined) failures++;
    else for (const name of ['added', 'replaced', 'bad'] as const) total[name] += counts[name];
  }
  const { added, replaced, bad } = total;
  if (args.flag('json')) await printJson(total);
  else
    await print(
      `added ${pluralize(added, 'document')}, replaced ${replaced}${bad > 0 ? `; ${pluralize(bad, 'line')} left out` : ''}\n`,
    );
  return failures + bad > 0 ? FAILED : DONE;
}

/**
 * Imports one file. Lines that are left out are told on stderr.
 * @returns what became of them, or undefined if the file cannot be read, which is told
 */
export async function importFile(store: Store, path: string): Promise<ImportCounts | undefined> {
  let fd: number | undefined;
  try {
    if (path !== STDIN) fd = openSync(path, 'r');
    const stream = fd === undefined ? process.stdin : createReadStream('', { fd, autoClose: false });
    const name = path === STDIN ? 'standard input' : printable(path);
    return await store.importLines(stream, {
      existing: 'replace',
      bad: 'skip',
      onBad: ({ line, error }) => warn(`${name}: line ${line}: ${error.message}`),
    });
  } catch (error) {
    const { failureOf } = await import('../../documents/failure.ts');
    // Errors of the index are told by the caller; those of the system are about the file.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    warn(`${printable(path)}: ${failureOf(error).message}`);
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
