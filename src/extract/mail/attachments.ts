import type { Attachment } from 'postal-mime';
import {
  createUniqueNames,
  detectMember,
  hintsOf,
  isBlank,
  isNoDocument,
  type Member,
  type OnSkipped,
  skipReasonOf,
} from '../archive/archive-members.ts';
import { charsetOfPart } from '../text/charset.ts';

/** Parts that belong to the message or to its transport: signatures, invitations, business cards, reports. */
const NO_ATTACHMENT =
  /^(?:text\/(?:(?:x-)?v?calendar|(?:x-)?vcard|directory|rfc822-headers)|message\/(?!rfc822$|global$).*|application\/(?:ics|pgp-.*|(?:x-)?pkcs7-.*|(?:vnd\.)?ms-tnef))$/;

/** Returns the documents attached to a message. Images of a page are skipped without a report. */
export function documentsIn(
  attachments: readonly Attachment[],
  charsets: ReadonlyMap<Attachment, string>,
  onSkipped: OnSkipped,
): readonly Member[] {
  const uniqueName = createUniqueNames();
  const documents: Member[] = [];
  for (const [index, attachment] of attachments.entries()) {
    const member = memberOf(attachment, index + 1, charsets.get(attachment));
    if (typeof member !== 'string') documents.push({ ...member, name: uniqueName(member.name) });
    else if (attachment.related !== true && attachment.disposition !== 'inline') onSkipped(member);
  }
  return documents;
}

function memberOf(
  { filename, mimeType, content }: Attachment,
  number: number,
  declared: string | undefined,
): Member | string {
  const bytes = new Uint8Array(content as ArrayBuffer);
  const name = filename === null || filename === '' ? `#${number}` : filename;
  if (isBlank(bytes)) return 'empty';
  if (isNoDocument(mimeType, name) || NO_ATTACHMENT.test(mimeType)) return mimeType;
  const reason = skipReasonOf(name);
  if (reason !== undefined) return reason;
  const about = { name, mediaType: mimeType, warnings: [] };
  if (mimeType === 'message/rfc822') return { ...about, hints: { type: 'mail' }, content: { bytes, type: 'mail' } };
  const charset = charsetOfPart(bytes, declared);
  const hints = hintsOf(name, { mediaType: mimeType, ...(charset !== undefined && { charset }) });
  const found = detectMember(bytes, hints, mimeType);
  return 'reason' in found ? found.reason : { ...about, hints, content: { bytes, type: found.type } };
}
