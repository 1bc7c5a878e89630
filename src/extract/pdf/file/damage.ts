import { latin1 } from '../../../common/bytes.ts';
import { inflateInBlocks, RAW_DEFLATE } from '../../archive/zlib.ts';
import { countPages, hasErrors, newScan, scanObjects, scanPacked } from './scan.ts';
import { find, type Stream, streamsOf } from './streams.ts';

/** Errors of a file. PDFium reads what is left, and reports nothing. */
export type Damage = Readonly<ReturnType<typeof findDamage>>;

/** The maximum number of bytes that a stream and all streams are inflated to when they are checked: this number plus a multiple of the size. */
const [MAX_CHECKED, CHECKED_PER_BYTE] = [2 ** 26, 32];
/** The maximum number of bytes between two streams, and of a stream that is not compressed, that are read. */
const MAX_READ = 2 ** 27;

/** Looks for damage. `onStream` receives each stream, so that other checks need not find and inflate it again. */
export function findDamage(bytes: Uint8Array, onStream: (stream: Stream) => void = () => undefined) {
  const scan = newScan();
  const isEncrypted = find(bytes, ENCRYPT, 0) >= 0;
  let left = MAX_CHECKED + CHECKED_PER_BYTE * bytes.length;
  let [streams, from] = [0, 0];
  let knowsAll = true;
  const scanUntil = (to: number): void => {
    if (to - from > MAX_READ) knowsAll = false;
    else scanObjects(scan, latin1(bytes.subarray(from, to)));
  };
  for (const stream of streamsOf(bytes)) {
    scanUntil(stream.keyword);
    from = stream.start + stream.content.length;
    const { dictionary } = stream;
    const isPacked = /\/ObjStm\b/.test(dictionary);
    const content = isEncrypted || left <= 0 ? undefined : readStream(stream, left);
    if (content === null) streams++;
    left -= content?.length ?? 0;
    if (isPacked && (!content || !scanPacked(scan, latin1(content), dictionary))) knowsAll = false;
    onStream(stream);
  }
  scanUntil(bytes.length);
  const { defined, named, wrong } = scan;
  const missing = knowsAll ? [...named].filter((number) => !defined.has(number)).length : 0;
  const hasWrongTable = scan.places.some(([number, place]) => defined.has(number) && !isAt(bytes, number, place));
  return {
    /** The number of streams with errors, without images and attached files. */
    streams,
    /** The number of objects that have errors, or are referred to but missing. */
    objects: wrong.size + missing,
    /** The number of pages of the page tree that are in the file. */
    pages: countPages(scan),
    /** True if a table of objects has wrong offsets. */
    hasWrongTable,
    /** The number of an object that is a catalog; 0 without one, or if the file is encrypted. */
    catalog: isEncrypted ? 0 : scan.catalog,
  };
}

function isAt(bytes: Uint8Array, number: number, place: number): boolean {
  const found = /^\s*(\d+)\s+\d+\s+obj/.exec(latin1(bytes.subarray(place, place + 32)));
  return found !== null && Number(found[1]) === number;
}

const FILTERS = /\/(?:Filter|F)\b/;
const IS_FLATE = /\/(?:Filter|F)\s*(?:\[\s*)?\/Fl(?:ateDecode)?\b/;
const NO_TEXT =
  /\/Subtype\s*\/(?:Image|XML)\b|\/Type\s*\/(?:XRef|EmbeddedFile)\b|\/(?:FunctionType|ShadingType|Params|DL)\b/;

/** Reads a stream that is compressed or draws text. Null if it is damaged; undefined if it was not examined. */
function readStream(stream: Stream, left: number): Uint8Array | null | undefined {
  const { content, isZlib, dictionary } = stream;
  const has = (key: RegExp) => key.test(dictionary);
  // Colour profiles have a number of components.
  if (content.length <= 2 || has(NO_TEXT) || (has(/\/N\b/) && !has(/\/ObjStm\b/))) return undefined;
  if (!has(FILTERS)) {
    // The beginning of a long dictionary is not read.
    if (isZlib && dictionary.startsWith('obj') && (inflateIntact(stream, MAX_CHECKED)?.length ?? 0) > 0) return null;
    const isOther = has(/\/(?:Type|Subtype)\b(?!\s*\/(?:Form|XObject)\b)|\/Length1\b/);
    return !isOther && content.length < MAX_READ && hasErrors(latin1(content)) ? null : undefined;
  }
  if (!has(IS_FLATE)) return undefined;
  return isZlib ? inflateIntact(stream, Math.min(left, MAX_CHECKED)) : null;
}

const ENCRYPT = new TextEncoder().encode('/Encrypt');
/** Bytes before a deflate stream, and of the checksum after it (RFC 1950). */
const [ZLIB_HEAD, CHECKSUM] = [2, 4];

/** Inflates a zlib stream; returns an empty result if it is too large, null if it is damaged. */
function inflateIntact({ content, inflate }: Stream, max: number): Uint8Array | null {
  const intact = inflate(max);
  if (intact !== null) return intact.output;
  // The checksum is ignored: some producers leave it out.
  const deflated = content.subarray(ZLIB_HEAD);
  const whole = inflateInBlocks(deflated, RAW_DEFLATE, max);
  if ('failure' in whole) return whole.failure === 'too-large' || isFlushed(content) ? new Uint8Array() : null;
  const checksum = deflated.subarray(whole.read, whole.read + CHECKSUM);
  if (checksum.length < CHECKSUM || checksum.every((byte) => byte === 0)) return whole.output;
  const [a = 0, b = 0, c = 0, d = 0] = checksum;
  return adler32(whole.output) === ((a << 24) | (b << 16) | (c << 8) | d) >>> 0 ? whole.output : null;
}

/** Tests whether a stream ends where its producer has flushed the compressor: some never end it otherwise. */
function isFlushed(content: Uint8Array): boolean {
  let end = content.length;
  while (end > 0 && (content[end - 1] === 0x0a || content[end - 1] === 0x0d)) end--;
  return content[end - 1] === 0xff && content[end - 2] === 0xff && content[end - 3] === 0 && content[end - 4] === 0;
}

/** Sums stay below 2³² for this number of bytes. */
const ADLER_BLOCK = 3800;

function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + ADLER_BLOCK);
    for (; at < end; at++) {
      low += bytes[at]!;
      high += low;
    }
    low %= 65521;
    high %= 65521;
  }
  return ((high << 16) | low) >>> 0;
}
