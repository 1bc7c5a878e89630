import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';
import { pluralize, printable } from '../../../common/text.ts';
import { STDIN } from '../../../documents/walk.ts';
import type { ImportCounts } from '../../../lookup/types.ts';
import { type Arguments, DONE, FAILED } from '../../command.ts';
import { print, printJson, warn } from '../../terminal/output.ts';
import { createProgress, type Progress } from '../../terminal/progress.ts';
import type { Store } from './store.ts';

/** Adds documents from files of JSON Lines, or from standard input. */
export async function importFiles(store: Store, args: Arguments, operands: readonly string[]): Promise<number> {
  const total = { added: 0, replaced: 0, bad: 0 };
  let failures = 0;
  for (const path of operands.length === 0 ? [STDIN] : operands) {
    const counts = await importFile(store, path, args.flag('quiet'));
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
 * Imports one file. Lines that are left out are reported on stderr.
 * @param quiet - show no progress
 * @returns what became of them, or undefined if the file cannot be read, which is reported
 */
export async function importFile(store: Store, path: string, quiet: boolean): Promise<ImportCounts | undefined> {
  const progress = createProgress(process.stderr, quiet);
  let fd: number | undefined;
  try {
    if (path !== STDIN) fd = openSync(path, 'r');
    const stream = fd === undefined ? process.stdin : createReadStream('', { fd, autoClose: false });
    const name = path === STDIN ? 'standard input' : printable(path);
    const size = fd === undefined ? undefined : fstatSync(fd).size;
    return await store.importLines(showProgress(stream, size, progress), {
      existing: 'replace',
      bad: 'skip',
      onBad({ line, error }) {
        progress.hide();
        warn(`${name}: line ${line}: ${error.message}`);
      },
    });
  } catch (error) {
    const { failureOf } = await import('../../../documents/failure.ts');
    // Errors of the index are reported by the caller; those of the system are about the file.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    warn(`${printable(path)}: ${failureOf(error).message}`);
    return undefined;
  } finally {
    progress.end();
    if (fd !== undefined) closeSync(fd);
  }
}

const LINE_FEED = 0x0a;

/**
 * Passes the octets of a file on and shows how far they have come.
 * @param size - how many there are, if that is known
 */
export async function* showProgress(
  octets: AsyncIterable<Uint8Array>,
  size: number | undefined,
  progress: Progress,
): AsyncGenerator<Uint8Array, void> {
  let [lines, done] = [0, 0];
  for await (const part of octets) {
    done += part.length;
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) lines++;
    // What is left has lines of the same length, more or less.
    if (size !== undefined) progress.expect(Math.ceil((lines * size) / done), size);
    progress.update(lines, done);
    yield part;
  }
}
