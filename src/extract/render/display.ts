import { LINE, NOTHING, type Separator, SPACE, TAB } from './writer.ts';

/** How an element is shown: what stands before and after it, and whether what it holds is text of the document. */
export interface Display {
  readonly separator: Separator;
  readonly content: boolean;
}
export const INLINE: Display = { separator: NOTHING, content: true };
export const BLOCK: Display = { separator: LINE, content: true };
export const CELL: Display = { separator: TAB, content: true };
/** A box within a line that lays out a text of its own, apart from the words on both sides. */
export const BOX: Display = { separator: SPACE, content: true };
/** Without text to show. It leaves no trace: what stands on both sides are neighbours. */
export const ABSENT: Display = { separator: NOTHING, content: false };
/** Something is shown that is no text, as a picture or a formula is: what stands on both sides are no neighbours. */
export const GAP: Display = { separator: SPACE, content: false };

/**
 * Makes a table of displays.
 * @param rows - a display and the names that have it, separated by spaces
 */
export function displayTable<D = Display>(rows: readonly (readonly [D, string])[]): ReadonlyMap<string, D> {
  return new Map(rows.flatMap(([display, names]) => names.split(' ').map((name) => [name, display] as const)));
}
