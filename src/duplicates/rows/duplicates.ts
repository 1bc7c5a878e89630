import type { FileHandle } from 'node:fs/promises';
import { roundOverlap } from '../match.ts';
import type { RowTable } from './rows.ts';
import type { Removals } from './search.ts';
import { type Source, sourceOfRow } from './sources.ts';

/** What becomes of each row. */
export interface Decisions {
  isKept(row: number): boolean;
  /** Whether another row is removed in favor of this one. */
  isPreferred(row: number): boolean;
  /** The row that is kept in place of a removed one. */
  keptOf(row: number): number;
  /** How many rows are removed, and how many of these have the text of the one that is kept. */
  readonly removed: number;
  readonly identical: number;
}

/** Decides which rows are kept. */
export function decide({ rows, textOf, texts }: RowTable, { keptOf }: Removals): Decisions {
  const preferred = new Uint8Array(texts.count);
  let [removed, identical] = [0, 0];
  const keptRow = (row: number): number => {
    const text = textOf(row);
    return text === null ? row : texts.rowOf(keptOf(text));
  };
  for (let row = 0; row < rows; row++) {
    if (keptRow(row) === row) continue;
    const text = textOf(row)!;
    removed++;
    if (keptOf(text) === text) identical++;
    preferred[keptOf(text)] = 1;
  }
  return {
    isKept: (row) => row >= rows || keptRow(row) === row,
    isPreferred(row) {
      const text = row < rows ? textOf(row) : null;
      return text !== null && preferred[text] === 1 && keptRow(row) === row;
    },
    keptOf: keptRow,
    removed,
    identical,
  };
}

/** Writes what became of removed rows. */
export interface DuplicateWriter {
  /** Takes the id of a row that is removed, or preferred to another one. The preferred one comes first. */
  add(row: number, id: string): void;
  /** Writes what has been added, if it is much. */
  flush(): Promise<void>;
  /** Writes all of it. */
  end(): Promise<void>;
}

/** How much is collected before it is written, in UTF-16 units. */
const BLOCK = 1 << 16;

/**
 * Makes a {@link DuplicateWriter}.
 * @param file - where to write
 * @param ids - the ids of preferred rows; null if the id of a row is its number
 */
export function createDuplicateWriter(
  file: FileHandle,
  ids: Map<number, string> | null,
  sources: readonly Source[],
  { textOf }: RowTable,
  removals: Removals,
  decisions: Decisions,
): DuplicateWriter {
  let lines: string[] = [];
  let length = 0;
  const placeOf = (row: number, id?: string) => {
    const { path, first } = sourceOfRow(sources, row);
    const number = row - first + 1;
    return { path, row: number, id: id ?? String(number) };
  };
  const flush = async (least: number): Promise<void> => {
    if (length < least || length === 0) return;
    const text = lines.join('');
    lines = [];
    length = 0;
    await file.write(text);
  };
  return {
    add(row, id) {
      if (decisions.isKept(row)) return void ids?.set(row, id);
      const kept = decisions.keptOf(row);
      const { distance, overlap } = removals.matchOf(textOf(row)!);
      const value = {
        ...placeOf(row, id),
        kept: placeOf(kept, ids?.get(kept)),
        distance,
        overlap: roundOverlap(overlap),
      };
      const line = `${JSON.stringify(value)}\n`;
      lines.push(line);
      length += line.length;
    },
    flush: () => flush(BLOCK),
    end: () => flush(0),
  };
}
