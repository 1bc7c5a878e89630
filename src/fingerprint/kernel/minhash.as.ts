// minhash-doc in the place of step 8 (MIN-1 to MIN-5). Different elements are held until there are MAX_ELEMENTS of them, or
// the document ends. They are then drawn round by round, which ends as soon as each bin has a winner. Every later element makes
// its draws alone, up to the latest round that wins a bin: after some hundred different tokens that is one draw.
import {
  CURRENT,
  ELEMENTS,
  HASHES_B,
  HASHES_C,
  MAX_ELEMENTS,
  ROUNDS,
  SLOT_BITS,
  SLOTS,
  WINNERS,
} from './layout.as';
import { BINS, DRAWS, FACTOR_A, FACTOR_B, STEP } from './scheme.generated.as';

let words: u32 = 0;
let held: u32 = 0;
let drawn: bool = false;

/** Called before `resetBins`, with 1 or 4. */
export function setWords(count: u32): void {
  words = count;
}

export function resetBins(): void {
  held = 0;
  drawn = false;
  memory.fill(SLOTS, 0, 2 << SLOT_BITS);
}

/** MIN-2, for the state that SplitMix64 has before its mixer. */
@inline
function mix(state: u64): u64 {
  let z = (state ^ (state >> 30)) * FACTOR_A;
  z = (z ^ (z >> 27)) * FACTOR_B;
  return z ^ (z >> 31);
}

/** MIN-1 to MIN-4 for the first `count` hashes that wait. */
export function addElements(count: u32): void {
  let at: u32 = 0;
  if (!drawn) at = hold(count);
  if (at == count) return;
  const end = joinHalves(at, count);
  for (let word: u32 = 0; word < words; word++) addToWord(word, end);
}

/** Holds elements that are not held yet. Returns how many hashes were read before there were too many elements. */
function hold(count: u32): u32 {
  const mask: u32 = (1 << SLOT_BITS) - 1;
  for (let i: u32 = 0; i < count; i++) {
    const element = ((<u64>load<u32>(HASHES_B + (i << 2))) << 32) | load<u32>(HASHES_C + (i << 2));
    let slot = <u32>((element * STEP) >> (64 - SLOT_BITS));
    let found = <u32>load<u16>(SLOTS + (slot << 1));
    while (found != 0 && load<u64>(ELEMENTS - 8 + (found << 3)) != element) {
      slot = (slot + 1) & mask;
      found = <u32>load<u16>(SLOTS + (slot << 1));
    }
    if (found != 0) continue;
    if (held == MAX_ELEMENTS) {
      drawHeld();
      return i;
    }
    store<u64>(ELEMENTS + (held << 3), element);
    held++;
    store<u16>(SLOTS + (slot << 1), <u16>held);
  }
  return count;
}

export function drawHeld(): void {
  if (drawn) return;
  drawn = true;
  for (let word: u32 = 0; word < words; word++) drawWord(word);
}

/** MIN-3, MIN-4 for the held elements, of which there is at least one, and one word. */
function drawWord(word: u32): void {
  const end = ELEMENTS + (held << 3);
  const winners = WINNERS + (word << 9);
  const rounds = ROUNDS + (word << 6);
  let step = <u64>(DRAWS * word + 1) * STEP;
  // A bin that has a winner has the number 0 here, so that no draw is smaller.
  memory.fill(CURRENT, 0xff, 8 * BINS);
  let filled: u64 = 0;
  for (let round: u32 = 0; round < BINS && ~filled != 0; round++, step += STEP) {
    let hit: u64 = 0;
    for (let at = ELEMENTS; at < end; at += 8) {
      const y = mix(load<u64>(at) + step);
      const bin = y >> 58;
      hit |= <u64>1 << bin;
      const current = CURRENT + (<u32>bin << 3);
      const smallest = load<u64>(current);
      // (Without a branch: whether a draw is smaller cannot be predicted.)
      store<u64>(current, smallest ^ ((smallest ^ y) & (0 - <u64>(y < smallest))));
    }
    // (The largest draw of all is not smaller than the number that was there, but its bin is hit.)
    for (let fresh = hit & ~filled; fresh != 0; fresh &= fresh - 1) {
      const bin = <u32>ctz(fresh);
      store<u64>(winners + (bin << 3), load<u64>(CURRENT + (bin << 3)));
      store<u8>(rounds + bin, <u8>round);
      store<u64>(CURRENT + (bin << 3), 0);
    }
    filled |= hit;
  }
  for (let rest = ~filled; rest != 0; rest &= rest - 1) {
    const bin = <u32>ctz(rest);
    step = <u64>(DRAWS * word + BINS + bin + 1) * STEP;
    let smallest: u64 = 0xffffffffffffffff;
    for (let at = ELEMENTS; at < end; at += 8) smallest = min(smallest, mix(load<u64>(at) + step));
    store<u64>(winners + (bin << 3), smallest);
    store<u8>(rounds + bin, <u8>(BINS + bin));
  }
}

/** Joins the halves of waiting hashes: the elements that were held there have been drawn. Returns where they end. */
function joinHalves(from: u32, count: u32): u32 {
  let to = ELEMENTS;
  for (let i = from; i < count; i++, to += 8) {
    store<u32>(to, load<u32>(HASHES_C + (i << 2)));
    store<u32>(to, load<u32>(HASHES_B + (i << 2)), 4);
  }
  return to;
}

/** MIN-3, MIN-4 for joined hashes and one word whose bins all have a winner. */
function addToWord(word: u32, end: u32): void {
  const winners = WINNERS + (word << 9);
  const rounds = ROUNDS + (word << 6);
  const first = <u64>(DRAWS * word + 1) * STEP;
  let latest: u32 = 0;
  for (let bin: u32 = 0; bin < BINS; bin++) latest = max(latest, <u32>load<u8>(rounds + bin));
  if (latest == 0) {
    for (let at = ELEMENTS; at < end; at += 8) {
      const y = mix(load<u64>(at) + first);
      const winner = winners + <u32>((y >> 58) << 3);
      if (y < load<u64>(winner)) store<u64>(winner, y);
    }
    return;
  }
  for (let at = ELEMENTS; at < end; at += 8) {
    let state = load<u64>(at) + first;
    for (let round: u32 = 0; round <= latest; round++, state += STEP) {
      const y = mix(state);
      offer(winners, rounds, round < BINS ? <u32>(y >> 58) : round - BINS, round, y);
    }
  }
}

/** Tests whether a draw wins its bin: its round is earlier, or as early and the draw smaller (MIN-4). */
@inline
function offer(winners: u32, rounds: u32, bin: u32, round: u32, y: u64): void {
  const winner = <u32>load<u8>(rounds + bin);
  if (round > winner || (round == winner && y >= load<u64>(winners + (bin << 3)))) return;
  store<u64>(winners + (bin << 3), y);
  store<u8>(rounds + bin, <u8>round);
}

/** MIN-5 for one word. At least one element was added. */
export function minhash(word: u32): u64 {
  const winners = WINNERS + (word << 9);
  let bits: u64 = 0;
  for (let bin: u32 = 0; bin < BINS; bin += 2) {
    const lowest = i64x2.shl(v128.load(winners + (bin << 3)), 63);
    const two = i64x2.bitmask(lowest);
    bits = (bits << 2) | ((two & 1) << 1) | (two >> 1);
  }
  return bits;
}

/** Writes the fingerprint of four words (MIN-7). Returns its address. */
export function minhashBytes(): u32 {
  for (let word: u32 = 0; word < 4; word++) store<u64>(CURRENT + (word << 3), bswap(minhash(word)));
  return CURRENT;
}
