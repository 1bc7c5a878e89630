import { readSync, statSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { temporaryName } from '../../common/temporary.ts';
import type { DocumentHints } from '../../documents/hints.ts';
import { nextTurn } from '../../documents/in-order.ts';
import type { ReportedDocuments } from '../../documents/run-documents.ts';
import { STDIN } from '../../documents/walk.ts';
import { parseRow } from '../../extract/rows/json-rows.ts';
import type { Components } from '../../lookup/find-clusters.ts';
import { fieldsOf, type RowSource, rereadRows, sourceOfRow } from './row-sources.ts';
import type { RowTable } from './row-table.ts';

/** The folder of temporary files: the folder of the file to write, which needs about as much space, unless it is a pipe or a device. */
export function folderFor(out: string): string {
  const isStream = out === STDIN || statSync(out, { throwIfNoEntry: false })?.isFile() === false;
  return isStream ? tmpdir() : dirname(out);
}

const TURN = 256;

/** Makes a reader for texts. Those in compressed files are copied to an unlinked file, so that nothing is left after a crash. */
export function createTextReader(
  sources: readonly RowSource[],
  table: RowTable,
  { hints, out }: { readonly hints: DocumentHints; readonly out: string },
  session: ReportedDocuments,
) {
  const { texts } = table;
  const files = new Map<RowSource, FileHandle>();

  return {
    async prepare(components: Components): Promise<void> {
      table.bands?.release();
      for (const source of sources) if (source.isPlain) files.set(source, await open(source.path, 'r'));
      const others = sources.filter(({ isPlain }) => !isPlain);
      if (others.length === 0 || components[Symbol.iterator]().next().done === true) return;
      const copy = await openUnnamed(folderFor(out));
      for (const source of others) files.set(source, copy);
      await copyTexts(others, table, components, copy, session);
    },
    async read(list: readonly number[], visit: (text: number, content: string) => void): Promise<void> {
      for (const [index, text] of list.entries()) {
        if (index % TURN === TURN - 1) await nextTurn();
        const source = sourceOfRow(sources, texts.rowOf(text));
        const { offset, length } = texts.placeOf(text);
        const bytes = readAt(files.get(source)!.fd, offset, length);
        if (!source.isPlain) visit(text, bytes.toString());
        else {
          const row = parseRow(bytes, 0, fieldsOf(source, hints), length);
          visit(text, row !== null && 'text' in row.content ? row.content.text : '');
        }
      }
    },
    async close(): Promise<void> {
      for (const file of new Set(files.values())) await file.close();
    },
  };
}

/** The buffer of {@link readAt}, unless it reads more. */
const scratch = Buffer.alloc(1 << 16);

/** Reads from a file; the bytes are valid until the next call. */
function readAt(fd: number, offset: number, length: number): Buffer {
  const bytes = length <= scratch.length ? scratch.subarray(0, length) : Buffer.alloc(length);
  let filled = 0;
  for (let got = 1; got > 0 && filled < length; filled += got)
    got = readSync(fd, bytes, filled, length - filled, offset + filled);
  return bytes.subarray(0, filled);
}

async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, temporaryName());
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

async function copyTexts(
  sources: readonly RowSource[],
  { texts, textOf }: RowTable,
  components: Components,
  file: FileHandle,
  { reading }: ReportedDocuments,
): Promise<void> {
  const isWanted = new Uint8Array(texts.count);
  for (const members of components) for (const text of members) isWanted[text] = 1;
  let offset = 0;
  for (const source of sources)
    for await (const rows of rereadRows(source, reading)) {
      const parts: Buffer[] = [];
      for (const { number, content } of rows) {
        const row = source.first + number - 1;
        const text = 'text' in content ? textOf(row) : null;
        if (text === null || isWanted[text] === 0 || texts.rowOf(text) !== row || !('text' in content)) continue;
        const bytes = Buffer.from(content.text);
        texts.setPlace(text, offset, bytes.length);
        offset += bytes.length;
        parts.push(bytes);
      }
      await file.appendFile(Buffer.concat(parts));
    }
}
