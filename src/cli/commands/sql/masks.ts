import { permute } from '../../../scheme/tables.ts';

const TABLES = 16;
const BITS = 64;

/**
 * The masks of the 16 tables (TAB-3): the block Bi of 16 bits, the sub-block Sj of 12 bits, and the other 36 bits cut into parts.
 * Two fingerprints have the same key in a table if they agree in the first two; within k bits, they agree in one of k + 1 parts.
 */
export function tableMasks(parts: number) {
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
