import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryIndex, findAll } from 'simhash-doc/lookup';
import { plainPairs } from '../../../src/lookup/pairs/plain.ts';
import { createHits } from '../../../src/lookup/segment/hits.ts';
import { createPlainSegment } from '../../../src/lookup/segment/plain.ts';
import { createFingerprintTable } from '../../../src/lookup/segment/table.ts';
import { createRandom } from './corpus.ts';
import { median, printTable } from './measure.ts';
import { compileNative } from './native.ts';

/** The number of queries measured at k = 3, half of them hits. */
const QUERIES = 1_000_000;

/** Random 64-bit numbers, several times as fast as by bigints. */
function fillRandom(target: BigUint64Array, seed: number): void {
  const halves = new Uint32Array(target.buffer, target.byteOffset, 2 * target.length);
  const random = createRandom(seed);
  for (let i = 0; i < halves.length; i++) halves[i] = random();
}

/** Makes the last of a hundred a copy of another one with 1 to 3 bits flipped. */
function plantCopies(values: BigUint64Array, seed: number): BigUint64Array {
  const random = createRandom(seed);
  const originals = values.length - Math.floor(values.length / 100);
  for (let i = originals; i < values.length; i++)
    values[i] = flip(values[random() % originals]!, 1 + (random() % 3), random);
  return values;
}

function flip(value: bigint, count: number, random: () => number): bigint {
  for (let i = 0; i < count; i++) value ^= 1n << BigInt(random() % 64);
  return value;
}

export function uniform(count: number): BigUint64Array {
  const values = new BigUint64Array(count);
  fillRandom(values, 42);
  return plantCopies(values, 43);
}

/**
 * Fingerprints as real documents give them: of 150 tokens each, from a vocabulary of 50,000 with the frequencies of words
 * (Zipf's law as Mandelbrot has it). Frequent words decide many bits, so that few of the 16-bit blocks are also frequent:
 * the largest bucket has some hundred times its uniform share.
 */
export function skewed(count: number): BigUint64Array {
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

function queriesFor(values: BigUint64Array, count: number): BigUint64Array {
  const random = createRandom(44);
  const queries = new BigUint64Array(count);
  fillRandom(queries, 45);
  for (let i = 1; i < count; i += 2) queries[i] = flip(values[random() % values.length]!, 3, random);
  return queries;
}

// ------------------------------------------------------------------------------------------------- native ceilings

/** The results of the native program for one set: seconds, and how many it found. */
interface Ceiling {
  readonly build: number;
  readonly query: number;
  readonly found: number;
  readonly pair: number;
}

/** Runs the native program on a set and its queries. */
function ceilingOf(run: (paths: readonly string[]) => unknown, values: BigUint64Array): Ceiling {
  const folder = mkdtempSync(join(tmpdir(), 'ceiling-'));
  const paths = [values, queriesFor(values, QUERIES)].map((numbers, i) => {
    const path = join(folder, String(i));
    writeFileSync(path, numbers);
    return path;
  });
  try {
    return run(paths) as Ceiling;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ratio = (value: number, to: number | undefined): string => (to === undefined ? '–' : (value / to).toFixed(2));
const fixed = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? '–';

// ---------------------------------------------------------------------------------------------------------- suites

/** The goals, and the results. */
const goals: string[][] = [['what', 'to reach', 'reached', '']];

function atLeast(what: string, bound: number, value: number | undefined, unit = ''): void {
  goals.push([what, `≥ ${bound}${unit}`, ...verdict(value, unit, (reached) => reached >= bound)]);
}

function atMost(what: string, bound: number, value: number | undefined, unit = ''): void {
  goals.push([what, `≤ ${bound}${unit}`, ...verdict(value, unit, (reached) => reached <= bound)]);
}

function verdict(value: number | undefined, unit: string, isGood: (value: number) => boolean): string[] {
  if (value === undefined) return ['–', 'nothing to compare with'];
  return [`${Number(value.toPrecision(3))}${unit}`, isGood(value) ? 'yes' : '**no**'];
}

const over = (value: number, to: number | undefined): number | undefined => (to === undefined ? undefined : value / to);

interface Set {
  readonly name: string;
  readonly values: BigUint64Array;
  readonly isUniform: boolean;
  /** Undefined without a compiler. */
  readonly ceiling: Ceiling | undefined;
}

function benchQueries(sets: readonly Set[]): void {
  console.log('### One table: building, one query at a time (half of them hits), memory\n');
  const rows: (string | number)[][] = [
    [
      'fingerprints',
      'build, M/s',
      'plain, M/s',
      'native, M/s',
      'k = 3, M/s',
      'plain, M/s',
      'native, M/s',
      'of native',
      'k = 6, /s',
      'bytes each',
    ],
  ];
  for (const { name, values, isUniform, ceiling } of sets) {
    const size = values.length;
    const rounds = size > 5e6 ? 3 : 7;
    const build = median(() => createFingerprintTable().addAll(values), rounds);
    const table = createFingerprintTable();
    table.addAll(values);
    const queries = queriesFor(values, QUERIES);
    let found = 0;
    const query = median(() => {
      found = 0;
      for (let i = 0; i < QUERIES; i++) found += table.query(queries[i]!, 3).count;
    }, 5);
    const FEW = 20_000;
    const wide = median(() => {
      for (let i = 0; i < FEW; i++) table.query(queries[i]!, 6);
    }, 3);

    const plainRounds = size > 5e6 ? 1 : 3;
    const make = () => createPlainSegment(size, (target) => target.set(values));
    const plainBuild = median(make, plainRounds);
    const plain = make();
    const hits = createHits();
    let plainFound = 0;
    const plainQuery = median(() => {
      plainFound = 0;
      for (let i = 0; i < QUERIES; i++) {
        hits.count = 0;
        plain.query(queries[i]!, 3, hits, 0);
        plainFound += hits.count;
      }
    }, plainRounds);
    if (found !== plainFound) throw new Error(`${name}: ${found} hits, ${plainFound} without the kernel`);
    if (ceiling !== undefined && ceiling.found !== found) throw new Error(`${name}: ${ceiling.found} native hits`);

    const nativeQuery = ceiling && QUERIES / ceiling.query / 1e6;
    const rate = QUERIES / query / 1e6;
    if (isUniform) {
      atMost(`${name}: bytes for each fingerprint`, 41, table.bytes / size);
      atLeast(`${name}: build`, 10, size / build / 1e6, ' M/s');
      atLeast(`${name}: queries, k = 3, of native`, 0.5, over(rate, nativeQuery));
      if (size === 1e6) atLeast(`${name}: queries, k = 6`, 50, FEW / wide / 1e3, ' k/s');
    } else atLeast(`${name}: queries, k = 3`, 250, rate * 1e3, ' k/s');
    rows.push([
      name,
      (size / build / 1e6).toFixed(1),
      (size / plainBuild / 1e6).toFixed(1),
      fixed(ceiling && size / ceiling.build / 1e6, 1),
      rate.toFixed(2),
      (QUERIES / plainQuery / 1e6).toFixed(2),
      fixed(nativeQuery, 2),
      ratio(rate, nativeQuery),
      (FEW / wide).toFixed(0),
      (table.bytes / size).toFixed(2),
    ]);
  }
  printTable(rows);
}

function benchIndex({ name, values }: Set): void {
  console.log(`### The memory index, with ids: ${name}\n`);
  const size = values.length;
  function* entries() {
    for (let i = 0; i < size; i++) yield { id: `document/${i}`, fingerprint: values[i]! };
  }
  const fill = () => {
    const index = createMemoryIndex({ label: 'simhash-doc' });
    index.addAll(entries());
    return index;
  };
  const build = median(fill, 3);
  const single = median(() => {
    const index = createMemoryIndex({ label: 'simhash-doc' });
    for (const { id, fingerprint } of entries()) index.add(id, fingerprint);
  }, 1);
  const index = fill();
  const queries = queriesFor(values, QUERIES);
  const query = median(() => {
    for (let i = 0; i < QUERIES; i++) index.query(queries[i]!);
  }, 3);
  const { bytes } = index.stats();
  printTable([
    ['addAll, M/s', 'add, M/s', 'query k = 3, M/s', 'bytes each', 'of which ids'],
    [
      (size / build / 1e6).toFixed(2),
      (size / single / 1e6).toFixed(2),
      (QUERIES / query / 1e6).toFixed(2),
      ((bytes.fingerprints + bytes.ids) / size).toFixed(1),
      (bytes.ids / size).toFixed(1),
    ],
  ]);
}

function countPairs(values: BigUint64Array): number {
  let count = 0;
  for (const _ of findAll(values)) count++;
  return count;
}

function benchPairs(sets: readonly Set[]): void {
  console.log('### All pairs at k = 3, seconds\n');
  const rows: (string | number)[][] = [
    ['fingerprints', 'pairs', 'first run', 'findAll', 'plain', 'native', 'times native'],
  ];
  for (const { name, values, isUniform, ceiling } of sets) {
    const rounds = values.length > 5e6 ? 3 : 7;
    const start = performance.now();
    const pairs = countPairs(values);
    const first = (performance.now() - start) / 1000;
    const seconds = median(() => countPairs(values), rounds);
    // For ten million it would take most of the time of the suite.
    let plain: number | undefined;
    if (values.length <= 1e6) {
      let found = 0;
      plain = median(() => {
        found = 0;
        for (const { count } of plainPairs(values, 3, [0, 1, 2, 3])) found += count;
      }, 1);
      if (pairs !== found) throw new Error(`${name}: ${pairs} pairs, ${found} without the kernel`);
    }
    const native = ceiling?.pair;
    if (values.length > 5e6) atMost(`${name}: all pairs`, 2, seconds, ' s');
    else if (isUniform) atMost(`${name}: all pairs, times native`, 1.5, over(seconds, native));
    else atMost(`${name}: all pairs`, 0.5, seconds, ' s');
    rows.push([
      name,
      pairs,
      ...[first, seconds].map((value) => value.toFixed(3)),
      fixed(plain, 3),
      fixed(native, 3),
      ratio(seconds, native),
    ]);
  }
  printTable(rows);
}

/** A hundred million, which are never in memory twice. */
function benchHuge(): void {
  const size = 1e8;
  console.log('### 1e8 uniform fingerprints\n');
  const table = createFingerprintTable();
  let filled = 0;
  const start = performance.now();
  table.addFrom(size, (target) => {
    fillRandom(target, 42);
    filled = performance.now();
  });
  const build = (performance.now() - filled) / 1000;
  const all = (performance.now() - start) / 1000;
  const random = createRandom(44);
  const queries = new BigUint64Array(QUERIES);
  fillRandom(queries, 45);
  for (let i = 1; i < QUERIES; i += 2) queries[i] = flip(table.get(random() % size), 3, random);
  const query = median(() => {
    for (let i = 0; i < QUERIES; i++) table.query(queries[i]!, 3);
  }, 3);
  const memory = (process.resourceUsage().maxRSS * 1024) / 1e9;
  printTable([
    ['build, M/s', 'with generating, s', 'query k = 3, /s', 'bytes each', 'most memory of the process, GB'],
    [
      (size / build / 1e6).toFixed(1),
      all.toFixed(1),
      (QUERIES / query).toFixed(0),
      (table.bytes / size).toFixed(2),
      memory.toFixed(2),
    ],
  ]);
  atMost('1e8 uniform: loaded and queried', 4.5, memory, ' GB');
}

/** Measures lookup in memory, with and without the kernel, and native programs. With `--1e8`, measures only that. */
export function benchLookup(): void {
  if (process.argv.includes('--1e8')) benchHuge();
  else {
    const native = compileNative('lookup', 'native');
    const makeSet = (name: string, values: BigUint64Array, isUniform: boolean): Set => ({
      ...{ name, values, isUniform },
      ceiling: native && ceilingOf(native, values),
    });
    const sets = [
      makeSet('1e6 uniform', uniform(1e6), true),
      makeSet('1e6 skewed', skewed(1e6), false),
      makeSet('1e7 uniform', uniform(1e7), true),
    ];
    benchPairs(sets);
    benchQueries(sets);
    benchIndex(sets[0]!);
  }
  console.log('### What was to be reached\n');
  printTable(goals);
}
