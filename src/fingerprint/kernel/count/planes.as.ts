// Step 8: the counters, as bit planes, and their majority. With minhash-doc, the hashes go to minhash.as.ts.
import { BATCH, HASHES_B, HASHES_C, PLANES, PLANES_B, PLANES_C, SCRATCH, SUMS } from '../layout.as';
import { addElements, drawHeld, resetBins, setWords } from '../minhash.as';
import { drain, hashes, tokens, total } from './hash.as';

let planesUsed: u32 = 0;

/** Set if tokens are cut into pairs (bg1). */
export let pairs: bool = false;
let shows: bool = false;
/** The number of words of minhash-doc; 0 for simhash-doc. */
let minhashWords: u32 = 0;

/** Called before `reset`. */
export function setScheme(bg1: bool, words: u32, showing: bool): void {
  pairs = bg1;
  shows = showing;
  minhashWords = words;
  setWords(words);
}

/** Shows the host the first `end` hashes. */
@external("env", "showHashes")
declare function showHashes(end: u32): void;

export function reset(): void {
  tokens = 0;
  hashes = 0;
  total = 0;
  if (minhashWords != 0) resetBins();
  else memory.fill(PLANES_C, 0, 2 * 16 * PLANES);
  planesUsed = 0;
}

export function tokenCount(): f64 {
  return <f64>total;
}

/** Adds BATCH hash words to bit planes, by carry-save adders (SIM-2). */
function addToPlanes(words: u32, planes: u32): void {
  let low = v128.load(planes);
  for (let i: u32 = 0; i < BATCH / 8; i++) {
    const x = v128.load(words + (i << 5));
    const y = v128.load(words + (i << 5), 16);
    const u = v128.xor(low, x);
    v128.store(SCRATCH + (i << 4), v128.or(v128.and(low, x), v128.and(u, y)));
    low = v128.xor(u, y);
  }
  v128.store(planes, low);
  let level: u32 = 1;
  for (let n: u32 = BATCH / 16; n >= 1; n >>= 1, level++) {
    let q = v128.load(planes + (level << 4));
    for (let i: u32 = 0; i < n; i++) {
      const x = v128.load(SCRATCH + (i << 5));
      const y = v128.load(SCRATCH + (i << 5), 16);
      const u = v128.xor(q, x);
      v128.store(SCRATCH + (i << 4), v128.or(v128.and(q, x), v128.and(u, y)));
      q = v128.xor(u, y);
    }
    v128.store(planes + (level << 4), q);
  }
  let carry = v128.load(SCRATCH);
  while (v128.any_true(carry)) {
    const q = v128.load(planes + (level << 4));
    v128.store(planes + (level << 4), v128.xor(q, carry));
    carry = v128.and(carry, q);
    level++;
  }
  if (level > planesUsed) planesUsed = level;
}

@inline
export function countHashes(): void {
  if (hashes >= BATCH) countBatch();
}

function countBatch(): void {
  if (minhashWords != 0) {
    takeElements();
    return;
  }
  if (shows) showHashes(BATCH);
  addToPlanes(HASHES_C, PLANES_C);
  addToPlanes(HASHES_B, PLANES_B);
  hashes -= BATCH;
  memory.copy(HASHES_C, HASHES_C + 4 * BATCH, hashes << 2);
  memory.copy(HASHES_B, HASHES_B + 4 * BATCH, hashes << 2);
}

/** MIN-1 to MIN-4 for the waiting hashes. */
function takeElements(): void {
  if (shows) showHashes(hashes);
  addElements(hashes);
  hashes = 0;
}

export function finish(): u32 {
  if (tokens > 0) {
    // The lanes that round up to four are overwritten or cut off: they are not counted.
    const count = tokens;
    drain(count);
    tokens = 0;
  }
  if (minhashWords != 0) {
    takeElements();
    drawHeld();
    return 0;
  }
  while (hashes >= BATCH) countBatch();
  if (hashes > 0) {
    if (shows) showHashes(hashes);
    memory.fill(HASHES_C + (hashes << 2), 0, (BATCH - hashes) << 2);
    memory.fill(HASHES_B + (hashes << 2), 0, (BATCH - hashes) << 2);
    addToPlanes(HASHES_C, PLANES_C);
    addToPlanes(HASHES_B, PLANES_B);
    hashes = 0;
  }
  // Four lanes are added, bit by bit, 64 sums at a time.
  const planes = planesUsed + 3;
  memory.fill(SUMS, 0, planes << 3);
  for (let lane: u32 = 0; lane < 4; lane++) {
    let carry: u64 = 0;
    for (let p: u32 = 0; p < planes; p++) {
      const at = (p << 4) + (lane << 2);
      const x = p < PLANES ? ((<u64>load<u32>(PLANES_B + at)) << 32) | <u64>load<u32>(PLANES_C + at) : 0;
      const s = load<u64>(SUMS + (p << 3));
      const u = s ^ x;
      store<u64>(SUMS + (p << 3), u ^ carry);
      carry = (s & x) | (u & carry);
    }
  }
  return planes;
}

/** Makes the fingerprint of the hashes counted here: a bit is 1 where ones > total / 2 (SIM-4). */
export function majority(planes: u32): u64 {
  const half = total >> 1;
  let greater: u64 = 0;
  let equal: u64 = 0xffffffffffffffff;
  for (let p: i32 = <i32>planes - 1; p >= 0; p--) {
    const bit: u64 = ((half >> <u64>p) & 1) != 0 ? 0xffffffffffffffff : 0;
    const s = load<u64>(SUMS + (<u32>p << 3));
    greater |= equal & s & ~bit;
    equal &= ~(s ^ bit);
  }
  return greater;
}
