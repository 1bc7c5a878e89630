import { createLoader, PAGE_SIZE, type WasmMemory } from '../../wasm/module.ts';
import { LOOKUP_WASM } from './kernel/kernel.generated.ts';

export interface Kernel {
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
  countParts(fingerprints: number, count: number, table: number, room: number): number;
  partitionParts(
    fingerprints: number,
    count: number,
    table: number,
    starts: number,
    filters: number,
    positions: number,
    room: number,
  ): number;
  shorten(starts: number, bits: number): void;
  setSegment(fingerprints: number, count: number, bits: number): void;
  setTable(table: number, starts: number, filters: number, positions: number): void;
  begin(fingerprint: bigint, k: number): number;
  resume(): number;
  workOf(fingerprint: bigint, k: number): number;
  scan(fingerprints: number, count: number, fingerprint: bigint, k: number, from: number): number;
  readonly scanned: { readonly value: number };
  setPairs(table: number, starts: number, filters: number, positions: number, threshold: number, limit: number): void;
  readonly splitAt: { readonly value: number };
  readonly splitCount: { readonly value: number };
  readonly otherAt: { readonly value: number };
  readonly otherCount: { readonly value: number };
  readonly splitSub: { readonly value: number };
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
