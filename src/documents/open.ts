import { accessOfBytes } from '../common/bytes.ts';
import type { RandomAccess, ZipArchive } from '../extract/archive/zip.ts';
import { detect } from '../extract/detect.ts';
import { isArchiveType } from '../extract/formats.ts';
import {
  type Archive,
  detectType,
  type ExtractionHints,
  type ExtractionLimits,
  type Medium,
} from '../extract/index.ts';
import { createExpansionMeter, createInflationMeter, metered } from '../extract/limits.ts';
import { isOtherThanUtf8 } from '../extract/text/text.ts';
import type { HashPart } from '../fingerprint/token-counts.ts';
import {
  type DatasetFormat,
  datasetFormatOf,
  isZstd,
  mayBeDataset,
  noTextField,
  withoutZstdSuffix,
} from './dataset/dataset-format.ts';
import type { Place } from './document-outcome.ts';
import { documentError } from './failure.ts';
import type { DocumentHints } from './hints.ts';
import {
  accessOfFile,
  following,
  type Input,
  inputOf,
  type OnRead,
  openInput,
  readWhole,
  startStream,
} from './read.ts';
import type { RunBudget, TimeBudget } from './time-budget.ts';
import type { FileEntry } from './walk.ts';

export interface Opened extends Input {
  readonly type: Medium | Archive;
  /** The facts about it; its path is without the suffix of gzip. */
  readonly hints: ExtractionHints;
  /** True if it is plain text in UTF-8, which is streamed, whatever its length. */
  readonly isUtf8Text: boolean;
  /** The number of layers of gzip around it in its file. */
  readonly codings: number;
  /** Returns the bytes of its file or stream, with compression; for a stream, those read so far. */
  readonly size?: () => number;
  readonly zip?: ZipArchive;
  readonly dataset?: DatasetFormat;
  readonly access?: RandomAccess;
  readonly part?: HashPart | undefined;
  /** The time left for the archive that it is in. */
  readonly time?: TimeBudget | undefined;
}

export interface Found {
  readonly kind: 'document';
  readonly place: Place;
  readonly opened: Opened;
  readonly warnings: readonly string[];
}

export interface Reading {
  readonly hints: DocumentHints;
  readonly onRead: OnRead;
  /** Counts the bytes decompressed in an archive, at any depth; throws `too-large`. */
  readonly budget?: (bytes: number) => void;
  readonly run: Pick<RunBudget, 'left'>;
  readonly time?: TimeBudget;
}

/** Opens a document and detects its type; the caller closes it. Throws any failure, see `failureOf`. */
export async function open(entry: FileEntry, reading: Reading): Promise<Opened> {
  return identify(await openInput(entry, reading.onRead), { path: entry.path }, reading);
}

/** Opens a document that is in memory. `known` takes precedence over the hints of the caller. */
export async function openBytes(bytes: Uint8Array, known: ExtractionHints, reading: Reading): Promise<Opened> {
  return identify(inputOf(bytes), known, reading);
}

/** Detects the type of a document and removes the gzip around it. Closes the input if this fails. */
export async function identify(input: Input, known: ExtractionHints, reading: Reading): Promise<Opened> {
  const { charset, type, extractor, raw = false } = reading.hints;
  if (raw) return { ...input, type: 'text', hints: {}, isUtf8Text: true, codings: 0 };
  try {
    const opened = await decompress(input, { charset, type, extractor, ...known }, known, reading);
    if (opened.dataset !== undefined) return await openDataset(opened, reading);
    return opened.type === 'zip' ? await openZip(opened, reading) : opened;
  } catch (error) {
    await input.close();
    throw error;
  }
}

async function decompress(
  input: Input,
  start: ExtractionHints,
  { type: knownType }: ExtractionHints,
  { hints: all, budget }: Reading,
): Promise<Opened> {
  const { limits } = all;
  let { head, rest } = input;
  let hints = start;
  const layers = [input];
  const close = async (): Promise<void> => {
    for (const layer of layers.splice(0).reverse()) await layer.close();
  };
  // An archive is read in bounded memory, whatever its length; each document in it has its own limit.
  let isArchive = false;
  const meter = createInflationMeter(limits);
  let read = 0;
  const size = (): number => input.fileSize ?? input.head.length + read;
  const expansion = createExpansionMeter(limits, size);
  if (rest !== null && input.fileSize === undefined)
    rest = metered(rest, (bytes) => {
      read += bytes;
    });
  for (let codings = 0; ; codings++) {
    if (head.length === 0) throw documentError('empty', 'the document is empty');
    // A member of an archive already has a type.
    const path = hints.path ?? '';
    const dataset = knownType === undefined ? datasetFormatOf(head, path, all) : null;
    isArchive = dataset !== null;
    if (dataset !== null)
      return { ...input, type: 'text', hints, isUtf8Text: false, head, rest, codings, close, size, dataset };
    if (knownType === undefined && (mayBeDataset(path, all) || TAR_ZSTD.test(path)) && isZstd(head)) {
      assertNesting(codings, limits);
      const { unzstdStream } = await import('../extract/archive/zstd.ts');
      const layer = await startStream(metered(unzstdStream(following(head, rest)), expansion));
      layers.push(layer);
      ({ head, rest } = layer);
      hints = { ...hints, path: withoutZstdSuffix(path) };
      continue;
    }
    const type = detectType(head, hints);
    isArchive = type !== 'zip' && type !== 'gzip' && isArchiveType(type);
    if (type !== 'gzip') {
      const isNamed = hints.charset !== undefined || hints.transportCharset !== undefined;
      const isUtf8Text = type === 'text' && !isNamed && !isOtherThanUtf8(head);
      return { ...input, type, hints, isUtf8Text, head, rest, codings, close, size };
    }
    assertNesting(codings, limits);
    const layer = await removeGzip({ head, rest }, hints, (bytes) => {
      expansion(bytes);
      budget?.(bytes);
      if (!isArchive) meter(bytes);
    });
    if (layer === null) return { ...input, type: 'warc', hints, isUtf8Text: false, head, rest, codings, close, size };
    const { withoutGzipSuffix } = await import('../extract/archive/gzip.ts');
    layers.push(layer);
    ({ head, rest } = layer);
    hints = { ...hints, path: withoutGzipSuffix(path) };
  }
}

function assertNesting(codings: number, { nesting }: ExtractionLimits): void {
  if (codings === nesting) throw documentError('too-deep', `is compressed more than ${nesting} times (--max-nesting)`);
}

/** Only datasets and tar archives are often compressed with Zstandard. */
const TAR_ZSTD = /\.(?:tar\.zst|tzst)$/i;

/** The number of compressed bytes, and of decompressed ones, that are examined to recognise a WARC file. */
const WARC_WINDOW = 1 << 12;
const WARC_START = 512;

/** Removes the gzip around a document; returns null for WARC, whose reader continues after damaged gzip members. */
async function removeGzip(
  { head, rest }: Pick<Input, 'head' | 'rest'>,
  { type }: ExtractionHints,
  onInflated: (bytes: number) => void,
): Promise<Input | null> {
  const isWarc = (bytes: Uint8Array): boolean =>
    (type === undefined || type === 'warc') && detect(bytes.subarray(0, WARC_START), {}) === 'warc';
  const startsWarc = async (): Promise<boolean> => {
    const { startOfContent } = await import('../extract/archive/gzip-recovery.ts');
    return isWarc(startOfContent(head.subarray(0, WARC_WINDOW), WARC_START));
  };
  // Looking ahead takes as long as reading a small document, which is simply read again.
  if (rest !== null && (await startsWarc())) return null;
  const { gunzipStream } = await import('../extract/archive/gzip.ts');
  const inflated = gunzipStream(following(head, rest), { onInflated });
  try {
    const layer = await startStream(inflated as AsyncGenerator<Uint8Array, undefined>);
    if (rest !== null || !isWarc(layer.head)) return layer;
    await layer.close();
    return null;
  } catch (error) {
    if (rest === null && (await startsWarc())) return null;
    throw error;
  }
}

/** Gives access to any part of a file, or to the bytes of a stream or of compressed data. */
async function accessTo(opened: Opened, { hints, onRead }: Reading) {
  const { file, codings, head, rest } = opened;
  if (file?.isRegular === true && codings === 0 && rest !== null)
    return { head, rest, access: accessOfFile(file, onRead) };
  const bytes = await readWhole(opened, hints.limits.bytes);
  return { head: bytes, rest: null, access: accessOfBytes(bytes) };
}

async function openZip(opened: Opened, reading: Reading): Promise<Opened> {
  const { access, ...whole } = await accessTo(opened, reading);
  const zip = await (await import('../extract/archive/zip.ts')).openZip(access);
  return { ...opened, ...whole, ...(zip.medium === null ? { zip } : { type: zip.medium }) };
}

async function openDataset(opened: Opened, reading: Reading): Promise<Opened> {
  const { dataset, head } = opened;
  const access = dataset === 'parquet' ? (await accessTo(opened, reading)).access : undefined;
  if (reading.hints.fields === undefined) throw await noTextField(dataset!, head, access);
  return access === undefined ? opened : { ...opened, access };
}
