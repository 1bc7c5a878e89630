import { createLoader, PAGE_SIZE } from '../../wasm/module.ts';
import type { Candidates, FindNear } from './candidates.ts';
import { NEAR_WASM } from './kernel.generated.ts';
import { LANES } from './keys.ts';

/** The exports of kernel.as.ts. */
interface Kernel {
  readonly heapBase: { readonly value: number };
  near(fingerprints: number, own: number, from: number, to: number, k: number, out: number): number;
}

/** The bytes of a fingerprint, and of a candidate. */
const FINGERPRINT = 4 * LANES;
const CANDIDATE = 8;

const { instantiate } = createLoader(NEAR_WASM, 'comparison');

/** Makes a comparison of one fingerprint with the first `size` ones in WebAssembly; returns null without SIMD or enough memory. */
export function compareInKernel(lanes: Uint32Array, k: number, size = lanes.length / LANES): FindNear | null {
  const count = lanes.length / LANES;
  const instance = instantiate(1 + Math.ceil((count * FINGERPRINT + size * CANDIDATE) / PAGE_SIZE));
  if (instance === undefined) return null;
  const { memory } = instance;
  const { heapBase, near } = instance.exports as Kernel;
  const start = Math.ceil(heapBase.value / FINGERPRINT) * FINGERPRINT;
  const out = start + FINGERPRINT * count;
  new Uint32Array(memory.buffer, start, lanes.length).set(lanes);
  const found = new Uint32Array(memory.buffer, out, (CANDIDATE / 4) * size);
  const candidates = {
    length: 0,
    positionAt: (index: number) => found[2 * index]!,
    distanceAt: (index: number) => found[2 * index + 1]!,
  };
  return (position, from, to = size): Candidates => {
    candidates.length = near(start, position, from, Math.max(from, to), k, out);
    return candidates;
  };
}
