// Steps 7 and 8 for one token; before, its cut into pairs (bg1).
import { readCodePoint } from '../code-points.as';
import { BATCH, HASHES_B, HASHES_C, KINDS, MASKS, SETS, TABLE, TOKENS } from '../layout.as';
import { ASCII_LETTER, JOINED, LEAD_OF_JOINED, LETTER, MARK } from '../scheme.generated.as';
import { drain, hashes, hashLong, tokens, total } from './hash.as';
import { countHashes, pairs } from './planes.as';

export function endWord(start: u32, end: u32): void {
  if (pairs && mayJoin(start, end)) countPairs(start, end);
  else addToken(start, end);
}

/** Tests whether bytes among those between two addresses may belong to joined code points, by their first byte. */
@inline
export function mayJoin(start: u32, end: u32): bool {
  for (let at = start; at < end; at += 16) {
    let bits = <u32>i8x16.bitmask(i8x16.ge_u(v128.load(at), i8x16.splat(<i8>LEAD_OF_JOINED)));
    if (end - at < 16) bits &= (1 << (end - at)) - 1;
    if (bits != 0) return true;
  }
  return false;
}

/** TOK-3 and BIG-1 to BIG-4 for a run of word characters, then steps 7 and 8. */
export function countPairs(start: u32, end: u32): void {
  // The units of a joined part: where the one before began, or 0, and where the last one begins; or a part of others.
  let before: u32 = 0;
  let unit: u32 = 0;
  let others: u32 = 0;
  let letter: u32 = 0;
  let at = start;
  while (at < end) {
    const bytes = load<u32>(at);
    // (One byte of ASCII is read as a code point is: 8 times that, plus 1.)
    const read = (bytes & 0x80) == 0 ? ((bytes & 0x7f) << 3) | 1 : readCodePoint(bytes);
    const kind = <u32>load<u8>(KINDS + (read >> 3));
    if (kind == JOINED) {
      if (others != 0) {
        if (letter != 0) addToken(others, at);
        others = 0;
        letter = 0;
      } else if (before != 0) addToken(before, at);
      before = unit;
      unit = at;
    } else if (kind != MARK || unit == 0) {
      if (unit != 0) addToken(before != 0 ? before : unit, at);
      before = 0;
      unit = 0;
      if (others == 0) others = at;
      letter |= isLetter(read >> 3);
    }
    at += read & 7;
  }
  if (unit != 0) addToken(before != 0 ? before : unit, end);
  else if (letter != 0) addToken(others, end);
}

@inline
function isLetter(codePoint: u32): u32 {
  if (codePoint < 0x80) return <u32>load<u8>(SETS + codePoint) & ASCII_LETTER;
  return <u32>load<u16>(TABLE + (codePoint << 1)) & LETTER;
}

/** Step 8 for a hash that the host has computed. */
export function addHash(low: u32, high: u32): void {
  store<u32>(HASHES_C + (hashes << 2), low);
  store<u32>(HASHES_B + (hashes << 2), high);
  hashes++;
  total++;
  countHashes();
}

export function addToken(start: u32, end: u32): void {
  const length = end - start;
  if (length <= 12) {
    const bytes = v128.and(v128.load(start), v128.load(MASKS + (length << 4)));
    v128.store(TOKENS + (tokens << 4), i32x4.replace_lane(bytes, 3, length));
    tokens++;
    total++;
    if (tokens < BATCH) return;
    drain(BATCH);
    tokens = 0;
  } else hashLong(start, length);
  countHashes();
}
