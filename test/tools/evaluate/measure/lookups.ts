import { LABELS, TABLES } from '../../../../src/index.ts';
import { createRandom } from '../../bench/corpus.ts';
import type { Collection } from '../collections.ts';
import type { LookupCost } from '../results.ts';
import { below, type Random, UNSPACED } from '../sources/edits.ts';
import type { Document } from '../sources/files.ts';
import { type Fingerprints, makeFingerprints } from './candidates.ts';
import { keyOf } from './thresholds.ts';

const LINES = 12;
const TEMPLATES = 1000;

/**
 * Makes any number of documents from the lines of a collection, so that tokens are as frequent as in it. In `ordinary` every line is
 * as likely as another, in `skewed` the likelihood of lines follows Zipf's law, and in `templated` each document has eight of its
 * twelve lines from one of a thousand templates.
 */
const SETS: Readonly<Record<string, (lines: readonly string[], random: Random) => (at: number) => string[]>> = {
  ordinary: (lines, random) => () => draw(lines, LINES, random),
  skewed: (lines, random) => () =>
    Array.from({ length: LINES }, () => lines[Math.floor((lines.length + 1) ** (random() / 2 ** 32)) - 1]!),
  templated: (lines, random) => {
    const templates = Array.from({ length: TEMPLATES }, () => draw(lines, 8, random));
    return (at) => [...templates[at % TEMPLATES]!, ...draw(lines, LINES - 8, random)];
  },
};

function draw(lines: readonly string[], count: number, random: Random): string[] {
  return Array.from({ length: count }, () => lines[below(lines.length, random)]!);
}

/** Measures how many entries of the 16 tables a lookup reads among so many documents with the tokens of a collection. */
export function measureLookups({ name, documents }: Collection, size: number): LookupCost[] {
  const lines = documents.flatMap(({ text }) => text.split('\n').filter((line) => /\p{L}{3}/u.test(line)));
  const labels = LABELS.filter((label) => label !== 'simhash-doc+bg1' || UNSPACED.test(lines.join('')));
  return Object.entries(SETS).flatMap(([set, prepare]) =>
    labels.map((label): LookupCost => {
      const next = prepare(lines, createRandom(16));
      const made: Iterable<Document> & { readonly length: number } = {
        length: size,
        *[Symbol.iterator]() {
          for (let at = 0; at < size; at++) yield { id: '', text: next(at).join('\n'), language: '' };
        },
      };
      const cost = countEntries(makeFingerprints({ label, bits: 64 }, made));
      console.error(`${name}, ${set}, ${label}: ${cost.mean} entries`);
      return { source: name, set, candidate: label, documents: size, ...cost };
    }),
  );
}

/** Counts the entries that lookups read, for 2,000 documents; documents without fingerprint are few. */
function countEntries({ lanes, exists }: Fingerprints): Pick<LookupCost, 'mean' | 'most99' | 'largestKey'> {
  const asked = Math.min(2000, exists.length);
  const entries = new Float64Array(asked);
  let largestKey = 0;
  let pairs = 0;
  for (let word = 0; word < lanes.length; word += 2)
    for (let table = 0; table < TABLES; table++) {
      const keys = Uint32Array.from(lanes[word]!, (high, at) => keyOf(high, lanes[word + 1]![at]!, table));
      const sorted = keys.slice().sort();
      for (let from = 0, to = 0; from < sorted.length; from = to) {
        while (sorted[to] === sorted[from]) to++;
        largestKey = Math.max(largestKey, to - from);
        pairs += (to - from) * (to - from - 1);
      }
      for (let at = 0; at < asked; at++) {
        const key = keys[Math.floor((at * exists.length) / asked)]!;
        entries[at]! += firstFrom(sorted, key + 1) - firstFrom(sorted, key) - 1;
      }
    }
  return { mean: pairs / exists.length, most99: entries.sort()[Math.floor(0.99 * asked)]!, largestKey };
}

/** The place of the first number that is not below a bound. */
function firstFrom(sorted: Uint32Array, bound: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < bound) from = middle + 1;
    else to = middle;
  }
  return from;
}
