import type { FileHandle } from 'node:fs/promises';
import { quote } from '../../common/text.ts';
import { documentError } from '../../documents/failure.ts';
import type { Reading } from '../../documents/open.ts';
import { roundOverlap } from '../match.ts';
import type { Removals } from './removed-rows.ts';
import { inFile, type RowSource, rereadRows, sourceOfRow } from './row-sources.ts';
import type { RowTable } from './row-table.ts';

export interface DecidedRows {
  readonly sources: readonly RowSource[];
  readonly table: RowTable;
  readonly removals: Removals;
  /** The number of rows, the first ones, that are not listed. */
  readonly references: number;
}

export interface ListFile {
  readonly path: string;
  readonly file: FileHandle;
}

export interface ListFiles {
  /** One object for each removed row. */
  readonly duplicates?: ListFile | undefined;
  /** One object for each row, with the number of its group. */
  readonly groups?: ListFile | undefined;
}

/** Writes lists of rows. With an id field, rows are read again for their ids. */
export async function writeLists(lists: ListFiles, rows: DecidedRows, reading: Reading): Promise<void> {
  const { sources, removals, references } = rows;
  const hasIds = reading.hints.fields?.idField !== undefined;
  // The ids of rows that others are removed for.
  const ids = new Map<number, string>();
  const remember = (row: number, id: string): void => {
    const isNeeded = lists.duplicates !== undefined || references > 0;
    if (hasIds && isNeeded && removals.isPreferred(row)) ids.set(row, id);
  };
  if (hasIds && lists.duplicates !== undefined && removals.isForward) await visitRows(rows, reading, remember);
  const duplicates = lists.duplicates && createLineWriter(lists.duplicates);
  const groups = lists.groups && createLineWriter(lists.groups);
  const placeOf = (row: number, id?: string) => {
    const { name, names, first } = sourceOfRow(sources, row);
    const number = row - first + 1;
    // A document has no row.
    return names === undefined
      ? { path: name, row: number, id: id ?? String(number) }
      : { path: name, id: names[number - 1]! };
  };
  const visit = (row: number, id: string): void => {
    if (row < references) {
      remember(row, id);
      return;
    }
    const [isKept, kept] = [removals.isKept(row), removals.keptOf(row)];
    const reason = isKept ? removals.reasonOf(row) : undefined;
    groups?.add({
      ...placeOf(row, id),
      group: kept + 1,
      kept: isKept,
      ...(references > 0 && !isKept && { match: placeOf(kept, ids.get(kept)) }),
      ...(reason !== undefined && { differs: reason }),
    });
    if (isKept) remember(row, id);
    else if (duplicates !== undefined) {
      const { distance, overlap } = removals.matchOf(row);
      const match = { distance, overlap: roundOverlap(overlap) };
      duplicates.add({ ...placeOf(row, id), kept: placeOf(kept, ids.get(kept)), ...match });
    }
  };
  await visitRows(rows, reading, visit, async () => {
    await duplicates?.flush();
    await groups?.flush();
  });
  await duplicates?.end();
  await groups?.end();
}

const TURN = 1 << 12;

/** Visits all rows in their order, including empty lines. */
async function visitRows(
  { sources, table }: DecidedRows,
  reading: Reading,
  visit: (row: number, id: string) => void,
  flush: () => Promise<void> = async () => {},
): Promise<void> {
  const idField = reading.hints.fields?.idField;
  let hasFound = false;
  let row = 0;
  const visitUntil = (end: number, first: number): void => {
    for (; row < end; row++) visit(row, idField === undefined ? String(row - first + 1) : `@${row - first + 1}`);
  };
  for (const [index, source] of sources.entries()) {
    const { first } = source;
    if (idField !== undefined && source.names === undefined)
      await inFile(source.name, async () => {
        for await (const part of rereadRows(source, reading)) {
          for (const { number, id } of part) {
            visitUntil(first + number - 1, first);
            hasFound ||= id !== `@${number}`;
            visit(row++, id);
          }
          await flush();
        }
      });
    const end = sources[index + 1]?.first ?? table.rows;
    while (row < end) {
      visitUntil(Math.min(end, row + TURN), first);
      await flush();
    }
  }
  if (idField !== undefined && !hasFound && row > 0)
    await inFile(sources.at(-1)!.name, async () => {
      throw documentError('no-text', `no row has a string or a whole number in the field ${quote(idField)}`);
    });
}

/** The number of UTF-16 units that are collected before they are written. */
const BLOCK = 1 << 16;

function createLineWriter({ path, file }: ListFile) {
  let lines: string[] = [];
  let length = 0;
  const flush = async (min: number): Promise<void> => {
    if (length < min || length === 0) return;
    const text = lines.join('');
    lines = [];
    length = 0;
    await inFile(path, () => file.appendFile(text));
  };
  return {
    add(value: unknown): void {
      const line = `${JSON.stringify(value)}\n`;
      lines.push(line);
      length += line.length;
    },
    flush: () => flush(BLOCK),
    end: () => flush(0),
  };
}
