import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatLabelled, LABEL, serialise } from '../../src/index.ts';
import type { DocumentIndex, QueryResult } from '../../src/lookup/document-index.ts';
import type { StoredIndex } from '../../src/lookup/stores/stored-index.ts';
import { all, codeOf, forAllAsync } from '../suite.ts';
import { documentId, entriesAndQuery } from '../twin/arbitraries.ts';
import { twin } from '../twin/twin.ts';
import { describeWideIndex } from './contract-wide.ts';
import { type NarrowEntry as Entry, entriesOf, flipped, KINDS, randomOf, uniform } from './data.ts';

export type OpenIndex = (label: string) => DocumentIndex | Promise<DocumentIndex>;

async function* later<T>(values: Iterable<T>): AsyncGenerator<T> {
  for (const value of values) {
    await Promise.resolve();
    yield value;
  }
}

const byId = (a: Entry, b: Entry): number => (a.id < b.id ? -1 : 1);

/** A set of entries as lines, whatever their order. */
const sorted = (entries: readonly { readonly id: string; readonly fingerprint: unknown }[]): Entry[] =>
  entries.map(({ id, fingerprint }) => ({ id, fingerprint: fingerprint as bigint })).sort(byId);

/** Entries of 64 bits that a store takes: those whose id is not empty. */
const storable = (entries: readonly { readonly id: string; readonly fingerprint: unknown }[]): Entry[] =>
  entries.filter((entry) => entry.id !== '') as Entry[];

export type AnswersBy = (k: number) => QueryResult['by'];

function expectedBy(by: AnswersBy, entries: Iterable<Entry>, query: bigint, k: number): QueryResult {
  const matches = twin.matches(entries, query, k).map((match) => ({ ...match, similarity: 1 - match.distance / 64 }));
  return { completeTo: k, by: by(k), matches };
}

/** Ids that are stored; the twin's arbitrary also has the empty one. */
const id = documentId.filter((each) => each !== '');

/** Checks that an empty index on disk or on a server keeps losses while the document has the fingerprint that they are about. */
export async function expectLosses(index: StoredIndex): Promise<void> {
  const stored = async () => Object.fromEntries((await all(index.entries())).map(({ id, losses }) => [id, losses]));
  const documentOf = (id: number, loss: string) => ({ id: `${id}`, fingerprint: 1n << BigInt(id), losses: [loss] });
  const [a, b, c] = [documentOf(0, 'damaged'), documentOf(1, 'left-out'), documentOf(2, 'it\'s \\ "new"')];
  await index.addAll([a, b, c, { id: 'sound', fingerprint: 8n, losses: [] }]);
  expect(await stored()).toEqual({ 0: a.losses, 1: b.losses, 2: c.losses, sound: undefined });
  for (const k of [3, 8])
    expect((await index.query(5n, { k })).matches.map(({ id, losses }) => [id, losses])).toEqual([
      ['0', a.losses],
      ['2', c.losses],
      ['1', b.losses],
      ['sound', undefined],
    ]);
  expect((await index.stats()).losses).toEqual({ damaged: 1, 'left-out': 1, [c.losses[0]!]: 1 });
  await index.addAll(
    [
      { ...a, losses: ['markup'] },
      { ...b, fingerprint: 9n },
    ],
    { existing: 'refuse' },
  );
  expect(await stored(), 'documents that are refused change nothing').toMatchObject({ 0: a.losses, 1: b.losses });
  await index.addAll(
    [
      { id: '0', fingerprint: 1n },
      { ...b, losses: [] },
    ],
    { existing: 'replace' },
  );
  expect(await stored(), 'unknown losses change nothing').toMatchObject({ 0: a.losses, 1: undefined });
  const documents = [{ ...a, losses: ['markup'] }, b, { id: 'new', fingerprint: 3n, losses: ['markup'] }];
  const changes = { documents: documents.map((each) => ({ ...each, path: 'file' })), finished: [] };
  expect(await index.files.commit(changes)).toEqual({ added: 1, replaced: 0, same: 2, removed: 0 });
  expect(await stored()).toMatchObject({ 0: ['markup'], 1: b.losses, new: ['markup'] });
  await index.upsert('0', 2n);
  await index.remove('new');
  await index.add('new', 3n);
  expect(await stored(), 'losses are about a fingerprint').toMatchObject({ 0: undefined, new: undefined });
}

/**
 * The tests of every store.
 * @param name - the store
 * @param openNew - makes an empty index, which is closed after the test
 * @param runs - how many random cases each property is tried with
 * @param by - how it answers queries
 * @param many - how many documents the larger tests have, 1 for all of them
 */
export function describeIndex(
  name: string,
  openNew: OpenIndex,
  runs = 100,
  by: AnswersBy = (k) => (k <= 7 ? 'tables' : 'scan'),
  many = 1,
): void {
  /** Lines and arguments are checked before a store is asked: every fourth of them is enough for a store with fewer documents. */
  const someOf = <T>(rows: readonly T[]): T[] => rows.filter((_, i) => many === 1 || i % 4 === 0);
  const open = async (label: string): Promise<DocumentIndex> => {
    const index = await openNew(label);
    onTestFinished(async () => index.close());
    return index;
  };
  const expected = (entries: Iterable<Entry>, query: bigint, k: number): QueryResult =>
    expectedBy(by, entries, query, k);
  const filled = async (entries: Iterable<Entry>): Promise<DocumentIndex> => {
    const index = await open(LABEL);
    await index.addAll(entries);
    return index;
  };

  describe(`${name}: documents`, () => {
    test('are added unless the id exists, and replaced by upsert', async () => {
      const index = await open(LABEL);
      expect(index.label).toBe(LABEL);
      expect(await index.add('a', 1n)).toBe(true);
      expect(await index.add('a', 2n)).toBe(false);
      expect(await index.get('a')).toBe(1n);
      expect(await index.upsert('a', 2n)).toBe(false);
      expect(await index.upsert('a', 2n)).toBe(false);
      expect(await index.upsert('b', 3n)).toBe(true);
      expect([await index.get('a'), await index.get('b'), await index.get('c')]).toEqual([2n, 3n, undefined]);
      expect([await index.has('a'), await index.has('c')]).toEqual([true, false]);
      expect(await index.size()).toBe(2);
      expect((await index.query(1n, { k: 0 })).matches).toEqual([]);
      expect((await index.query(2n, { k: 0 })).matches.map((match) => match.id)).toEqual(['a']);
    });

    test('are removed, one or many', async () => {
      const index = await filled(['a', 'b', 'c', 'd'].map((each, i) => ({ id: each, fingerprint: BigInt(i) })));
      expect(await index.remove('b')).toBe(true);
      expect(await index.remove('b')).toBe(false);
      expect(await index.removeAll(new Set(['a', 'x', 'b', 'd']))).toBe(2);
      expect(await index.size()).toBe(1);
      expect((await index.query(0n, { k: 64 })).matches.map((match) => match.id)).toEqual(['c']);
      expect(await index.add('b', 9n)).toBe(true);
      expect(await index.get('b')).toBe(9n);
    });

    test.each([
      ['at once', (entries: Iterable<Entry>) => entries],
      ['as they arrive', later],
    ] as const)('are added in large numbers, %s', async (_, arrive) => {
      const index = await open(LABEL);
      const size = 3000 * many;
      const entries = entriesOf(uniform(size), 'document ');
      expect(await index.addAll(arrive(entries) as Iterable<Entry>)).toEqual({ added: size, replaced: 0, refused: 0 });
      expect(sorted(await all(index.entries()))).toEqual([...entries].sort(byId));
      const more = [
        { id: 'new', fingerprint: 1n },
        { id: 'document 7', fingerprint: 2n },
        { id: 'new', fingerprint: 3n },
      ];
      expect(await index.addAll(arrive(more) as Iterable<Entry>)).toEqual({ added: 1, replaced: 0, refused: 2 });
      expect([await index.get('new'), await index.get('document 7')]).toEqual([1n, entries[7]!.fingerprint]);
      const counts = await index.addAll(arrive(more) as Iterable<Entry>, { existing: 'replace' });
      expect(counts).toEqual({ added: 0, replaced: 3, refused: 0 });
      expect([await index.get('new'), await index.get('document 7')]).toEqual([3n, 2n]);
      expect(await index.size()).toBe(size + 1);
      for (const each of [1n, entries[7]!.fingerprint]) expect((await index.query(each, { k: 0 })).matches).toEqual([]);
      expect(await index.addAll(arrive([]) as Iterable<Entry>)).toEqual({ added: 0, replaced: 0, refused: 0 });
    });

    test('before a faulty one of many are added', async () => {
      for (const arrive of [(entries: Iterable<Entry>) => entries, later] as const) {
        const index = await open(LABEL);
        const entries = [
          { id: 'a', fingerprint: 1n },
          { id: '', fingerprint: 2n },
          { id: 'c', fingerprint: 3n },
        ];
        expect(await codeOf(() => index.addAll(arrive(entries) as Iterable<Entry>))).toBe('out-of-range');
        expect(await all(index.entries())).toEqual([{ id: 'a', fingerprint: 1n }]);
        const failing = function* (): Generator<Entry> {
          yield { id: 'b', fingerprint: 2n };
          throw new Error('no more');
        };
        await expect(async () => index.addAll(arrive(failing()) as Iterable<Entry>)).rejects.toThrow('no more');
        expect(await index.has('b')).toBe(true);
        await index.close();
      }
    });

    test('have any well-formed string of 1 to 500 bytes as id', async () => {
      const index = await open(LABEL);
      const ids = [
        ...['a', 'A', ' ', '\0', '\n', '\ufeff', '\ufeffa', 'é', 'e\u0301', '\u{10ffff}', '\ud7ff', '\ue000'],
        ...['__proto__', "'; DROP TABLE x; --", '\\x41', '\\.', '\t\n'],
        ...['x'.repeat(500), 'é'.repeat(250), '\u{1f600}'.repeat(125), `${'文'.repeat(166)}xx`],
      ];
      for (const [i, each] of ids.entries()) expect(await index.add(each, BigInt(i))).toBe(true);
      for (const [i, each] of ids.entries()) expect(await index.get(each)).toBe(BigInt(i));
      expect((await all(index.entries())).map((entry) => entry.id).sort()).toEqual([...ids].sort());
      for (const [bad, code] of [
        ['', 'out-of-range'],
        ['x'.repeat(501), 'out-of-range'],
        ['é'.repeat(251), 'out-of-range'],
        [`${'文'.repeat(166)}xxx`, 'out-of-range'],
        ['a\ud800', 'wrong-type'],
        ['\udc00b', 'wrong-type'],
        ['\ud800\ud800', 'wrong-type'],
        [`${'x'.repeat(600)}\ud800`, 'wrong-type'],
      ] as const)
        for (const call of [
          () => index.add(bad, 1n),
          () => index.upsert(bad, 1n),
          () => index.addAll([{ id: bad, fingerprint: 1n }]),
          () => index.has(bad),
          () => index.get(bad),
          () => index.remove(bad),
          () => index.removeAll([bad]),
        ])
          expect(await codeOf(call)).toBe(code);
      expect(await index.size()).toBe(ids.length);
    });

    test('are iterated as they were when the iteration began', async () => {
      const entries = entriesOf(uniform(100));
      const index = await filled(entries);
      const seen: Entry[] = [];
      for await (const { id: its, fingerprint } of index.entries()) {
        const entry = { id: its, fingerprint: fingerprint as bigint };
        seen.push(entry);
        await index.upsert(entry.id, entry.fingerprint ^ 1n);
        await index.add(`${entry.id} more`, 5n);
        await index.remove(`${99 - Number(entry.id)} more`);
      }
      expect(sorted(seen)).toEqual([...entries].sort(byId));
    });

    test('have statistics', async () => {
      const index = await open(LABEL);
      const nothing = await index.stats();
      expect(nothing.documents).toBe(0);
      expect(nothing.buckets).toMatchObject({ count: 0, mean: 0, median: 0, p90: 0, p99: 0, largest: 0 });
      await index.addAll(Array.from({ length: 50 }, (_, i) => ({ id: String(i), fingerprint: 7n })));
      await index.remove('0');
      const stats = await index.stats();
      expect(stats.documents).toBe(49);
      expect(stats.bytes.fingerprints).toBeGreaterThan(0);
      expect(stats.bytes.ids).toBeGreaterThan(0);
      const { bits: _, count, ...sizes } = stats.buckets;
      expect(count).toBeGreaterThan(0);
      expect(sizes).toEqual({ mean: 49, median: 49, p90: 49, p99: 49, largest: 49 });
    });
  });

  describe(`${name}: queries`, () => {
    test('equal those of the twin for every k from 0 to 8, and for the scan beyond', async () => {
      await forAllAsync([entriesAndQuery, fc.integer({ min: 9, max: 64 })], runs, async ({ entries, query }, far) => {
        const stored = storable(entries);
        const index = await filled(stored);
        for (const k of [0, 1, 2, 3, 4, 5, 6, 7, 8, far])
          expect(await index.query(query, { k })).toEqual(expected(stored, query, k));
        await index.close();
      });
    });

    test.each(Object.entries(KINDS))('equal comparing all: %s', async (_, make) => {
      const size = Math.max(100, 700 * many);
      const values = make(size, 11);
      const entries = Array.from(values, (fingerprint, i) => ({ id: `${(i * 37) % size}`, fingerprint }));
      const index = await filled(entries);
      const random = randomOf(5);
      for (const k of [0, 3, 4, 7, 8, 20]) {
        const query = flipped(values[random() % values.length]!, k, random);
        expect(await index.query(query, { k })).toEqual(expected(entries, query, k));
      }
    });

    test('take a fingerprint as a number or with its label; k is 3 by default', async () => {
      const entries = entriesOf([0n, 1n, 7n, 15n]);
      const index = await filled(entries);
      expect(await index.query(0n)).toEqual(expected(entries, 0n, 3));
      expect(await index.query(formatLabelled(LABEL, 0n))).toEqual(expected(entries, 0n, 3));
      expect(await index.query('SIMHASH-DOC:AAAAAAAAAAAAA===', { k: 2 })).toEqual(expected(entries, 0n, 2));
      expect(await index.add('labelled', formatLabelled(LABEL, 99n))).toBe(true);
      await index.upsert('labelled', formatLabelled(LABEL, 98n));
      await index.addAll([{ id: 'more', fingerprint: formatLabelled(LABEL, 97n) }]);
      expect([await index.get('labelled'), await index.get('more')]).toEqual([98n, 97n]);
    });

    test('with a limit return the first of all, and the distance to which that is complete', async () => {
      await fc.assert(
        fc.asyncProperty(
          entriesAndQuery,
          fc.integer({ min: 1, max: 12 }),
          fc.nat(10),
          async ({ entries, query }, limit, k) => {
            const stored = storable(entries);
            const index = await filled(stored);
            const whole = expected(stored, query, k);
            const cut = whole.matches[limit];
            expect(await index.query(query, { k, limit })).toEqual({
              ...whole,
              completeTo: cut === undefined ? k : cut.distance - 1,
              matches: whole.matches.slice(0, limit),
            });
            await index.close();
          },
        ),
        { numRuns: runs },
      );
    });

    test('with a limit return the first of thousands of equal ones by the bytes of their ids', async () => {
      const size = 9000 * many;
      const entries = Array.from({ length: size }, (_, i) => ({
        id: String((i * 7919) % size),
        fingerprint: i % 9 === 0 ? 4n : 5n,
      }));
      const index = await filled(entries);
      const order = entries
        .filter(({ fingerprint }) => fingerprint === 5n)
        .map((entry) => entry.id)
        .sort();
      const result = await index.query(5n, { limit: 20 });
      expect(result.completeTo).toBe(-1);
      expect(result.matches.map((match) => match.id)).toEqual(order.slice(0, 20));
      expect((await index.query(5n, { limit: size - 500 * many })).completeTo).toBe(0);
      expect((await index.query(5n)).matches.length).toBe(size);
    });

    test('that would compare too much are rejected, and others are answered completely', async () => {
      // All share three of four blocks, as a flood of crafted documents does.
      const size = 6000 * many;
      const entries = Array.from({ length: size }, (_, i) => ({ id: `${i}`, fingerprint: BigInt(i) }));
      const maxWork = (2 / 3) * size;
      const index = await filled(entries);
      for (const call of [
        () => index.query(5n, { maxWork }),
        () => index.query(5n, { k: 7, maxWork }),
        () => index.query(5n, { k: 20, maxWork }),
        () => index.query(5n, { limit: 1, maxWork }),
        () => index.nearest(5n, { maxWork }),
      ])
        expect(await codeOf(call)).toBe('too-much-work');
      for (const options of [{ maxWork: 30_000 }, { k: 20, maxWork: size }, {}])
        expect(await index.query(5n, options)).toEqual(expected(entries, 5n, 'k' in options ? options.k : 3));
      for (const maxWork of [0, 1.5]) expect(await codeOf(() => index.query(5n, { maxWork }))).toBe('out-of-range');
      expect(await codeOf(() => index.query(5n, { maxWork: '5' as never }))).toBe('wrong-type');
    });

    test('for the nearest return the first of all within k', async () => {
      await fc.assert(
        fc.asyncProperty(
          entriesAndQuery,
          fc.integer({ min: 1, max: 12 }),
          fc.nat(64),
          async ({ entries, query }, count, k) => {
            const stored = storable(entries);
            const index = await filled(stored);
            const { completeTo, by: used, matches } = await index.nearest(query, { count, k });
            const whole = expected(stored, query, k).matches;
            expect(matches).toEqual(whole.slice(0, count));
            // As far as it says it is complete, it is.
            expect(matches.filter(({ distance }) => distance <= completeTo)).toEqual(
              whole.filter(({ distance }) => distance <= completeTo),
            );
            expect(completeTo).toBeLessThanOrEqual(k);
            if (whole.length <= count && k <= 3) expect(completeTo).toBe(k);
            if (k <= 7) expect(used).toEqual(by(k));
            await index.close();
          },
        ),
        { numRuns: runs },
      );
      const index = await filled(entriesOf(Array.from({ length: 30 }, (_, i) => (1n << BigInt(i)) - 1n)));
      expect((await index.nearest(0n)).matches.map(({ distance }) => distance)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect((await index.nearest(0n, { k: 64 })).matches.length).toBe(10);
    });
  });

  describe(`${name}: label`, () => {
    test('rejects a fingerprint of another label with both names', async () => {
      const index = await open(LABEL);
      await index.add('a', 1n);
      const other = formatLabelled('minhash-doc', 1n);
      for (const call of [
        () => index.query(other),
        () => index.nearest(other),
        () => index.add('b', other),
        () => index.upsert('a', other),
        () => index.addAll([{ id: 'b', fingerprint: other }]),
        () => index.importLines(`{"id":"b","label":"minhash-doc","fingerprint":"${serialise(1n)}"}`),
      ]) {
        expect(await codeOf(call)).toBe('label-mismatch');
        await expect(async () => call()).rejects.toThrow(/simhash-doc, got "minhash-doc"/);
      }
      expect(await all(index.entries())).toEqual([{ id: 'a', fingerprint: 1n }]);

      const its = await open('MinHash-doc');
      expect(its.label).toBe('minhash-doc');
      await its.add('a', other);
      expect((await its.query(other)).matches.length).toBe(1);
    });

    test('rejects an unknown label', async () => {
      expect(await codeOf(() => open('simhash-doc+nope'))).toBe('invalid-label');
      expect(await codeOf(() => open(5 as never))).toBe('wrong-type');
      const index = await open(LABEL);
      expect(await codeOf(() => index.query('simhash-doc+nope:AAAAAAAAAAAAA'))).toBe('invalid-label');
      expect(await codeOf(() => index.query('AAAAAAAAAAAAA'))).toBe('invalid-label');
      expect(await codeOf(() => index.query('simhash-doc:AAAAAAAAAAAAB'))).toBe('invalid-fingerprint');
    });
  });

  describe(`${name}: JSON Lines`, () => {
    test('are imported as exported, with any ids, in any parts', async () => {
      const entry = fc.record({ id, fingerprint: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) });
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(entry, { selector: (each) => each.id }),
          fc.integer({ min: 1, max: 90 }),
          async (entries, size) => {
            const from = await filled(entries);
            const lines = await all(from.exportLines());
            expect(lines.length).toBe(entries.length);
            for (const line of lines) {
              expect(line).toMatch(/^\{"id":".*","label":"simhash-doc","fingerprint":"[A-Z2-7]{13}"\}\n$/);
              expect(line.indexOf('\n')).toBe(line.length - 1);
            }
            const bytes = new TextEncoder().encode(lines.join(''));
            const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
              bytes.subarray(i * size, (i + 1) * size),
            );
            for (const form of [lines, lines.join(''), lines.join('').split(/(?=")/), parts, later(parts), [bytes]]) {
              const to = await open(LABEL);
              expect(await to.importLines(form)).toEqual({ added: entries.length, replaced: 0, refused: 0, bad: 0 });
              expect(sorted(await all(to.entries()))).toEqual(sorted(entries));
              await to.close();
            }
            await from.close();
          },
        ),
        { numRuns: Math.min(runs, 30) },
      );
    });

    const good = (each: string): string =>
      JSON.stringify({ id: each, label: LABEL, fingerprint: serialise(5n), tokens: 3 });
    const BAD: readonly (readonly [string, string])[] = [
      ['nonsense', 'wrong-type'],
      ['{"id":"x"', 'wrong-type'],
      ['[]', 'wrong-type'],
      ['null', 'wrong-type'],
      ['{"id":5,"label":"simhash-doc","fingerprint":"AAAAAAAAAAAAA"}', 'wrong-type'],
      ['{"label":"simhash-doc","fingerprint":"AAAAAAAAAAAAA"}', 'wrong-type'],
      ['{"id":"","label":"simhash-doc","fingerprint":"AAAAAAAAAAAAA"}', 'out-of-range'],
      ['{"id":"\\ud800","label":"simhash-doc","fingerprint":"AAAAAAAAAAAAA"}', 'wrong-type'],
      ['{"id":"x","fingerprint":"AAAAAAAAAAAAA"}', 'invalid-label'],
      ['{"id":"x","label":"simhash-doc+sw1","fingerprint":"AAAAAAAAAAAAA"}', 'invalid-label'],
      ['{"id":"x","label":"simhash-doc","fingerprint":"AAAAAAAAAAAAB"}', 'invalid-fingerprint'],
      ['{"id":"x","label":"simhash-doc","fingerprint":5}', 'wrong-type'],
      ['{"id":"x","label":"simhash-doc","fingerprint":null}', 'no-fingerprint'],
      ['{"id":"x","label":"simhash-doc"}', 'no-fingerprint'],
    ];

    test.each(someOf(BAD))('with the bad line %s stop the import, or leave it out', async (bad, code) => {
      const text = `\ufeff${good('a')}\r\n\n  \n${bad}\n${good('b')}\n${bad}\n${good('c')}`;
      const stopped = await open(LABEL);
      let error: unknown;
      await stopped.importLines(text).catch((reason) => {
        error = reason;
      });
      expect(error).toMatchObject({ code, line: 4, message: expect.stringMatching(/^line 4: /) });
      expect((await all(stopped.entries())).map((entry) => entry.id)).toEqual(['a']);

      const told: unknown[] = [];
      const onBad = ({ line, error: reason }: { line: number; error: Error }) =>
        told.push([line, (reason as Error & { code: string }).code]);
      const counts = await (await open(LABEL)).importLines([new TextEncoder().encode(text)], { bad: 'skip', onBad });
      expect(counts).toEqual({ added: 3, replaced: 0, refused: 0, bad: 2 });
      expect(told).toEqual([
        [4, code],
        [6, code],
      ]);
    });

    test('are bad lines if they are not UTF-8, or have no line end', async () => {
      const index = await open(LABEL);
      const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
      const parts = [encode(`${good('a')}\n{"id":"`), Uint8Array.of(0xff), encode(`"}\n${good('b')}\n{"id":"`)];
      for (let i = 0; i < 40; i++) parts.push(new Uint8Array(1 << 16).fill(0x78));
      parts.push(encode(`\n${good('c')}`));
      const lines: number[] = [];
      const counts = await index.importLines(parts, { bad: 'skip', onBad: ({ line }) => lines.push(line) });
      expect({ counts, lines }).toEqual({ counts: { added: 3, replaced: 0, refused: 0, bad: 2 }, lines: [2, 4] });
    });

    test('may have existing ids, and many lines', async () => {
      const index = await filled([{ id: 'a', fingerprint: 1n }]);
      expect(await index.importLines(good('a'))).toEqual({ added: 0, replaced: 0, refused: 1, bad: 0 });
      expect(await index.get('a')).toBe(1n);
      const counts = await index.importLines(good('a'), { existing: 'replace' });
      expect(counts).toEqual({ added: 0, replaced: 1, refused: 0, bad: 0 });
      expect(await index.get('a')).toBe(5n);
      const size = 10_000 * many;
      const lines = Array.from({ length: size }, (_, i) => `${good(`line ${i}`)}\n`).join('');
      expect((await index.importLines(lines)).added).toBe(size);
    });
  });

  describe(`${name}: wrong arguments are rejected`, () => {
    const CALLS: readonly (readonly [string, (index: DocumentIndex) => unknown, string])[] = [
      ['an id that is no string', (index) => index.add(5 as never, 1n), 'wrong-type'],
      ['a fingerprint that is a number', (index) => index.add('x', 5 as never), 'wrong-type'],
      ['no fingerprint', (index) => index.add('x', null as never), 'no-fingerprint'],
      ['no fingerprint', (index) => index.upsert('x', null as never), 'no-fingerprint'],
      ['no fingerprint', (index) => index.addAll([{ id: 'x', fingerprint: null as never }]), 'no-fingerprint'],
      ['no fingerprint', (index) => index.query(null as never), 'no-fingerprint'],
      ['a fingerprint out of range', (index) => index.query(2n ** 64n), 'out-of-range'],
      ['a fingerprint out of range', (index) => index.upsert('x', -1n), 'out-of-range'],
      ['k out of range', (index) => index.query(1n, { k: 65 }), 'out-of-range'],
      ['k that is no integer', (index) => index.query(1n, { k: 1.5 }), 'out-of-range'],
      ['k that is no number', (index) => index.query(1n, { k: '3' as never }), 'wrong-type'],
      ['a limit of nothing', (index) => index.query(1n, { limit: 0 }), 'out-of-range'],
      ['a limit that is no number', (index) => index.query(1n, { limit: null as never }), 'wrong-type'],
      ['a count of nothing', (index) => index.nearest(1n, { count: 0 }), 'out-of-range'],
      ['a bound out of range', (index) => index.nearest(1n, { k: -1 }), 'out-of-range'],
      ['entries that are none', (index) => index.addAll(5 as never), 'wrong-type'],
      ['an entry that is none', (index) => index.addAll([null as never]), 'wrong-type'],
      ['an entry that is none', (index) => index.addAll(['x' as never]), 'wrong-type'],
      ['an option that is none', (index) => index.addAll([], { existing: 'x' as never }), 'out-of-range'],
      ['an option that is none', (index) => index.importLines('', { bad: 'x' as never }), 'out-of-range'],
      ['a string of ids', (index) => index.removeAll('abc'), 'wrong-type'],
      ['lines that are none', (index) => index.importLines([5 as never]), 'wrong-type'],
      ['bytes and text in one', (index) => index.importLines(['{', Uint8Array.of(0x7d)]), 'wrong-type'],
      ['arguments from left to right', (index) => index.add('', null as never), 'out-of-range'],
    ];
    test.each(someOf(CALLS))('%s', async (_, call, code) => {
      const index = await filled([{ id: 'a', fingerprint: 1n }]);
      expect(await codeOf(() => call(index))).toBe(code);
      expect(await all(index.entries())).toEqual([{ id: 'a', fingerprint: 1n }]);
    });
  });

  describeWideIndex(name, open, runs, by, many);

  test(`${name}: documents that are added, changed and removed equal a map`, async () => {
    const value = fc
      .tuple(fc.constantFrom(0n, 2n ** 63n, 0x5555_5555_5555_5555n), fc.array(fc.nat(63), { maxLength: 5 }))
      .map(([centre, places]) => places.reduce<bigint>((each, place) => each ^ (1n << BigInt(place)), centre));
    const some = fc.constantFrom(...['a', 'b', 'ä', '\u{10000}', '\uffff', 'aa', 'ab', '1', '2', '10']);
    type Model = Map<string, bigint>;
    const step = fc.oneof(
      fc.record({ id: some, value }).map(({ id: each, value: its }) => async (index: DocumentIndex, model: Model) => {
        expect(await index.add(each, its)).toBe(!model.has(each));
        if (!model.has(each)) model.set(each, its);
      }),
      fc.record({ id: some, value }).map(({ id: each, value: its }) => async (index: DocumentIndex, model: Model) => {
        expect(await index.upsert(each, its)).toBe(!model.has(each));
        model.set(each, its);
      }),
      some.map((each) => async (index: DocumentIndex, model: Model) => {
        expect(await index.remove(each)).toBe(model.delete(each));
      }),
      fc
        .array(fc.record({ id: some, fingerprint: value }))
        .map((entries) => async (index: DocumentIndex, model: Model) => {
          await index.addAll(entries, { existing: 'replace' });
          for (const { id: each, fingerprint } of entries) model.set(each, fingerprint);
        }),
      fc.record({ value, k: fc.nat(9) }).map(({ value: query, k }) => async (index: DocumentIndex, model: Model) => {
        const entries = Array.from(model, ([each, fingerprint]) => ({ id: each, fingerprint }));
        expect(await index.query(query, { k })).toEqual(expected(entries, query, k));
      }),
    );
    await forAllAsync([fc.array(step, { maxLength: 60, size: 'max' })], runs, async (steps) => {
      const index = await open(LABEL);
      const model: Model = new Map();
      for (const each of steps) await each(index, model);
      expect(await index.size()).toBe(model.size);
      for (const [each, fingerprint] of model) expect(await index.get(each)).toBe(fingerprint);
      const entries = Array.from(model, ([each, fingerprint]) => ({ id: each, fingerprint }));
      expect(sorted(await all(index.entries()))).toEqual(sorted(entries));
      await index.close();
    });
  });
}
