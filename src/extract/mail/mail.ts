import type { Email } from 'postal-mime';
import { latin1 } from '../../common/octets.ts';
import { pluralize } from '../../common/text.ts';
import { extractionError } from '../errors.ts';
import { extraction, replacementWarnings } from '../result.ts';
import type { Extraction, ExtractionContext, Extractor, ExtractorName } from '../types.ts';

/** The most octets of the header fields of all parts. */
const MAX_HEADERS = 1 << 21;

/** The most multiparts that may contain each other. */
const MAX_PARTS = 100;

/** E-mail (RFC 5322, MIME): the body, without header fields and attachments (MED-6). */
export const mail: Extractor = {
  name: 'mail',
  version: '1',
  mediaType: 'message/rfc822',
  extract: (octets, _hints, context) => extractBody(mail, octets, context),
};

/** A web page that a browser saved in one file (RFC 2557): its HTML (MED-6). */
export const mhtml: Extractor = {
  name: 'mhtml',
  version: '1',
  mediaType: 'multipart/related',
  extract: (octets, _hints, context) => extractBody(mhtml, octets, context),
};

async function extractBody(name: ExtractorName, octets: Uint8Array, context: ExtractionContext): Promise<Extraction> {
  const email = await parseMessage(octets);
  if (isEncrypted(email)) throw extractionError('encrypted', 'the message is encrypted');
  if (email.html === undefined) {
    if (email.text === undefined) throw extractionError('no-text', noText(email));
    return extraction(name, email.text, replacementWarnings(email.text, 'its charset'));
  }
  const { html } = await import('../html/html.ts');
  // The parts are decoded already; a byte order mark beats what the page declares.
  const body = new TextEncoder().encode(`\uFEFF${email.html}`);
  const found = await html.extract(body, {}, context);
  return extraction(name, found.text, found.warnings);
}

/**
 * Parses a message.
 * @param octets - the message; a line `From ` before it is skipped
 * @throws (rejects) Error `damaged`, `missing-package`
 */
export async function parseMessage(octets: Uint8Array): Promise<Email> {
  const { default: PostalMime } = await loadParser();
  // A mailbox of one message, and some servers, begin with a line that is no header field.
  const start = /^>?From [^\r\n]*\r?\n/.exec(latin1(octets.subarray(0, 1024)))?.[0].length ?? 0;
  const options = { forceRfc822Attachments: true, maxHeadersSize: MAX_HEADERS, maxNestingDepth: MAX_PARTS };
  try {
    return await PostalMime.parse(octets.subarray(start), options);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw extractionError('damaged', `damaged message: ${message}`, error);
  }
}

async function loadParser(): Promise<typeof import('postal-mime')> {
  try {
    return await import('postal-mime');
  } catch (error) {
    const message = 'reading e-mail and MHTML needs 1 more package: npm install postal-mime';
    throw extractionError('missing-package', message, error);
  }
}

/** Tests whether the body is encrypted by PGP or S/MIME. */
export function isEncrypted({ headers }: Email): boolean {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  return /^\s*multipart\/encrypted\b|^\s*application\/(?:x-)?pkcs7-mime\b.*enveloped-data/is.test(type);
}

function noText({ attachments: { length } }: Email): string {
  return length === 0 ? 'the message has no body' : `the message has only ${pluralize(length, 'attachment')}`;
}
