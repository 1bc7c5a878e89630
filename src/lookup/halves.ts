export { ones } from '../scheme/compare.ts';

/** Fingerprints as pairs of 32-bit numbers, the form in which plain JavaScript is fast. */
export interface Halves {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** Whether of a 64-bit number in memory the lower half comes first. */
export const LOW_FIRST = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Splits fingerprints. */
export function splitHalves(fingerprints: BigUint64Array): Halves {
  const size = fingerprints.length;
  const high = new Uint32Array(size);
  const low = new Uint32Array(size);
  const halves = new Uint32Array(fingerprints.buffer, fingerprints.byteOffset, 2 * size);
  for (let i = 0; i < size; i++) {
    high[i] = halves[2 * i + (LOW_FIRST ? 1 : 0)]!;
    low[i] = halves[2 * i + (LOW_FIRST ? 0 : 1)]!;
  }
  return { high, low };
}

/** Block 0 to 3 (TAB-1) of a fingerprint, or of a difference, given by its halves. */
export function blockOf(high: number, low: number, block: number): number {
  const half = block < 2 ? high : low;
  return (block & 1) === 0 ? half >>> 16 : half & 0xffff;
}
