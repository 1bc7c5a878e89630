import { encoder } from '../common/utf8.ts';
import { INCOMPLETE, readCodePoint } from '../scheme/decode.ts';
import { type Fingerprint, WIDE_BYTES } from '../scheme/labels/fingerprint.ts';
import { LABEL, type Scheme, schemeOf } from '../scheme/labels/label.ts';
import { BINS } from '../scheme/minhash.ts';
import { createKernel, type FingerprintKernel, fillTable, padInput, setScheme } from './kernel.ts';
import type { OnTokens, Pipeline } from './pipeline.ts';
import { type Composition, createStreamingPipeline } from './stream.ts';

/** A {@link Pipeline} on the WebAssembly kernel. It takes one document at a time, any number one after the other. */
export interface Engine extends Pipeline {
  readonly kind: 'kernel';
  reset(scheme: Scheme, onTokens?: OnTokens): void;
}

type Document = ReturnType<typeof createDocument>;

function createDocument(kernel: FingerprintKernel) {
  return {
    kernel,
    scheme: schemeOf(),
    /** The composition that works on a span longer than the input. */
    longSpan: undefined as Composition | undefined,
    filled: 0,
    /** A high surrogate whose low one has not arrived, or empty. */
    highSurrogate: '',
    /** The number of bit planes of the kernel's counters, after the end. */
    planes: 0,
  };
}

/** The number of 16-bit units to encode at once, more than fit into the kernel's input. */
const PIECE = 65536;
const REPLACEMENT_BYTES = Uint8Array.of(0xef, 0xbf, 0xbd);

export function createEngine(): Engine | undefined {
  const kernel = createKernel();
  if (kernel === undefined) return undefined;
  const document = createDocument(kernel);
  return {
    kind: 'kernel',
    reset: (scheme, onTokens) => reset(document, scheme, onTokens),
    update: (chunk) => (typeof chunk === 'string' ? updateText(document, chunk) : updateBytes(document, chunk)),
    end: () => end(document),
    get tokenCount() {
      return kernel.exports.tokenCount();
    },
    result: () => result(document),
    lowerDraws: () => lowerDraws(kernel),
  };
}

function reset(document: Document, scheme: Scheme, onTokens: OnTokens | undefined): void {
  document.filled = 0;
  document.highSurrogate = '';
  document.longSpan = undefined;
  document.scheme = scheme;
  setScheme(document.kernel, scheme, onTokens);
  document.kernel.exports.reset();
}

function updateBytes(document: Document, chunk: Uint8Array): void {
  const { kernel } = document;
  for (let at = 0; at < chunk.length; ) {
    const size = Math.min(kernel.capacity - document.filled, chunk.length - at);
    kernel.input.set(size === chunk.length ? chunk : chunk.subarray(at, at + size), document.filled);
    document.filled += size;
    at += size;
    if (document.filled === kernel.capacity) flush(document, false);
  }
}

/** Joins a surrogate pair that two chunks share. The encoder replaces lone surrogates by U+FFFD (DEC-4). */
function updateText(document: Document, chunk: string): void {
  let text = document.highSurrogate === '' ? chunk : document.highSurrogate + chunk;
  document.highSurrogate = '';
  const last = text.charCodeAt(text.length - 1);
  if (last >= 0xd800 && last <= 0xdbff) {
    document.highSurrogate = text.slice(-1);
    text = text.slice(0, -1);
  }
  const { kernel } = document;
  for (let at = 0; at < text.length; ) {
    // The last unit, which may be half of a surrogate pair, never fits.
    const piece = at === 0 ? text : text.slice(at, at + PIECE);
    const { read, written } = encoder.encodeInto(piece, kernel.input.subarray(document.filled, kernel.capacity));
    at += read;
    document.filled += written;
    // Up to three bytes are left, into which the next character does not fit.
    if (at < text.length) flush(document, false);
  }
}

function end(document: Document): void {
  if (document.highSurrogate !== '') updateBytes(document, REPLACEMENT_BYTES);
  flush(document, true);
  document.planes = document.kernel.exports.finish();
  // The engine may stay idle for long; it must not hold the caller's state.
  document.kernel.onTokens = undefined;
}

function result({ kernel: { exports, memory, words }, planes }: Document): Fingerprint | null {
  if (exports.tokenCount() === 0) return null;
  if (words === 4) return new Uint8Array(memory.buffer, exports.minhashBytes(), WIDE_BYTES).slice();
  return BigInt.asUintN(64, words === 1 ? exports.minhash(0) : exports.majority(planes));
}

const lows = new Uint32Array(BINS * (WIDE_BYTES / 8));

function lowerDraws({ exports, memory, words }: FingerprintKernel): Uint32Array {
  const draws = new Uint32Array(memory.buffer, exports.WINNERS.value, 2 * BINS * words);
  for (let bin = 0; bin < BINS * words; bin++) lows[bin] = draws[2 * bin]!;
  return lows.subarray(0, BINS * words);
}

/** Counts the tokens of the filled input, up to the last separator. The rest moves to the front. */
function flush(document: Document, final: boolean): void {
  const { kernel, filled } = document;
  const taken = advance(document, filled, final);
  if (taken === 0 && !final) throw new Error('the fingerprint kernel makes no progress');
  if (taken < filled) kernel.input.copyWithin(0, taken, filled);
  document.filled = filled - taken;
}

function advance(document: Document, size: number, final: boolean): number {
  const { kernel } = document;
  let done = 0;
  if (document.longSpan !== undefined) {
    done = continueLongSpan(document, document.longSpan, size, final);
    if (done > 0 && !final) return done;
    kernel.input.copyWithin(0, done, size);
  }
  const taken = countInput(kernel, size - done, final);
  if (final) return size;
  return taken > 0 ? taken : beginLongSpan(document, size);
}

/** Begins a span without a separator that fills the input. Returns the number of bytes that are done. */
function beginLongSpan(document: Document, size: number): number {
  const { input, exports } = document.kernel;
  document.longSpan = createStreamingPipeline({
    scheme: schemeOf(document.scheme.bg1 ? `${LABEL}+bg1` : LABEL),
    onTokens: (lows, highs) => exports.addHash(lows[0]!, highs[0]!),
  });
  const whole = wholeSize(input, size);
  document.longSpan.update(input.subarray(0, whole));
  return whole;
}

/** Continues the span, up to the first separator. Returns the number of bytes that are in the span. */
function continueLongSpan(document: Document, span: Composition, size: number, final: boolean): number {
  const { kernel } = document;
  const { exports, input } = kernel;
  padInput(kernel, size);
  let end = exports.spanEnd(size);
  for (; end < 0; end = exports.spanEnd(size)) fillTable(kernel, input.subarray(0, size));
  const ends = final || end < size;
  if (!ends) end = wholeSize(input, size);
  span.update(input.subarray(0, end));
  if (ends) {
    span.end();
    document.longSpan = undefined;
  }
  return end;
}

/** Returns the size without the start of a code point that the next bytes may complete. */
function wholeSize(bytes: Uint8Array, size: number): number {
  for (let at = Math.max(0, size - 3); at < size; at++) if (readCodePoint(bytes, at, size) === INCOMPLETE) return at;
  return size;
}

function countInput(kernel: FingerprintKernel, size: number, final: boolean): number {
  const { exports } = kernel;
  padInput(kernel, size);
  while (exports.update(size, final ? 1 : 0) === 0) fillTable(kernel, kernel.input.subarray(0, size));
  const normalised = exports.normalised.value;
  if (normalised > 0)
    while (exports.countNormalised() === 0) fillTable(kernel, kernel.normalised.subarray(0, normalised));
  return exports.done.value;
}
