import type { StopSet } from '../scheme/drop-tokens.ts';
import {
  composingPairs,
  createCodePointTable,
  decomposition,
  entryOf,
  FLAG_COMPOSES,
  FLAG_DECOMPOSES,
  learn,
} from './code-points.ts';
import type { Engine } from './engine.ts';
import { FINGERPRINT_WASM } from './fingerprint.generated.ts';
import { compile, type WasmMemory, webAssembly } from './module.ts';

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
  setStops(address: number, places: number): void;
  reset(): void;
  tokenCount(): number;
  update(size: number, final: number): number;
  taken(): number;
  normalisedSize(): number;
  countNormalised(): number;
  finish(): number;
  majority(planes: number): bigint;
}

const PAGE = 65536;
/** As much as the kernel's addresses need; what is not touched is not taken from the system. */
const PAGES = 96;
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
    return new Memory({ initial: pages, maximum: pages });
  } catch (error) {
    // No memory: the plain engine needs less.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What a place of the kernel's table takes: half of the hash, where the token is, how long it is, and nothing. */
const PLACE = 16;
function sizeOfStops({ octets, places }: StopSet): number {
  return PLACE * places.length + octets.length;
}

/** Writes the stop set as the kernel reads it: a table by hash, and behind it the tokens. */
function writeStops({ octets, starts, hashes, places }: StopSet, view: DataView, address: number): void {
  let to = address + PLACE * places.length;
  for (const [place, number] of places.entries()) {
    if (number === 0) continue;
    const token = octets.subarray(starts[number - 1]!, starts[number]!);
    view.setInt32(address + PLACE * place, hashes[number - 1]!, true);
    view.setUint32(address + PLACE * place + 4, to, true);
    view.setUint32(address + PLACE * place + 8, token.length, true);
    new Uint8Array(view.buffer).set(token, to);
    to += token.length;
  }
}

/** A part of a decomposition as the kernel has it in a segment: with its combining class, and whether it may compose. */
function toSegmentPoint(codePoint: number): number {
  const entry = entryOf(codePoint);
  return codePoint | ((entry >> 8) << 21) | ((entry & FLAG_COMPOSES) << 23);
}

/**
 * Makes an engine on the kernel in WebAssembly.
 * @param stops - the tokens that it drops in step 6, if any
 * @returns undefined where it cannot run, or there is no memory for it
 */
export function createWebAssemblyEngine(stops?: StopSet): Engine | undefined {
  const pages = PAGES + (stops === undefined ? 0 : Math.ceil(sizeOfStops(stops) / PAGE));
  const memory = hasFingerprintKernel() ? createMemory(pages) : undefined;
  if (memory === undefined) return undefined;
  const wasm = webAssembly()!;
  const abort = (): never => {
    throw new Error('the fingerprint kernel aborted');
  };
  const kernel = new wasm.Instance(kernelModule!, { env: { memory, abort } }).exports as Kernel;
  if (kernel.memoryEnd() > PAGES * PAGE) throw new Error('the fingerprint kernel needs more memory than it gets');
  kernel.initialise();
  const { buffer } = memory;
  const view = new DataView(buffer);
  const capacity = kernel.inputCapacity();
  const input = new Uint8Array(buffer, kernel.inputAddress(), capacity + PAD);
  const table = createCodePointTable(new Uint16Array(buffer, kernel.tableAddress(), 0x110000));
  const sums = new BigUint64Array(buffer, kernel.sumsAddress(), 64);
  if (stops !== undefined) {
    writeStops(stops, view, PAGES * PAGE);
    kernel.setStops(PAGES * PAGE, stops.places.length);
  }
  let planes = 0;
  let hasPairs = false;

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
  };

  return {
    input,
    capacity,
    stops,
    reset: () => kernel.reset(),
    update(size, final) {
      input.fill(0, size, size + PAD);
      while (kernel.update(size, final ? 1 : 0) === 0) learn(table, input.subarray(0, size), learnt);
      const normalised = kernel.normalisedSize();
      if (normalised > 0)
        while (kernel.countNormalised() === 0)
          learn(table, new Uint8Array(buffer, kernel.normalisedAddress(), normalised), learnt);
      return kernel.taken();
    },
    tokenCount: () => kernel.tokenCount(),
    finish() {
      planes = kernel.finish();
    },
    counters() {
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
