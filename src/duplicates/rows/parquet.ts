import type { FileHandle } from 'node:fs/promises';
import type { Reading } from '../../documents/open.ts';
import { fieldOf } from '../../extract/table/fields.ts';
import { copyParquet, type ParquetInput, type StoredRow } from '../../extract/table/parquet-copy.ts';
import type { DuplicateWriter } from './duplicates.ts';
import type { RowVisitor } from './lines.ts';
import { assertUnchanged, openDataset, type Source } from './sources.ts';

/**
 * Writes the rows of Parquet files that are kept.
 * @param sources - the files
 * @param reading - hints and limits
 * @param visitor - decides which rows are kept, and takes the ids of those that are wanted
 * @param file - where to write; null to write nothing
 * @param writer - notified when much has been added
 */
export async function writeParquet(
  sources: readonly Source[],
  reading: Reading,
  visitor: Pick<RowVisitor, 'isKept' | 'isWanted'>,
  file: FileHandle,
  writer: DuplicateWriter | null,
): Promise<void> {
  const { fields, limits } = reading.hints;
  async function* inputs(): AsyncGenerator<ParquetInput, undefined> {
    for (const source of sources) {
      assertUnchanged(source);
      const { access, close } = await openDataset(source.path, reading);
      const isKept = (row: StoredRow, index: number): boolean => {
        const number = source.first + index;
        if (visitor.isWanted(number)) writer?.add(number, idOf(row, fields!.idField) ?? String(index + 1));
        return visitor.isKept(number);
      };
      try {
        yield { name: source.path, file: access!, isKept };
      } finally {
        await close();
      }
      assertUnchanged(source);
    }
    return undefined;
  }
  async function write(octets: Uint8Array): Promise<void> {
    for (let at = 0; at < octets.length; ) at += (await file.write(octets, at)).bytesWritten;
    await writer?.flush();
  }
  await copyParquet(inputs(), write, limits.inflated);
}

/** The id of a row as it is stored. */
function idOf(row: StoredRow, idField: string | undefined): string | undefined {
  if (idField === undefined) return undefined;
  const id = fieldOf(row, idField);
  return id instanceof Uint8Array ? new TextDecoder().decode(id) : String(id);
}
