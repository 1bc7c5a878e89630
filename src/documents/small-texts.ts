import { isUtf8 } from 'node:buffer';
import { detect } from '../extract/detect.ts';
import { unnamedWarnings } from '../extract/text/content-warnings.ts';
import { text } from '../extract/text/text.ts';
import type { TakenPipeline } from '../fingerprint/pool.ts';
import { takeSmallPipeline } from '../fingerprint/stream.ts';
import { type Fingerprint, fingerprintOfWords, wordsOf } from '../scheme/labels/fingerprint.ts';
import { schemeOf } from '../scheme/labels/label.ts';
import { datasetFormatOf, isZstd, mayBeDataset } from './dataset/dataset-format.ts';
import { type DocumentOutcome, failed } from './document-outcome.ts';
import type { Hashed } from './document-tasks.ts';
import { type Failure, failureOf, NO_TOKENS } from './failure.ts';
import type { DocumentHints } from './hints.ts';
import { readSmallFile } from './read.ts';
import type { FileEntry } from './walk.ts';

/** The results of some files, in their order. Sending an object for each takes as long as its fingerprint. */
export interface TextResults {
  /** The words of each fingerprint: 1 or 4. */
  readonly fingerprints: BigUint64Array;
  /** The tokens of each file, or {@link FAILED} or {@link OTHER}. */
  readonly tokens: Int32Array;
  readonly sizes: Int32Array;
  readonly failures: ReadonlyMap<number, Failure>;
}

const FAILED = -1;
/** The result of a file that is not small, or not plain text in well-formed UTF-8. */
const OTHER = -2;

/** The number of files from which on compiling the kernel of the fingerprint saves time. */
const FEW = 16;

/** The kernel: loading it takes longer than a few small files. */
let kernels: typeof import('../fingerprint/pool.ts') | undefined;

export function mayBeTexts({ charset, type, more }: DocumentHints): boolean {
  return charset === undefined && (type === undefined || type === 'text') && more === undefined;
}

/** Computes the fingerprints of the small plain texts among regular files. No limits apply: they take little time and memory. */
export async function hashTexts(
  entries: readonly FileEntry[],
  hints: DocumentHints,
  onText: (bytes: number) => void,
): Promise<TextResults> {
  const scheme = schemeOf(hints.label);
  const { words } = scheme;
  const fingerprints = new BigUint64Array(words * entries.length);
  const tokens = new Int32Array(entries.length).fill(OTHER);
  const sizes = new Int32Array(entries.length);
  const failures = new Map<number, Failure>();
  const fail = (index: number, failure: Failure): void => {
    tokens[index] = FAILED;
    failures.set(index, failure);
  };
  for (const [index, entry] of entries.entries())
    try {
      let bytes = readSmallFile(entry);
      if (bytes === null || !isPlainText(bytes, entry.path, hints)) continue;
      const size = entries.length > FEW ? Number.POSITIVE_INFINITY : bytes.length;
      let pipeline: TakenPipeline | undefined = takeSmallPipeline(size, { scheme });
      if (pipeline === undefined) {
        // Other files may be read into the same place meanwhile.
        if (kernels === undefined) bytes = bytes.slice();
        kernels ??= await import('../fingerprint/pool.ts');
        pipeline = kernels.takePipeline(size, scheme);
      }
      pipeline.update(bytes);
      pipeline.end();
      const fingerprint = pipeline.result();
      sizes[index] = bytes.length;
      if (fingerprint === null) fail(index, NO_TOKENS);
      else {
        fingerprints.set(wordsOf('fingerprint', fingerprint), words * index);
        tokens[index] = pipeline.tokenCount;
      }
      kernels?.returnPipeline(pipeline);
      onText(bytes.length);
    } catch (error) {
      fail(index, failureOf(error));
      onText(0);
    }
  return { fingerprints, tokens, sizes, failures };
}

function isPlainText(bytes: Uint8Array, path: string, hints: DocumentHints): boolean {
  // Neither gzip nor UTF-16 with a byte order mark is UTF-8.
  if (!isUtf8(bytes)) return false;
  if (hints.raw === true) return true;
  if (datasetFormatOf(bytes, path, hints) !== null || (isZstd(bytes) && mayBeDataset(path, hints))) return false;
  return (hints.type ?? detect(bytes, { path })) === 'text' && unnamedWarnings(bytes, path).length === 0;
}

/** Returns the result of the file at an index; null if the file has to be read in another way. */
export function textOutcome(results: TextResults, index: number, entry: FileEntry): DocumentOutcome<Hashed> | null {
  const tokens = results.tokens[index]!;
  if (tokens === OTHER) return null;
  const size = results.sizes[index]!;
  const sizes = size > 0 && { size, fileSize: size };
  if (tokens === FAILED) return { ...failed(entry, results.failures.get(index)!), ...sizes };
  const fingerprint = fingerprintAt(results, index);
  const result = { fingerprint, tokens, mediaType: text.mediaType, extractor: EXTRACTOR };
  const { path, raw } = entry;
  // Spreads for each file would take as long as reading it.
  if (raw === undefined) return { kind: 'done', path, result, warnings: [], size, fileSize: size };
  return { kind: 'done', path, raw, result, warnings: [], ...sizes };
}

function fingerprintAt({ fingerprints, tokens }: TextResults, index: number): Fingerprint {
  const words = fingerprints.length / tokens.length;
  // (A slice for each file would take as long as reading it.)
  if (words === 1) return fingerprints[index]!;
  return fingerprintOfWords([...fingerprints.subarray(words * index, words * (index + 1))]);
}

const EXTRACTOR = `${text.name}/${text.version}`;
