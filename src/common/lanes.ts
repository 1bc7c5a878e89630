/** Numbers of 64 bits as pairs of unsigned 32-bit numbers, with which JavaScript computes fast. */
export interface Lanes {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** True if the processor stores the lower lane of a 64-bit number first. */
export const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The positions of the lanes of a 64-bit number in memory. */
export const HIGH_LANE = IS_LITTLE_ENDIAN ? 1 : 0;
export const LOW_LANE = IS_LITTLE_ENDIAN ? 0 : 1;

/** Views numbers as lanes, two for each: at {@link HIGH_LANE} and {@link LOW_LANE}. */
export function viewLanes(numbers: BigUint64Array): Uint32Array {
  return new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
}

export function splitLanes(fingerprints: BigUint64Array): Lanes {
  const size = fingerprints.length;
  const high = new Uint32Array(size);
  const low = new Uint32Array(size);
  const lanes = viewLanes(fingerprints);
  for (let i = 0; i < size; i++) {
    high[i] = lanes[2 * i + HIGH_LANE]!;
    low[i] = lanes[2 * i + LOW_LANE]!;
  }
  return { high, low };
}

/** Block 0 to 3 (TAB-1) of a fingerprint, or of a difference of two, given by its lanes. */
export function blockOf(high: number, low: number, block: number): number {
  const lane = block < 2 ? high : low;
  return (block & 1) === 0 ? lane >>> 16 : lane & 0xffff;
}
