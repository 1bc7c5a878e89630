import { type Line, MAX_LINE_LENGTH, parseJsonObject, splitLines, type TextParts } from '../common/lines.ts';
import { isRecord } from '../common/text.ts';
import { assertOneOf, assertOptions, type CodedError, wrongType, wrongValue } from '../errors.ts';
import { parseLabel } from '../scheme/labels/label.ts';
import { parse, serialise } from '../scheme/serialise.ts';
import type { DocumentIndex, Entry, ImportCounts, ImportOptions } from './document-index.ts';
import { assertLabel, encodeId, ID_BUFFER_BYTES, readAddOptions } from './query-options.ts';

/** The error of a line that could not be imported. */
export interface LineError extends CodedError {
  /** The number of the line, from 1. */
  readonly line: number;
}

export function lineOf(label: string, { id, fingerprint, losses }: Entry): string {
  return `${JSON.stringify({ id, label, fingerprint: serialise(fingerprint), losses })}\n`;
}

const BATCH_SIZE = 4096;

/**
 * Adds documents from JSON Lines to an index, for every store's `importLines`. Rejects with a {@link LineError}
 * unless bad lines are left out.
 */
export async function importLines(
  index: Pick<DocumentIndex, 'label' | 'addAll'>,
  parts: TextParts,
  options: ImportOptions = {},
): Promise<ImportCounts> {
  assertTextParts(parts);
  assertOptions('options', options, { onBad: 'function?' });
  const { bad: mode = 'stop', onBad } = options;
  assertOneOf('bad', mode, ['stop', 'skip']);
  const existing = readAddOptions(options);
  const counts = { added: 0, replaced: 0, refused: 0, bad: 0 };
  const add = async (entries: Entry[]): Promise<void> => {
    if (entries.length === 0) return;
    const added = await index.addAll(entries, { existing });
    for (const name of ['added', 'replaced', 'refused'] as const) counts[name] += added[name];
  };
  let number = 0;
  for await (const lines of splitLines(parts)) {
    const entries: Entry[] = [];
    for (const line of lines) {
      const read = readLine(++number === 1 && line !== null ? line.replace(/^\ufeff/, '') : line, index.label);
      if (read.kind === 'entry') entries.push(read.entry);
      else if (read.kind !== 'empty') {
        if (mode === 'stop' && read.kind === 'bad') {
          await add(entries);
          throw lineError(number, read.error);
        }
        counts.bad++;
        onBad?.({ line: number, error: read.error });
      }
      if (entries.length === BATCH_SIZE) await add(entries.splice(0));
    }
    await add(entries);
  }
  return counts;
}

function assertTextParts(parts: TextParts): void {
  const { [Symbol.iterator]: each, [Symbol.asyncIterator]: eachLater } = Object(parts) as Partial<
    Iterable<unknown> & AsyncIterable<unknown>
  >;
  if (typeof each !== 'function' && typeof eachLater !== 'function')
    throw wrongType('lines', 'a string, or an iterable of strings or Uint8Arrays', parts);
}

type LineResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'entry'; readonly entry: Entry }
  /** `unread` is a valid line of a document that has no fingerprint. */
  | { readonly kind: 'bad' | 'unread'; readonly error: CodedError };

function readLine(line: Line, label: string): LineResult {
  if (line?.trim() === '') return { kind: 'empty' };
  try {
    if (line === null)
      throw wrongValue(
        'out-of-range',
        'line',
        `UTF-8 of at most ${MAX_LINE_LENGTH} bytes`,
        line,
        'invalid UTF-8 or more',
      );
    const value = parseJsonObject(line);
    if (value === undefined) throw wrongType('line', 'a JSON object with id, label and fingerprint', line);
    const failure = failureOf(value);
    return failure === undefined
      ? { kind: 'entry', entry: readEntry(value, label) }
      : { kind: 'unread', error: failure };
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError) || !('code' in error)) throw error;
    return { kind: 'bad', error: error as CodedError };
  }
}

type Members = Readonly<Record<string, unknown>>;

function idOf({ id, path, member }: Members): unknown {
  if (id !== undefined || typeof path !== 'string') return id ?? path;
  return typeof member === 'string' ? `${path}!${member}` : path;
}

function failureOf(value: Members): CodedError | undefined {
  const { error, fingerprint } = value;
  if (!isRecord(error) || fingerprint !== undefined) return undefined;
  const reason = typeof error['message'] === 'string' ? `: ${error['message']}` : '';
  return wrongValue('no-fingerprint', String(idOf(value) ?? 'line'), 'a fingerprint', null, `none${reason}`);
}

const scratch = new Uint8Array(ID_BUFFER_BYTES);

function readEntry(value: Members, label: string): Entry {
  const { label: written, fingerprint, losses = [] } = value;
  const id = idOf(value);
  encodeId('id', id, scratch);
  // LAB-4: a bare fingerprint is meaningless without its label.
  if (written === undefined) throw wrongValue('invalid-label', 'label', 'a label', written);
  const read = parseLabel(written as string);
  if (fingerprint === null || fingerprint === undefined)
    throw wrongValue('no-fingerprint', 'fingerprint', '13 or 52 characters', fingerprint);
  const parsed = parse(fingerprint as string, { label: read as string });
  assertLabel('label', read, label);
  return { id: id as string, fingerprint: parsed, losses: readLosses(losses) };
}

function readLosses(value: unknown): string[] {
  // This version need not know all of them.
  const isList = Array.isArray(value) && value.length <= 100 && value.every((code) => /^[a-z-]{1,40}$/.test(code));
  if (!isList) throw wrongType('losses', 'a list of codes such as "damaged"', value);
  return value;
}

function lineError(line: number, error: CodedError): LineError {
  const Type = error instanceof TypeError ? TypeError : RangeError;
  return Object.assign(new Type(`line ${line}: ${error.message}`, { cause: error }), { code: error.code, line });
}
