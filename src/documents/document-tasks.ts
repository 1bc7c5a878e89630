import { isUtf8 } from 'node:buffer';
import { concatenate } from '../common/bytes.ts';
import { loadExtractor } from '../extract/extractors.ts';
import { isArchiveType } from '../extract/formats.ts';
import {
  type Archive,
  type Extraction,
  type ExtractionHints,
  type ExtractionLimits,
  extract,
  type Medium,
} from '../extract/index.ts';
import { unnamedWarnings } from '../extract/text/content-warnings.ts';
import { text } from '../extract/text/text.ts';
import type { Residue } from '../fingerprint/residue.ts';
import type { CountedPart, HashPart } from '../fingerprint/token-counts.ts';
import type { Fingerprint } from '../index.ts';
import type { WorkResult } from './document-outcome.ts';
import { NO_TOKENS } from './failure.ts';
import { type ChunkGenerator, following, readWhole } from './read.ts';

export interface Hash {
  readonly fingerprint: Fingerprint;
  /** Number of tokens, every occurrence. */
  readonly tokens: number;
}

export interface Hashed extends Hash {
  readonly more?: readonly Hash[];
  readonly mediaType: string;
  readonly extractor: string;
}

export interface Counted {
  readonly fingerprint: Fingerprint;
  readonly counted: CountedPart;
  /** The residue of the whole document, also if a part of the tokens is counted. */
  readonly residue: Residue;
}

export type TaskKind = 'hash' | 'extract' | 'tokens';

export interface TaskResults {
  readonly hash: Hashed;
  readonly extract: Extraction;
  readonly tokens: Counted;
}

export interface DocumentContent {
  readonly type: Medium | Archive;
  readonly hints: ExtractionHints;
  readonly limits: ExtractionLimits;
  /** True if it is plain text in UTF-8, which is streamed, whatever its length. */
  readonly isUtf8Text: boolean;
  readonly head: Uint8Array;
  readonly rest: ChunkGenerator | null;
  readonly label: string;
  readonly more?: readonly string[] | undefined;
  /** The tokens that `tokens` counts. Default: all, or as many as fit. */
  readonly part?: HashPart | undefined;
}

export interface WorkListener {
  /** Called before the extraction of a text, which may take long. */
  readonly onExtracting: () => void;
  readonly onPages: (done: number, total: number) => void;
}

/** Computes the fingerprint of a document. Throws any failure, as the other kinds of work do; see `failureOf`. */
export async function hashDocument(content: DocumentContent, listener: WorkListener): Promise<WorkResult<Hashed>> {
  // Not loaded for extraction alone.
  const { createFingerprinter } = await import('../fingerprint/fingerprint.ts');
  const fingerprinter = createFingerprinter({ label: content.label });
  const others = content.more?.map((label) => createFingerprinter({ label }));
  const sink: Sink = others === undefined ? fingerprinter : intoAll([fingerprinter, ...others]);
  const { warnings, size, mediaType, extractor } = await feed(content, sink, listener);
  const [fingerprint, tokens] = [fingerprinter.digest(), fingerprinter.tokenCount];
  if (fingerprint === null) return { kind: 'failed', failure: NO_TOKENS, warnings, size };
  // A text has tokens under all labels or under none.
  const more = others?.map((other) => ({ fingerprint: other.digest()!, tokens: other.tokenCount }));
  const result = { fingerprint, tokens, mediaType, extractor, ...(more && { more }) };
  return { kind: 'done', result, warnings, size };
}

/** The number of distinct tokens of a document that are counted at once; one with more is counted in parts. */
export const MAX_DISTINCT = 1 << 21;

/** Counts all tokens of a document, the requested part, or the first part if there are more than {@link MAX_DISTINCT}. */
async function countDocument(content: DocumentContent, listener: WorkListener): Promise<WorkResult<Counted>> {
  const { createTokenCounter } = await import('../fingerprint/token-counts.ts');
  const { createResidue } = await import('../fingerprint/residue.ts');
  const counter = createTokenCounter({ label: content.label, ...(content.part ?? { limit: MAX_DISTINCT }) });
  const residue = createResidue();
  const { warnings, size } = await feed(content, intoAll([counter, residue]), listener);
  const { fingerprint, counted } = counter.digest();
  if (fingerprint === null) return { kind: 'failed', failure: NO_TOKENS, warnings, size };
  return { kind: 'done', result: { fingerprint, counted, residue: residue.digest() }, warnings, size };
}

async function extractDocument(content: DocumentContent, { onExtracting, onPages }: WorkListener) {
  const { limits } = content;
  const bytes = await readWhole(content, limits.bytes);
  if (!isArchiveType(content.type)) await loadExtractor(content.type);
  onExtracting();
  const result = await extract(bytes, { ...content.hints, type: content.type }, { limits, onProgress: onPages });
  return { kind: 'done', result, warnings: result.warnings, size: bytes.length } as const;
}

export const WORK: {
  readonly [K in TaskKind]: (content: DocumentContent, listener: WorkListener) => Promise<WorkResult<TaskResults[K]>>;
} = { hash: hashDocument, extract: extractDocument, tokens: countDocument };

interface Sink {
  update(chunk: string | Uint8Array): unknown;
}

function intoAll(sinks: readonly Sink[]): Sink {
  return {
    update(chunk) {
      for (const sink of sinks) sink.update(chunk);
    },
  };
}

async function feed(content: DocumentContent, sink: Sink, listener: WorkListener) {
  if (content.isUtf8Text) return streamText(content, sink);
  const { result, warnings, size } = await extractDocument(content, listener);
  sink.update(result.text);
  return { warnings, size, mediaType: result.mediaType, extractor: result.extractor };
}

/** Streams plain text: its extraction would only decode it, as step 1 of the scheme does. */
async function streamText({ head, rest, hints }: DocumentContent, sink: Sink) {
  const check = createUtf8Check();
  const warnings: string[] = [];
  let size = 0;
  for await (const part of following(head, rest)) {
    // In a worker, the head is empty.
    if (part.length === 0) continue;
    if (size === 0) warnings.push(...unnamedWarnings(part, hints.path));
    size += part.length;
    sink.update(part);
    check.update(part);
  }
  if (!check.isWellFormed()) warnings.push(MALFORMED);
  return { warnings, size, mediaType: text.mediaType, extractor: `${text.name}/${text.version}` };
}

const MALFORMED = 'not well-formed UTF-8: it may be damaged or in another charset (--charset)';

function createUtf8Check() {
  let wellFormed = true;
  let carry: Uint8Array = new Uint8Array(0);
  return {
    update(chunk: Uint8Array): void {
      if (!wellFormed) return;
      const bytes = carry.length === 0 ? chunk : concatenate([carry, chunk]);
      const end = bytes.length - incompleteBytes(bytes);
      wellFormed = isUtf8(bytes.subarray(0, end));
      carry = new Uint8Array(bytes.subarray(end));
    },
    isWellFormed: () => wellFormed && carry.length === 0,
  };
}

/** Counts the bytes at the end that may be the start of a sequence: 0 to 3. */
function incompleteBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? back : 0;
  }
  return 0;
}
