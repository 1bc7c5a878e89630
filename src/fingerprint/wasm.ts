import { codePointOf, INCOMPLETE, REPLACEMENT, readCodePoint, widthOf } from '../scheme/decode.ts';
import { encode } from '../scheme/utf8.ts';
import { compile, type WasmMemory, webAssembly } from '../wasm/module.ts';
import {
  beginsSegment,
  composingPairs,
  createCodePointTable,
  decomposition,
  entryOf,
  FLAG_COMPOSES,
  FLAG_DECOMPOSES,
  FLAG_IGNORABLE,
  learn,
} from './code-points.ts';
import { addCodePoint, addMarks, addStarter, type Composer, createComposer, endSegment } from './composer.ts';
import { FINGERPRINT_WASM } from './kernel.generated.ts';
import type { Engine } from './types.ts';

/** What assembly/fingerprint.ts exports. */
interface Kernel {
  inputAddress(): number;
  inputCapacity(): number;
  tableAddress(): number;
  normalisedAddress(): number;
  sumsAddress(): number;
  memoryEnd(): number;
  initialise(): void;
  addPair(first: number, second: number, composite: number): void;
  addParts(codePoint: number): number;
  reset(): void;
  tokenCount(): number;
  update(size: number, final: number): number;
  taken(): number;
  setHold(address: number): void;
  beginLong(): void;
  setBegun(): void;
  normaliseLong(size: number, final: number): number;
  longEnds(): number;
  feed(size: number, last: number): number;
  takeMarks(from: number, size: number): number;
  endsAddress(): number;
  normalisedSize(): number;
  countNormalised(): number;
  finish(): number;
  majority(planes: number): bigint;
}

const PAGE = 65536;
/** As much as the kernel's addresses need; what is not touched is not taken from the system. */
const PAGES = 112;
/** What a long stretch may hold before the memory grows. */
const HOLD_PAGES = 8;
/** As much as there can be. */
const MOST_PAGES = 65536;
/** An engine that has taken more than so many is not kept for the next document: memory never shrinks. */
const MOST_IDLE_PAGES = 128;
/** Behind so many marks of one segment, it pays to let the kernel put those that follow in order. */
const MANY_MARKS = 32;
/** The kernel reads up to so many octets behind its input. */
const PAD = 128;

let kernelModule: object | undefined | null = null;

/** Whether the kernel can run here: it needs WebAssembly with SIMD. */
export function hasFingerprintKernel(): boolean {
  if (kernelModule === null) kernelModule = compile(FINGERPRINT_WASM);
  return kernelModule !== undefined;
}

function createMemory(pages: number): WasmMemory | undefined {
  const { Memory } = webAssembly()!;
  try {
    return new Memory({ initial: pages, maximum: MOST_PAGES });
  } catch (error) {
    // No memory: the plain engine needs less.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A part of a decomposition as the kernel has it in a segment: with its combining class, and whether it may compose. */
function toSegmentPoint(codePoint: number): number {
  const entry = entryOf(codePoint);
  return codePoint | ((entry >> 8) << 21) | ((entry & FLAG_COMPOSES) << 23);
}

/**
 * Makes an engine on the kernel in WebAssembly.
 * @returns undefined where it cannot run, or there is no memory for it
 */
export function createWebAssemblyEngine(): Engine | undefined {
  const memory = hasFingerprintKernel() ? createMemory(PAGES + HOLD_PAGES) : undefined;
  if (memory === undefined) return undefined;
  const wasm = webAssembly()!;
  const abort = (): never => {
    throw new Error('the fingerprint kernel aborted');
  };
  const kernel = new wasm.Instance(kernelModule!, { env: { memory, abort } }).exports as Kernel;
  if (kernel.memoryEnd() > PAGES * PAGE) throw new Error('the fingerprint kernel needs more memory than it gets');
  kernel.initialise();
  kernel.setHold(PAGES * PAGE);
  const capacity = kernel.inputCapacity();
  let view = new DataView(memory.buffer);
  let input = new Uint8Array(memory.buffer, kernel.inputAddress(), capacity + PAD);
  let normalisedText = new Uint8Array(memory.buffer, kernel.normalisedAddress(), 4 * capacity);
  let table = createCodePointTable(new Uint16Array(memory.buffer, kernel.tableAddress(), 0x110000));
  let planes = 0;
  let hasPairs = false;
  /** Whether a stretch goes on that is longer than the input, */
  let long = false;
  /** and in it a segment of step 3 that is. */
  let segment: Composer | undefined;

  /** Tells the kernel what a new entry of the table stands for. */
  const learnt = (codePoint: number): void => {
    const entry = table.entries[codePoint]!;
    if ((entry & FLAG_COMPOSES) !== 0 && !hasPairs) {
      hasPairs = true;
      for (const pair of composingPairs()) kernel.addPair(...pair);
    }
    if ((entry & FLAG_DECOMPOSES) === 0) return;
    const parts = Array.from(decomposition(codePoint), (part) => part.codePointAt(0)!);
    const at = kernel.addParts(codePoint);
    view.setUint32(at, parts.length, true);
    for (const [i, part] of parts.entries()) view.setUint32(at + 4 + 4 * i, toSegmentPoint(part), true);
    const alone = encode(String.fromCodePoint(codePoint).normalize('NFC'));
    view.setUint32(at + 20, alone.length, true);
    new Uint8Array(view.buffer).set(alone, at + 24);
  };

  /** Looks at the memory again when it has grown. */
  function look(): void {
    const { buffer } = memory!;
    if (input.buffer === buffer) return;
    view = new DataView(buffer);
    input = new Uint8Array(buffer, kernel.inputAddress(), capacity + PAD);
    normalisedText = new Uint8Array(buffer, kernel.normalisedAddress(), 4 * capacity);
    table = { entries: new Uint16Array(buffer, kernel.tableAddress(), 0x110000), known: table.known };
  }

  /** Goes on with a long stretch by what stands in NFC at its place in the kernel's memory. */
  function feed(size: number, last: boolean): void {
    let answer = kernel.feed(size, last ? 1 : 0);
    for (; answer === 0; answer = kernel.feed(size, last ? 1 : 0))
      learn(table, new Uint8Array(memory!.buffer, kernel.normalisedAddress(), size), learnt);
    look();
    if (answer === 2) throw new RangeError('a token or locator is longer than the memory that there is');
  }

  /** Leaves putting many marks in order to the kernel. Returns where they end. */
  function takeMarks(composer: Composer, from: number, size: number): number {
    const at = kernel.takeMarks(from, size);
    const ends = new Uint32Array(memory!.buffer, kernel.endsAddress(), 256);
    const start = kernel.normalisedAddress();
    let begin = start;
    for (const [order, end] of ends.entries()) {
      if (end > begin) addMarks(composer, normalisedText.subarray(begin - start, end - start), order);
      begin = end;
    }
    return at;
  }

  /** Takes the rest of a segment, or as much as is there. Returns where it ends. */
  function takeSegment(size: number, final: boolean): number {
    let at = 0;
    if (segment === undefined) {
      segment = createComposer((octets) => {
        for (let from = 0; from < octets.length; from += capacity) {
          const part = octets.subarray(from, from + capacity);
          normalisedText.set(part);
          feed(part.length, false);
        }
      });
      // The first one begins it, whatever it is.
      const first = readCodePoint(input, 0, size);
      at = widthOf(first);
      addCodePoint(segment, codePointOf(first));
      kernel.setBegun();
    }
    let marks = 0;
    while (at < size) {
      const read = readCodePoint(input, at, size);
      if (read === INCOMPLETE && !final) return at;
      const codePoint = codePointOf(read);
      if (read === INCOMPLETE || codePoint === REPLACEMENT) break;
      const next = at + widthOf(read);
      let entry = table.entries[codePoint]!;
      if (entry === 0) {
        learn(table, input.subarray(at, next), learnt);
        entry = table.entries[codePoint]!;
      }
      if ((entry & FLAG_IGNORABLE) === 0) {
        if (beginsSegment(entry)) break;
        if (entry < 256 && (entry & FLAG_DECOMPOSES) === 0) {
          addStarter(segment, codePoint);
          marks = 0;
        } else {
          addCodePoint(segment, codePoint);
          marks++;
        }
      }
      at = next;
      if (marks >= MANY_MARKS) {
        at = takeMarks(segment, at, size);
        marks = 0;
      }
    }
    if (at < size || final) {
      endSegment(segment);
      segment = undefined;
    }
    return at;
  }

  /** Takes the next piece of a long stretch; returns how many octets belonged to it. */
  function updateLong(size: number, final: boolean): number {
    input.fill(0, size, size + PAD);
    if (segment !== undefined) return takeSegment(size, final);
    let answer = kernel.normaliseLong(size, final ? 1 : 0);
    for (; answer === 0; answer = kernel.normaliseLong(size, final ? 1 : 0))
      learn(table, input.subarray(0, size), learnt);
    if (answer === 2) return takeSegment(size, false);
    long = kernel.longEnds() === 0;
    feed(kernel.normalisedSize(), !long);
    return kernel.taken();
  }

  return {
    get input() {
      return input;
    },
    capacity,
    get isLarge() {
      return memory.buffer.byteLength > (PAGES + MOST_IDLE_PAGES) * PAGE;
    },
    reset() {
      long = false;
      segment = undefined;
      kernel.reset();
    },
    update(size, final) {
      let before = 0;
      while (long) {
        const taken = updateLong(size - before, final);
        before += taken;
        if (taken > 0 && !final) return before;
        input.copyWithin(0, taken, size - before + taken);
      }
      const left = size - before;
      input.fill(0, left, left + PAD);
      while (kernel.update(left, final ? 1 : 0) === 0) learn(table, input.subarray(0, left), learnt);
      const normalised = kernel.normalisedSize();
      if (normalised > 0)
        while (kernel.countNormalised() === 0)
          learn(table, new Uint8Array(memory.buffer, kernel.normalisedAddress(), normalised), learnt);
      const taken = kernel.taken();
      if (taken > 0 || final) return before + taken;
      long = true;
      kernel.beginLong();
      return updateLong(left, false);
    },
    tokenCount: () => kernel.tokenCount(),
    finish() {
      planes = kernel.finish();
    },
    counters() {
      const sums = new BigUint64Array(memory.buffer, kernel.sumsAddress(), 64);
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
      return Array.from(ones, (count) => 2 * count - all);
    },
    majority: () => BigInt.asUintN(64, kernel.majority(planes)),
  };
}
