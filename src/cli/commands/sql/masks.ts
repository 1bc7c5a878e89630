import { permute } from '../../../scheme/tables.ts';

/** The bits of a fingerprint that a table looks at, as masks. */
export interface TableMasks {
  readonly table: number;
  /** The block Bi: 16 bits. */
  readonly block: bigint;
  /** The sub-block Sj: 12 bits. */
  readonly subBlock: bigint;
  /** The other 36 bits, cut into parts. */
  readonly parts: readonly bigint[];
}

const TABLES = 16;
const BITS = 64;

/**
 * The masks of the 16 tables (TAB-3). Two fingerprints have the same key in a table if they agree in `block` and `subBlock`.
 * @param parts - into how many parts the bits outside the key are cut: of more than k parts, two fingerprints within k agree in one
 */
export function tableMasks(parts: number): TableMasks[] {
  return Array.from({ length: TABLES }, (_, table) => {
    const [mask, width] = [new Array<bigint>(2 + parts).fill(0n), BITS - 28];
    for (let bit = 0n; bit < BITS; bit++) {
      const place = permute(1n << bit, table).toString(2).length - 1;
      const at = place >= 48 ? 0 : place >= 36 ? 1 : 2 + Math.floor((place * parts) / width);
      mask[at]! |= 1n << bit;
    }
    return { table, block: mask[0]!, subBlock: mask[1]!, parts: mask.slice(2) };
  });
}

/** Returns a signed 64-bit SQL literal; −2^63 is an expression, since not every system can write it as a literal. */
export function literal(value: bigint): string {
  const signed = BigInt.asIntN(BITS, value);
  return signed === -(2n ** 63n) ? '(-9223372036854775807 - 1)' : String(signed);
}
