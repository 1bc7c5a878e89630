import { compile, type WasmMemory, webAssembly } from '../../wasm/module.ts';
import { LOOKUP_WASM } from './kernel.generated.ts';
import { addHit, type Hits, MOST_PROBED, type PairBatches, type Segment } from './types.ts';

/** What assembly/lookup.ts exports. */
interface Kernel {
  readonly heapBase: { readonly value: number };
  setOut(address: number, capacity: number): void;
  partition(
    fingerprints: number,
    count: number,
    table: number,
    bits: number,
    starts: number,
    filters: number,
    positions: number,
  ): number;
  shorten(starts: number, bits: number): void;
  setSegment(fingerprints: number, count: number, bits: number): void;
  setTable(table: number, starts: number, filters: number, positions: number): void;
  begin(fingerprint: bigint, k: number): number;
  resume(): number;
  scan(fingerprints: number, count: number, fingerprint: bigint, k: number, from: number): number;
  readonly scanned: { readonly value: number };
  setPairs(starts: number, filters: number, positions: number, threshold: number): void;
  group(firsts: number, slots: number): number;
  readonly largestLeft: { readonly value: number };
  beginPairs(table: number, k: number, second: number, largest: number): number;
  resumePairs(): number;
}

const PAGE = 65536;
const MOST_PAGES = 65536;
/** So much at the beginning of the memory belongs to the kernel itself. */
const OWN = 2048;

/** How many hits of a query, and how many pairs, fit into the output before the kernel returns to have it emptied. */
export const HITS_AT_ONCE = 1024;
export const PAIRS_AT_ONCE = 4096;

let kernelModule: object | undefined | null = null;

/** Whether the kernel can run here. */
export function hasLookupKernel(): boolean {
  if (kernelModule === null) kernelModule = compile(LOOKUP_WASM);
  return kernelModule !== undefined;
}

/** Hands out addresses one behind the other, on cache lines, behind what the kernel uses for itself. */
function createLayout(): { take(octets: number): number; end(): number } {
  let end = OWN;
  return {
    take(octets) {
      const at = end;
      end += Math.ceil(octets / 64) * 64;
      return at;
    },
    end: () => end,
  };
}

interface Instance {
  readonly kernel: Kernel;
  readonly memory: WasmMemory;
}

/**
 * Makes an instance of the kernel.
 * @param octets - how much memory it needs
 * @returns the instance, or undefined where there is not so much: the plain path takes less at a time
 */
function instantiate(octets: number): Instance | undefined {
  const pages = Math.ceil(octets / PAGE);
  if (!hasLookupKernel() || pages > MOST_PAGES) return undefined;
  const wasm = webAssembly()!;
  let memory: WasmMemory;
  try {
    memory = new wasm.Memory({ initial: pages, maximum: MOST_PAGES });
  } catch (error) {
    // What engines throw when they have no memory, or too many of the address ranges that they reserve for each.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const abort = (): never => {
    throw new Error('the lookup kernel aborted');
  };
  const kernel = new wasm.Instance(kernelModule!, { env: { memory, abort } }).exports as Kernel;
  if (kernel.heapBase.value > OWN) throw new Error(`the lookup kernel uses ${kernel.heapBase.value} octets itself`);
  return { kernel, memory };
}

/** The four directories together take 13 octets for each bucket: an octet for each fingerprint at most. */
function directoryBits(size: number): number {
  return Math.max(4, Math.min(16, Math.floor(Math.log2(size / 15))));
}

/**
 * Makes a segment in WebAssembly: 40 octets for each fingerprint, at most one more for the directories, and some 10,000.
 * @param size - how many there are
 * @param fill - writes the fingerprints into the array that it is given
 * @returns the segment, or undefined where the kernel cannot run or there is not so much memory
 */
export function createKernelSegment(size: number, fill: (target: BigUint64Array) => void): Segment | undefined {
  const layout = createLayout();
  const bits = directoryBits(size);
  const out = layout.take(8 * HITS_AT_ONCE);
  const fingerprints = layout.take(8 * size);
  // A directory is made in more room than it takes afterwards: over the next one, and over nothing behind the last.
  const starts = [0, 1, 2, 3].map(() => layout.take(3 * (1 << bits) + 4));
  layout.take((1 << bits) + 8);
  const tables = starts.map((at) => ({
    starts: at,
    // Some vectors and another cache line may be read from the last entry on.
    filters: layout.take(4 * size + 128),
    positions: layout.take(4 * size),
  }));
  const instance = instantiate(layout.end());
  if (instance === undefined) return undefined;
  const { kernel, memory } = instance;
  const values = new BigUint64Array(memory.buffer, fingerprints, size);
  fill(values);
  kernel.setOut(out, HITS_AT_ONCE);
  kernel.setSegment(fingerprints, size, bits);
  for (const [t, { starts, filters, positions }] of tables.entries()) {
    kernel.partition(fingerprints, size, t, bits, starts, filters, positions);
    kernel.shorten(starts, bits);
    kernel.setTable(t, starts, filters, positions);
  }
  const results = new Uint32Array(memory.buffer, out, 2 * HITS_AT_ONCE);

  function take(count: number, hits: Hits, base: number): void {
    for (let i = 0; i < count; i++) addHit(hits, results[2 * i]! + base, results[2 * i + 1]!);
  }

  return {
    size,
    octets: memory.buffer.byteLength,
    get: (position) => values[position]!,
    copy: (target, at) => target.set(values, at),
    query(fingerprint, k, hits, base) {
      if (k <= MOST_PROBED) {
        let count = kernel.begin(fingerprint, k);
        take(count, hits, base);
        while (count === HITS_AT_ONCE) {
          count = kernel.resume();
          take(count, hits, base);
        }
        return;
      }
      for (let from = 0; from < size; from = kernel.scanned.value >>> 0)
        take(kernel.scan(fingerprints, size, fingerprint, k, from), hits, base);
    },
  };
}

/** Above this size a bucket is paired by its second level: measured best between 256 and 1024. */
export const LARGE_BUCKET = 512;

/** The smallest hash table for so many entries that the kernel takes: 4 octets for each place, at least half of them free. */
function slotOctets(entries: number): number {
  return entries < 2 ? 64 : 4 * 2 ** (33 - Math.clz32(entries - 1));
}

/**
 * The pairs at distance `k` or less, as {@link PairBatches} says, by the tables of some blocks. Takes 20 octets for each
 * fingerprint, up to 4 more where there are copies and up to 16 more where one bucket holds them all.
 * @param fingerprints - all of them
 * @param k - 0 to 7
 * @param tables - which of 0 to 3, ascending
 * @returns the pairs, or undefined where the kernel cannot run or there is not so much memory
 */
export function kernelPairs(
  fingerprints: BigUint64Array,
  k: number,
  tables: Iterable<number>,
): PairBatches | undefined {
  const size = fingerprints.length;
  const layout = createLayout();
  const out = layout.take(12 * PAIRS_AT_ONCE);
  const values = layout.take(8 * size);
  const starts = layout.take(4 * 65538);
  // A vector of four may be read from each entry on.
  const filters = layout.take(4 * size + 16);
  const positions = layout.take(4 * size);
  // Where nothing is written the system need not give any memory.
  const firsts = layout.take(4 * size);
  const room = layout.end();
  const instance = instantiate(room + slotOctets(0));
  if (instance === undefined) return undefined;
  const { kernel, memory } = instance;
  new BigUint64Array(memory.buffer, values, size).set(fingerprints);
  kernel.setOut(out, PAIRS_AT_ONCE);
  kernel.setSegment(values, size, 16);
  kernel.setPairs(starts, filters, positions, LARGE_BUCKET);

  /** Makes room behind everything else. */
  function reserve(octets: number): void {
    const missing = room + octets - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  }

  return (function* () {
    let first = true;
    for (const table of tables) {
      let largest = kernel.partition(values, size, table, 16, starts, filters, positions);
      if (first) {
        first = false;
        reserve(slotOctets(largest));
        if (kernel.group(firsts, room) > 0) {
          largest = kernel.largestLeft.value >>> 0;
          if (table === 0) yield* copiesOf(new Uint32Array(memory.buffer, firsts, size));
        }
      }
      if (k < 4 && largest > LARGE_BUCKET) reserve(4 * 4100 + 8 * (largest + 4) + 64);
      const numbers = new Uint32Array(memory.buffer, out, 3 * PAIRS_AT_ONCE);
      for (let count = kernel.beginPairs(table, k, room, largest); count > 0; count = kernel.resumePairs())
        yield { numbers, count };
    }
  })();
}

/** The pairs of first occurrences and copies, from what `group` of the kernel found. */
function* copiesOf(firsts: Uint32Array): PairBatches {
  const numbers = new Uint32Array(3 * PAIRS_AT_ONCE);
  let count = 0;
  for (let i = 0; i < firsts.length; i++) {
    if (firsts[i] === 0) continue;
    numbers[3 * count] = firsts[i]! - 1;
    numbers[3 * count + 1] = i;
    if (++count === PAIRS_AT_ONCE) {
      yield { numbers, count };
      count = 0;
    }
  }
  if (count > 0) yield { numbers, count };
}
