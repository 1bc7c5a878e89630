import { MAX_OCCURRENCES } from '../scheme/variants/cap8.ts';
import { randomFactor } from './hash-table.ts';

/** How often each hash of a document has occurred, up to {@link MAX_OCCURRENCES}: what variant cap8 remembers (CAP-1). */
export interface Occurrences {
  /** A place for each hash, both halves; half of the places are empty at least. */
  keys: Uint32Array;
  /** How often the hash has occurred; 0 in an empty place. */
  times: Uint8Array;
  shift: number;
  size: number;
  readonly lowFactor: number;
  readonly highFactor: number;
}

const FIRST_BITS = 7;
/** Larger tables are not kept for the next document: emptying one would cost more than a short document. */
const MAX_KEPT_PLACES = 1 << 14;

/** Makes a table without hashes. Its random factors keep an author from choosing tokens that all fall in one place. */
export function createOccurrences(): Occurrences {
  return {
    keys: new Uint32Array(2 << FIRST_BITS),
    times: new Uint8Array(1 << FIRST_BITS),
    shift: 32 - FIRST_BITS,
    size: 0,
    lowFactor: randomFactor(),
    highFactor: randomFactor(),
  };
}

/** Empties a table for the next document. */
export function clearOccurrences(table: Occurrences): void {
  table.size = 0;
  if (table.times.length <= MAX_KEPT_PLACES) table.times.fill(0);
  else resize(table, FIRST_BITS);
}

/**
 * CAP-1: of hashes in a row, moves those that have occurred fewer than eight times to the front.
 * @param lows - their lower halves, and those of others
 * @param highs - their upper halves
 * @param from - where the first one is
 * @param end - after the last one
 * @returns the end of those that stay
 */
export function keepFirst(
  table: Occurrences,
  lows: Uint32Array,
  highs: Uint32Array,
  from: number,
  end: number,
): number {
  reserve(table, end - from);
  const { keys, times, shift, lowFactor, highFactor } = table;
  const mask = times.length - 1;
  let { size } = table;
  let kept = from;
  for (let i = from; i < end; i++) {
    const low = lows[i]!;
    const high = highs[i]!;
    let at = (Math.imul(low, lowFactor) + Math.imul(high, highFactor)) >>> shift;
    while (times[at] !== 0 && (keys[2 * at] !== low || keys[2 * at + 1] !== high)) at = (at + 1) & mask;
    const before = times[at]!;
    if (before === MAX_OCCURRENCES) continue;
    if (before === 0) {
      keys[2 * at] = low;
      keys[2 * at + 1] = high;
      size++;
    }
    times[at] = before + 1;
    lows[kept] = low;
    highs[kept] = high;
    kept++;
  }
  table.size = size;
  return kept;
}

const [oneLow, oneHigh] = [new Uint32Array(1), new Uint32Array(1)];

/** CAP-1 for one hash: whether it has occurred fewer than eight times. */
export function isCounted(table: Occurrences, low: number, high: number): boolean {
  oneLow[0] = low;
  oneHigh[0] = high;
  return keepFirst(table, oneLow, oneHigh, 0, 1) === 1;
}

/** Makes room for so many more hashes. */
function reserve(table: Occurrences, count: number): void {
  const places = 2 * (table.size + count);
  if (places <= table.times.length) return;
  const { keys, times, lowFactor, highFactor, size } = table;
  resize(table, Math.ceil(Math.log2(places)));
  if (size === 0) return;
  const mask = table.times.length - 1;
  for (let i = 0; i < times.length; i++) {
    if (times[i] === 0) continue;
    const [low, high] = [keys[2 * i]!, keys[2 * i + 1]!];
    let at = (Math.imul(low, lowFactor) + Math.imul(high, highFactor)) >>> table.shift;
    while (table.times[at] !== 0) at = (at + 1) & mask;
    table.keys[2 * at] = low;
    table.keys[2 * at + 1] = high;
    table.times[at] = times[i]!;
  }
}

/** Gives a table 2 to the power of `bits` places, all of them empty. */
function resize(table: Occurrences, bits: number): void {
  table.keys = new Uint32Array(2 << bits);
  table.times = new Uint8Array(1 << bits);
  table.shift = 32 - bits;
}
