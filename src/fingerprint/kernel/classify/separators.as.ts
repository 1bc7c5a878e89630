// Separators before and behind a place: the ends of a span.
import { SEPARATORS } from '../layout.as';
import { bitsOf, separatorOf } from './vectors.as';

/** The block requested last, and its separators: consecutive requests are often for the same block. */
export let separatorsFrom: u32 = 0;
let lastSeparators: u64 = 0;

/** The separators of a block: the bitmap has only those outside ASCII, as few blocks are requested. */
export function separatorsOf(text: u32, block: u32): u64 {
  const at = text + (block << 6);
  if (at != separatorsFrom) {
    separatorsFrom = at;
    const ascii = bitsOf(
      separatorOf(v128.load(at)),
      separatorOf(v128.load(at, 16)),
      separatorOf(v128.load(at, 32)),
      separatorOf(v128.load(at, 48)),
    );
    lastSeparators = load<u64>(SEPARATORS + (block << 3)) | ascii;
  }
  return lastSeparators;
}

export function separatorBefore(text: u32, at: u32): u32 {
  let block = at >> 6;
  let bits = separatorsOf(text, block) & ((<u64>2 << (at & 63)) - 1);
  while (bits == 0) {
    if (block == 0) return 0;
    bits = separatorsOf(text, --block);
  }
  return (block << 6) + 63 - <u32>clz(bits);
}

export function separatorBehind(text: u32, at: u32, end: u32): u32 {
  let block = (at + 1) >> 6;
  let bits = separatorsOf(text, block) & ~((<u64>1 << ((at + 1) & 63)) - 1);
  while (bits == 0) {
    if (++block << 6 >= end) return end;
    bits = separatorsOf(text, block);
  }
  return min((block << 6) + <u32>ctz(bits), end);
}

export function clear(map: u32, from: u32, end: u32): void {
  const first = from >> 6;
  const last = (end - 1) >> 6;
  for (let block = first; block <= last; block++) {
    let keep: u64 = 0;
    if (block == first) keep |= (<u64>1 << (from & 63)) - 1;
    if (block == last && (end & 63) != 0) keep |= ~((<u64>1 << (end & 63)) - 1);
    store<u64>(map + (block << 3), load<u64>(map + (block << 3)) & keep);
  }
}
