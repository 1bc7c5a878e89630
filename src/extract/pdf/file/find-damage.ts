import { latin1 } from '../../../common/bytes.ts';
import { inflateInBlocks, RAW_DEFLATE } from '../../archive/zlib.ts';
import { find, type Stream, streamsOf } from './find-streams.ts';
import { countPages, glyphTexts, hasErrors, newScan, scanObjects, scanPacked } from './scan-objects.ts';

/** Errors of a file, of which PDFium reports nothing, and what else it does not tell. */
export type Damage = Readonly<ReturnType<typeof findDamage>>;

/** The maximum number of bytes that a stream and all streams are inflated to when they are checked: this number plus a multiple of the size. */
const [MAX_CHECKED, CHECKED_PER_BYTE] = [2 ** 26, 32];
/** The maximum number of bytes between two streams that are read. */
const MAX_READ = 2 ** 27;

/** Looks for damage. `onStream` receives each stream, so that other checks need not find and inflate it again. */
export function findDamage(bytes: Uint8Array, onStream: (stream: Stream) => void = () => undefined) {
  const scan = newScan();
  const isEncrypted = find(bytes, '/Encrypt', 0) >= 0;
  let left = MAX_CHECKED + CHECKED_PER_BYTE * bytes.length;
  let [streams, wrong, from] = [0, 0, 0];
  let knowsAll = true;
  const scanUntil = (to: number): void => {
    if (to - from > MAX_READ) knowsAll = false;
    else {
      const text = latin1(bytes.subarray(from, to));
      scanObjects(scan, text);
      // Anything may stand before the first object and after the last.
      const start = from === 0 ? text.search(/\d\s{1,9}obj\b/) : 0;
      if (hasErrors(text.slice(start, text.lastIndexOf('>>') + 1))) wrong++;
    }
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
  const { defined, named } = scan;
  const missing = knowsAll ? [...named].filter((number) => !defined.has(number)).length : 0;
  const hasWrongTable = scan.places.some(([number, place]) => defined.has(number) && !isAt(bytes, number, place));
  return {
    streams,
    /** The number of objects that something drawn refers to and that are missing, and of the places between streams with errors. */
    objects: missing + wrong,
    pages: countPages(scan),
    hasWrongTable,
    /** The number of an object that is a catalog; 0 without one, or if the file is encrypted. */
    catalog: isEncrypted ? 0 : scan.catalog,
    glyphs: glyphTexts(scan),
  };
}

function isAt(bytes: Uint8Array, number: number, place: number): boolean {
  const found = /^\s*(\d+)\s+\d+\s+obj/.exec(latin1(bytes.subarray(place, place + 32)));
  return found !== null && Number(found[1]) === number;
}

const IS_FLATE = /\/(?:Filter|F)\s*(?:\[\s*)?\/Fl(?:ateDecode)?\b/;
/** Streams that hold no text: images, metadata, tables of objects, attached files, functions, fonts and colour profiles. */
const NO_TEXT =
  /\/Subtype\s*\/(?!Form\b)|\/Type\s*\/(?:XRef|EmbeddedFile|Metadata)\b|\/(?:FunctionType|ShadingType|Params|DL|Length1)\b|^(?!.*\/ObjStm\b).*\/N\b/s;
/** The number of bytes at the beginning of a stream by which text is recognised: operators, objects and character maps are ASCII. */
const HEAD = 64;

/** Inflates a stream that may hold text. Null if it is damaged; undefined if it was not examined, or holds no text. */
function readStream({ content, isZlib, dictionary, inflate }: Stream, left: number): Uint8Array | null | undefined {
  if (content.length <= 2 || NO_TEXT.test(dictionary)) return undefined;
  if (!IS_FLATE.test(dictionary)) {
    if (/\/(?:Filter|F|Type)\b/.test(dictionary) || content.length > MAX_READ) return undefined;
    const text = latin1(content);
    return /^[\s -~]*$/.test(text.slice(0, HEAD)) && /\bBT\b/.test(text) && hasErrors(text) ? null : undefined;
  }
  if (!isZlib) return null;
  const max = Math.min(left, MAX_CHECKED);
  const intact = inflate(max);
  if (intact !== null) return intact.output;
  const deflated = content.subarray(ZLIB_HEAD);
  const whole = inflateInBlocks(deflated, RAW_DEFLATE, max);
  if ('failure' in whole) {
    const isText = whole.failure === 'damaged' && /^[\s -~]*$/.test(latin1(whole.start.subarray(0, HEAD)));
    return isText && !isFlushed(content) ? null : undefined;
  }
  // Some producers leave the checksum out; otherwise it is wrong.
  const checksum = deflated.subarray(whole.read, whole.read + CHECKSUM);
  return checksum.length < CHECKSUM || checksum.every((byte) => byte === 0) ? whole.output : null;
}

/** Bytes before a deflate stream, and of the checksum after it (RFC 1950). */
const [ZLIB_HEAD, CHECKSUM] = [2, 4];

/** Tests whether a stream ends where its producer has flushed the compressor: some never end it otherwise. */
function isFlushed(content: Uint8Array): boolean {
  let end = content.length;
  while (end > 0 && (content[end - 1] === 0x0a || content[end - 1] === 0x0d)) end--;
  return content[end - 1] === 0xff && content[end - 2] === 0xff && content[end - 3] === 0 && content[end - 4] === 0;
}
