import { isUtf8 } from 'node:buffer';
import { concatenate } from '../../../common/octets.ts';
import {
  type Archive,
  type Extraction,
  type ExtractionHints,
  type ExtractionLimits,
  extract,
  type Medium,
} from '../../../extract/index.ts';
import { text } from '../../../extract/text/text.ts';
import { createFingerprinter } from '../../../index.ts';
import { NO_TOKENS } from '../failure.ts';
import type { Done } from '../outcome.ts';
import { type Chunks, readWhole } from '../read.ts';

/** The fingerprint of a document, and how it was made. */
export interface Hashed {
  readonly fingerprint: bigint;
  /** Number of tokens, every occurrence. */
  readonly tokens: number;
  readonly mediaType: string;
  readonly extractor: string;
}

/** What is done with a document. */
export type Kind = 'hash' | 'extract';

/** The result of each kind of work. */
export interface Results {
  readonly hash: Hashed;
  readonly extract: Extraction;
}

/** A document, its type and its octets: all in the head, or followed by the rest. */
export interface Content {
  readonly type: Medium | Archive;
  readonly hints: ExtractionHints;
  /** Whether it is plain text in UTF-8, which is streamed, whatever its length. */
  readonly isUtf8Text: boolean;
  readonly head: Uint8Array;
  readonly rest: Chunks | null;
}

/** Whom to tell what happens while a document is worked on. */
export interface WorkListener {
  /** The extraction of a text begins; it may take long. */
  readonly onExtracting: () => void;
  /** So many pages of so many are done. */
  readonly onPages: (done: number, total: number) => void;
}

/**
 * Computes the fingerprint of a document.
 * @param content - the document
 * @param limits - what reading it may cost
 * @param listener - told what happens
 * @throws (rejects) whatever goes wrong; see `failureOf`
 */
export async function hashDocument(
  content: Content,
  limits: ExtractionLimits,
  listener: WorkListener,
): Promise<Done<Hashed>> {
  if (content.isUtf8Text) return streamText(content);
  const { result, warnings, size } = await extractDocument(content, limits, listener);
  const fingerprinter = createFingerprinter().update(result.text);
  return doneWith(fingerprinter.digest(), fingerprinter.tokenCount, result, warnings, size);
}

/**
 * Extracts the text of a document.
 * @param content - the document
 * @param limits - what reading it may cost
 * @param listener - told what happens
 * @throws (rejects) whatever goes wrong; see `failureOf`
 */
export async function extractDocument(
  content: Content,
  limits: ExtractionLimits,
  { onExtracting, onPages }: WorkListener,
): Promise<Done<Extraction> & { readonly result: Extraction; readonly size: number }> {
  const octets = await readWhole(content, limits.octets);
  onExtracting();
  const result = await extract(octets, { ...content.hints, type: content.type }, { limits, onProgress: onPages });
  return { result, warnings: result.warnings, size: octets.length };
}

/** Streams plain text: extraction would decode it and nothing else, which is step 1 of the scheme. */
async function streamText({ head, rest }: Content): Promise<Done<Hashed>> {
  const fingerprinter = createFingerprinter().update(head);
  const check = createUtf8Check();
  check.update(head);
  let size = head.length;
  if (rest !== null)
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      size += next.value.length;
      fingerprinter.update(next.value);
      check.update(next.value);
    }
  const fingerprint = fingerprinter.digest();
  const warnings = check.isWellFormed() ? [] : [MALFORMED];
  const extraction = { mediaType: text.mediaType, extractor: `${text.name}/${text.version}` };
  return doneWith(fingerprint, fingerprinter.tokenCount, extraction, warnings, size);
}

function doneWith(
  fingerprint: bigint | null,
  tokens: number,
  { mediaType, extractor }: Pick<Extraction, 'mediaType' | 'extractor'>,
  warnings: readonly string[],
  size: number,
): Done<Hashed> {
  const result = fingerprint === null ? { failure: NO_TOKENS } : { fingerprint, tokens, mediaType, extractor };
  return { result, warnings, size };
}

const MALFORMED = 'not well-formed UTF-8: it may be damaged or in another charset (--charset)';

/** Checks octets that come in parts. */
function createUtf8Check() {
  let wellFormed = true;
  let carry: Uint8Array = new Uint8Array(0);
  return {
    update(chunk: Uint8Array): void {
      if (!wellFormed) return;
      const octets = carry.length === 0 ? chunk : concatenate([carry, chunk]);
      const end = octets.length - incompleteOctets(octets);
      wellFormed = isUtf8(octets.subarray(0, end));
      carry = octets.slice(end);
    },
    isWellFormed: () => wellFormed && carry.length === 0,
  };
}

/** How many octets at the end may be the start of a sequence: 0 to 3. */
function incompleteOctets(octets: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, octets.length); back++) {
    const octet = octets[octets.length - back]!;
    if (octet < 0x80) return 0;
    if (octet >= 0xc0) return back < (octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : 4) ? back : 0;
  }
  return 0;
}
