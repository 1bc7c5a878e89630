import { latin1 } from '../../common/octets.ts';

/** A line before a message in an mbox file (RFC 4155) with a date in some order, and the first header field of the message. */
export const MBOX_START = /^From [^\r\n]{0,200} [^\r\n]{0,40}\d\d:\d\d[^\r\n]{0,60}\r?\n>?[A-Za-z][\w-]{0,60}:/;

/** A header field (RFC 5322) with its folded lines. */
const FIELD = /([A-Za-z][\w-]{0,60}):([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)(?:\r?\n|$)/y;

/** The fields of which a message has at least one besides `From`. Text in the form of a header seldom has them. */
const TRACE = ['message-id', 'received', 'mime-version', 'return-path', 'delivered-to', 'newsgroups'];

/** Other programs than browsers write `multipart/related` too, with the fields of a message that was sent. */
const SENT = ['to', 'cc', 'received', 'message-id', 'delivered-to', 'in-reply-to'];

const MAIL_NAME = /\.eml$/i;
const WEB_ARCHIVE_NAME = /\.mht(?:ml)?$/i;

/** Tells whether octets may begin a message or a mailbox: a name and a colon, or `From `. */
export function mayBeMail(octets: Uint8Array): boolean {
  for (let at = 0; at < 40 && at < octets.length; at++) {
    const octet = octets[at]!;
    if (octet === 0x3a) return at > 1;
    if (octet === 0x20) return at === 4 && latin1(octets.subarray(0, 4)) === 'From';
    const letter = octet | 0x20;
    if ((letter < 0x61 || letter > 0x7a) && octet !== 0x2d) return false;
  }
  return false;
}

/**
 * Recognises e-mail messages, mailboxes and web pages in MHTML.
 * @param head - the start of the document, one octet per character
 * @param name - its name, which decides where the content does not
 */
export function recogniseMail(head: string, name: string): 'mail' | 'mhtml' | 'mbox' | null {
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
