import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';
import { parseJsonObject } from '../../../common/lines.ts';
import { pluralize, printable } from '../../../common/text.ts';
import { STDIN } from '../../../documents/walk.ts';
import type { ImportCounts } from '../../../lookup/document-index.ts';
import { parseLabel } from '../../../scheme/labels/label.ts';
import { type Arguments, DONE, FAILED } from '../../command.ts';
import { assertExist, assertStdinOnce, given } from '../../options.ts';
import type { OpenIndex } from '../../stores/open-store.ts';
import { print, printJson, warn } from '../../terminal/print.ts';
import { createProgress, type Progress } from '../../terminal/progress.ts';
import { assertOperands, type Prepared } from './run-index.ts';

export async function prepareImport(args: Arguments, operands: readonly string[]): Promise<Prepared> {
  if (operands.length === 0) assertOperands(args, null);
  assertStdinOnce(operands);
  assertExist(operands);
  const { importAll, ...label } = await prepareLines(operands.length === 0 ? [STDIN] : operands);
  return {
    ...label,
    async action(store) {
      const { failures, ...total } = await importAll(store, args.flag('quiet'));
      const bad = total.bad > 0 ? `; ${pluralize(total.bad, 'line')} left out` : '';
      const summary = `added ${pluralize(total.added, 'document')}, replaced ${total.replaced}${bad}\n`;
      await (args.flag('json') ? printJson(total) : print(summary));
      return failures + total.bad > 0 ? FAILED : DONE;
    },
  };
}

/** Prepares the import of files: the first is open afterwards, since standard input can be read only once. */
export async function prepareLines(paths: readonly string[]) {
  const first = paths.length === 0 ? undefined : await attempt(paths[0]!, () => openLines(paths[0]!));
  return {
    ...given({ newLabel: await first?.label() }),
    async importAll(store: OpenIndex, quiet: boolean) {
      const total = { added: 0, replaced: 0, bad: 0, failures: 0 };
      for (const [index, path] of paths.entries()) {
        const lines = index === 0 ? first : await attempt(path, () => openLines(path));
        const counts = lines === undefined ? undefined : await importFrom(store, lines, quiet);
        if (counts === undefined) total.failures++;
        else for (const name of ['added', 'replaced', 'bad'] as const) total[name] += counts[name];
      }
      return total;
    },
  };
}

async function importFrom(store: OpenIndex, lines: Lines, quiet: boolean): Promise<ImportCounts | undefined> {
  const progress = createProgress(process.stderr, quiet);
  const name = lines.path === STDIN ? 'standard input' : printable(lines.path);
  try {
    const label = await lines.label();
    if (label !== undefined && label !== store.label) {
      warn(`${name}: the fingerprints have the label ${printable(label)}, the index has ${store.label}: not imported`);
      return undefined;
    }
    return await attempt(lines.path, () =>
      store.importLines(showProgress(lines.bytes(), lines.size, progress), {
        existing: 'replace',
        bad: 'skip',
        onBad({ line, error }) {
          progress.hide();
          warn(`${name}: line ${line}: ${error.message}`);
        },
      }),
    );
  } finally {
    progress.end();
    lines.close();
  }
}

async function attempt<T>(path: string, action: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    // Errors of the index are reported by the caller; errors of the system are about the file.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const { failureOf } = await import('../../../documents/failure.ts');
    warn(`${printable(path)}: ${failureOf(error).message}`);
    return undefined;
  }
}

const LINE_FEED = 0x0a;

export async function* showProgress(
  bytes: AsyncIterable<Uint8Array>,
  size: number | undefined,
  progress: Progress,
): AsyncGenerator<Uint8Array, void> {
  let [lines, done] = [0, 0];
  for await (const part of bytes) {
    done += part.length;
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) lines++;
    // Assumes that the remaining lines have about the same length.
    if (size !== undefined) progress.expect(Math.ceil((lines * size) / done), size);
    progress.update(lines, done);
    yield part;
  }
}

const MAX_HEAD = 1 << 20;

export type Lines = ReturnType<typeof openLines>;

function openLines(path: string) {
  const fd = path === STDIN ? undefined : openSync(path, 'r');
  const stream = fd === undefined ? process.stdin : createReadStream('', { fd, autoClose: false });
  const parts = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const head: Buffer[] = [];
  let [length, isOver] = [0, false];
  let label: string | undefined;

  async function readHead(): Promise<void> {
    while (label === undefined && !isOver && length < MAX_HEAD) {
      const { value, done } = await parts.next();
      isOver = done === true;
      if (done !== true) length += head.push(Buffer.from(value)) && value.length;
      label = labelIn(Buffer.concat(head).toString(), isOver);
    }
  }

  return {
    path,
    size: fd === undefined ? undefined : fstatSync(fd).size,
    async label(): Promise<string | undefined> {
      await readHead();
      return label;
    },
    async *bytes(): AsyncGenerator<Uint8Array> {
      yield* head.splice(0);
      for (let next = await parts.next(); next.done !== true; next = await parts.next()) yield next.value;
    },
    close(): void {
      if (fd !== undefined) closeSync(fd);
    },
  };
}

function labelIn(text: string, isWhole: boolean): string | undefined {
  const lines = text.split('\n');
  for (const line of isWhole ? lines : lines.slice(0, -1)) {
    const { label, fingerprint } = parseJsonObject(line.replace(/^\ufeff/, '').trim()) ?? {};
    if (typeof label !== 'string' || typeof fingerprint !== 'string') continue;
    try {
      return parseLabel(label);
    } catch {
      // Importing the line reports it.
    }
  }
  return undefined;
}
