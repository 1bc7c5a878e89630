import { hexDigits } from '../../common/bytes.ts';
import { escapeControls, joinWithAnd, pluralize } from '../../common/text.ts';
import { STEP_NAMES } from '../diagnosis/steps.ts';

/** Colours for a terminal, or functions that leave the text alone. */
export interface Paint {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

const same = (text: string): string => text;

export const PLAIN: Paint = { strong: same, faint: same, good: same, bad: same };

/** Joins sections by an empty line; leaves out empty ones. */
export function joinSections(sections: readonly (readonly string[])[]): string {
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** Names a step: `step 4 (strip locators)`. */
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

/** Quotes the first code points of a text, with invisible ones escaped. */
export function quoted(text: string, most = 60): string {
  // A code point has at most two units.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  if (characters.length <= most) return `"${visible(text)}"`;
  return `"${visible(characters.slice(0, most).join(''))}" … (${pluralize(text.length, 'UTF-16 unit')})`;
}

/** Formats a value of a vector or of a reply on one line of about a given length. */
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

/** The last lines of a text that are not empty, such as of standard error. */
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
