import { viewLanes } from '../common/lanes.ts';
import { randomFactor } from '../fingerprint/hash-table.ts';
import type { TokenHashes } from '../fingerprint/token-overlap.ts';
import { type Candidates, createCandidateList, type FindNear } from './near/candidates.ts';
import { countIn, createDistance, type FingerprintColumn } from './near/column.ts';
import { countBits } from './near/keys.ts';
import { createKernelList } from './near/near-kernel.ts';

export type VisitTokens = (visit: (position: number, tokens: TokenHashes) => void) => Promise<void>;

/** The bits of the number of counters: tokens that share one seem more frequent than they are, which does no harm. */
const COUNTER_BITS = 20;
const MAX_COUNT = 2 ** 20;

/** The factor from one class of sizes to the next. */
const CLASS = 1.2;
const classOf = (size: number): number => Math.floor(Math.log(size) / Math.log(CLASS));

/** The tolerance for sizes that are computed from an overlap. */
const TOLERANCE = 1e-6;

/** The number of candidates for each text from which on an index takes less time than they do. */
const MAX_CANDIDATES = 32;

/** The tokens looked at for each text, and in any case, from which on they take longer than to compare all fingerprints. */
const STEPS_PER_TEXT = 0.125;
const MIN_STEPS = 1 << 12;

/** The largest number of tokens in an index: more would take more than 400 MB. */
const MAX_TOKENS = 1 << 24;

const PARITIES = 8;

/** Makes an index of texts by their rarest tokens, once so many candidates were found in another way that it pays. */
export function createTokenFilter(size: number, minOverlap: number) {
  let index: Awaited<ReturnType<typeof createTokenIndex>> | undefined;
  let candidates = 0;
  let isOff = minOverlap === 0;
  return {
    /** Returns the index; undefined before the call of `grow`. */
    index: () => index,
    note(count: number): void {
      candidates += count;
    },
    isCrowded: (): boolean => !isOff && candidates > MAX_CANDIDATES * size,
    turnOff(): void {
      isOff = true;
    },
    async grow(visitTokens: VisitTokens, positions: Iterable<number>): Promise<void> {
      isOff = true;
      const made = await createTokenIndex(size, minOverlap, visitTokens);
      for (const position of positions) made.add(position);
      index = made;
    },
  };
}

export type TokenFilter = ReturnType<typeof createTokenFilter>;

/** Makes a search for near texts that leaves out those that cannot overlap enough, once the filter has an index of rare tokens. */
export function createFilteredNear(
  fingerprints: FingerprintColumn,
  k: number,
  filter: TokenFilter | null | undefined,
  findNear: FindNear,
): FindNear {
  const { words, values } = fingerprints;
  const [distanceOf, size, list] = [createDistance(fingerprints), countIn(fingerprints), createCandidateList()];
  let scan: ReturnType<typeof createKernelList> | undefined;
  let compared = 0;
  return (position, from, to = size): Candidates => {
    const index = filter?.index();
    if (index === undefined) {
      const near = findNear(position, from, to);
      filter?.note(near.length);
      return near;
    }
    list.clear();
    compared += index.added.length;
    if (scan === undefined && words === 4 && index.steps() >= MIN_STEPS + STEPS_PER_TEXT * compared)
      scan = createKernelList(viewLanes(values), k, size);
    if (scan) {
      while (scan.length < index.added.length) scan.add(index.added[scan.length]!);
      const near = scan.find(position, from, to);
      for (let i = 0; i < near.length; i++) {
        const other = near.positionAt(i);
        if (other !== position && index.mayOverlap(position, other)) list.push(other, near.distanceAt(i));
      }
      return list;
    }
    if (!index.hasTokens) return findNear(position, from, to);
    const found = index.find(position).filter((other) => other >= from && other < to && other !== position);
    for (const other of found.filter((each) => distanceOf(position, each) <= k).sort((a, b) => a - b))
      list.push(other, distanceOf(position, other));
    return list;
  };
}

/**
 * Makes an index of texts, by their rarest tokens, that finds all whose overlap with another text is at least `minOverlap`, greater
 * than 0, and some others.
 *
 * Two texts of a and b tokens with the overlap t have n = (a + b) * t / (1 + t) tokens in common or more. In both texts, sorted from the
 * rarest to the most frequent one, n tokens or more follow the first common one or are that one. So one at place i of a text leads only
 * to texts of at most (a - i) * (1 + t) / t - a tokens: its reach. By the classes of their reaches, most tokens of a template are not
 * looked at. Of the texts that are found, those are left out that differ in the parities of more sums of tokens than the
 * a + b - 2 * n tokens that are not common can change. An index with too many tokens has none.
 */
async function createTokenIndex(size: number, minOverlap: number, visitTokens: VisitTokens) {
  // Random factors keep an author from choosing tokens that all collide.
  const [lowFactor, highFactor, slotFactor, parityFactor] = Array.from({ length: 4 }, randomFactor);
  const hashAt = (pairs: Uint32Array, at: number): number =>
    (Math.imul(pairs[at]!, lowFactor!) + Math.imul(pairs[at + 1]!, highFactor!)) >>> 0;
  const reachOf = (tokens: number, place: number): number =>
    Math.min(tokens / minOverlap, ((tokens - place) * (1 + minOverlap)) / minOverlap - tokens) + TOLERANCE;

  const counts = new Uint32Array(2 ** COUNTER_BITS);
  await visitTokens((_, { pairs, start, count }) => {
    for (let at = start; at < start + 2 * count; at += 2) counts[hashAt(pairs, at) >>> (32 - COUNTER_BITS)]!++;
  });

  const sizes = new Uint32Array(size);
  const parities = new Uint32Array(PARITIES * size);
  // The hashes of the rarest tokens that are not in one text alone, each with its place.
  const rarest: Uint32Array[] = [];
  let total = 0;
  let room = new Float64Array(0);
  await visitTokens((position, { pairs, start, count }) => {
    sizes[position] = count;
    if (room.length < count) room = new Float64Array(2 * count);
    for (let i = 0; i < count; i++) {
      const hash = hashAt(pairs, start + 2 * i);
      const bit = Math.imul(hash, parityFactor!) >>> 24;
      parities[PARITIES * position + (bit >>> 5)]! ^= 1 << (bit & 31);
      room[i] = Math.min(counts[hash >>> (32 - COUNTER_BITS)]!, MAX_COUNT) * 2 ** 32 + hash;
    }
    if (total > MAX_TOKENS) return;
    const sorted = room.subarray(0, count).sort();
    const list: number[] = [];
    for (let place = 0, repeated = 0; place < count && reachOf(count, place) >= minOverlap * count; place++) {
      repeated = sorted[place] === sorted[place - 1] ? repeated + 1 : 0;
      if (sorted[place]! >= 2 * 2 ** 32) list.push((sorted[place]! + repeated * 0x9e3779b1) >>> 0, place);
    }
    rarest[position] = Uint32Array.from(list);
    total += list.length / 2;
  });

  const hasTokens = total <= MAX_TOKENS;
  if (!hasTokens) [rarest.length, total] = [0, 0];
  // Tokens by their hashes and the classes of their reaches: the hash, the text and the reach of each.
  const bits = Math.max(1, Math.ceil(Math.log2(total + 1)));
  const slotOf = (hash: number, of: number): number =>
    Math.imul(hash ^ Math.imul(of, 0x9e3779b1), slotFactor!) >>> (32 - bits);
  const starts = new Uint32Array(2 ** bits + 1);
  for (const [position, list] of rarest.entries())
    for (let i = 0; i < list.length; i += 2)
      starts[slotOf(list[i]!, classOf(reachOf(sizes[position]!, list[i + 1]!))) + 1]!++;
  for (let slot = 0; slot < 2 ** bits; slot++) starts[slot + 1]! += starts[slot]!;
  const ends = starts.slice(0, -1);
  const entries = new Uint32Array(3 * total);
  // The query in which a text was last hit.
  const seen = new Uint32Array(size);
  let [query, steps] = [0, 0];
  const added: number[] = [];
  function mayOverlap(a: number, b: number): boolean {
    const most = ((sizes[a]! + sizes[b]!) * (1 - minOverlap)) / (1 + minOverlap) + TOLERANCE;
    let different = 0;
    for (let i = 0; i < PARITIES; i++)
      different += countBits(parities[PARITIES * a + i]! ^ parities[PARITIES * b + i]!);
    return different <= most;
  }

  return {
    hasTokens,
    /** Returns the number of tokens that were looked at; without tokens, they would be too many. */
    steps: (): number => (hasTokens ? steps : Number.POSITIVE_INFINITY),
    mayOverlap,
    /** The texts in the index, ascending. */
    added: added as readonly number[],
    add(position: number): void {
      added.push(position);
      const list = hasTokens ? rarest[position]! : [];
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
      const found: number[] = [];
      query++;
      for (let i = 0; i < list.length; i += 2) {
        const [hash, reach] = [list[i]!, reachOf(own, list[i + 1]!)];
        for (let each = from; each <= to; each++) {
          const slot = slotOf(hash, each);
          const end = 3 * ends[slot]!;
          steps += end / 3 - starts[slot]!;
          for (let at = 3 * starts[slot]!; at < end; at += 3) {
            const other = entries[at + 1]!;
            if (entries[at] !== hash || entries[at + 2]! < own || sizes[other]! > reach) continue;
            if (seen[other] !== query && mayOverlap(position, other)) found.push(other);
            seen[other] = query;
          }
        }
      }
      return found;
    },
  };
}
