import { pluralize } from '../../common/text.ts';
import { valueAt } from '../judge/difference.ts';
import type { VectorOutcome } from '../outcome.ts';
import { shown, visible } from './text.ts';

export interface ShownDifference {
  /** The place in the result, such as `tokens[3]`; `''` for the whole. */
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
  /** For two texts: the column of both lines at which they begin to differ. */
  readonly column?: number;
}

/** Code points shown before and after the place where two texts begin to differ. */
const MAX_BEFORE = 24;
const MAX_AFTER = 36;

function describeError(outcome: unknown): string | undefined {
  const { error, ...rest } = (outcome ?? {}) as { readonly error?: unknown };
  return typeof error === 'string' && Object.keys(rest).length === 0 ? `error ${visible(error)}` : undefined;
}

export function showDifference(place: string, expected: unknown, actual: unknown): ShownDifference {
  if (place === '' && (describeError(expected) !== undefined || describeError(actual) !== undefined))
    return {
      place,
      expected: describeError(expected) ?? shown(expected),
      actual: describeError(actual) ?? shown(actual),
    };
  const right = valueAt(expected, place);
  const wrong = valueAt(actual, place);
  return typeof right === 'string' && typeof wrong === 'string'
    ? { place, ...showTexts(Array.from(right), Array.from(wrong)) }
    : { place, expected: shown(right), actual: shown(wrong) };
}

function showTexts(right: readonly string[], wrong: readonly string[]): Omit<ShownDifference, 'place'> {
  let at = 0;
  while (at < right.length && right[at] === wrong[at]) at++;
  const start = Math.max(0, at - MAX_BEFORE);
  const cut = (characters: readonly string[]): string => {
    const more = characters.length > at + MAX_AFTER;
    const part = visible(characters.slice(start, at + MAX_AFTER).join(''));
    const length = start > 0 || more ? ` (${pluralize(characters.length, 'code point')})` : '';
    return `${start > 0 ? '…' : ''}"${part}"${more ? '…' : ''}${length}`;
  };
  // A mark below the first character would be uninformative.
  if (at === 0) return { expected: cut(right), actual: cut(wrong) };
  const column = (start > 0 ? 2 : 1) + visible(right.slice(start, at).join('')).length;
  return { expected: cut(right), actual: cut(wrong), column };
}

export function differenceOf({ place = '', expected, actual }: VectorOutcome): ShownDifference {
  return showDifference(place, expected, actual);
}

/** Code points of an input that are shown whole. */
const MAX_INPUT = 100;

/** Shows only the part of a long text in which the results begin to differ, if it can be found, else its beginning. */
export function showInput({ input, place = '', expected, actual }: VectorOutcome): string {
  const { text, ...rest } = (input ?? {}) as { readonly text?: unknown };
  if (typeof text !== 'string' || text.length <= MAX_INPUT || Object.keys(rest).length > 0) return shown(input);
  const at = findInInput(text, place, expected, actual);
  if (at <= MAX_BEFORE) return shown(input);
  const before = Array.from(text.slice(0, at));
  const start = before.slice(-MAX_BEFORE).join('');
  const part = Array.from(text.slice(at)).slice(0, MAX_AFTER).join('');
  const end = at + part.length < text.length ? '…' : '';
  const from = before.length - Array.from(start).length;
  return `{ text: …"${visible(start + part)}"${end} (from code point ${from} of ${Array.from(text).length}, from 0) }`;
}

/** Finds the unit of an input at which two results begin to differ; -1 if it is unknown. */
function findInInput(text: string, place: string, expected: unknown, actual: unknown): number {
  const [list, index] = /^(.*)\[(\d+)\]$/.exec(place)?.slice(1) ?? [];
  if (list === undefined) return findText(text, valueAt(expected, place), valueAt(actual, place));
  const tokens = valueAt(expected, list);
  if (!Array.isArray(tokens) || !tokens.every((token) => typeof token === 'string')) return -1;
  let end = 0;
  for (const token of tokens.slice(0, Number(index))) {
    const at = text.indexOf(token, end);
    if (at < 0) return -1;
    end = at + token.length;
  }
  return end;
}

/** Code points before a difference by which its place is found in the input, which is longer where something was removed. */
const ANCHOR = 12;

function findText(text: string, expected: unknown, actual: unknown): number {
  if (typeof expected !== 'string' || typeof actual !== 'string') return -1;
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at++;
  const anchor = expected.slice(Math.max(0, at - ANCHOR), at);
  const found = text.indexOf(anchor, Math.max(0, at - ANCHOR));
  return anchor === '' || found < 0 ? -1 : found + anchor.length;
}
