// The fingerprint kernel, in AssemblyScript: steps 1 to 5, 7 and 8, one module for each. ../README.md says how it works.
import { reset } from './count/planes.as';
import { MASKS, PLACES, SETS } from './layout.as';
import { SETS_OF_BYTES } from './scheme.generated.as';

/** Called once, with zeroed memory: every code point is unknown until the host has filled in its entry. */
export function initialise(): void {
  memory.copy(SETS, SETS_OF_BYTES, 256);
  for (let bits: u32 = 0; bits < 256; bits++) {
    let to = PLACES + (bits << 4);
    for (let rest = bits; rest != 0; rest &= rest - 1, to += 2) store<u16>(to, ctz(rest));
  }
  for (let n: u32 = 0; n <= 12; n++) {
    memory.fill(MASKS + 16 * n, 0xff, n);
    store<u32>(MASKS + 16 * n, (1 << n) - 1, 12);
  }
  reset();
}

export { CAPACITY, END, HASHES, HASHES_C, INPUT, KINDS, NORMALISED, TABLE, WINNERS } from './layout.as';
export { digestsAmong } from './classify/signs.as';
export { finish, majority, reset, setScheme, tokenCount } from './count/planes.as';
export { addHash } from './count/tokens.as';
export { addPair, addParts } from './normalise.as';
export { countNormalised, done, normalised, spanEnd, update } from './spans.as';
export { minhash, minhashBytes } from './minhash.as';
