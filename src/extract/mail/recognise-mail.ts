import { latin1 } from '../../common/bytes.ts';

/** A line before a message in an mbox file (RFC 4155) with a date in some order, and the first header field of the message. */
export const MBOX_START = /^From [^\r\n]{0,200} [^\r\n]{0,40}\d\d:\d\d[^\r\n]{0,60}\r?\n>?[A-Za-z][\w-]{0,60}:/;

/** A header field (RFC 5322) with its folded lines; old programs write spaces before the colon. */
const FIELD = /([A-Za-z][\w-]{0,60})[ \t]{0,9}:([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)(?:\r?\n|$)/y;

/** A field, or a line of a title that Chromium wrote into the header as it was. */
const LINE = new RegExp(`${FIELD.source}|[^\\r\\n]+(?:\\r?\\n|$)`, 'y');

/** Fields that text in the form of a header seldom has. */
const TRACE = ['content-type', 'message-id', 'received', 'mime-version', 'return-path', 'delivered-to', 'newsgroups'];

/** Programs other than browsers also write `multipart/related`, with the fields of a message that was sent. */
const SENT = ['to', 'cc', 'received', 'message-id', 'delivered-to', 'in-reply-to'];

const MAIL_NAME = /\.emlx?$/i;
const WEB_ARCHIVE_NAME = /\.mht(?:ml)?$/i;

/** May stand before a message: a byte order mark, empty lines, and its length in bytes in a file of Apple Mail. */
const BEFORE = /^(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*(?:(\d{1,10})[ \t]*\r?\n(?=[A-Za-z][\w-]*:))?/;

/** A line that some servers write before a message, as in a mailbox. */
const ENVELOPE = /^>?From (?![ \t]*:)[^\r\n]*\r?\n/;

const MAX_BEFORE = 1024;

/** Counts the bytes before a message and before its header fields, and finds its end if the file states the length. */
export function placeOfMessage(head: string) {
  const [skipped, digits] = BEFORE.exec(head.slice(0, MAX_BEFORE))!;
  const before = skipped.length;
  const start = before + (ENVELOPE.exec(head.slice(before))?.[0].length ?? 0);
  return { before, start, end: digits === undefined ? undefined : before + Number(digits) };
}

const BEFORE_BYTES: ReadonlySet<number> = new Set([
  ...[0xef, 0xbb, 0xbf, 0x09, 0x0a, 0x0d, 0x20],
  ...Array.from({ length: 10 }, (_, digit) => 0x30 + digit),
]);

export function mayBeMail(bytes: Uint8Array): boolean {
  let start = 0;
  while (start < MAX_BEFORE && BEFORE_BYTES.has(bytes[start]!)) start++;
  return /^(?:From |[A-Za-z][\w-]+[ \t]*:)/.test(latin1(bytes.subarray(start, start + 40)));
}

export function recogniseMail(file: string, name: string): 'mail' | 'mhtml' | 'mbox' | null {
  const { before, start } = placeOfMessage(file);
  if (MBOX_START.test(file.slice(before))) return MAIL_NAME.test(name) ? 'mail' : 'mbox';
  const head = file.slice(start);
  const fields = new Map<string, string>();
  const pattern = WEB_ARCHIVE_NAME.test(name) || MAIL_NAME.test(name) ? LINE : FIELD;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(head); match !== null; match = pattern.exec(head))
    if (match[1] !== undefined) fields.set(match[1].toLowerCase(), match[2]!);
  if (fields.size === 0) return null;
  const type = fields.get('content-type') ?? '';
  const related = /^\s*multipart\/related\b/i.test(type);
  if (related && (WEB_ARCHIVE_NAME.test(name) || !SENT.some((each) => fields.has(each)))) return 'mhtml';
  return isMessage(fields, type, MAIL_NAME.test(name)) ? 'mail' : null;
}

function isMessage(fields: ReadonlyMap<string, string>, type: string, isNamed: boolean): boolean {
  if (/^\s*multipart\/[a-z-]+\s*;[\s\S]*\bboundary\s*=/i.test(type)) return true;
  if (type !== '' && (fields.has('mime-version') || fields.has('content-transfer-encoding'))) return true;
  const count = (names: readonly string[]): number => names.filter((each) => fields.has(each)).length;
  const traces = count(TRACE);
  const others = count(['from', 'date', 'subject', 'to']);
  if (isNamed) return traces + others > 0;
  return (traces > 0 && (fields.has('from') || traces + others > 2)) || others === 4;
}

const ATTACHED = /^content-(?:disposition:\s*attachment\b|type:\s*(?!text\/(?:plain|html)\b|multipart\/)[a-z])/im;

export function mayHaveAttachments(bytes: Uint8Array): boolean {
  return ATTACHED.test(latin1(bytes));
}
