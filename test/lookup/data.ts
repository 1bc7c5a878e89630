import { expect } from 'vitest';
import { permute, unpermute } from '../../src/index.ts';
import type { Pair } from '../../src/lookup/pairs/pair-batches.ts';
import type { FileCounts } from '../../src/lookup/stores/stored-index.ts';
import { createRandom as randomOf } from '../tools/bench/corpus.ts';
import { twin } from '../twin/twin.ts';

export { randomOf };

export interface NarrowEntry {
  readonly id: string;
  readonly fingerprint: bigint;
}

export function uniform(count: number, seed = 1): BigUint64Array {
  const [high, low] = [randomOf(seed), randomOf(seed + 0x5bd1e995)];
  const values = new BigUint64Array(count);
  for (let i = 0; i < count; i++) values[i] = (BigInt(high()) << 32n) | BigInt(low());
  return values;
}

/** A fingerprint with up to `most` bits of some places flipped. */
export function flipped(fingerprint: bigint, max: number, random: () => number, from = 0, to = 64): bigint {
  let value = fingerprint;
  for (let i = random() % (max + 1); i > 0; i--) value ^= 1n << BigInt(from + (random() % (to - from)));
  return value;
}

/** Kinds of sets, each hard in its own way. */
export const KINDS: Readonly<Record<string, (count: number, seed: number) => BigUint64Array>> = {
  uniform,
  /** Around few centres, with up to 10 bits flipped: many pairs of every distance, and some equal ones. */
  clustered(count, seed) {
    const random = randomOf(seed);
    const centres = uniform(Math.max(1, count >> 5), seed + 1);
    return uniform(count, seed).map(() => flipped(centres[random() % centres.length]!, 10, random));
  },
  /** Each bit is 1 with a probability of its own, as in documents of few common words. */
  skewed(count, seed) {
    const random = randomOf(seed);
    const chances = Array.from({ length: 64 }, () => (random() % 3 === 0 ? 0.5 : random() % 2 === 0 ? 0.05 : 0.97));
    return new BigUint64Array(count).map(() =>
      chances.reduce((value, chance) => (value << 1n) | (random() < chance * 2 ** 32 ? 1n : 0n), 0n),
    );
  },
  ...Object.fromEntries(
    [0, 1, 2, 3].map((block) => [
      `one bucket of block ${block}`,
      (count: number, seed: number) => {
        const random = randomOf(seed);
        const centres = uniform(Math.max(1, count >> 3), seed);
        const below = BigInt(48 - 16 * block);
        return new BigUint64Array(count).map(() => {
          return (flipped(centres[random() % centres.length]!, 5, random) & ~(0xffffn << below)) | (0xbeefn << below);
        });
      },
    ]),
  ),
  ...Object.fromEntries(
    [0, 6, 9, 15].map((table) => [
      `one key of table ${table}`,
      (count: number, seed: number) => {
        const random = randomOf(seed);
        const key = permute(uniform(1, seed)[0]!, table);
        return new BigUint64Array(count).map(() => unpermute(flipped(key, 12, random, 0, 36), table));
      },
    ]),
  ),
  /** All within few bits of each other: nearly every pair is one. */
  ball(count, seed) {
    const random = randomOf(seed);
    return new BigUint64Array(count).map(() => flipped(0xffff_0000_ffff_0000n, 3, random));
  },
  equal: (count) => new BigUint64Array(count).fill(0x3020_ceaa_2375_a74en),
  /** Numbers at the ends of all ranges, several times. */
  edges(count, seed) {
    const random = randomOf(seed);
    const ends = [0n, 1n, 2n ** 16n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 48n, 2n ** 63n, 2n ** 64n - 1n];
    return new BigUint64Array(count).map(() => flipped(ends[random() % ends.length]!, random() % 3, random));
  },
};

const ONES = Uint8Array.from({ length: 65536 }, (_, bits) => twin.distance(0n, BigInt(bits)));

const MAX_K = 7;

/** The pairs of each set that were computed: tests use the same set with one k after the other. */
const known = new WeakMap<BigUint64Array, { readonly k: number; readonly pairs: readonly Pair[] }>();

/**
 * All pairs that `findAll` promises, found by comparing all with all, as sorted lines.
 * @param fingerprints - the set
 * @param k - the largest distance
 * @param maxK - the largest k that this set will be asked for: dense sets have millions of pairs up to {@link MAX_K}
 */
export function pairsByComparing(fingerprints: BigUint64Array, k: number, maxK = MAX_K): string[] {
  let found = known.get(fingerprints);
  if (found === undefined || found.k < k) {
    const max = Math.max(k, maxK);
    found = { k: max, pairs: compareAll(fingerprints, max) };
    known.set(fingerprints, found);
  }
  return lines(found.pairs.filter(({ distance }) => distance <= k));
}

function compareAll(fingerprints: BigUint64Array, k: number): Pair[] {
  const quarters = new Uint16Array(fingerprints.slice().buffer);
  const firsts = new Map<bigint, number>();
  const once: number[] = [];
  const pairs: Pair[] = [];
  for (const [b, value] of fingerprints.entries()) {
    const first = firsts.get(value);
    if (first !== undefined) {
      pairs.push({ a: first, b, distance: 0 });
      continue;
    }
    for (const a of once) {
      let distance = 0;
      for (let i = 0; i < 4; i++) distance += ONES[quarters[4 * a + i]! ^ quarters[4 * b + i]!]!;
      if (distance <= k) pairs.push({ a, b, distance });
    }
    firsts.set(value, b);
    once.push(b);
  }
  return pairs;
}

/** Expects the same lines. Most are equal, and comparing them one by one takes long. */
export function expectLines(found: readonly string[], expected: readonly string[], message?: string): void {
  if (found.join('\n') !== expected.join('\n')) expect(found, message).toEqual(expected);
}

export function lines(pairs: Iterable<Pair>): string[] {
  return Array.from(pairs, ({ a, b, distance }) => `${a} ${b} ${distance}`).sort();
}

/** Entries of fingerprints, whose ids are their numbers after a prefix. */
export function entriesOf(fingerprints: Iterable<bigint>, prefix = ''): NarrowEntry[] {
  return Array.from(fingerprints, (fingerprint, i) => ({ id: `${prefix}${i}`, fingerprint }));
}

export const FILE_STATE = { size: 1, mtime: 2.5, inode: 3, extractors: ['text/2'], options: '' };

export function fileCounts(counts: Partial<FileCounts>): FileCounts {
  return { added: 0, replaced: 0, same: 0, removed: 0, ...counts };
}

/** A class that cannot be constructed, such as one of WebAssembly that lacks permission or memory. */
export function failingClass(error: Error) {
  return class {
    constructor() {
      throw error;
    }
  };
}
