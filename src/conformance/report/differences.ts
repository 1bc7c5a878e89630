import { pluralize } from '../../common/text.ts';
import type { VectorOutcome } from '../run.ts';
import { shown, visible } from './text.ts';

/** What was expected and what came, where they first differ, each on one line. */
export interface ShownDifference {
  /** Where in the result, such as `tokens[3]`; `''` for the whole. */
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
  /** Of two texts: the column in both lines at which they part. */
  readonly column?: number;
}

/** Code points shown before and behind the place where two texts part. */
const BEFORE = 24;
const BEHIND = 36;

/** The part of a result at a place such as `matches[2].id`. */
export function valueAt(result: unknown, place: string): unknown {
  let value = result;
  for (const [, key, index] of place.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key ?? index!];
  }
  return value;
}

/** An outcome that is an error, in words. */
function errorOf(outcome: unknown): string | undefined {
  const { error, ...rest } = (outcome ?? {}) as { readonly error?: unknown };
  return typeof error === 'string' && Object.keys(rest).length === 0 ? `error ${visible(error)}` : undefined;
}

/** Shows where two values differ; of two texts, what is around the place. */
export function showDifference(place: string, expected: unknown, actual: unknown): ShownDifference {
  if (place === '' && (errorOf(expected) !== undefined || errorOf(actual) !== undefined))
    return { place, expected: errorOf(expected) ?? shown(expected), actual: errorOf(actual) ?? shown(actual) };
  const right = valueAt(expected, place);
  const wrong = valueAt(actual, place);
  if (typeof right !== 'string' || typeof wrong !== 'string')
    return { place, expected: shown(right), actual: shown(wrong) };
  const rights = Array.from(right);
  const wrongs = Array.from(wrong);
  let at = 0;
  while (at < rights.length && rights[at] === wrongs[at]) at++;
  const start = at <= BEFORE ? 0 : at - BEFORE;
  const cut = (characters: readonly string[]): string => {
    const more = characters.length > at + BEHIND;
    const part = visible(characters.slice(start, at + BEHIND).join(''));
    const length = start > 0 || more ? ` (${pluralize(characters.length, 'code point')})` : '';
    return `${start > 0 ? '…' : ''}"${part}"${more ? '…' : ''}${length}`;
  };
  // Where they part at once, nothing has to be found.
  if (at === 0) return { place, expected: cut(rights), actual: cut(wrongs) };
  const column = (start > 0 ? 2 : 1) + visible(rights.slice(start, at).join('')).length;
  return { place, expected: cut(rights), actual: cut(wrongs), column };
}

/** Shows what was wrong with the answer to a vector. */
export function differenceOf({ place = '', expected, actual }: VectorOutcome): ShownDifference {
  return showDifference(place, expected, actual);
}
