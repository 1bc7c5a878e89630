import { concatenate } from '../../common/bytes.ts';
import { assertBytes, assertOptions, assertString } from '../../errors.ts';
import { assertChunks } from '../check-options.ts';
import { extractionError } from '../errors.ts';
import { createInflationMeter, type ExtractionLimits, limitInflation, metered, resolveLimits } from '../limits.ts';
import { type ByteReader, createReader } from './byte-reader.ts';
import { type AtOnce, inflateMember, SMALL } from './gzip-member.ts';

/** Options of {@link gunzip}. */
export interface GunzipOptions {
  /** The limits; only `inflated` and `ratio` apply. */
  readonly limits?: Partial<ExtractionLimits> | undefined;
}

/** Options of {@link gunzipStream}. */
export interface GunzipStreamOptions {
  /** Called with the number of bytes of each part before it is yielded; throw here to stop. */
  readonly onInflated?: ((bytes: number) => void) | undefined;
}

/**
 * Decompresses gzip (RFC 1952). Consecutive members are one stream. Bytes after the last member that are not the start of
 * another are ignored, as gzip itself does.
 * @param bytes - all compressed bytes
 * @param options - limits
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error `damaged` for bytes that are cut off or
 *   altered, `too-large`
 * @example
 * const document = await gunzip(new Uint8Array(await readFile('a.html.gz')));
 */
export async function gunzip(bytes: Uint8Array, options: GunzipOptions = {}): Promise<Uint8Array> {
  assertBytes('bytes', bytes);
  assertOptions('options', options, { limits: 'object?' });
  const limits = limitInflation(resolveLimits(options.limits), bytes.length);
  const parts: Uint8Array[] = [];
  const atOnce = { bytes: bytes.length, inflated: Math.min(limits.inflated, 2 ** 31 - 1) };
  const members = inflateMembers(createReader([], 'bytes', bytes), atOnce);
  for await (const part of metered(members, createInflationMeter(limits))) parts.push(part);
  return concatenate(parts);
}

/**
 * Decompresses gzip as {@link gunzip} does, in bounded memory and without limits.
 * @param chunks - the compressed bytes, in parts of any size; each may be overwritten once the next one is asked for
 * @param options - see {@link GunzipStreamOptions}
 * @returns parts that belong to the caller
 * @throws (rejects) TypeError `wrong-type`; Error `damaged`, after all bytes before the damage; whatever `chunks` and
 *   `onInflated` throw
 * @example
 * for await (const part of gunzipStream(createReadStream('a.gz'))) …
 */
export async function* gunzipStream(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GunzipStreamOptions = {},
): AsyncGenerator<Uint8Array, undefined> {
  assertChunks(chunks);
  assertOptions('options', options, { onInflated: 'function?' });
  const reader = createReader(chunks, 'chunks');
  try {
    yield* metered(inflateMembers(reader, SMALL), options.onInflated ?? (() => undefined));
  } finally {
    await reader.close();
  }
}

/**
 * Removes the extension of gzip from a name: `.gz` and `.gzip`; `.tgz` becomes `.tar`.
 * @param path - a name or path
 * @throws TypeError `wrong-type`
 * @example
 * withoutGzipSuffix('a.tgz'); // 'a.tar'
 */
export function withoutGzipSuffix(path: string): string {
  assertString('path', path);
  return path.replace(/\.(?:gz|gzip)$/i, '').replace(/\.tgz$/i, '.tar');
}

async function* inflateMembers(reader: ByteReader, atOnce: AtOnce): AsyncGenerator<Uint8Array, undefined> {
  for (let isFirst = true; ; isFirst = false) {
    const start = await reader.peek(2);
    // Half a magic number at the end is a member that was cut off.
    if (!isFirst && (start[0] !== 0x1f || (start.length > 1 && start[1] !== 0x8b))) return;
    const failure = yield* inflateMember(reader, atOnce);
    if (failure !== null) throw extractionError('damaged', `damaged gzip: ${failure.damage}`);
  }
}
