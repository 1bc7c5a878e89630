// Step 7: lookup3 of tokens, four short ones at a time.
import { HASHES_B, HASHES_C, MASKS, TOKENS } from '../layout.as';
import { INITIAL } from '../scheme.generated.as';

export let tokens: u32 = 0;
export let hashes: u32 = 0;
export let total: u64 = 0;

@inline
function rotate4(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shl(x, bits), i32x4.shr_u(x, 32 - bits));
}

/** HSH-1, HSH-3 for four tokens of up to 12 bytes. */
@inline
function hashFour(at: u32, index: u32): void {
  const r0 = v128.load(at);
  const r1 = v128.load(at, 16);
  const r2 = v128.load(at, 32);
  const r3 = v128.load(at, 48);
  const t0 = v128.shuffle<i32>(r0, r1, 0, 4, 1, 5);
  const t1 = v128.shuffle<i32>(r2, r3, 0, 4, 1, 5);
  const t2 = v128.shuffle<i32>(r0, r1, 2, 6, 3, 7);
  const t3 = v128.shuffle<i32>(r2, r3, 2, 6, 3, 7);
  const n = i32x4.add(v128.shuffle<i32>(t2, t3, 2, 3, 6, 7), i32x4.splat(<i32>INITIAL));
  let a = i32x4.add(v128.shuffle<i32>(t0, t1, 0, 1, 4, 5), n);
  let b = i32x4.add(v128.shuffle<i32>(t0, t1, 2, 3, 6, 7), n);
  let c = i32x4.add(v128.shuffle<i32>(t2, t3, 0, 1, 4, 5), n);
  c = i32x4.sub(v128.xor(c, b), rotate4(b, 14));
  a = i32x4.sub(v128.xor(a, c), rotate4(c, 11));
  b = i32x4.sub(v128.xor(b, a), rotate4(a, 25));
  c = i32x4.sub(v128.xor(c, b), rotate4(b, 16));
  a = i32x4.sub(v128.xor(a, c), rotate4(c, 4));
  b = i32x4.sub(v128.xor(b, a), rotate4(a, 14));
  c = i32x4.sub(v128.xor(c, b), rotate4(b, 24));
  v128.store(HASHES_C + (index << 2), c);
  v128.store(HASHES_B + (index << 2), b);
}

export function drain(count: u32): void {
  for (let i: u32 = 0; i < count; i += 4) hashFour(TOKENS + (i << 4), hashes + i);
  hashes += count;
}

/** HSH-1, HSH-3 for one token of any length. */
export function hashLong(at: u32, size: u32): void {
  let a: u32 = INITIAL + size;
  let b = a;
  let c = a;
  let k = at;
  let left = size;
  while (left > 12) {
    a += load<u32>(k);
    b += load<u32>(k, 4);
    c += load<u32>(k, 8);
    a -= c;
    a ^= rotl(c, 4);
    c += b;
    b -= a;
    b ^= rotl(a, 6);
    a += c;
    c -= b;
    c ^= rotl(b, 8);
    b += a;
    a -= c;
    a ^= rotl(c, 16);
    c += b;
    b -= a;
    b ^= rotl(a, 19);
    a += c;
    c -= b;
    c ^= rotl(b, 4);
    b += a;
    left -= 12;
    k += 12;
  }
  const tail = v128.and(v128.load(k), v128.load(MASKS + (left << 4)));
  a += i32x4.extract_lane(tail, 0);
  b += i32x4.extract_lane(tail, 1);
  c += i32x4.extract_lane(tail, 2);
  c ^= b;
  c -= rotl(b, 14);
  a ^= c;
  a -= rotl(c, 11);
  b ^= a;
  b -= rotl(a, 25);
  c ^= b;
  c -= rotl(b, 16);
  a ^= c;
  a -= rotl(c, 4);
  b ^= a;
  b -= rotl(a, 14);
  c ^= b;
  c -= rotl(b, 24);
  store<u32>(HASHES_C + (hashes << 2), c);
  store<u32>(HASHES_B + (hashes << 2), b);
  hashes++;
  total++;
}
