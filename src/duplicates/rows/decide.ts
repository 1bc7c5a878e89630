import type { RowTable } from './rows.ts';
import type { Removals } from './search.ts';

export interface Decisions {
  isKept(row: number): boolean;
  /** Tests whether another row is removed in favor of this one. */
  isPreferred(row: number): boolean;
  /** The row that is kept in place of a removed one. */
  keptOf(row: number): number;
  /** The number of removed rows, and of those among them that have the text of the row that is kept. */
  readonly removed: number;
  readonly identical: number;
  /** True if some row is removed before the row that is kept in its place. */
  readonly isForward: boolean;
}

export function decide({ rows, textOf, texts }: RowTable, { keptOf }: Removals): Decisions {
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
    isKept: (row) => row >= rows || keptRow(row) === row,
    isPreferred(row) {
      const text = row < rows ? textOf(row) : null;
      return text !== null && preferred[text] === 1 && keptRow(row) === row;
    },
    keptOf: keptRow,
    removed,
    identical,
    isForward,
  };
}
