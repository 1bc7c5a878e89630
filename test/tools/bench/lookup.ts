import { createMemoryIndex, findAll } from 'simhash-doc/lookup';
import { createFingerprintTable } from '../../../src/lookup/table/fingerprint-table.ts';
import { createRandom } from './corpus.ts';
import { bestTimes, printTable } from './measure.ts';

const QUERIES = 1_000_000;

/** Random 64-bit numbers, several times as fast as by bigints. */
function fillRandom(target: BigUint64Array, seed: number): void {
  const halves = new Uint32Array(target.buffer, target.byteOffset, 2 * target.length);
  const random = createRandom(seed);
  for (let i = 0; i < halves.length; i++) halves[i] = random();
}

function flip(value: bigint, count: number, random: () => number): bigint {
  for (let i = 0; i < count; i++) value ^= 1n << BigInt(random() % 64);
  return value;
}

/** Makes the last of a hundred a copy of another one with 1 to 3 bits flipped. */
function plantCopies(values: BigUint64Array, seed: number): BigUint64Array {
  const random = createRandom(seed);
  const originals = values.length - Math.floor(values.length / 100);
  for (let i = originals; i < values.length; i++)
    values[i] = flip(values[random() % originals]!, 1 + (random() % 3), random);
  return values;
}

function uniform(count: number): BigUint64Array {
  const values = new BigUint64Array(count);
  fillRandom(values, 42);
  return plantCopies(values, 43);
}

/**
 * Fingerprints as real documents give them: of 150 tokens each, from a vocabulary of 50,000 with the frequencies of words
 * (Zipf's law as Mandelbrot has it). The largest bucket has some hundred times its uniform share.
 */
function skewed(count: number): BigUint64Array {
  const [TOKENS, WORDS, OFFSET] = [150, 50_000, 2.7];
  const random = createRandom(8);
  // Four counters in a number: none gets above 150.
  const spread = new Uint32Array(16 * WORDS);
  for (let i = 0; i < spread.length; i++) {
    const bits = random();
    for (let bit = 0; bit < 4; bit++) spread[i]! |= ((bits >>> bit) & 1) << (8 * bit);
  }
  const words = Uint16Array.from({ length: 1 << 20 }, (_, i) =>
    Math.floor(OFFSET * ((WORDS + OFFSET) / OFFSET) ** (i / (1 << 20)) - OFFSET),
  );
  const counters = new Uint32Array(16);
  const values = new BigUint64Array(count);
  const halves = new Uint32Array(values.buffer);
  for (let i = 0; i < count; i++) {
    counters.fill(0);
    for (let k = 0; k < TOKENS; k++) {
      const word = words[random() >>> 12]!;
      for (let j = 0; j < 16; j++) counters[j]! += spread[16 * word + j]!;
    }
    for (let bit = 0; bit < 64; bit++)
      if (((counters[bit >> 2]! >>> (8 * (bit & 3))) & 0xff) * 2 > TOKENS)
        halves[2 * i + (bit >> 5)]! |= 1 << (bit & 31);
  }
  return plantCopies(values, 9);
}

/** Queries of which half are within 3 bits of a fingerprint. */
function queriesFor(size: number, get: (at: number) => bigint): BigUint64Array {
  const random = createRandom(44);
  const queries = new BigUint64Array(QUERIES);
  fillRandom(queries, 45);
  for (let i = 1; i < QUERIES; i += 2) queries[i] = flip(get(random() % size), 3, random);
  return queries;
}

/** Measures lookup in memory. */
export async function benchLookup(): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const [name, values] of [
    ['1e6 uniform', uniform(1e6)],
    ['1e6 skewed', skewed(1e6)],
    ['1e7 uniform', uniform(1e7)],
  ] as const) {
    const size = values.length;
    const table = createFingerprintTable();
    table.addAll(values);
    const queries = queriesFor(size, (at) => values[at]!);
    let pairs = 0;
    const [build, near, wide, all] = bestTimes(
      [
        () => createFingerprintTable().addAll(values),
        () => queries.forEach((query) => void table.query(query, 3)),
        () => queries.subarray(0, 20_000).forEach((query) => void table.query(query, 6)),
        () => {
          pairs = 0;
          for (const _ of findAll(values)) pairs++;
        },
      ],
      3,
    ) as [number, number, number, number];
    const rates = [(size / build / 1e6).toFixed(1), (QUERIES / near / 1e6).toFixed(2), (20_000 / wide).toFixed(0)];
    rows.push([name, (table.bytes / size).toFixed(1), ...rates, pairs, all.toFixed(3)]);
  }
  const head = ['fingerprints', 'bytes each', 'build, M/s', 'k = 3, M/s', 'k = 6, /s', 'pairs, k = 3', 'all pairs, s'];
  printTable([head, ...rows]);
  benchIndex(uniform(1e6));
}

/** The memory index, with ids. */
function benchIndex(values: BigUint64Array): void {
  const index = createMemoryIndex({ label: 'simhash-doc' });
  const queries = queriesFor(values.length, (at) => values[at]!);
  const [add] = bestTimes(
    [
      () => {
        const filled = createMemoryIndex({ label: 'simhash-doc' });
        filled.addAll(Array.from(values, (fingerprint, i) => ({ id: `document/${i}`, fingerprint })));
      },
    ],
    2,
  ) as [number];
  index.addAll(Array.from(values, (fingerprint, i) => ({ id: `document/${i}`, fingerprint })));
  const [query] = bestTimes([() => queries.forEach((each) => void index.query(each))], 2) as [number];
  const { bytes } = index.stats();
  const each = [bytes.fingerprints + bytes.ids, bytes.ids].map((sum) => (sum / values.length).toFixed(1));
  printTable([
    ['memory index: addAll, M/s', 'query k = 3, M/s', 'bytes each', 'of which ids'],
    [(values.length / add / 1e6).toFixed(2), (QUERIES / query / 1e6).toFixed(2), ...each],
  ]);
}
