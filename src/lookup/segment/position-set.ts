/** A set of positions, a bit for each. */
export interface PositionSet {
  readonly size: number;
  /** Memory use in bytes. */
  readonly bytes: number;
  has(position: number): boolean;
  /** Adds a position that is not in the set, which has bits for `length` positions. */
  add(position: number, length: number): void;
  copy(): PositionSet;
}

/** Makes a set of the positions whose bits are set. */
export function createPositionSet(bits = new Uint8Array(0), size = 0): PositionSet {
  return {
    get size() {
      return size;
    },
    get bytes() {
      return bits.length;
    },
    has: (position) => ((bits[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0,
    add(position, length) {
      if (bits.length <= position >>> 3) {
        const larger = new Uint8Array(Math.max(1024, (length >>> 3) + 1, 2 * bits.length));
        larger.set(bits);
        bits = larger;
      }
      bits[position >>> 3]! |= 1 << (position & 7);
      size++;
    },
    copy: () => createPositionSet(bits.slice(), size),
  };
}
