// Step 5: runs of word characters with a letter, from the bitmaps.
import { joins } from '../classify/block.as';
import { NO_POINT } from '../code-points.as';
import { BATCH, EDGES, EDGE_BLOCKS, LETTERS, MASKS, PLACES, TOKENS, WORDS } from '../layout.as';
import { drain, hashLong, tokens, total } from './hash.as';
import { countHashes, pairs } from './planes.as';
import { addToken, countPairs, mayJoin } from './tokens.as';

/** Writes the places of eight bits that are set, and something after them; returns where these end. */
@inline
function storePlaces(to: u32, base: u32, bits: u32): u32 {
  v128.store(to, i16x8.add(i16x8.splat(<i16>base), v128.load(PLACES + (bits << 4))));
  return to + (popcnt(bits) << 1);
}

/** Writes where runs of word characters begin and end, in turn: the places after `first`, 16 bits each, from EDGES on. */
@inline
function findEdges(first: u32, end: u32): u32 {
  let at: u32 = EDGES;
  let carry: u64 = first == 0 ? 0 : load<u64>(WORDS - 8 + (first << 3)) >> 63;
  for (let block = first; block < end; block++) {
    const w = load<u64>(WORDS + (block << 3));
    const t = w ^ ((w << 1) | carry);
    carry = w >> 63;
    const base = (block - first) << 6;
    at = storePlaces(at, base, <u32>t & 0xff);
    at = storePlaces(at, base + 8, <u32>(t >> 8) & 0xff);
    at = storePlaces(at, base + 16, <u32>(t >> 16) & 0xff);
    at = storePlaces(at, base + 24, <u32>(t >> 24) & 0xff);
    at = storePlaces(at, base + 32, <u32>(t >> 32) & 0xff);
    at = storePlaces(at, base + 40, <u32>(t >> 40) & 0xff);
    at = storePlaces(at, base + 48, <u32>(t >> 48) & 0xff);
    at = storePlaces(at, base + 56, <u32>(t >> 56));
  }
  return at;
}

/** Steps 5, 7 and 8 for the word bits. */
export function count(text: u32, size: u32): void {
  // (The bitmaps end with a block of zeros.)
  const blocks = ((size + 63) >> 6) + 1;
  let open: u32 = NO_POINT;
  for (let first: u32 = 0; first < blocks; first += EDGE_BLOCKS) {
    const edges = findEdges(first, min(first + EDGE_BLOCKS, blocks));
    const base = first << 6;
    let at: u32 = EDGES;
    if (open != NO_POINT && at < edges) {
      countRun(text, open, base + <u32>load<u16>(at));
      open = NO_POINT;
      at += 2;
    }
    const last = at + ((edges - at) & ~3);
    if (pairs && joins)
      for (; at < last; at += 4) countRun(text, base + <u32>load<u16>(at), base + <u32>load<u16>(at, 2));
    else countRuns(text, base, at, last);
    if (last < edges) open = base + <u32>load<u16>(last);
  }
}

/** TOK-3 and steps 7 and 8, with bg1 its own steps before, for a run of word characters. */
function countRun(text: u32, start: u32, end: u32): void {
  if (pairs && joins && mayJoin(text + start, text + end)) countPairs(text + start, text + end);
  else if (hasLetterIn(start, end)) addToken(text + start, text + end);
}

/** {@link countRun} for all runs whose edges are between two addresses, without bg1. */
@inline
function countRuns(text: u32, base: u32, from: u32, last: u32): void {
  // (In a variable, as the compiler reads and writes globals each time.)
  let place = TOKENS + (tokens << 4);
  total -= tokens;
  for (let at = from; at < last; at += 4) {
    const edges = load<u32>(at);
    const start = base + (edges & 0xffff);
    const length = (edges >> 16) - (edges & 0xffff);
    if (length <= 12) {
      const mask = MASKS + (length << 4);
      v128.store(place, v128.and(v128.load(text + start), v128.load(mask)));
      store<u32>(place, length, 12);
      place += ((load<u32>(LETTERS + (start >> 3)) >> (start & 7)) & load<u32>(mask, 12)) != 0 ? 16 : 0;
      if (place == TOKENS + (BATCH << 4)) {
        total += BATCH;
        drain(BATCH);
        place = TOKENS;
        countHashes();
      }
    } else if (hasLetterIn(start, start + length)) {
      hashLong(text + start, length);
      countHashes();
    }
  }
  tokens = (place - TOKENS) >> 4;
  total += tokens;
}

function hasLetterIn(from: u32, end: u32): bool {
  for (let i = from; i < end; i++) if ((load<u8>(LETTERS + (i >> 3)) >> <u8>(i & 7)) & 1) return true;
  return false;
}
