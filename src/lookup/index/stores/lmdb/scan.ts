import { ones } from '../../../../scheme/compare.ts';
import { addHit, type Hits } from '../../../segment/hits.ts';
import { createLayout, instantiateKernel } from '../../../segment/kernel.ts';
import { HITS_PER_CALL } from '../../../segment/kernel-segment.ts';
import { CHUNK_ROWS } from './format.ts';

/**
 * Compares a fingerprint with packed ones.
 * @param chunk - up to 4,096 fingerprints, 8 octets each
 * @param fingerprint - in the byte order of the chunk
 * @param k - 0 to 64
 * @param hits - gets those at distance `k` or less
 * @param base - added to each position
 */
export type Scan = (chunk: Uint8Array, fingerprint: bigint, k: number, hits: Hits, base: number) => void;

/** Makes a {@link Scan}, with the kernel where it can run. */
export function createScan(): Scan {
  const layout = createLayout();
  const resultsAt = layout.reserve(8 * HITS_PER_CALL);
  const chunkAt = layout.reserve(8 * CHUNK_ROWS);
  const instance = instantiateKernel(layout.end());
  if (instance === undefined) return scanPlain;
  const { kernel, memory } = instance;
  kernel.setOut(resultsAt, HITS_PER_CALL);
  const results = new Uint32Array(memory.buffer, resultsAt, 2 * HITS_PER_CALL);
  const octets = new Uint8Array(memory.buffer, chunkAt, 8 * CHUNK_ROWS);
  return (chunk, fingerprint, k, hits, base) => {
    octets.set(chunk);
    const size = chunk.length / 8;
    for (let from = 0; from < size; from = kernel.scanned.value >>> 0) {
      const count = kernel.scan(chunkAt, size, fingerprint, k, from);
      for (let i = 0; i < count; i++) addHit(hits, results[2 * i]! + base, results[2 * i + 1]!);
    }
  };
}

/** {@link Scan} without WebAssembly. */
export const scanPlain: Scan = (chunk, fingerprint, k, hits, base) => {
  const lanes = new Uint32Array(chunk.slice().buffer);
  const [a, b] = new Uint32Array(BigUint64Array.of(fingerprint).buffer) as unknown as [number, number];
  for (let i = 0; i < lanes.length; i += 2) {
    const distance = ones(lanes[i]! ^ a) + ones(lanes[i + 1]! ^ b);
    if (distance <= k) addHit(hits, base + i / 2, distance);
  }
};
