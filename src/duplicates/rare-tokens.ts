import { randomFactor } from '../fingerprint/hash-table.ts';
import type { TokenHashes } from '../fingerprint/token-overlap.ts';

/** Visits the tokens of all texts, by the positions of the texts, in any order. */
export type VisitTokens = (visit: (position: number, tokens: TokenHashes) => void) => Promise<void>;

/** The bits of the number of counters: tokens that share one seem more frequent than they are, which does no harm. */
const COUNTER_BITS = 20;
const MAX_COUNT = 2 ** 20;

/** The factor from one class of sizes to the next. */
const CLASS = 1.05;
const classOf = (size: number): number => Math.floor(Math.log(size) / Math.log(CLASS));

/** The tolerance for sizes that are computed from an overlap. */
const TOLERANCE = 1e-6;

/** The largest number of tokens that have to be found in a text; it grows from 1 while there are too many candidates. */
const MAX_HITS = 16;

/** The number of candidates for each text from which on an index takes less time than they do. */
const MAX_CANDIDATES = 32;

/** The number of tokens looked at for each candidate from which on more of them take longer than fewer candidates save. */
const MAX_STEPS = 128;

/** The largest number of tokens in an index: more would take more than 400 MB. */
const MAX_TOKENS = 1 << 24;

/** Makes an index of texts by their rarest tokens, once so many candidates were found in another way that it pays. */
export function createTokenFilter(size: number, minOverlap: number) {
  let index: NonNullable<Awaited<ReturnType<typeof createTokenIndex>>> | undefined;
  let [hits, candidates] = [0, 0];
  let isOff = false;
  return {
    /** Returns the index; undefined before the first call of `grow`. */
    index: () => index,
    /** Notes that so many candidates were found. */
    note(count: number): void {
      candidates += count;
    },
    isCrowded: (): boolean =>
      minOverlap > 0 &&
      !isOff &&
      hits < MAX_HITS &&
      candidates > MAX_CANDIDATES * size &&
      (index?.steps() ?? 0) < MAX_STEPS * candidates,
    /** Notes that tokens cannot be read. */
    turnOff(): void {
      isOff = true;
    },
    /** Makes the index, each further time one that leaves fewer candidates, and adds the texts at some positions; none if it is too large. */
    async grow(visitTokens: VisitTokens, positions: Iterable<number>): Promise<void> {
      hits = Math.max(1, 2 * hits);
      candidates = 0;
      const next = await createTokenIndex(size, minOverlap, hits, visitTokens);
      if (next === null) {
        isOff = true;
        return;
      }
      for (const position of positions) next.add(position);
      index = next;
    },
  };
}

export type TokenFilter = ReturnType<typeof createTokenFilter>;

/**
 * Makes an index of texts, by their rarest tokens, that finds all whose overlap with another text is at least `minOverlap`, greater
 * than 0, and some others: the more `hits` are asked for, the fewer, but the more tokens are looked at.
 *
 * Two texts of a and b tokens with the overlap t have n = (a + b) * t / (1 + t) tokens in common or more. In both texts, sorted from the
 * rarest to the most frequent one, n - h + 1 tokens or more follow the common one with the number h or are that one. So one at place i of
 * a text leads only to texts of at most (a - i + h - 1) * (1 + t) / t - a tokens: its reach. By the classes of their reaches, most
 * tokens of a template are not looked at. Returns null if it has too many tokens.
 */
async function createTokenIndex(size: number, minOverlap: number, hits: number, visitTokens: VisitTokens) {
  // Random factors keep an author from choosing tokens that all collide.
  const [lowFactor, highFactor, slotFactor] = [randomFactor(), randomFactor(), randomFactor()];
  const hashAt = (pairs: Uint32Array, at: number): number =>
    (Math.imul(pairs[at]!, lowFactor) + Math.imul(pairs[at + 1]!, highFactor)) >>> 0;
  const reachOf = (tokens: number, place: number): number => {
    const following = Math.min(tokens, tokens - place + hits - 1);
    return Math.min(tokens / minOverlap, (following * (1 + minOverlap)) / minOverlap - tokens) + TOLERANCE;
  };

  const counts = new Uint32Array(2 ** COUNTER_BITS);
  await visitTokens((_, { pairs, start, count }) => {
    for (let at = start; at < start + 2 * count; at += 2) counts[hashAt(pairs, at) >>> (32 - COUNTER_BITS)]!++;
  });

  const sizes = new Uint32Array(size);
  // The hashes of the rarest tokens that are not in one text alone, each with its place.
  const rarest: Uint32Array[] = [];
  let total = 0;
  let room = new Float64Array(0);
  await visitTokens((position, { pairs, start, count }) => {
    if (total > MAX_TOKENS) return;
    if (room.length < count) room = new Float64Array(2 * count);
    for (let i = 0; i < count; i++) {
      const hash = hashAt(pairs, start + 2 * i);
      room[i] = Math.min(counts[hash >>> (32 - COUNTER_BITS)]!, MAX_COUNT) * 2 ** 32 + hash;
    }
    const sorted = room.subarray(0, count).sort();
    const list: number[] = [];
    for (let place = 0, repeated = 0; place < count && reachOf(count, place) >= minOverlap * count; place++) {
      repeated = sorted[place] === sorted[place - 1] ? repeated + 1 : 0;
      if (sorted[place]! >= 2 * 2 ** 32) list.push((sorted[place]! + repeated * 0x9e3779b1) >>> 0, place);
    }
    sizes[position] = count;
    rarest[position] = Uint32Array.from(list);
    total += list.length / 2;
  });

  if (total > MAX_TOKENS) return null;

  // Tokens by their hashes and the classes of their reaches: the hash, the text and the reach of each.
  const bits = Math.max(1, Math.ceil(Math.log2(total + 1)));
  const slotOf = (hash: number, of: number): number =>
    Math.imul(hash ^ Math.imul(of, 0x9e3779b1), slotFactor) >>> (32 - bits);
  const starts = new Uint32Array(2 ** bits + 1);
  for (const [position, list] of rarest.entries())
    for (let i = 0; i < list.length; i += 2)
      starts[slotOf(list[i]!, classOf(reachOf(sizes[position]!, list[i + 1]!))) + 1]!++;
  for (let slot = 0; slot < 2 ** bits; slot++) starts[slot + 1]! += starts[slot]!;
  const ends = starts.slice(0, -1);
  const entries = new Uint32Array(3 * total);
  // The query in which a text was last hit, and how often.
  const [seen, times] = [new Uint32Array(size), new Uint32Array(size)];
  let [query, steps] = [0, 0];

  return {
    /** Returns the number of tokens that were looked at. */
    steps: (): number => steps,
    add(position: number): void {
      const list = rarest[position]!;
      for (let i = 0; i < list.length; i += 2) {
        const reach = reachOf(sizes[position]!, list[i + 1]!);
        const at = 3 * ends[slotOf(list[i]!, classOf(reach))]!++;
        entries[at] = list[i]!;
        entries[at + 1] = position;
        entries[at + 2] = reach;
      }
    },
    /** Finds the texts that were added, in any order. */
    find(position: number): number[] {
      const [list, own] = [rarest[position]!, sizes[position]!];
      const [from, to] = [classOf(own), classOf(own / minOverlap ** 2 + 1)];
      const needed = Math.min(hits, Math.ceil(minOverlap * own - TOLERANCE));
      const found: number[] = [];
      query++;
      for (let i = 0; i < list.length; i += 2) {
        const [hash, reach] = [list[i]!, reachOf(own, list[i + 1]!)];
        for (let each = from; each <= to; each++) {
          const slot = slotOf(hash, each);
          const end = 3 * ends[slot]!;
          for (let at = 3 * starts[slot]!; at < end; at += 3) {
            steps++;
            const other = entries[at + 1]!;
            if (entries[at] !== hash || entries[at + 2]! < own || sizes[other]! > reach) continue;
            times[other] = seen[other] === query ? times[other]! + 1 : 1;
            seen[other] = query;
            if (times[other] === needed) found.push(other);
          }
        }
      }
      return found;
    },
  };
}
