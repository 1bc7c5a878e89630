import { assertOneOf, assertOptions, type CodedError, wrongType, wrongValue } from '../../errors.ts';
import { parseLabel } from '../../scheme/label.ts';
import { parse, serialise } from '../../scheme/serialise.ts';
import { assertLabel, encodeId, MOST_ID_OCTETS } from '../options.ts';
import type { DocumentIndex, Entry, ImportCounts, ImportOptions, TextParts } from '../types.ts';

/** A line that could not be imported, as {@link importLines} throws it. */
export interface LineError extends CodedError {
  /** Its number, from 1. */
  readonly line: number;
}

/**
 * Writes an entry as a line of JSON Lines.
 * @param label - the label of its fingerprint
 */
export function lineOf(label: string, { id, fingerprint }: Entry): string {
  return `${JSON.stringify({ id, label, fingerprint: serialise(fingerprint) })}\n`;
}

const scratch = new Uint8Array(MOST_ID_OCTETS + 3);

/** Reads a line of JSON Lines for an index of a label. */
function readLine(line: string, label: string): Entry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongType('line', 'a JSON object with id, label and fingerprint', line);
  const { id, label: written, fingerprint } = value as Record<string, unknown>;
  encodeId('id', id, scratch);
  // LAB-4: a bare fingerprint says nothing without its label.
  if (written === undefined) throw wrongValue('invalid-label', 'label', 'a label', written);
  const read = parseLabel(written as string);
  if (fingerprint === null || fingerprint === undefined)
    throw wrongValue('no-fingerprint', 'fingerprint', '13 characters', fingerprint);
  const entry = { id: id as string, fingerprint: parse(fingerprint as string) };
  assertLabel('label', read, label);
  return entry;
}

/** The longest line that is read: an id of 500 octets takes at most 3,000, other keys may take the rest. */
const LONGEST_LINE = 1 << 20;

/** So many documents are added at once. */
const AT_ONCE = 4096;

/** A line, or null for one that is too long or not UTF-8. */
export type Line = string | null;

/** Cuts text that comes in parts into lines; those of a part come together. */
export async function* cutLines(parts: TextParts): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (octets: Uint8Array): Line => {
    try {
      return decoder.decode(octets);
    } catch {
      return null;
    }
  };
  let rest: string | Uint8Array | null = '';
  for await (const part of typeof parts === 'string' ? [parts] : parts) {
    const isText = typeof part === 'string';
    if (!isText && !(part instanceof Uint8Array)) throw wrongType('lines', 'strings or Uint8Arrays', part);
    const lines: Line[] = [];
    let from = 0;
    for (;;) {
      const end: number = isText ? part.indexOf('\n', from) : part.indexOf(10, from);
      if (end < 0) break;
      const line = join(rest, isText ? part.slice(from, end) : part.subarray(from, end));
      lines.push(line instanceof Uint8Array ? decode(line) : line);
      rest = isText ? '' : new Uint8Array(0);
      from = end + 1;
    }
    rest = join(rest, isText ? part.slice(from) : part.slice(from));
    yield lines;
  }
  if (rest === null || rest.length > 0) yield [rest instanceof Uint8Array ? decode(rest) : rest];
}

/** The two parts of a line, or null when they are too long together or already were. */
function join(start: string | Uint8Array | null, end: string | Uint8Array): string | Uint8Array | null {
  if (start === null || start.length + end.length > LONGEST_LINE) return null;
  if (start.length === 0) return end;
  if (end.length === 0) return start;
  if (typeof start === 'string' && typeof end === 'string') return start + end;
  if (typeof start === 'string' || typeof end === 'string')
    throw wrongType('lines', 'strings or Uint8Arrays, not both', end);
  const whole = new Uint8Array(start.length + end.length);
  whole.set(start);
  whole.set(end, start.length);
  return whole;
}

/**
 * Adds documents from JSON Lines to an index: what every store's `importLines` does.
 * @param index - where to
 * @param parts - the text
 * @param options - see {@link ImportOptions}
 * @returns (promises) how many lines were added, and not
 * @throws (rejects) with a {@link LineError} unless bad lines are left out
 */
export async function importLines(
  index: Pick<DocumentIndex, 'label' | 'addAll'>,
  parts: TextParts,
  options: ImportOptions = {},
): Promise<ImportCounts> {
  const isAsync = typeof (parts as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] === 'function';
  if (!isAsync && typeof (parts as Iterable<unknown> | null)?.[Symbol.iterator] !== 'function')
    throw wrongType('lines', 'a string, or an iterable of strings or Uint8Arrays', parts);
  assertOptions('options', options, { onBad: 'function?' });
  const { bad: mode = 'stop', onBad, existing = 'refuse' } = options;
  assertOneOf('bad', mode, ['stop', 'skip']);
  assertOneOf('existing', existing, ['refuse', 'replace']);
  const counts = { added: 0, replaced: 0, refused: 0, bad: 0 };
  const add = async (entries: Entry[]): Promise<void> => {
    const { added, replaced, refused } = await index.addAll(entries, { existing });
    counts.added += added;
    counts.replaced += replaced;
    counts.refused += refused;
  };
  let number = 0;
  for await (const lines of cutLines(parts)) {
    const entries: Entry[] = [];
    for (const raw of lines) {
      number++;
      try {
        if (raw === null) throw wrongValue('out-of-range', 'line', `UTF-8 of at most ${LONGEST_LINE} octets`, raw);
        const line = number === 1 ? raw.replace(/^\ufeff/, '') : raw;
        if (line.trim() !== '') entries.push(readLine(line, index.label));
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof RangeError) || !('code' in error)) throw error;
        if (mode === 'stop') {
          await add(entries);
          throw lineError(number, error as CodedError);
        }
        counts.bad++;
        onBad?.({ line: number, error });
      }
      if (entries.length === AT_ONCE) await add(entries.splice(0));
    }
    if (entries.length > 0) await add(entries);
  }
  return counts;
}

function lineError(line: number, error: CodedError): LineError {
  const named =
    error instanceof TypeError
      ? new TypeError(`line ${line}: ${error.message}`)
      : new RangeError(`line ${line}: ${error.message}`);
  return Object.assign(named, { code: error.code, line });
}
