import { hexDigits } from '../../common/bytes.ts';
import { escapeControls, joinWithAnd, pluralize } from '../../common/text.ts';
import { STEP_NAMES } from '../diagnosis/steps.ts';
import { valueAt } from '../judge/judge.ts';
import type { VectorOutcome } from '../vector-outcome.ts';

/** Colours for a terminal, or functions that leave the text alone. */
export interface Paint {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

const same = (text: string): string => text;

export const PLAIN: Paint = { strong: same, faint: same, good: same, bad: same };

export function joinSections(sections: readonly (readonly string[])[]): string {
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

export function namedStep(step: number): string {
  return `step ${step} (${STEP_NAMES[step] ?? 'unknown'})`;
}

/** Names steps in ascending order: `step 7`, `steps 3, 4 and 7 to 9`. Step 6, which no label has, breaks no range. */
export function namedSteps(steps: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const step of steps) {
    const last = ranges.at(-1);
    if (last !== undefined && (step === last[1] + 1 || (last[1] === 5 && step === 7))) last[1] = step;
    else ranges.push([step, step]);
  }
  const names = ranges.flatMap(([first, last]) =>
    first === last ? [`${first}`] : last === first + 1 ? [`${first}`, `${last}`] : [`${first} to ${last}`],
  );
  return `${steps.length === 1 ? 'step' : 'steps'} ${joinWithAnd(names)}`;
}

// Includes conjoining and invisible Hangul, and the empty Braille cell.
const AMBIGUOUS = /[\p{C}\p{Z}\p{Mn}\p{Me}\u1100-\u11ff\u3164\uffa0\ua960-\ua97f\ud7b0-\ud7ff\u2800]/u;

/** Escapes characters that are invisible or look like others as `\u{…}`, and quotes and `\` by a `\`. */
export function visible(text: string): string {
  return Array.from(text, (character) => {
    if (character === ' ') return character;
    if (character === '"' || character === '\\') return `\\${character}`;
    if (!AMBIGUOUS.test(character) && character.normalize('NFC') === character) return character;
    return `\\u{${hexDigits(character.codePointAt(0)!, 4)}}`;
  }).join('');
}

export function quoted(text: string, most = 60): string {
  // A code point has at most two units.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  if (characters.length <= most) return `"${visible(text)}"`;
  return `"${visible(characters.slice(0, most).join(''))}" … (${pluralize(text.length, 'UTF-16 unit')})`;
}

export function shown(value: unknown, most = 100): string {
  if (typeof value === 'string') return quoted(value, most);
  if (typeof value !== 'object' || value === null) return value === undefined ? 'nothing' : JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }'];
  const entries = Object.entries(value);
  const parts: string[] = [];
  let length = 0;
  for (const [key, member] of entries) {
    const part = `${isList ? '' : `${visible(key)}: `}${shown(member, Math.max(16, most - length))}`;
    if (parts.length > 0 && length + part.length > most) {
      parts.push(`… (${entries.length} in all)`);
      break;
    }
    parts.push(part);
    length += part.length + 2;
  }
  return parts.length === 0 ? (isList ? '[]' : '{}') : `${open}${parts.join(', ')}${close}`;
}

export function lastLines(text: string, most: number): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => visibleLine(line).slice(0, 160))
    .filter((line) => line.trim() !== '')
    .slice(-most);
}

/** Escapes control characters of a line from an adapter, which must not reach the terminal. */
export function visibleLine(line: string): string {
  return escapeControls(line.replaceAll('\t', ' '), '', /[\p{C}\u2028\u2029]/gu);
}

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

export function showDifference({
  place = '',
  expected,
  actual,
}: Pick<VectorOutcome, 'place' | 'expected' | 'actual'>): ShownDifference {
  const [right, wrong] = [valueAt(expected, place), valueAt(actual, place)];
  if (typeof right === 'string' && typeof wrong === 'string')
    return { place, ...showTexts(Array.from(right), Array.from(wrong)) };
  const show = (value: unknown): string => (place === '' ? describeError(value) : undefined) ?? shown(value);
  return { place, expected: show(right), actual: show(wrong) };
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
  const column = (start > 0 ? 2 : 1) + visible(right.slice(start, at).join('')).length;
  // A mark below the first character would be uninformative.
  return { expected: cut(right), actual: cut(wrong), ...(at > 0 && { column }) };
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
