import { createKeyedHash } from '../../lookup/keyed-hash.ts';

/** Makes a set of ids by keyed hashes of 64 bits: among 10^7 ids, two have the same hash with a probability of 3 in a million. */
export function createIdSet() {
  const [high, low] = [createKeyedHash(), createKeyedHash()];
  let bits = 10;
  let table = new Uint32Array(2 << bits);
  let size = 0;

  /** Puts a hash into its place; 0 0 marks an empty one. */
  function insert(a: number, b: number): boolean {
    const mask = 2 ** bits - 1;
    for (let at = b & mask; ; at = (at + 1) & mask) {
      if (table[2 * at] === a && table[2 * at + 1] === b) return false;
      if (table[2 * at] !== 0 || table[2 * at + 1] !== 0) continue;
      table[2 * at] = a;
      table[2 * at + 1] = b;
      return true;
    }
  }

  function grow(): void {
    const old = table;
    bits++;
    table = new Uint32Array(2 << bits);
    for (let at = 0; at < old.length; at += 2) if (old[at] !== 0) insert(old[at]!, old[at + 1]!);
  }

  return {
    /** Adds an id; returns whether it is new. */
    add(id: string): boolean {
      const bytes = Buffer.from(id);
      const isNew = insert(high(bytes, 0, bytes.length) || 1, low(bytes, 0, bytes.length));
      if (isNew && ++size > 2 ** (bits - 1)) grow();
      return isNew;
    },
  };
}
