import type { RowTable } from './rows.ts';
import type { Removals } from './search.ts';

export type Decisions = ReturnType<typeof decide>;

/** Decides on each row whether it is kept. */
export function decide({ rows, textOf, texts }: RowTable, { keptOf }: Removals) {
  const preferred = new Uint8Array(texts.count);
  let [removed, identical] = [0, 0];
  let isForward = false;
  const keptRow = (row: number): number => {
    const text = textOf(row);
    return text === null ? row : texts.rowOf(keptOf(text));
  };
  for (let row = 0; row < rows; row++) {
    const kept = keptRow(row);
    if (kept === row) continue;
    if (kept > row) isForward = true;
    const text = textOf(row)!;
    removed++;
    if (keptOf(text) === text) identical++;
    preferred[keptOf(text)] = 1;
  }
  return {
    isKept: (row: number): boolean => row >= rows || keptRow(row) === row,
    /** Tests whether another row is removed in favour of this one. */
    isPreferred(row: number): boolean {
      const text = row < rows ? textOf(row) : null;
      return text !== null && preferred[text] === 1 && keptRow(row) === row;
    },
    /** Returns the row that is kept in place of a removed one. */
    keptOf: keptRow,
    removed,
    /** The number of removed rows that have the text of the row that is kept. */
    identical,
    /** True if some row is removed before the row that is kept in its place. */
    isForward,
  };
}
