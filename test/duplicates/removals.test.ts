import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createColumn } from '../../src/duplicates/near/column.ts';
import { distanceLimit } from '../../src/duplicates/near/limit.ts';
import { findRemovals, type RemovalCriteria } from '../../src/duplicates/removals.ts';
import { createResidue, differencesOf } from '../../src/fingerprint/residue.ts';
import { createTokenSorter, overlapAtLeast } from '../../src/fingerprint/sorted-tokens.ts';
import { countTokens, distance, fingerprint, overlap } from '../../src/index.ts';
import { schemeOf } from '../../src/scheme/labels/label.ts';
import { IS_SLOW } from '../suite.ts';

const LABEL = 'minhash-doc-256';
const WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Changes of a text that leave most of its words. */
const CHANGES: Readonly<Record<string, (words: string[], n: number) => string[]>> = {
  nothing: (words) => words,
  number: (words, n) => [...words, `${n % 3}`],
  locator: (words, n) => [...words, `http://a.b/${n % 3}`],
  sign: (words, n) => words.with(n % words.length, `${words[n % words.length]} %`),
  order: (words, n) => [...words.slice(n % words.length), ...words.slice(0, n % words.length)],
  case: (words, n) => words.with(n % words.length, words[n % words.length]!.toUpperCase()),
  word: (words, n) => words.with(n % words.length, WORDS[n % WORDS.length]!),
  more: (words, n) => [...words, WORDS[n % WORDS.length]!],
  twice: (words) => [...words, ...words],
};

const texts: fc.Arbitrary<string[]> = fc
  .array(
    fc.tuple(fc.nat(2), fc.array(fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.nat(60)), { maxLength: 3 })),
    { minLength: 2, maxLength: IS_SLOW ? 60 : 24 },
  )
  .map((list) =>
    list.map(([base, changes]) => {
      const words = [...WORDS.slice(base), ...WORDS, `w${base}`];
      return changes.reduce((text, [name, n]) => CHANGES[name]!(text, n), words).join(' ');
    }),
  );

type Removal = readonly [text: number, kept: number, distance: number, overlap: number];

/** The definition: in the order of preference, a text is removed for the first one that is kept and matches it. */
function bruteForce(list: readonly string[], criteria: RemovalCriteria): Removal[] {
  const { k, minOverlap, ignoresDifferences, matchCase, keep } = criteria;
  const counts = list.map((text) => countTokens(text, { label: LABEL }));
  const prints = list.map((text) => fingerprint(text, { label: LABEL })!);
  const residues = list.map((text) => createResidue().update(text).digest());
  const tokensOf = (i: number): number => counts[i]!.counts.reduce((sum, count) => sum + count, 0);
  const order = [...list.keys()].sort((a, b) => (keep === 'longest' ? tokensOf(b) - tokensOf(a) : 0) || a - b);
  const kept: number[] = [];
  const removals: Removal[] = [];
  for (const text of order) {
    const found = kept.find((other) => {
      const far = distance(prints[text]!, prints[other]!);
      const distinct = counts[text]!.hashes.length + counts[other]!.hashes.length;
      const share = overlap(counts[text]!, counts[other]!);
      if (far > k || far > distanceLimit(tokensOf(text) + tokensOf(other), distinct, minOverlap)) return false;
      if (share < minOverlap) return false;
      return ignoresDifferences || differencesOf(residues[text]!, residues[other]!, share, { matchCase }).length === 0;
    });
    if (found === undefined) kept.push(text);
    else removals.push([text, found, distance(prints[text]!, prints[found]!), overlap(counts[text]!, counts[found]!)]);
  }
  return removals.sort(([a], [b]) => a - b);
}

async function removalsOf(list: readonly string[], criteria: RemovalCriteria): Promise<Removal[]> {
  const column = createColumn(4);
  for (const text of list) column.push(fingerprint(text, { label: LABEL })!);
  const removals: Removal[] = [];
  const readable = {
    fingerprints: column.view(),
    tokensOf: (text: number) =>
      countTokens(list[text]!, { label: LABEL }).counts.reduce((sum, count) => sum + count, 0),
    async read(wanted: readonly number[], visit: (text: number, content: string) => void): Promise<void> {
      expect(wanted).toEqual([...new Set(wanted)].sort((a, b) => a - b));
      for (const text of wanted) visit(text, list[text]!);
    },
    onChanged(text: number): never {
      throw new Error(`changed: ${text}`);
    },
  };
  await findRemovals(readable, criteria, (...removal) => removals.push(removal));
  return removals.sort(([a], [b]) => a - b);
}

test('the removed texts are those of the definition, whatever fits into memory', async () => {
  const criteria = fc.record({
    label: fc.constant(LABEL),
    k: fc.constantFrom(0, 48, 256),
    minOverlap: fc.constantFrom(0, 0.8, 0.95, 1),
    ignoresDifferences: fc.boolean(),
    matchCase: fc.boolean(),
    keep: fc.constantFrom('first' as const, 'longest' as const),
    maxHeld: fc.constantFrom(1, 2000, 2 ** 20),
  });
  await fc.assert(
    fc.asyncProperty(texts, criteria, async (list, given) => {
      // Texts that are the same are found before.
      const distinct = [...new Set(list)];
      expect(await removalsOf(distinct, given)).toEqual(bruteForce(distinct, given));
    }),
    { numRuns: IS_SLOW ? 2000 : 150 },
  );
});

test('a text that has changed is an error', async () => {
  const list = ['one two three', 'one two three %'];
  let reads = 0;
  const column = createColumn(4);
  for (const text of list) column.push(fingerprint(text, { label: LABEL })!);
  const readable = {
    fingerprints: column.view(),
    tokensOf: () => 3,
    async read(wanted: readonly number[], visit: (text: number, content: string) => void): Promise<void> {
      for (const text of wanted) visit(text, reads++ === 0 ? list[text]! : 'other');
    },
    onChanged(text: number): never {
      throw new Error(`changed: ${text}`);
    },
  };
  const criteria = { label: LABEL, k: 48, minOverlap: 0.8, ignoresDifferences: false, matchCase: false } as const;
  await expect(findRemovals(readable, { ...criteria, keep: 'first' }, () => {})).rejects.toThrow('changed: 1');
});

test('sorted tokens have the overlap of counted ones', () => {
  const word = fc.constantFrom(...WORDS, '蟹 行', 'Ω', 'a1 b2').map((each) => `${each} `);
  const text = fc
    .tuple(fc.array(word, { maxLength: 30 }), fc.constantFrom(1, 2, 150), fc.nat(8000))
    .map(
      ([list, times, more]) =>
        list.join('').repeat(times) + (times > 2 ? Array.from({ length: more }, (_, i) => `v${i} `).join('') : ''),
    );
  fc.assert(
    fc.property(text, text, fc.constantFrom('simhash-doc', LABEL), (a, b, label) => {
      const sort = createTokenSorter(schemeOf(label));
      const counts = [a, b].map((each) => countTokens(each, { label }));
      const [left, right] = [a, b].map((each) => {
        const tokens = sort.ofText(each);
        return { ...tokens, data: tokens.data.slice() };
      });
      expect([left!.size, right!.size]).toEqual(counts.map(({ hashes }) => hashes.length));
      if (left!.total + right!.total === 0) return;
      const share = overlap(counts[0]!, counts[1]!);
      expect(overlapAtLeast(left!, right!, 0)).toBe(share);
      expect(overlapAtLeast(left!, right!, share)).toBe(share);
      expect(overlapAtLeast(left!, right!, Math.min(1, share + 1e-6))).toBe(share === 1 ? 1 : -1);
    }),
    { numRuns: IS_SLOW ? 500 : 60 },
  );
});
