import { createLoader, PAGE_SIZE, type WasmMemory } from '../../wasm/module.ts';
import { LOOKUP_WASM } from './kernel/kernel.generated.ts';

/** The addresses of the arrays of a table. */
type Arrays = readonly [starts: number, filters: number, positions: number];

interface Global {
  readonly value: number;
}

interface Kernel {
  readonly heapBase: Global;
  setOut(address: number, capacity: number): void;
  partition(fingerprints: number, count: number, table: number, bits: number, ...arrays: Arrays): number;
  countParts(fingerprints: number, count: number, table: number, room: number): number;
  partitionParts(fingerprints: number, count: number, table: number, ...arraysAndRoom: [...Arrays, number]): number;
  shorten(starts: number, bits: number): void;
  setSegment(fingerprints: number, bits: number): void;
  setTable(table: number, ...arrays: Arrays): void;
  begin(fingerprint: bigint, k: number): number;
  resume(): number;
  workOf(fingerprint: bigint, k: number): number;
  scan(fingerprints: number, count: number, fingerprint: bigint, k: number, from: number): number;
  readonly scanned: Global;
  setPairs(table: number, starts: number, filters: number, positions: number, threshold: number, limit: number): void;
  readonly splitAt: Global;
  readonly splitCount: Global;
  readonly otherAt: Global;
  readonly otherCount: Global;
  readonly splitSub: Global;
  group(firsts: number, slots: number, key: bigint): number;
  dropCopies(firsts: number): number;
  beginPairs(k: number, second: number, largest: number): number;
  resumePairs(done: number): number;
}

export interface KernelInstance {
  readonly kernel: Kernel;
  readonly memory: WasmMemory;
}

/** The number of bytes at the beginning of the memory that the kernel uses for itself. */
const KERNEL_BYTES = 2048;

const { canRun, instantiate } = createLoader(LOOKUP_WASM, 'lookup');

export { canRun as hasLookupKernel };

/** Assigns addresses one after the other, on cache lines, after the memory of the kernel itself. */
export function createLayout(): { reserve(bytes: number): number; end(): number } {
  let end = KERNEL_BYTES;
  return {
    reserve(bytes) {
      const address = end;
      end += Math.ceil(bytes / 64) * 64;
      return address;
    },
    end: () => end,
  };
}

export function instantiateKernel(bytes: number): KernelInstance | undefined {
  const instance = instantiate(Math.ceil(bytes / PAGE_SIZE));
  if (instance === undefined) return undefined;
  const kernel = instance.exports as Kernel;
  if (kernel.heapBase.value > KERNEL_BYTES)
    throw new Error(`the lookup kernel uses ${kernel.heapBase.value} bytes for itself`);
  return { kernel, memory: instance.memory };
}
