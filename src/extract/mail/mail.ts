import type { Attachment, Email } from 'postal-mime';
import { latin1 } from '../../common/bytes.ts';
import { pluralize, quote } from '../../common/text.ts';
import { extractionError, loadPackages } from '../errors.ts';
import { attachmentWarnings, extraction, replacementWarnings } from '../result.ts';
import { charsetOfPart, chooseCharset, chooseHtmlCharset, resolveMailCharset } from '../text/charset.ts';
import { encodedWarnings, isIso2022Jp } from '../text/content-warnings.ts';
import { decodeGuessed } from '../text/guess-charset.ts';
import type { Extraction, ExtractionContext, ExtractionHints, Extractor, ExtractorName } from '../types.ts';
import { placeOfMessage } from './recognise-mail.ts';

const MAX_HEADERS = 1 << 21;

/** The maximum number of multiparts that may contain each other. */
const MAX_PARTS = 100;

/** E-mail (RFC 5322, MIME): the body, without header fields and attachments (MED-6). */
export const mail: Extractor = {
  name: 'mail',
  version: '4',
  mediaType: 'message/rfc822',
  async extract(bytes, hints, context) {
    const message = await parseMessage(bytes, hints);
    const { text, warnings } = await extractBody(mail, message, context);
    if (message.email.attachments.length === 0) return extraction(mail, text, warnings);
    const { documentsIn } = await import('./attachments.ts');
    const { length } = documentsIn(message.email.attachments, message.charsets, () => undefined);
    return extraction(mail, text, [...warnings, ...attachmentWarnings(length)]);
  },
};

/** A web page that a browser saved in one file (RFC 2557): its HTML (MED-6). */
export const mhtml: Extractor = {
  name: 'mhtml',
  version: '4',
  mediaType: 'multipart/related',
  extract: async (bytes, hints, context) => extractBody(mhtml, await parseMessage(bytes, hints), context),
};

async function extractBody(
  name: ExtractorName,
  message: ParsedMessage,
  context: ExtractionContext,
): Promise<Extraction> {
  const { email, warnings, failure, isXhtml } = message;
  if (failure !== undefined) throw failure.error;
  if (isEncrypted(email)) throw extractionError('encrypted', 'is encrypted: decrypt it first');
  if (email.html === undefined) {
    if (email.text === undefined) throw extractionError('no-text', noText(email));
    return extraction(name, email.text, [...warnings, ...encodedWarnings(email.text)]);
  }
  const { html } = await import('../html/html.ts');
  // The parts are decoded already; a byte order mark beats what the page declares.
  const body = new TextEncoder().encode(`\uFEFF${email.html}`);
  const found = await html.extract(body, isXhtml ? { path: '.xhtml' } : {}, context);
  const known = replacementWarnings(email.html, 'UTF-8');
  return extraction(name, found.text, [...warnings, ...found.warnings.filter((each) => !known.includes(each))]);
}

type ParsedMessage = Awaited<ReturnType<typeof parseMessage>>;

interface Part {
  content: ArrayBufferLike | null;
  readonly state: 'header' | 'body' | 'finished';
  readonly childNodes: readonly Part[];
  readonly contentType: {
    readonly parsed: { value: string; readonly params: Record<string, string> };
    multipart: string | false;
  };
  readonly contentTransferEncoding: { readonly encoding: string };
}

/** The methods of the parser that collect its parts; its types leave them out. */
interface Collector {
  readonly attachments: readonly Attachment[];
  readonly currentNode: Part;
  readonly boundaries: { readonly value: Uint8Array; readonly node: Part }[];
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
  collectNode(part: Part, ...context: unknown[]): Promise<void>;
  isInlineTextNode(part: Part): boolean;
}

/** Parses a message. The parser does not know all charsets, so the parts of the body are decoded here. */
export async function parseMessage(bytes: Uint8Array, hints: ExtractionHints) {
  const [{ default: PostalMime }] = await loadPackages(
    'reading e-mail and MHTML',
    ['postal-mime'],
    [import('postal-mime')],
  );
  const { start, end } = placeOfMessage(latin1(bytes.subarray(0, 2048)));
  const content = bytes.subarray(start, end);
  const options = { forceRfc822Attachments: true, maxHeadersSize: MAX_HEADERS, maxNestingDepth: MAX_PARTS };
  const charsets = new Map<Attachment, string>();
  const warnings = new Set<string>();
  let failure: { readonly error: unknown } | undefined;
  /** Set if a part of the body is XHTML, which the parser takes for an attachment. */
  let isXhtml = false;
  const parser = new PostalMime(options);
  const collector = parser as unknown as Collector;
  const { collectNode, processLine } = collector;
  const boundaryIn = createBoundaryFinder(content);
  collector.processLine = (line, isFinal) => {
    const { currentNode, boundaries } = collector;
    if (currentNode.state !== 'body') return processLine.call(parser, line, isFinal);
    const value = currentNode.contentType.multipart === false ? null : boundaryIn(line, currentNode);
    if (value !== null) {
      boundaries.push({ value, node: currentNode });
      warnings.add(OTHER_BOUNDARY);
    }
    const isQuoted = currentNode.contentTransferEncoding.encoding === 'quoted-printable';
    return processLine.call(parser, isQuoted ? withoutBlanks(line) : line, isFinal);
  };
  collector.collectNode = async (part, ...context) => {
    if (isTextWithoutParts(part)) {
      part.contentType.multipart = false;
      part.contentType.parsed.value = 'text/plain';
      warnings.add(NO_PARTS);
    }
    const { multipart, parsed } = part.contentType;
    const isLeaf = multipart === false;
    if (isLeaf && parsed.value === XHTML) {
      parsed.value = 'text/html';
      if (collector.isInlineTextNode(part)) isXhtml = true;
      else parsed.value = XHTML;
    }
    if (isLeaf && collector.isInlineTextNode(part))
      try {
        for (const each of await decodePart(part, hints)) warnings.add(each);
      } catch (error) {
        failure ??= { error };
      }
    const { length } = collector.attachments;
    await collectNode.call(parser, part, ...context);
    const attachment = isLeaf ? collector.attachments[length] : undefined;
    const { charset } = parsed.params;
    if (attachment !== undefined && charset !== undefined) charsets.set(attachment, charset);
  };
  try {
    const email = await parser.parse(content);
    return {
      email,
      charsets,
      warnings: [...(warnings.has(OTHER_BOUNDARY) ? [] : truncationWarnings(email, content)), ...warnings],
      failure,
      isXhtml,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw extractionError('damaged', `damaged message: ${message}`, error);
  }
}

const XHTML = 'application/xhtml+xml';
const OTHER_BOUNDARY = 'damaged: the declared boundary does not occur, and another one separates the parts';
const NO_PARTS = 'damaged: the message should have several parts and has none: it is read as text';

const MAX_SEARCHES = 16;

/** A line that may be a boundary, and not its end. */
const BOUNDARY = /^--([!-~][ -~]{0,69})$/;

/** Finds the boundary of a part that declares none, or one that does not occur, in the first line that may be one. */
function createBoundaryFinder(content: Uint8Array) {
  let left = MAX_SEARCHES;
  return (line: Uint8Array, { contentType, childNodes }: Part): Uint8Array | null => {
    if (line[0] !== 0x2d || line[1] !== 0x2d || childNodes.length > 0 || left === 0) return null;
    const value = BOUNDARY.exec(latin1(line).trimEnd())?.[1];
    const { boundary = '' } = contentType.parsed.params;
    if (value === undefined || !/[a-z\d]/i.test(value) || value.endsWith('--') || value === boundary) return null;
    left--;
    if (boundary !== '' && latin1(content).includes(`--${boundary}`)) return null;
    return line.slice(2, 2 + value.length);
  };
}

/** Removes blanks at the end of a line in quoted-printable, which do not count (RFC 2045, 6.7). */
function withoutBlanks(line: Uint8Array): Uint8Array {
  let end = line.length;
  while (line[end - 1] === 0x20 || line[end - 1] === 0x09) end--;
  return line.subarray(0, end);
}

/** Tests whether a part of several has none, but a text that is not a note to readers without MIME. */
function isTextWithoutParts({ contentType, childNodes, content }: Part): boolean {
  if (contentType.multipart === false || childNodes.length > 0 || content === null) return false;
  const start = latin1(new Uint8Array(content).subarray(0, 512)).trim();
  return start !== '' && !/^.{0,80}\b(?:multi-?part|mime)\b/i.test(start);
}

async function decodePart(part: Part, { charset }: ExtractionHints): Promise<readonly string[]> {
  const { value, params } = part.contentType.parsed;
  const bytes = new Uint8Array(part.content ?? new ArrayBuffer(0));
  const declared = params['charset'];
  const transportCharset = charsetOfPart(bytes, declared);
  const isKnown = declared === undefined || declared === '' || resolveMailCharset(declared) !== null;
  const hints = { charset, transportCharset: isKnown ? transportCharset : undefined };
  const isHtml = value === 'text/html';
  const choose = isHtml ? chooseHtmlCharset : chooseCharset;
  const chosen = choose(bytes, hints, isIso2022Jp(bytes) ? 'ISO-2022-JP' : 'UTF-8');
  const { decoded, warnings, doubts } = await decodeGuessed(chosen, bytes, hints, isHtml);
  part.content = new TextEncoder().encode(decoded).buffer;
  params['charset'] = 'utf-8';
  const unknown = isKnown ? [] : [`the declared charset ${quote(declared)} is unknown and not used`];
  return [...unknown, ...warnings, ...doubts];
}

function contentTypeOf({ headers }: Email): string {
  return headers.find(({ key }) => key === 'content-type')?.value ?? '';
}

function truncationWarnings(email: Email, bytes: Uint8Array): string[] {
  const [, quoted, plain] =
    /^\s*multipart\/.*;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/is.exec(contentTypeOf(email)) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || latin1(bytes).includes(`--${boundary}--`)) return [];
  return ['truncated: the mark at the end of the message is missing'];
}

export function isEncrypted(email: Email): boolean {
  const type = contentTypeOf(email);
  return /^\s*multipart\/encrypted\b|^\s*application\/(?:x-)?pkcs7-mime\b.*enveloped-data/is.test(type);
}

function noText({ attachments: { length } }: Email): string {
  if (length === 0) return 'the message has no body';
  const own = length === 1 ? 'a document of its own' : 'documents of their own';
  return `the message has no body, only ${pluralize(length, 'attachment')}, ${own}`;
}
