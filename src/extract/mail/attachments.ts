import type { Attachment } from 'postal-mime';
import { latin1 } from '../../common/octets.ts';
import {
  createUniqueNames,
  detectMember,
  hintsOf,
  isNoDocument,
  type Member,
  type ReadArchiveOptions,
  skipReasonOf,
} from '../archive/members.ts';
import { isEncrypted, parseMessage } from './mail.ts';

/** A message, and the documents attached to it. */
export interface Message {
  /** False if the message has no body, or an empty one. */
  readonly hasText: boolean;
  readonly attachments: readonly Member[];
}

/** A header field of a part that may be an attachment. */
const ATTACHED = /^content-(?:disposition:\s*attachment\b|type:\s*(?!text\/(?:plain|html)\b|multipart\/)[a-z])/im;

/** Parts that belong to the message or to its transport: signatures, invitations, business cards, reports. */
const NO_ATTACHMENT =
  /^(?:text\/(?:(?:x-)?v?calendar|(?:x-)?vcard|directory|rfc822-headers)|message\/(?!rfc822$|global$).*|application\/(?:ics|pgp-.*|(?:x-)?pkcs7-.*|(?:vnd\.)?ms-tnef))$/;

const [LF, CR] = [0x0a, 0x0d];

/** Tests whether a message may have attachments, in less time than parsing it takes. */
export function mayHaveAttachments(octets: Uint8Array): boolean {
  return ATTACHED.test(latin1(octets));
}

/**
 * Reads the documents attached to a message in their order; attached messages are of the type `mail`. Attachments of an encrypted
 * message are left out.
 * @param octets - the whole message
 * @param onSkipped - called for each attachment that is not a document, with its media type or recognised format; not for the
 *   images of a page
 * @returns the attachments, each named by its file name, or `#` and its number from 1; repeated names get `#2`, `#3` and so on
 * @throws (rejects) Error `damaged`, `missing-package`
 */
export async function readMessage(
  octets: Uint8Array,
  onSkipped: NonNullable<ReadArchiveOptions['onSkipped']>,
): Promise<Message> {
  const email = await parseMessage(octets);
  const hasText = email.html !== undefined || (email.text ?? '').trim() !== '';
  if (isEncrypted(email)) return { hasText: true, attachments: [] };
  const uniqueName = createUniqueNames();
  const attachments: Member[] = [];
  for (const [index, attachment] of email.attachments.entries()) {
    const member = memberOf(attachment, index + 1);
    if (typeof member !== 'string') attachments.push({ ...member, name: uniqueName(member.name) });
    else if (attachment.related !== true && attachment.disposition !== 'inline') onSkipped(member);
  }
  return { hasText, attachments };
}

/** Makes a member of an attachment; for one that is not a document, returns the reason. */
function memberOf({ filename, mimeType, content }: Attachment, number: number): Member | string {
  const octets = new Uint8Array(content as ArrayBuffer);
  const name = filename === null || filename === '' ? `#${number}` : filename;
  if (octets.every((octet) => octet === LF || octet === CR)) return 'empty';
  if (isNoDocument(mimeType) || NO_ATTACHMENT.test(mimeType)) return mimeType;
  const reason = skipReasonOf(name);
  if (reason !== undefined) return reason;
  const about = { name, mediaType: mimeType, warnings: [] };
  if (mimeType === 'message/rfc822') return { ...about, hints: { type: 'mail' }, content: { octets, type: 'mail' } };
  const hints = hintsOf(name, { mediaType: mimeType });
  const found = detectMember(octets, hints, mimeType);
  return 'reason' in found ? found.reason : { ...about, hints, content: { octets, type: found.type } };
}
