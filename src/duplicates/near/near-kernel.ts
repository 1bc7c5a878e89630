import { createLoader, PAGE_SIZE } from '../../wasm/module.ts';
import type { Candidates, FindNear } from './candidates.ts';
import { NEAR_WASM } from './kernel.generated.ts';
import { firstFrom, LANES } from './keys.ts';

interface Kernel {
  readonly heapBase: { readonly value: number };
  near(fingerprints: number, own: number, from: number, to: number, k: number, out: number): number;
}

/** The bytes of a fingerprint, and of a candidate. */
const FINGERPRINT = 4 * LANES;
const CANDIDATE = 8;

const { instantiate } = createLoader(NEAR_WASM, 'comparison');

/** Makes a list of at most `size` fingerprints that is searched in WebAssembly; null without SIMD or enough memory. */
export function createKernelList(lanes: Uint32Array, k: number, size: number) {
  const instance = instantiate(1 + Math.ceil(((size + 1) * FINGERPRINT + size * CANDIDATE) / PAGE_SIZE));
  if (instance === undefined) return null;
  const { memory } = instance;
  const { heapBase, near } = instance.exports as Kernel;
  const start = Math.ceil(heapBase.value / FINGERPRINT) * FINGERPRINT;
  // The one to compare comes after all others.
  const held = new Uint32Array(memory.buffer, start, LANES * (size + 1));
  const out = start + FINGERPRINT * (size + 1);
  const found = new Uint32Array(memory.buffer, out, (CANDIDATE / 4) * size);
  const positions = new Uint32Array(size);
  let count = 0;
  const hold = (place: number, position: number): void =>
    held.set(lanes.subarray(LANES * position, LANES * (position + 1)), LANES * place);
  const candidates = {
    length: 0,
    positionAt: (index: number) => positions[found[2 * index]!]!,
    distanceAt: (index: number) => found[2 * index + 1]!,
  };
  return {
    get length() {
      return count;
    },
    /** Adds the fingerprint at a position, which is greater than those before. */
    add(position: number): void {
      hold(count, position);
      positions[count++] = position;
    },
    find(position: number, from: number, to: number): Candidates {
      hold(size, position);
      const first = firstFrom(positions, 0, count, from);
      candidates.length = near(start, size, first, firstFrom(positions, first, count, to), k, out);
      return candidates;
    },
  };
}

/** Makes a comparison of one fingerprint with the first `size` ones in WebAssembly; returns null without SIMD or enough memory. */
export function compareInKernel(lanes: Uint32Array, k: number, size = lanes.length / LANES): FindNear | null {
  const list = createKernelList(lanes, k, size);
  for (let position = 0; position < size; position++) list?.add(position);
  return list && ((position, from, to = size) => list.find(position, from, to));
}
