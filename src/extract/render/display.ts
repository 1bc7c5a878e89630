import { LINE, NOTHING, type Separator, SPACE, TAB } from './text-writer.ts';

/** The display of an element: the separators before and after it, and whether its content is text of the document. */
export interface Display {
  readonly separator: Separator;
  readonly content: boolean;
}
export const INLINE: Display = { separator: NOTHING, content: true };
export const BLOCK: Display = { separator: LINE, content: true };
export const CELL: Display = { separator: TAB, content: true };
/** An inline box with text of its own, separate from the words on both sides. */
export const BOX: Display = { separator: SPACE, content: true };
/** The display of an element that is not shown and separates nothing: the texts on both sides are adjacent. */
export const ABSENT: Display = { separator: NOTHING, content: false };
/** Shown, but not text, such as an image or a formula: the texts on both sides are separate. */
export const GAP: Display = { separator: SPACE, content: false };

export function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

/** Makes a table of displays; the names that have one are separated by spaces. */
export function displayTable<D = Display>(rows: readonly (readonly [D, string])[]): ReadonlyMap<string, D> {
  return new Map(rows.flatMap(([display, names]) => names.split(' ').map((name) => [name, display] as const)));
}
