import { latin1 } from '../../common/octets.ts';

/** A line before a message in an mbox file (RFC 4155) with a date in some order, and the first header field of the message. */
export const MBOX_START = /^From [^\r\n]{0,200} [^\r\n]{0,40}\d\d:\d\d[^\r\n]{0,60}\r?\n>?[A-Za-z][\w-]{0,60}:/;

/** A header field (RFC 5322) with its folded lines. */
const FIELD = /([A-Za-z][\w-]{0,60}):([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)(?:\r?\n|$)/y;

/** The fields of which a message has at least one besides `From`. Text in the form of a header seldom has them. */
const TRACE = ['message-id', 'received', 'mime-version', 'return-path', 'delivered-to', 'newsgroups'];

/** Other programs than browsers write `multipart/related` too, with the fields of a message that was sent. */
const SENT = ['to', 'cc', 'received', 'message-id', 'delivered-to', 'in-reply-to'];

const MAIL_NAME = /\.emlx?$/i;
const WEB_ARCHIVE_NAME = /\.mht(?:ml)?$/i;

/** May stand before a message: a byte order mark, empty lines, and its length in bytes in a file of Apple Mail. */
const BEFORE = /^(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*(?:(\d{1,10})[ \t]*\r?\n(?=[A-Za-z][\w-]*:))?/;

/** The maximum number of bytes before a message. */
const MAX_BEFORE = 1024;

/**
 * Finds the place of a message in its file.
 * @param head - the start of the file, one octet per character
 * @returns the bytes before it, and its length if the file says so
 */
export function placeOfMessage(head: string): { readonly start: number; readonly length?: number | undefined } {
  const [before = '', digits] = BEFORE.exec(head.slice(0, MAX_BEFORE)) ?? [];
  return { start: before.length, length: digits === undefined ? undefined : Number(digits) };
}

/** The octets of what may stand before a message. */
const BEFORE_OCTETS: ReadonlySet<number> = new Set([
  ...[0xef, 0xbb, 0xbf, 0x09, 0x0a, 0x0d, 0x20],
  ...Array.from({ length: 10 }, (_, digit) => 0x30 + digit),
]);

/** Tests whether octets may begin a message or a mailbox: a name and a colon, or `From `. */
export function mayBeMail(octets: Uint8Array): boolean {
  let start = 0;
  while (start < MAX_BEFORE && BEFORE_OCTETS.has(octets[start]!)) start++;
  for (let at = start; at < start + 40 && at < octets.length; at++) {
    const octet = octets[at]!;
    if (octet === 0x3a) return at > start + 1;
    if (octet === 0x20) return at === start + 4 && latin1(octets.subarray(start, at)) === 'From';
    const letter = octet | 0x20;
    if ((letter < 0x61 || letter > 0x7a) && octet !== 0x2d) return false;
  }
  return false;
}

/**
 * Recognises e-mail messages, mailboxes and web pages in MHTML.
 * @param file - the start of the document, one octet per character
 * @param name - its name, which decides where the content does not
 */
export function recogniseMail(file: string, name: string): 'mail' | 'mhtml' | 'mbox' | null {
  const head = file.slice(placeOfMessage(file).start);
  if (MBOX_START.test(head)) return MAIL_NAME.test(name) ? 'mail' : 'mbox';
  const fields = new Map<string, string>();
  FIELD.lastIndex = 0;
  for (let match = FIELD.exec(head); match !== null; match = FIELD.exec(head))
    fields.set(match[1]!.toLowerCase(), match[2]!);
  if (fields.size === 0) return null;
  const related = /^\s*multipart\/related\b/i.test(fields.get('content-type') ?? '');
  if (related && (WEB_ARCHIVE_NAME.test(name) || !SENT.some((each) => fields.has(each)))) return 'mhtml';
  if (fields.has('mime-version') && fields.has('content-type')) return 'mail';
  if (!fields.has('from')) return MAIL_NAME.test(name) && fields.has('subject') ? 'mail' : null;
  if (MAIL_NAME.test(name)) return 'mail';
  const count = ['date', 'subject', 'to'].filter((each) => fields.has(each)).length;
  return TRACE.some((each) => fields.has(each)) || count === 3 ? 'mail' : null;
}

/** A header field of a part that may be an attachment. */
const ATTACHED = /^content-(?:disposition:\s*attachment\b|type:\s*(?!text\/(?:plain|html)\b|multipart\/)[a-z])/im;

/** Tests whether a message may have attachments, in less time than parsing it takes. */
export function mayHaveAttachments(octets: Uint8Array): boolean {
  return ATTACHED.test(latin1(octets));
}
