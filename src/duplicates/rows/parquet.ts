import type { FileHandle } from 'node:fs/promises';
import type { Reading } from '../../documents/open.ts';
import { copyParquet, type ParquetInput } from '../../extract/table/parquet-copy.ts';
import { writePart } from './compress.ts';
import { assertUnchanged, openRows, type Source } from './sources.ts';

/** Writes the rows of Parquet files that are kept; rows are counted over all files from 0. */
export async function writeParquet(
  sources: readonly Source[],
  reading: Reading,
  isKept: (row: number) => boolean,
  file: FileHandle,
): Promise<void> {
  async function* inputs(): AsyncGenerator<ParquetInput, undefined> {
    for (const source of sources) {
      assertUnchanged(source);
      const { access, close } = await openRows(source.path, reading);
      try {
        yield { name: source.path, file: access!, isKept: (index) => isKept(source.first + index) };
      } finally {
        await close();
      }
      assertUnchanged(source);
    }
  }
  await copyParquet(inputs(), (bytes) => writePart(file, bytes), reading.hints.limits);
}
