import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { candidateDistance } from '../../src/duplicates/answer.ts';
import { findRemovals, type RemovalCriteria } from '../../src/duplicates/find-removals.ts';
import { findDuplicatePairs } from '../../src/duplicates/index.ts';
import { createColumn } from '../../src/duplicates/near/column.ts';
import { distanceLimit } from '../../src/duplicates/near/distance-limit.ts';
import { createResidue } from '../../src/fingerprint/residue.ts';
import { createTokenOverlap, createTokenReader } from '../../src/fingerprint/token-overlap.ts';
import { countTokens, distance, fingerprint, overlap, type TokenCounts } from '../../src/index.ts';
import { schemeOf } from '../../src/scheme/labels/label.ts';
import { forAll, forAllAsync, IS_SLOW, runs } from '../suite.ts';
import { createRandom } from '../tools/bench/corpus.ts';

const LABEL = 'minhash-doc-256';
const CRITERIA = { label: LABEL, k: 48, minOverlap: 0.8, ignoresDifferences: false, matchCase: false } as const;
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
  long: (words) => Array.from({ length: 5 }, () => words).flat(),
  title: (words, n) => [
    ['Report', WORDS[n % WORDS.length]!].join(' '),
    '\n',
    ...words.slice(0, 9),
    '\n',
    ...words.slice(9),
  ],
  line: (words, n) => [...words, '\n', 'Report', WORDS[n % WORDS.length]!, '\n'],
  matter: (words, n) => ['---\n', `date: ${n}\n`, '---\n', ...words],
};

/** VER-4 and VER-5 for texts of ASCII, as they are written. */
function twinOf(text: string) {
  const piecesOf = (part: string): string[] => part.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const matter = /^---\s*\n(?:.*\n)*?---\s*\n/.exec(text)?.[0].length ?? 0;
  const lines = text
    .slice(matter)
    .split('\n')
    .map(piecesOf)
    .filter((line) => line.length > 0);
  const [first = []] = lines;
  const all = piecesOf(text);
  return {
    title: first.length <= 15 && lines.length > 2 ? first : null,
    lines: lines.slice(1).map((line) => line.join(' ')),
    numbers: text.match(/[0-9]+/g) ?? [],
    pieces: all.length < 60 ? all : null,
  };
}

function areDifferent(textA: string, textB: string): boolean {
  const [a, b] = [twinOf(textA), twinOf(textB)];
  const lacks = (x: readonly string[], y: readonly string[]): boolean => x.some((each) => !y.includes(each));
  const { title: x, numbers } = a;
  const { title: y } = b;
  if (x && y && lacks(x, y) && lacks(y, x) && !b.lines.includes(x.join(' ')) && !a.lines.includes(y.join(' ')))
    return true;
  const left = [...b.numbers];
  const common = numbers.filter((each) => left.includes(each) && left.splice(left.indexOf(each), 1).length > 0).length;
  if (common < 0.9 * Math.min(numbers.length, b.numbers.length)) return true;
  return a.pieces !== null && b.pieces !== null && !(x && y) && lacks(a.pieces, b.pieces) && lacks(b.pieces, a.pieces);
}

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

interface Found {
  readonly removals: readonly Removal[];
  /** Texts that are kept although most of their words are in one that is kept before. */
  readonly different: readonly number[];
}

type Removal = readonly [text: number, kept: number, distance: number, overlap: number];

const sumOf = ({ counts }: TokenCounts): number => counts.reduce((sum, count) => sum + count, 0);

/** The definition: in the order of preference, a text is removed for the first one that is kept and matches it. */
function bruteForce(list: readonly string[], criteria: RemovalCriteria): Found {
  const { k, minOverlap, ignoresDifferences, matchCase, keep } = criteria;
  const counts = list.map((text) => countTokens(text, { label: LABEL }));
  const prints = list.map((text) => fingerprint(text, { label: LABEL })!);
  const residues = list.map((text) => createResidue().update(text).digest());
  const tokensOf = (i: number): number => sumOf(counts[i]!);
  const order = [...list.keys()].sort((a, b) => (keep === 'longest' ? tokensOf(b) - tokensOf(a) : 0) || a - b);
  const kept: number[] = [];
  const removals: Removal[] = [];
  const different: number[] = [];
  for (const text of order) {
    const like = kept.filter((other) => {
      const far = distance(prints[text]!, prints[other]!);
      return far <= k && overlap(counts[text]!, counts[other]!) >= minOverlap;
    });
    const differInCase = (other: number): boolean => {
      const [x, y] = [residues[text]!, residues[other]!];
      return matchCase && x.letters === y.letters && x.capitals !== y.capitals;
    };
    const found = like.find((other) => {
      if (ignoresDifferences) return true;
      return !differInCase(other) && !areDifferent(list[text]!, list[other]!);
    });
    const isDifferent =
      !ignoresDifferences && like.some((other) => !differInCase(other) && areDifferent(list[text]!, list[other]!));
    if (found === undefined && isDifferent) different.push(text);
    if (found === undefined) kept.push(text);
    else removals.push([text, found, distance(prints[text]!, prints[found]!), overlap(counts[text]!, counts[found]!)]);
  }
  return { removals: removals.sort(([a], [b]) => a - b), different: different.sort((a, b) => a - b) };
}

async function removalsOf(list: readonly string[], criteria: RemovalCriteria): Promise<Found> {
  const column = createColumn(4);
  for (const text of list) column.push(fingerprint(text, { label: LABEL })!);
  const removals: Removal[] = [];
  const different: number[] = [];
  const readable = {
    fingerprints: column.view(),
    tokensOf: (text: number) => sumOf(countTokens(list[text]!, { label: LABEL })),
    async read(wanted: readonly number[], visit: (text: number, content: string) => void): Promise<void> {
      expect(wanted).toEqual([...new Set(wanted)].sort((a, b) => a - b));
      for (const text of wanted) visit(text, list[text]!);
    },
    onChanged(text: number): never {
      throw new Error(`changed: ${text}`);
    },
  };
  await findRemovals(readable, criteria, {
    onRemoved: (...removal) => void removals.push(removal),
    onDifferent: (text) => void different.push(text),
  });
  return { removals: removals.sort(([a], [b]) => a - b), different: different.sort((a, b) => a - b) };
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
  await forAllAsync([texts, criteria], IS_SLOW ? 2000 : 150, async (list, given) => {
    // Texts that are the same are found before.
    const distinct = [...new Set(list)];
    expect(await removalsOf(distinct, given)).toEqual(bruteForce(distinct, given));
  });
});

test('of many texts with the same words, those are removed that have nine of ten numbers in common', async () => {
  const random = createRandom(5);
  const rows: number[][] = [];
  for (let i = 0; i < 300; i++) {
    // Of few values, so that their lists are long, or of many; and those of an earlier text, but for some.
    const number = (): number => random() % (i < 150 ? 12 : 1000);
    const other = i % 3 === 2 ? rows[random() % i] : undefined;
    rows.push(Array.from({ length: 10 }, (_, at) => (random() % 8 === 0 ? undefined : other?.[at]) ?? number()));
  }
  const list = [...new Set(rows.map((numbers) => [...Array(6).fill(WORDS).flat(), ...numbers].join(' ')))];
  const expected = bruteForce(list, { ...CRITERIA, keep: 'first' });
  expect(expected.removals.length).toBeGreaterThan(30);
  expect(await removalsOf(list, { ...CRITERIA, keep: 'first' })).toEqual(expected);
});

describe('of many texts from one template, whose words are looked up by the rarest ones,', () => {
  /** Texts with 40 words in common and up to 30 of their own, some of which others have, or that occur several times. */
  const manyTexts = fc
    .array(fc.array(fc.tuple(fc.nat(40), fc.nat(9)), { maxLength: 15 }), { minLength: 180, maxLength: 180 })
    .map((list) => {
      const template = Array.from({ length: 40 }, (_, i) => `word${lettersOf(i)}`);
      const own = (n: number, times: number): string =>
        times < 3 ? `${`often${lettersOf(n % 4)} `.repeat(times)}.` : `rare${lettersOf(n * times)}`;
      const texts = list.map((words) => [...template, ...words.map(([n, times]) => own(n, times))].join(' '));
      const wordsOf = (text: string): string => [...text.match(/[a-z]+/g)!].sort().join(' ');
      return [...new Map(texts.map((text) => [wordsOf(text), text])).values()];
    });
  const lettersOf = (n: number): string => [...`${n}`].map((digit) => 'abcdefghij'[Number(digit)]).join('');

  test('the removed ones are those of the definition', async () => {
    const criteria = fc.record({
      minOverlap: fc.constantFrom(0.3, 0.8, 0.95, 1),
      keep: fc.constantFrom('first' as const, 'longest' as const),
      maxHeld: fc.constantFrom(20_000, 2 ** 20),
    });
    await fc.assert(
      fc.asyncProperty(manyTexts, criteria, async (list, given) => {
        const all = { label: LABEL, k: 256, ignoresDifferences: true, matchCase: false, ...given };
        expect(await removalsOf(list, all)).toEqual(bruteForce(list, all));
      }),
      { numRuns: runs(3), endOnFailure: true },
    );
  });

  test('the pairs are those within the distance that overlap enough', async () => {
    await fc.assert(
      fc.asyncProperty(manyTexts, fc.constantFrom(0.7, 0.8, 0.9), async (list, minOverlap) => {
        const counts = list.map((text) => countTokens(text, { label: LABEL }));
        const prints = list.map((text) => fingerprint(text, { label: LABEL })!);
        const sum = (text: number): number => sumOf(counts[text]!);
        const wanted: unknown[] = [];
        for (let a = 0; a < list.length; a++)
          for (let b = a + 1; b < list.length; b++) {
            const distinct = counts[a]!.counts.length + counts[b]!.counts.length;
            const limit = Math.min(candidateDistance(minOverlap), distanceLimit(sum(a) + sum(b), distinct, minOverlap));
            if (distance(prints[a]!, prints[b]!) > limit || overlap(counts[a]!, counts[b]!) < minOverlap) continue;
            wanted.push([a, b]);
          }
        const found: unknown[] = [];
        const items = list.map((text, id) => ({ id: `${id}`, text }));
        for await (const { a, b } of findDuplicatePairs(items, { minOverlap })) found.push([Number(a), Number(b)]);
        expect(found).toEqual(wanted);
      }),
      { numRuns: runs(3), endOnFailure: true },
    );
  });
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
  const done = findRemovals(readable, { ...CRITERIA, keep: 'first' }, { onRemoved() {} });
  await expect(done).rejects.toThrow('changed: 1');
});

test('token hashes have the overlap of counted tokens', () => {
  const word = fc.constantFrom(...WORDS, '蟹 行', 'Ω', 'a1 b2').map((each) => `${each} `);
  const text = fc
    .tuple(fc.array(word, { maxLength: 30 }), fc.constantFrom(1, 2, 150), fc.nat(8000))
    .map(
      ([list, times, more]) =>
        list.join('').repeat(times) + (times > 2 ? Array.from({ length: more }, (_, i) => `v${i} `).join('') : ''),
    );
  forAll([text, text, fc.constantFrom('simhash-doc', LABEL)], IS_SLOW ? 500 : 60, (a, b, label) => {
    const read = createTokenReader(schemeOf(label));
    const [left, right] = [a, b].map((each) => {
      // Other numbers before them.
      const pairs = new Uint32Array(each.length + 3);
      return { pairs, start: 3, count: read(each, { pairs, start: 3 }) };
    });
    if (left!.count + right!.count === 0) return;
    const share = overlap(...([a, b].map((each) => countTokens(each, { label })) as [TokenCounts, TokenCounts]));
    const { load, overlapAtLeast } = createTokenOverlap();
    load(left!);
    expect(overlapAtLeast(right!, 0)).toBe(share);
    expect(overlapAtLeast(right!, share)).toBe(share);
    expect(overlapAtLeast(right!, Math.min(1, share + 1e-6))).toBe(share === 1 ? 1 : -1);
    load(right!);
    expect(overlapAtLeast(left!, 0)).toBe(share);
  });
});
