import { encode } from '../common/utf8.ts';
import { forEachRange } from '../scheme/bg1.ts';
import { codePointOf, INCOMPLETE, readCodePoint, widthOf } from '../scheme/decode.ts';
import type { Scheme } from '../scheme/labels/label.ts';
import { createLoader, PAGE_SIZE, type WasmMemory } from '../wasm/module.ts';
import {
  CLASS_SHIFT,
  COMPOSES_SHIFT,
  composingPairs,
  decompose,
  entryOf,
  FLAG_COMPOSES,
  FLAG_DECOMPOSES,
  ORDER_SHIFT,
} from './code-points.ts';
import { FINGERPRINT_WASM } from './kernel/kernel.generated.ts';
import type { OnTokens } from './pipeline.ts';

interface Global {
  readonly value: number;
}

interface KernelExports {
  readonly CAPACITY: Global;
  readonly END: Global;
  readonly HASHES: Global;
  readonly HASHES_C: Global;
  readonly INPUT: Global;
  readonly KINDS: Global;
  readonly NORMALISED: Global;
  readonly TABLE: Global;
  readonly WINNERS: Global;
  /** The end of the part of the input that is done. */
  readonly done: Global;
  /** The size of the spans in NFC. */
  readonly normalised: Global;
  initialise(): void;
  setScheme(bg1: number, words: number, showing: number): void;
  addPair(first: number, second: number, composite: number): void;
  addParts(codePoint: number): number;
  reset(): void;
  tokenCount(): number;
  update(size: number, final: number): number;
  countNormalised(): number;
  spanEnd(size: number): number;
  addHash(low: number, high: number): void;
  finish(): number;
  majority(planes: number): bigint;
  minhash(word: number): bigint;
  minhashBytes(): number;
}

export interface FingerprintKernel {
  readonly exports: KernelExports;
  readonly memory: WasmMemory;
  readonly capacity: number;
  /** The input; PAD zeros must follow the text in it. */
  readonly input: Uint8Array;
  readonly normalised: Uint8Array;
  /** Hashes that are not counted yet: their lower halves, and their upper ones. */
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /** Flags and combining class for each code point; 0 until it is filled in. */
  readonly table: Uint16Array;
  readonly filledBlocks: Uint8Array;
  hasPairs: boolean;
  hasKinds: boolean;
  /** The number of words of minhash-doc; 0 for simhash-doc. */
  words: 0 | 1 | 4;
  onTokens: OnTokens | undefined;
}

/** Enough for the kernel's addresses. The system provides only the pages that are touched. */
const PAGES = 129;
/** The number of bytes after its input that the kernel may read. */
const PAD = 128;

/** Blocks of 512 entries of the table are filled in on first use: all at once would slow down every start. */
const BLOCK_BITS = 9;
const CODE_POINTS = 0x110000;

const { canRun, instantiate } = createLoader(FINGERPRINT_WASM, 'fingerprint');

export { canRun as hasKernel };

/** Makes an instance of the kernel, or returns undefined if it cannot run here or gets no memory: the streaming composition needs less. */
export function createKernel(): FingerprintKernel | undefined {
  let kernel: FingerprintKernel | undefined;
  const showHashes = (end: number): void => kernel!.onTokens!(kernel!.lows, kernel!.highs, end);
  const instance = instantiate(PAGES, { showHashes });
  if (instance === undefined) return undefined;
  const { memory } = instance;
  const exports = instance.exports as KernelExports;
  if (exports.END.value > PAGES * PAGE_SIZE) throw new Error('the fingerprint kernel needs more memory than it gets');
  exports.initialise();
  const [capacity, hashes] = [exports.CAPACITY.value, exports.HASHES.value];
  kernel = {
    exports,
    memory,
    capacity,
    input: new Uint8Array(memory.buffer, exports.INPUT.value, capacity + PAD),
    normalised: new Uint8Array(memory.buffer, exports.NORMALISED.value, 4 * capacity),
    table: new Uint16Array(memory.buffer, exports.TABLE.value, CODE_POINTS),
    lows: new Uint32Array(memory.buffer, exports.HASHES_C.value, hashes),
    highs: new Uint32Array(memory.buffer, exports.HASHES_C.value + 4 * hashes, hashes),
    filledBlocks: new Uint8Array(CODE_POINTS >> BLOCK_BITS),
    hasPairs: false,
    hasKinds: false,
    words: 0,
    onTokens: undefined,
  };
  return kernel;
}

export function setScheme(
  kernel: FingerprintKernel,
  { method, bg1, words }: Scheme,
  onTokens: OnTokens | undefined,
): void {
  if (bg1 && !kernel.hasKinds) {
    kernel.hasKinds = true;
    const table = new Uint8Array(kernel.memory.buffer, kernel.exports.KINDS.value, CODE_POINTS);
    forEachRange((first, last, kind) => table.fill(kind, first, last + 1));
  }
  kernel.words = method === 'minhash' ? words : 0;
  kernel.onTokens = onTokens;
  kernel.exports.setScheme(bg1 ? 1 : 0, kernel.words, onTokens === undefined ? 0 : 1);
}

export function padInput({ input }: FingerprintKernel, size: number): void {
  input.fill(0, size, size + PAD);
}

export function fillTable(kernel: FingerprintKernel, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at]! < 0x80) {
      at++;
      continue;
    }
    const read = readCodePoint(bytes, at, bytes.length);
    if (read === INCOMPLETE) break;
    at += widthOf(read);
    fillBlock(kernel, codePointOf(read) >> BLOCK_BITS);
  }
}

function fillBlock(kernel: FingerprintKernel, block: number): void {
  if (kernel.filledBlocks[block] !== 0) return;
  kernel.filledBlocks[block] = 1;
  const first = block << BLOCK_BITS;
  for (let codePoint = first; codePoint < first + (1 << BLOCK_BITS); codePoint++) {
    const entry = entryOf(codePoint);
    kernel.table[codePoint] = entry;
    if ((entry & FLAG_COMPOSES) !== 0 && !kernel.hasPairs) {
      kernel.hasPairs = true;
      for (const pair of composingPairs()) kernel.exports.addPair(...pair);
    }
    if ((entry & FLAG_DECOMPOSES) !== 0) addParts(kernel, codePoint);
  }
}

function addParts({ exports, memory }: FingerprintKernel, codePoint: number): void {
  const parts = Array.from(decompose(codePoint), (part) => part.codePointAt(0)!);
  const at = exports.addParts(codePoint);
  const view = new DataView(memory.buffer, at);
  view.setUint32(0, parts.length, true);
  for (const [i, part] of parts.entries()) view.setUint32(4 + 4 * i, toSegmentPoint(part), true);
  const alone = encode(String.fromCodePoint(codePoint).normalize('NFC'));
  view.setUint32(20, alone.length, true);
  new Uint8Array(memory.buffer, at + 24).set(alone);
}

function toSegmentPoint(codePoint: number): number {
  const entry = entryOf(codePoint);
  return codePoint | ((entry >> CLASS_SHIFT) << ORDER_SHIFT) | ((entry & FLAG_COMPOSES) << COMPOSES_SHIFT);
}
