import { classOf, IGNORABLE, LETTER, UNASSIGNED, WORD } from '../scheme/classify.ts';
import { INCOMPLETE, readCodePoint, width } from '../scheme/decode.ts';
import { encode } from '../scheme/encode.ts';
import { BOUNDARY, quickCheckOf, UNSURE } from '../scheme/normalise.ts';
import { createPipeline, type Pipeline, type PlainPipeline } from '../scheme/pipeline.ts';
import { fingerprintOfCounters } from '../scheme/simhash.ts';
import { FINGERPRINT_WASM } from './fingerprint.generated.ts';
import { compile, webAssembly } from './module.ts';

/** What assembly/fingerprint.ts exports. */
interface Kernel {
  inputAddress(): number;
  inputCapacity(): number;
  tableAddress(): number;
  leftAddress(): number;
  sumsAddress(): number;
  memoryEnd(): number;
  initialise(): void;
  reset(): void;
  tokenCount(): number;
  update(size: number, final: number): number;
  metUnknown(): number;
  taken(): number;
  finish(): number;
  majority(planes: number): bigint;
}

// Flags of the kernel's table.
const FLAG_WORD = 1;
const FLAG_LETTER = 2;
const FLAG_UNSURE = 4;
const FLAG_SEPARATOR = 8;

const PAGE = 65536;
/** The kernel reads up to so many octets behind its input. */
const PAD = 128;
const BLOCK_BITS = 9;
const SPACE = Uint8Array.of(0x20);
const REPLACEMENT_OCTETS = Uint8Array.of(0xef, 0xbf, 0xbd);

/** A kernel with its memory. */
interface Engine {
  readonly kernel: Kernel;
  readonly input: Uint8Array;
  readonly capacity: number;
  readonly table: Uint16Array;
  /** Which blocks of the table are filled: the kernel leaves code points of others to the plain path. */
  readonly known: Uint8Array;
  readonly left: Uint32Array;
  readonly sums: BigUint64Array;
}

let kernelModule: object | undefined | null = null;
/** Engines that are not in use. More than a few would only hold memory. */
const idle: Engine[] = [];
const MOST_IDLE = 4;

function createEngine(module: object): Engine {
  const wasm = webAssembly()!;
  const abort = (): never => {
    throw new Error('the fingerprint kernel aborted');
  };
  // The first instance is made with one page, only to ask how much memory there has to be.
  const memory = new wasm.Memory({ initial: 64, maximum: 64 });
  const kernel = new wasm.Instance(module, { env: { memory, abort } }).exports as Kernel;
  if (kernel.memoryEnd() > 64 * PAGE) throw new Error('the fingerprint kernel needs more memory than it gets');
  kernel.initialise();
  const { buffer } = memory;
  const capacity = kernel.inputCapacity();
  return {
    kernel,
    input: new Uint8Array(buffer, kernel.inputAddress(), capacity + PAD),
    capacity,
    table: new Uint16Array(buffer, kernel.tableAddress(), 0x110000),
    known: new Uint8Array(0x110000 >> BLOCK_BITS),
    left: new Uint32Array(buffer, kernel.leftAddress(), 2 * capacity),
    sums: new BigUint64Array(buffer, kernel.sumsAddress(), 64),
  };
}

/** Fills the block of a code point in the kernel's table. */
function learn(engine: Engine, codePoint: number): void {
  const block = codePoint >> BLOCK_BITS;
  if (engine.known[block] !== 0) return;
  engine.known[block] = 1;
  for (let point = block << BLOCK_BITS, end = point + (1 << BLOCK_BITS); point < end; point++) {
    const wordClass = classOf(point);
    const check = quickCheckOf(point);
    let entry: number;
    // An unassigned code point is a U+FFFD to all that follows (NRM-1).
    if (wordClass === UNASSIGNED) entry = FLAG_SEPARATOR;
    else if (wordClass === IGNORABLE || check === UNSURE) entry = FLAG_UNSURE;
    else {
      entry = check << 8;
      if (wordClass === WORD) entry |= FLAG_WORD;
      else if (wordClass === LETTER) entry |= FLAG_WORD | FLAG_LETTER;
      // Before a break that composes with nothing in front of it, a text can be cut (spec, "Streaming").
      else if (check === BOUNDARY) entry |= FLAG_SEPARATOR;
    }
    engine.table[point] = entry;
  }
}

/** The part of the Encoding API that is used where it is there; the language itself has none. */
interface Encoder {
  encodeInto(text: string, octets: Uint8Array): { readonly read: number; readonly written: number };
}

const encoder: Encoder | undefined = (() => {
  const { TextEncoder } = globalThis as { TextEncoder?: new () => Encoder };
  return TextEncoder === undefined ? undefined : new TextEncoder();
})();

/** Whether the kernel can run here. */
export function hasFingerprintKernel(): boolean {
  if (kernelModule === null) kernelModule = compile(FINGERPRINT_WASM);
  return kernelModule !== undefined;
}

/** A document on its way through the kernel. */
interface State {
  readonly engine: Engine;
  /** How many octets of the engine's input are filled. */
  filled: number;
  plain: PlainPipeline | undefined;
  /** Set while a stretch without a separator is longer than the input: all goes to the plain path until one comes. */
  searching: boolean;
  highSurrogate: string;
}

function createState(): State {
  const engine = idle.pop() ?? createEngine(kernelModule!);
  engine.kernel.reset();
  return { engine, filled: 0, plain: undefined, searching: false, highSurrogate: '' };
}

/** Fills the table for the code points of a piece that had some that the kernel did not know. */
function learnFrom(engine: Engine, octets: Uint8Array): void {
  for (let at = 0; at < octets.length; ) {
    if (octets[at]! < 0x80) {
      at++;
      continue;
    }
    const codePoint = readCodePoint(octets, at, octets.length);
    if (codePoint === INCOMPLETE) break;
    at += width;
    learn(engine, codePoint);
  }
}

/** Runs the kernel over what is in the input. */
function run(state: State, final: boolean): void {
  const { kernel, input, left } = state.engine;
  const { filled } = state;
  input.fill(0, filled, filled + PAD);
  const stretches = kernel.update(filled, final ? 1 : 0);
  if (kernel.metUnknown()) learnFrom(state.engine, input.subarray(0, filled));
  if (stretches > 0) {
    state.plain ??= createPipeline();
    for (let i = 0; i < stretches; i++) {
      const end = left[2 * i + 1]!;
      // What begins or goes on behind the stretch is none of its business: a separator ends it.
      const separated = end < filled && input[end]! <= 0x20;
      state.plain.updateOctets(input.subarray(left[2 * i]!, separated ? end + 1 : end));
      if (!separated) state.plain.updateOctets(SPACE);
    }
  }
  const taken = kernel.taken();
  if (taken > 0 || final) {
    if (taken < filled) input.copyWithin(0, taken, filled);
    state.filled = filled - taken;
    return;
  }
  state.plain ??= createPipeline();
  state.plain.updateOctets(input.subarray(0, filled));
  state.searching = true;
  state.filled = 0;
}

/** Goes on with a stretch that is longer than the input; returns how many octets belonged to it. */
function search(state: State, octets: Uint8Array): number {
  let at = 0;
  while (at < octets.length && octets[at]! > 0x20) at++;
  state.plain!.updateOctets(octets.subarray(0, at));
  if (at < octets.length) {
    state.plain!.updateOctets(SPACE);
    state.searching = false;
  }
  return at;
}

function updateOctets(state: State, chunk: Uint8Array): void {
  const { capacity, input } = state.engine;
  for (let at = 0; at < chunk.length; ) {
    if (state.searching) {
      at += search(state, chunk.subarray(at, at + PAGE));
      continue;
    }
    const size = Math.min(capacity - state.filled, chunk.length - at);
    input.set(size === chunk.length ? chunk : chunk.subarray(at, at + size), state.filled);
    state.filled += size;
    at += size;
    if (state.filled === capacity) run(state, false);
  }
}

/** DEC-4: a surrogate pair that two chunks share is put together; lone ones become U+FFFD by the encoder. */
function updateText(state: State, chunk: string): void {
  let text = state.highSurrogate === '' ? chunk : state.highSurrogate + chunk;
  state.highSurrogate = '';
  const last = text.charCodeAt(text.length - 1);
  if (last >= 0xd800 && last <= 0xdbff) {
    state.highSurrogate = text.slice(-1);
    text = text.slice(0, -1);
  }
  if (encoder === undefined) {
    updateOctets(state, encode(text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')));
    return;
  }
  const { capacity, input } = state.engine;
  for (let at = 0; at < text.length; ) {
    const rest = at === 0 ? text : text.slice(at, at + capacity);
    if (state.searching) {
      const octets = new Uint8Array(PAGE);
      const { read, written } = encoder.encodeInto(rest, octets);
      at += read;
      updateOctets(state, octets.subarray(0, written));
      continue;
    }
    const { read, written } = encoder.encodeInto(rest, input.subarray(state.filled, capacity));
    at += read;
    state.filled += written;
    // As full as it gets: up to three octets are left that the next character does not fit into.
    if (at < text.length) run(state, false);
  }
}

/** Ends the document; returns the number of planes of the kernel's sums. */
function end(state: State): number {
  if (state.highSurrogate !== '') updateOctets(state, REPLACEMENT_OCTETS);
  run(state, true);
  state.plain?.end();
  return state.engine.kernel.finish();
}

function tokenCount(state: State): number {
  return state.engine.kernel.tokenCount() + (state.plain?.tokenCount ?? 0);
}

/** SIM-1: what the kernel and the plain path counted, together. */
function counters(state: State, planes: number): number[] {
  const { kernel, sums } = state.engine;
  const others = state.plain?.counters();
  const ones = new Float64Array(64);
  for (let plane = 0; plane < planes; plane++) {
    const high = Number(sums[plane]! >> 32n);
    const low = Number(sums[plane]! & 0xffffffffn);
    const weight = 2 ** plane;
    for (let bit = 0; bit < 32; bit++) {
      if ((high >>> (31 - bit)) & 1) ones[bit]! += weight;
      if ((low >>> (31 - bit)) & 1) ones[bit + 32]! += weight;
    }
  }
  const all = kernel.tokenCount();
  return Array.from(ones, (count, bit) => 2 * count - all + (others?.[bit] ?? 0));
}

function result(state: State, planes: number): bigint | null {
  if (tokenCount(state) === 0) return null;
  if (state.plain !== undefined) return fingerprintOfCounters(counters(state, planes));
  return BigInt.asUintN(64, state.engine.kernel.majority(planes));
}

function release(state: State): void {
  if (idle.length < MOST_IDLE) idle.push(state.engine);
}

/**
 * Makes the fast {@link Pipeline}: the kernel for what it is sure of, the plain pipeline for the stretches that it leaves.
 * Stretches begin and end where a text can be cut without changing its tokens, so that the counters of all parts add up.
 * @returns undefined where WebAssembly with SIMD is not to be had
 */
export function createKernelPipeline(): Pipeline | undefined {
  if (!hasFingerprintKernel()) return undefined;
  const state = createState();
  let ended: { readonly result: bigint | null; readonly tokenCount: number } | undefined;
  return {
    updateOctets: (chunk) => updateOctets(state, chunk),
    updateText: (chunk) => updateText(state, chunk),
    end() {
      const planes = end(state);
      ended = { result: result(state, planes), tokenCount: tokenCount(state) };
      release(state);
    },
    get tokenCount() {
      return ended?.tokenCount ?? tokenCount(state);
    },
    result: () => ended!.result,
  };
}

/**
 * The fingerprint of a whole document by the kernel, without the cost of a pipeline object.
 * @returns undefined where WebAssembly with SIMD is not to be had
 */
export function kernelFingerprint(input: string | Uint8Array): bigint | null | undefined {
  if (!hasFingerprintKernel()) return undefined;
  const state = createState();
  if (typeof input === 'string') updateText(state, input);
  else updateOctets(state, input);
  const fingerprint = result(state, end(state));
  release(state);
  return fingerprint;
}
