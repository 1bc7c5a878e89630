import { latin1 } from '../../common/bytes.ts';
import {
  createUniqueNames,
  isBlank,
  type Member,
  type ReadArchiveOptions,
  readInOrder,
  toFailure,
} from '../archive/archive-members.ts';
import type { ByteReader } from '../archive/byte-reader.ts';
import { documentTooLarge, type ExtractionLimits } from '../limits.ts';
import { MBOX_START } from './recognise-mail.ts';

export type { Member, ReadArchiveOptions } from '../archive/archive-members.ts';

const BLOCK = 1 << 16;

/** The maximum length of a separator line and the name of the first header field, in bytes. */
const MAX_SEPARATOR = 512;

const MAX_HEADER = 1 << 16;

const MESSAGE_ID = /^message-id:[ \t]*(?:\r?\n[ \t]+)?<([!-;=?-~]{1,250})>/im;

const [LF, CR, F, QUOTE] = [0x0a, 0x0d, 0x46, 0x3e];

const NO_START = {
  code: 'damaged',
  message: 'damaged mbox: text before the first line that begins a message',
} as const;

/**
 * Reads the messages of a mailbox (mbox, RFC 4155) in their order, in memory bounded by its largest message within the limits. A
 * message begins with a line `From ` with a time, after an empty line and before a header field. `>From ` at the start of a line
 * is unquoted (mboxo, mboxrd), and Content-Length is ignored.
 * @param chunks - the mailbox, not compressed, in parts of any size; a part may be overwritten once the next one is asked for
 * @param options - `limits.bytes` applies to each message. `onSkipped` is called with `empty` for a message without content
 * @returns the messages, without the line `From `. Each is named by its Message-ID without angle brackets, or `#` and its number
 *   from 1; repeated names get `#2`, `#3` and so on
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; whatever `chunks` and `onSkipped` throw
 * @example for await (const { name, hints, content } of readMbox(createReadStream('inbox.mbox'))) …
 */
export function readMbox(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadArchiveOptions = {},
): AsyncGenerator<Member, undefined> {
  return readInOrder(chunks, options, readMessages);
}

async function* readMessages(
  reader: ByteReader,
  limits: ExtractionLimits,
  onSkipped: (reason: string) => void,
): AsyncGenerator<Member, undefined> {
  const uniqueName = createUniqueNames();
  for (let number = 1; ; number++) {
    const start = await reader.peek(MAX_SEPARATOR);
    if (start.length === 0) return;
    const isMessage = isSeparator(start, 0);
    if (isMessage) reader.skip(start.indexOf(LF) + 1);
    const bytes = await readToSeparator(reader, limits.bytes);
    if (!isMessage) {
      number = 0;
      if (bytes === null || !isBlank(bytes)) yield memberOf('@0', { failure: NO_START });
    } else if (bytes === null)
      yield memberOf(uniqueName(`#${number}`), { failure: toFailure(documentTooLarge(limits)) });
    else if (isBlank(bytes)) onSkipped('empty');
    else yield memberOf(uniqueName(messageId(bytes) ?? `#${number}`), { bytes: unquote(bytes), type: 'mail' });
  }
}

function memberOf(name: string, content: Member['content']): Member {
  return { name, hints: { type: 'mail' }, content, warnings: [] };
}

/** Reads and copies all bytes before the next message, without the empty line at the end; returns null beyond the limit. */
async function readToSeparator(reader: ByteReader, limit: number): Promise<Uint8Array | null> {
  let view = await reader.peek(BLOCK);
  let wanted = BLOCK;
  let isTooLong = false;
  // A line feed at `at` or after it, with enough bytes after it.
  for (let at = 0; ; ) {
    const lineEnd = view.indexOf(LF, at);
    const isAtEnd = view.length < wanted;
    if (!isAtEnd && (lineEnd < 0 || lineEnd + 1 + MAX_SEPARATOR > view.length)) {
      at = lineEnd < 0 ? view.length : lineEnd;
      if (at > limit + MAX_SEPARATOR) {
        isTooLong = true;
        // The bytes before decide whether a line is empty.
        reader.skip(at - 2);
        at = 2;
      }
      wanted = at + MAX_SEPARATOR + BLOCK;
      view = await reader.peek(wanted);
      continue;
    }
    const end = lineEnd < 0 ? view.length : lineEnd + 1;
    at = end;
    if (end < view.length && !(emptyLineLength(view, end) > 0 && isSeparator(view, end))) continue;
    const length = end - emptyLineLength(view, end);
    const bytes = isTooLong || length > limit ? null : view.slice(0, length);
    reader.skip(end);
    return bytes;
  }
}

function emptyLineLength(bytes: Uint8Array, end: number): number {
  if (bytes[end - 1] !== LF) return 0;
  const length = bytes[end - 2] === CR ? 2 : 1;
  return end === length || bytes[end - length - 1] === LF ? length : 0;
}

function isSeparator(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === F && MBOX_START.test(latin1(bytes.subarray(at, at + MAX_SEPARATOR)));
}

function messageId(bytes: Uint8Array): string | undefined {
  const head = latin1(bytes.subarray(0, MAX_HEADER));
  const end = /\n\r?\n/.exec(head)?.index ?? head.length;
  return MESSAGE_ID.exec(head.slice(0, end))?.[1];
}

/** Removes one `>` from lines that begin with `>From `, `>>From ` and so on, in place. */
function unquote(bytes: Uint8Array): Uint8Array {
  let to = 0;
  for (let from = 0; from < bytes.length; ) {
    const lineEnd = bytes.indexOf(LF, from);
    const next = lineEnd < 0 ? bytes.length : lineEnd + 1;
    if (isQuoted(bytes, from)) from++;
    if (to !== from) bytes.copyWithin(to, from, next);
    to += next - from;
    from = next;
  }
  return bytes.subarray(0, to);
}

function isQuoted(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (bytes[at] === QUOTE) at++;
  return at > start && bytes[at] === F && latin1(bytes.subarray(at, at + 5)) === 'From ';
}
