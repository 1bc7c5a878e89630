import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Collection } from '../../src/duplicates/collect.ts';
import { type DocumentGroup, findGroups } from '../../src/duplicates/group.ts';
import { createKeepOrder } from '../../src/duplicates/keep.ts';
import { type DuplicateSearch, findMatches } from '../../src/duplicates/match.ts';
import type { Verifier } from '../../src/duplicates/verify/verifier.ts';
import { distance, LABEL } from '../../src/index.ts';
import { all, forAllAsync, IS_SLOW, runs } from '../suite.ts';

/**
 * Documents without files: fingerprints, and for each document a point; the overlap of two is 1 minus the distance of
 * their points.
 */
interface Model {
  readonly fingerprints: readonly bigint[];
  readonly points: readonly number[];
  /** The number in each document, in which they may differ. Default: none. */
  readonly numbers?: readonly number[];
  /** The number of documents that can be held; larger components are compared range by range. */
  readonly maxHeld?: number;
}

const models: fc.Arbitrary<Model> = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(0xff), fc.integer({ min: 0, max: 10 })), { minLength: 2, maxLength: 24 }),
    fc.constantFrom(3, 24),
  )
  .map(([list, maxHeld]) => ({
    fingerprints: list.map(([bits]) => BigInt(bits)),
    points: list.map(([, point]) => point / 20),
    maxHeld,
  }));

function collectionOf({ fingerprints }: Model, references = 0): Collection {
  return {
    label: LABEL,
    documents: fingerprints.map((_, i) => ({
      place: { path: `/nowhere/${i}` },
      occurrence: 0,
      size: i + 1,
      tokens: (i * 7) % 11,
      isReference: i < references,
    })),
    fingerprints: { words: 1, values: BigUint64Array.from(fingerprints) },
    failures: 0,
    once: null,
    extractors: new Set<string>(),
  };
}

const overlapOf = ({ points }: Model, a: number, b: number): number => 1 - Math.abs(points[a]! - points[b]!);

async function searchOf(
  model: Model,
  options: Partial<DuplicateSearch> = {},
  references = 0,
  keep: readonly string[] = [],
) {
  const collection = collectionOf(model, references);
  const counters = { checks: 0 };
  const verifier: Verifier = {
    prefetch: async () => {},
    release() {},
    maxHeld: model.maxHeld ?? model.points.length,
    sizeOf: () => 1,
    lengthsOf: () => undefined,
    hashesOf: () => null,
    partsOf: (a) => ({ rest: `${model.numbers?.[a]}`, words: `${model.points[a]}`, order: `${model.points[a]}` }),
    isRepetitive: () => false,
    compare(a, b, least) {
      counters.checks++;
      const overlap = overlapOf(model, a, b);
      const differs = model.numbers?.[a] === model.numbers?.[b] ? [] : ['numbers' as const];
      return overlap < least ? null : { overlap, differs };
    },
  };
  const search: DuplicateSearch = {
    collection,
    k: 2,
    minOverlap: 0.8,
    verifier,
    inKeepOrder: await createKeepOrder(keep, collection),
    isAgainst: references > 0,
    ignoresDifferences: false,
    isReference: (document) => collection.documents[document]!.isReference,
    ...options,
  };
  return { search, counters };
}

/** All matches, by comparing all with all. */
function allMatches(model: Model, { k, minOverlap }: Pick<DuplicateSearch, 'k' | 'minOverlap'>): [number, number][] {
  const indices = model.fingerprints.map((_, i) => i);
  return indices.flatMap((a) =>
    indices
      .slice(a + 1)
      .filter(
        (b) => distance(model.fingerprints[a]!, model.fingerprints[b]!) <= k && overlapOf(model, a, b) >= minOverlap,
      )
      .map((b): [number, number] => [a, b]),
  );
}

const key = (a: number, b: number): string => [a, b].sort((x, y) => x - y).join(' ');

describe('a group', () => {
  test('has only members within k that are confirmed against the document to keep, and all that match it', async () => {
    await forAllAsync([models, fc.constantFrom('first', 'longest')], IS_SLOW ? 100 : 30, async (model, keep) => {
      const { search } = await searchOf(model, {}, 0, [keep]);
      const groups = await findGroups(search);
      const grouped = new Map<number, number>();
      for (const { kept, members } of groups)
        for (const { document, distance: away, overlap, isConfirmed } of members) {
          expect(grouped.has(document)).toBe(false);
          grouped.set(document, kept);
          expect(away).toBe(distance(model.fingerprints[kept]!, model.fingerprints[document]!));
          expect(away).toBeLessThanOrEqual(2);
          expect(overlap).toBe(overlapOf(model, kept, document));
          expect(overlap).toBeGreaterThanOrEqual(0.8);
          expect(isConfirmed).toBe(true);
        }
      // A kept document belongs to no other group, and two documents that stay do not match.
      for (const { kept } of groups) expect(grouped.has(kept)).toBe(false);
      for (const [a, b] of allMatches(model, search)) expect(grouped.has(a) || grouped.has(b)).toBe(true);
      // The document to keep comes first in the order.
      for (const { kept, members } of groups) {
        expect(search.inKeepOrder([kept, ...members.map(({ document }) => document)])[0]).toBe(kept);
        const sizes = members.map(({ document }) => document + 1);
        expect(groups.find((each) => each.kept === kept)!.reclaimable).toBe(sizes.reduce((sum, size) => sum + size));
      }
    });
  });
});

describe('the pairs', () => {
  test('are all matches except for copies', async () => {
    await forAllAsync([models], IS_SLOW ? 100 : 30, async (model) => {
      const { search } = await searchOf(model);
      const found = (await all(findMatches(search, 'pairs'))).map(({ kept, other }) => key(kept, other));
      expect(new Set(found).size).toBe(found.length);
      const same = (a: number, b: number): boolean =>
        model.fingerprints[a] === model.fingerprints[b] && model.points[a] === model.points[b];
      const firstOf = (document: number): number => model.fingerprints.findIndex((_, i) => same(i, document));
      const expected = allMatches(model, search)
        .filter(([a, b]) => firstOf(a) === a && (firstOf(b) === b || firstOf(b) === a))
        .map(([a, b]) => key(a, b));
      expect(found.sort()).toEqual(expected.sort());
    });
  });
});

describe('a reference set', () => {
  test('matches each other document once, by its best match', async () => {
    await forAllAsync([models, fc.integer({ min: 1, max: 12 })], IS_SLOW ? 100 : 30, async (model, given) => {
      const references = Math.min(given, model.fingerprints.length - 1);
      const { search } = await searchOf(model, {}, references);
      const matches = allMatches(model, search).filter(([a, b]) => a < references && b >= references);
      const groups = await findGroups(search);
      const members = groups.flatMap(({ kept, members }) => members.map((member) => ({ kept, ...member })));
      expect(members.map(({ document }) => document).sort((a, b) => a - b)).toEqual(
        [...new Set(matches.map(([, b]) => b))].sort((a, b) => a - b),
      );
      for (const { kept, document, distance: away } of members) {
        const others = matches.filter(([, b]) => b === document).map(([a]) => a);
        expect(others).toContain(kept);
        const overlaps = others.map((a) => overlapOf(model, a, document));
        expect(overlapOf(model, kept, document)).toBe(Math.max(...overlaps));
        expect(away).toBe(distance(model.fingerprints[kept]!, model.fingerprints[document]!));
      }
      const pairs = (await all(findMatches(search, 'pairs'))).map(({ kept, other }) => key(kept, other));
      expect(pairs.sort()).toEqual(matches.map(([a, b]) => key(a, b)).sort());
    });
  });
});

describe('documents with different numbers', () => {
  /** Four forms with the same words and two numbers, each twice. */
  const model: Model = {
    fingerprints: Array.from({ length: 6 }, () => 5n),
    points: Array.from({ length: 6 }, () => 0),
    numbers: [1, 2, 1, 2, 3, 1],
  };
  const shown = ({ kept, members, reclaimable }: DocumentGroup) => ({
    kept,
    members: members.map(({ document, differs, isConfirmed }) => [document, differs.join(), isConfirmed]),
    reclaimable,
  });

  test('are shown once, and only their copies are duplicates', async () => {
    const { search } = await searchOf(model);
    expect((await findGroups(search)).map(shown).sort((a, b) => a.kept - b.kept)).toEqual([
      {
        kept: 0,
        members: [
          [1, 'numbers', false],
          [2, '', true],
          [3, 'numbers', false],
          [4, 'numbers', false],
          [5, '', true],
        ],
        reclaimable: 9,
      },
      { kept: 1, members: [[3, '', true]], reclaimable: 4 },
    ]);
  });

  test('are duplicates if that is ignored', async () => {
    const { search } = await searchOf(model, { ignoresDifferences: true });
    const groups = (await findGroups(search)).map(shown);
    expect(groups.map(({ kept, members }) => [kept, members.length])).toEqual([[0, 5]]);
    expect(groups[0]!.members.every(([, , isConfirmed]) => isConfirmed)).toBe(true);
  });
});

test('many documents with different numbers have the groups of all comparisons, with few of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(7), fc.nat(8), fc.nat(40)), { minLength: 130, maxLength: 200 }),
      fc.constantFrom(40, 200),
      async (list, maxHeld) => {
        const model: Model = {
          fingerprints: list.map(([bits]) => BigInt(bits)),
          points: list.map(([, point]) => point / 20),
          numbers: list.map(([, , number]) => number),
          maxHeld,
        };
        const { search } = await searchOf(model);
        const expected: string[] = [];
        const states = list.map(() => 'open');
        for (const [kept] of list.entries())
          for (let other = kept + 1; other < list.length && states[kept] !== 'done'; other++) {
            const isCopy = model.numbers![kept] === model.numbers![other];
            const isNear = distance(model.fingerprints[kept]!, model.fingerprints[other]!) <= 2;
            if (!isNear || overlapOf(model, kept, other) < 0.8) continue;
            if (states[other] !== 'open' && !(isCopy && states[other] === 'shown')) continue;
            states[other] = isCopy ? 'done' : 'shown';
            expected.push(`${kept} ${other} ${isCopy ? '' : 'numbers'}`);
          }
        const found = (await all(findMatches(search, 'groups'))).map(
          ({ kept, other, differs }) => `${kept} ${other} ${differs.join()}`,
        );
        expect(found.sort()).toEqual(expected.sort());
      },
    ),
    { numRuns: runs(20) },
  );
  const count = 500;
  const numbers = Array.from({ length: count }, (_, i) => i);
  const { search, counters } = await searchOf({
    fingerprints: numbers.map(() => 5n),
    points: numbers.map(() => 0),
    numbers,
  });
  expect((await findGroups(search)).map(({ members }) => members.length)).toEqual([count - 1]);
  expect(counters.checks, 'comparisons').toBeLessThan(2 * count);
});

describe('a component that does not fit into memory', () => {
  /** Fifty documents and a copy of each, all near one another. */
  const model: Model = {
    fingerprints: Array.from({ length: 100 }, (_, i) => BigInt(i % 50 < 32 ? 1 << (i % 8) : 1 << (i % 2))),
    points: Array.from({ length: 100 }, (_, i) => i % 50),
    maxHeld: 20,
  };

  test('is compared range by range with the same result', async () => {
    const found = await Promise.all(
      [model, { ...model, maxHeld: 100 }].map(async (each) => {
        const { search } = await searchOf(each);
        return findGroups(search);
      }),
    );
    expect(found[0]!.length).toBe(50);
    expect(found[0]).toEqual(found[1]);
  });
});
