import { type Line, parseJsonObject, splitLines } from '../common/lines.ts';
import { isRecord, printable } from '../common/text.ts';
import { type DocumentOutcome, failed, type Place } from '../documents/document-outcome.ts';
import { documentError, failureOf } from '../documents/failure.ts';
import { nextTurn } from '../documents/in-order.ts';
import { type Fingerprint, parse, parseLabel } from '../index.ts';

export interface Labelled {
  readonly label: string;
  readonly fingerprint: Fingerprint;
  /** The extractor of its document; absent if the line does not name it. */
  readonly extractor?: string;
}

/** Reads JSON Lines as `hash --json` prints them, or as an index exports them, with `id` instead of `path`. */
export async function* readLines(
  path: string,
  parts: AsyncIterable<Uint8Array>,
): AsyncGenerator<DocumentOutcome<Labelled>[], undefined> {
  let number = 0;
  for await (const lines of splitLines(parts)) {
    const outcomes: DocumentOutcome<Labelled>[] = [];
    for (const line of lines) {
      number++;
      if (line?.trim() !== '') outcomes.push(outcomeOf(line, `${path}:${number}`));
    }
    yield outcomes;
    await nextTurn();
  }
}

/** Tests whether bytes begin with a line as `hash --json` prints it. */
export function startsWithLine(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).trimStart();
  if (!text.startsWith('{')) return false;
  const end = text.indexOf('\n');
  const value = parseJsonObject(end < 0 ? text : text.slice(0, end));
  if (value === undefined) return false;
  const isFingerprint = typeof value['fingerprint'] === 'string' && typeof value['label'] === 'string';
  return isFingerprint || (typeof value['path'] === 'string' && typeof value['error'] === 'object');
}

function outcomeOf(line: Line, name: string): DocumentOutcome<Labelled> {
  try {
    return parseLine(line, name);
  } catch (error) {
    return failed({ path: name }, failureOf(error));
  }
}

function parseLine(line: Line, name: string): DocumentOutcome<Labelled> {
  const value = line === null ? undefined : parseJsonObject(line);
  if (value === undefined) throw documentError('unreadable', 'expected a JSON object in UTF-8');
  const { path = value['id'] ?? name, label, fingerprint, error, extractor } = value;
  if (typeof path !== 'string') throw documentError('unreadable', 'path: expected a string');
  const place = placeOf(path, value);
  if (error !== undefined) {
    const message = isRecord(error) ? error['message'] : undefined;
    const code = 'unreadable';
    return failed(place, { code, message: typeof message === 'string' ? printable(message) : 'it has no fingerprint' });
  }
  if (typeof label !== 'string') throw documentError('unreadable', 'label: expected a string');
  const labelled = { label: parseLabel(label), fingerprint: parse(fingerprint as string, { label }) };
  const result = typeof extractor === 'string' ? { ...labelled, extractor } : labelled;
  return { kind: 'done', ...place, result, warnings: [] };
}

function placeOf(path: string, { member, recordId, date }: Readonly<Record<string, unknown>>): Place {
  if (typeof member !== 'string') return { path };
  return {
    path,
    member: {
      name: member,
      ...(typeof recordId === 'string' && { recordId }),
      ...(typeof date === 'string' && { date }),
    },
  };
}
