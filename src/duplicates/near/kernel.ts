import { compile, createMemory, PAGE_SIZE, webAssembly } from '../../wasm/module.ts';
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

let kernelModule: object | undefined | null = null;

/** Makes a comparison of one fingerprint with all others in WebAssembly; returns null without SIMD or enough memory. */
export function compareInKernel(lanes: Uint32Array, k: number): FindNear | null {
  if (kernelModule === null) kernelModule = compile(NEAR_WASM);
  if (kernelModule === undefined) return null;
  const size = lanes.length / LANES;
  const memory = createMemory(1 + Math.ceil((size * (FINGERPRINT + CANDIDATE)) / PAGE_SIZE));
  if (memory === undefined) return null;
  const abort = (): never => {
    throw new Error('the kernel aborted');
  };
  const instance = new (webAssembly()!.Instance)(kernelModule, { env: { memory, abort } });
  const { heapBase, near } = instance.exports as Kernel;
  const start = Math.ceil(heapBase.value / FINGERPRINT) * FINGERPRINT;
  const out = start + FINGERPRINT * size;
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
