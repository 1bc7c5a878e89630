import { assertBytes, assertOptions } from '../../errors.ts';
import type { Member, ReadArchiveOptions } from '../archive/archive-members.ts';
import { documentsIn } from './attachments.ts';
import { isEncrypted, parseMessage } from './mail.ts';

export type { Member, ReadArchiveOptions } from '../archive/archive-members.ts';

/** A message, and the documents attached to it. */
export interface Message {
  /** False if the message has no body or an empty one. */
  readonly hasText: boolean;
  readonly attachments: readonly Member[];
}

/**
 * Reads the documents attached to a message in their order; attached messages are of the type `mail`. Attachments of an encrypted
 * message are left out.
 * @param bytes - the whole message
 * @param options - `onSkipped` is called for each attachment that is not a document, with its media type or recognised format; not
 *   for inline images
 * @returns the attachments, each named by its file name, or `#` and its number from 1; repeated names get `#2`, `#3` and so on
 * @throws (rejects) TypeError `wrong-type`; Error `damaged`, `missing-package`
 * @example for (const { hints, content } of (await readMessage(bytes)).attachments) …
 */
export async function readMessage(
  bytes: Uint8Array,
  options: Pick<ReadArchiveOptions, 'onSkipped'> = {},
): Promise<Message> {
  assertBytes('bytes', bytes);
  assertOptions('options', options, { onSkipped: 'function?' });
  const { email, charsets } = await parseMessage(bytes, {});
  const hasText = email.html !== undefined || (email.text ?? '').trim() !== '';
  if (isEncrypted(email)) return { hasText: true, attachments: [] };
  return { hasText, attachments: documentsIn(email.attachments, charsets, options.onSkipped ?? (() => undefined)) };
}
