import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerprint as fingerprintOf, formatLabelled, serialise, toHex } from '../../src/index.ts';
import type { DocumentIndex, Match, QueryResult } from '../../src/lookup/document-index.ts';
import type { StoredIndex } from '../../src/lookup/stores/stored-index.ts';
import { all, codeOf, forAllAsync, IS_SLOW } from '../suite.ts';
import { fileCounts, randomOf, FILE_STATE as state } from './data.ts';

const LABEL = 'minhash-doc-256';

interface WideEntry {
  readonly id: string;
  readonly fingerprint: Uint8Array;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

function wordDistances(a: Uint8Array, b: Uint8Array): number[] {
  return [0, 8, 16, 24].map((from) => {
    let ones = 0;
    for (let i = from; i < from + 8; i++) ones += ONES[a[i]! ^ b[i]!]!;
    return ones;
  });
}

/** Returns what MIN-11 requires: every entry is compared. */
function nearTo(entries: Iterable<WideEntry>, query: Uint8Array, k: number) {
  return [...entries]
    .map((entry) => ({ ...entry, words: wordDistances(entry.fingerprint, query) }))
    .filter(({ words }) => Math.min(...words) <= k)
    .map(({ id, fingerprint, words }) => {
      const distance = words.reduce((sum, each) => sum + each);
      return { id, fingerprint, distance, similarity: 1 - distance / 256 };
    })
    .sort((a, b) => a.distance - b.distance || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
}

type Shown = Pick<Match, 'id' | 'fingerprint' | 'distance' | 'similarity'>;

/** Matches as lines: arrays of bytes take long to compare. */
function show(matches: readonly Shown[]): string[] {
  return matches.map(({ id, fingerprint, distance, similarity }) =>
    [id, toHex(fingerprint), distance, similarity].join(' '),
  );
}

const showResult = (result: QueryResult) => ({ ...result, matches: show(result.matches) });

function expectedBy(by: (k: number) => unknown, entries: Iterable<WideEntry>, query: Uint8Array, k: number) {
  return { by: by(k), completeTo: Math.min(256, 4 * k + 3), matches: show(nearTo(entries, query, k)) };
}

function wide(count: number, seed: number): Uint8Array[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => Uint8Array.from({ length: 32 }, () => random() & 0xff));
}

/** A copy with exactly so many bits of each word flipped. */
function flippedIn(fingerprint: Uint8Array, counts: readonly number[], random: () => number): Uint8Array {
  const copy = fingerprint.slice();
  for (const [word, count] of counts.entries()) {
    const places = Array.from({ length: 64 }, (_, place) => place);
    for (let i = 0; i < count; i++) {
      const [place] = places.splice(random() % places.length, 1);
      copy[8 * word + (place! >> 3)]! ^= 1 << (place! & 7);
    }
  }
  return copy;
}

/** A query, and entries whose words have been chosen to be at some distances from its words. */
const planted = fc
  .record({
    seed: fc.integer(),
    words: fc.array(
      fc.tuple(...Array.from({ length: 4 }, () => fc.oneof(fc.nat(9), fc.constant(32), fc.nat(64)))) as fc.Arbitrary<
        number[]
      >,
      { maxLength: 20 },
    ),
  })
  .map(({ seed, words }) => {
    const [query] = wide(1, seed) as [Uint8Array];
    const random = randomOf(seed);
    // Ids whose order by their bytes is not that of their UTF-16 units, nor of their numbers.
    const entries = words.map((counts, i) => ({
      id: `${['', '\uffff', '\u{10000}', 'é'][i % 4]}${i}`,
      fingerprint: flippedIn(query, counts, random),
    }));
    return { query, entries };
  });

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

/**
 * Fills an empty index of 256 bits, closes it, and compares it with what a program reads that was written from the annex alone.
 * @param read - runs the program: without arguments for all entries, else with a query and k for the ids of its matches
 */
export async function expectReader(
  index: DocumentIndex,
  read: (...args: string[]) => readonly unknown[],
): Promise<void> {
  const [query, other] = wide(2, 9) as [Uint8Array, Uint8Array];
  const random = randomOf(10);
  const entries = Array.from({ length: 300 }, (_, i) => {
    const counts = [i % 7, 20, 30, i % 5 === 0 ? 2 : 25];
    return { id: `é ${i}`, fingerprint: flippedIn(i % 3 === 0 ? other : query, counts, random) };
  });
  await index.addAll(entries);
  await index.remove('é 7');
  await index.upsert('é 8', query);
  await index.close();
  const stored = entries
    .filter(({ id }) => id !== 'é 7')
    .map((entry) => (entry.id === 'é 8' ? { ...entry, fingerprint: query } : entry));
  const shown = stored.map(({ id, fingerprint }) => ({ id, fingerprint: toHex(fingerprint) }));
  expect([...(read() as { id: string }[])].sort(byId)).toEqual(shown.sort(byId));
  const near = nearTo(stored, query, 3).map(({ id }) => id);
  expect(near.length).toBeGreaterThan(50);
  expect(read(toHex(query), '3')).toEqual(near);
}

/** The tests of every store with fingerprints of 256 bits. Parameters as of `describeIndex`. */
export function describeWideIndex(
  name: string,
  open: (label: string) => DocumentIndex | Promise<DocumentIndex>,
  runs: number,
  by: (k: number) => QueryResult['by'],
  many: number,
): void {
  const expected = (entries: Iterable<WideEntry>, query: Uint8Array, k: number) => expectedBy(by, entries, query, k);
  const filled = async (entries: Iterable<WideEntry>): Promise<DocumentIndex> => {
    const index = await open(LABEL);
    await index.addAll(entries);
    return index;
  };

  describe(`${name}: 256 bits`, () => {
    test('are added, upserted, read and removed', async () => {
      const [a, b] = wide(2, 1) as [Uint8Array, Uint8Array];
      const index = await open('MINHASH-doc-256');
      expect(index.label).toBe(LABEL);
      const own = a.slice();
      expect(await index.add('a', own)).toBe(true);
      own.fill(0);
      expect(await index.add('a', b)).toBe(false);
      expect(await index.get('a')).toEqual(a);
      expect(Object.getPrototypeOf(await index.get('a'))).toBe(Uint8Array.prototype);
      ((await index.get('a')) as Uint8Array).fill(0);
      expect(await index.get('a')).toEqual(a);
      expect(await index.upsert('a', Buffer.from(a))).toBe(false);
      expect(await index.upsert('a', b)).toBe(false);
      expect((await index.query(a, { k: 0 })).matches).toEqual([]);
      expect(showResult(await index.query(b, { k: 0 }))).toEqual(expected([{ id: 'a', fingerprint: b }], b, 0));
      // Only the last word changes.
      const last = flippedIn(b, [0, 0, 0, 64], randomOf(1));
      await index.upsert('a', last);
      expect((await index.query(b, { k: 0 })).matches[0]).toMatchObject({ id: 'a', distance: 64, similarity: 0.75 });
      // The longest id: what is written together may be limited.
      const long = 'é'.repeat(250);
      await index.add(long, a);
      await index.upsert(long, b);
      expect((await index.query(b, { k: 0 })).matches.map(({ id }) => id)).toEqual([long, 'a']);
      await index.upsert(long, last);
      expect((await index.query(last, { k: 0 })).matches.map(({ id }) => id)).toEqual(['a', long]);
      expect((await index.query(a, { k: 0 })).matches).toEqual([]);
      expect(await index.remove(long)).toBe(true);
      expect(await index.remove('a')).toBe(true);
      expect(await index.remove('a')).toBe(false);
      expect((await index.query(last, { k: 64 })).matches).toEqual([]);
      expect([await index.size(), await index.get('a')]).toEqual([0, undefined]);
    });

    test('match at every k if one of the four words does, each document once', async () => {
      const [query] = wide(1, 7) as [Uint8Array];
      const random = randomOf(7);
      // One word at each distance, the others farther than any k that the tables serve, or as far as can be.
      const entries = Array.from({ length: 65 * 4 }, (_, i) => {
        const counts = [0, 1, 2, 3].map((word) => (word === i % 4 ? i >> 2 : i % 3 === 0 ? 64 : 30 + (random() % 5)));
        return { id: `${(i * 37) % 260}`, fingerprint: flippedIn(query, counts, random) };
      });
      const index = await filled(entries);
      for (let k = 0; k <= 64; k++)
        expect(showResult(await index.query(query, { k }))).toEqual(expected(entries, query, k));
    });

    test('match like comparing everything', async () => {
      await forAllAsync([planted, fc.integer({ min: 8, max: 64 })], runs, async ({ query, entries }, far) => {
        const index = await filled(entries);
        for (const k of [0, 1, 3, 4, 5, 7, far]) {
          const whole = expected(entries, query, k);
          expect(showResult(await index.query(query, { k }))).toEqual(whole);
          const cut = nearTo(entries, query, k)[2]?.distance ?? 257;
          expect(showResult(await index.query(query, { k, limit: 2 }))).toEqual({
            ...whole,
            completeTo: Math.min(whole.completeTo, cut - 1),
            matches: whole.matches.slice(0, 2),
          });
        }
        await index.close();
      });
    });

    test('are the first of all within k for nearest, even if a far word is near', async () => {
      await forAllAsync([planted, fc.integer({ min: 1, max: 12 }), fc.nat(64)], runs, async (set, count, k) => {
        const { query, entries } = set;
        const index = await filled(entries);
        const { matches, completeTo } = await index.nearest(query, { count, k });
        expect(show(matches)).toEqual(show(nearTo(entries, query, k).slice(0, count)));
        const every = nearTo(entries, query, 64);
        const isWithin = ({ distance }: Shown): boolean => distance <= completeTo;
        expect(show(matches.filter(isWithin))).toEqual(show(every.filter(isWithin)));
        await index.close();
      });
      // One word that is equal and three that are far; and four that are near.
      const [query] = wide(1, 3) as [Uint8Array];
      const entries = [
        { id: 'one word', fingerprint: flippedIn(query, [0, 30, 30, 30], randomOf(1)) },
        { id: 'four words', fingerprint: flippedIn(query, [6, 6, 6, 6], randomOf(2)) },
      ];
      const index = await filled(entries);
      expect(await index.nearest(query, { count: 1 })).toMatchObject({ matches: [{ id: 'four words', distance: 24 }] });
    });

    test('are changed and removed in large numbers', async () => {
      const size = Math.max(60, 6000 * many);
      const centres = wide(40, 5);
      const random = randomOf(5);
      const near = (i: number): Uint8Array =>
        flippedIn(centres[i % 40]!, [random() % 9, random() % 40, random() % 9, random() % 60], random);
      const model = new Map(Array.from({ length: size }, (_, i) => [`document ${i}`, near(i)]));
      const entriesOf = () => Array.from(model, ([id, fingerprint]) => ({ id, fingerprint }));
      const index = await filled(entriesOf());
      const changes = Array.from({ length: size >> 2 }, (_, i) => ({
        id: `document ${3 * i}`,
        fingerprint: near(i + 1),
      }));
      const counts = await index.addAll(changes, { existing: 'replace' });
      expect(counts).toEqual({ added: 0, replaced: changes.length, refused: 0 });
      for (const { id, fingerprint } of changes) model.set(id, fingerprint);
      const goes = [...model.keys()].filter((_, i) => i % 5 === 0);
      expect(await index.removeAll(goes)).toBe(goes.length);
      for (const id of goes) model.delete(id);
      const found = (await all(index.entries())) as WideEntry[];
      const lines = (entries: readonly WideEntry[]): string[] =>
        entries.map(({ id, fingerprint }) => `${id} ${toHex(fingerprint)}`).sort();
      expect(lines(found)).toEqual(lines(entriesOf()));
      for (const [i, k] of (IS_SLOW ? [0, 3, 5, 7, 8, 20, 64] : [3, 8]).entries()) {
        const query = near(i);
        const { matches } = await index.query(query, { k, limit: 50 });
        expect(show(matches)).toEqual(show(nearTo(entriesOf(), query, k).slice(0, 50)));
      }
      if ('verify' in index)
        expect(await (index as StoredIndex).verify()).toEqual({ documents: model.size, faults: [] });
    });

    test('are added from one array that is reused', async () => {
      const fingerprints = wide(100, 8);
      function* entries(): Generator<WideEntry> {
        const scratch = new Uint8Array(32);
        for (const [i, fingerprint] of fingerprints.entries()) {
          scratch.set(fingerprint);
          yield { id: `${i}`, fingerprint: scratch };
        }
      }
      const index = await filled(entries());
      for (const i of [0, 50, 99]) expect(await index.get(`${i}`)).toEqual(fingerprints[i]);
    });

    test('reject a query that would compare too many words', async () => {
      // All have a word in common.
      const size = Math.max(200, 2000 * many);
      const entries = wide(size, 9).map((fingerprint, i) => ({ id: `${i}`, fingerprint: fingerprint.fill(7, 16, 24) }));
      const query = wide(1, 10)[0]!.fill(7, 16, 24);
      const index = await filled(entries);
      for (const k of [3, 7, 20])
        expect(await codeOf(() => index.query(query, { k, maxWork: size / 2 }))).toBe('too-much-work');
      // Each of the four words of each document is compared.
      expect(await codeOf(() => index.query(query, { k: 20, maxWork: 4 * size - 1 }))).toBe('too-much-work');
      expect(showResult(await index.query(query, { k: 20, maxWork: 4 * size }))).toEqual(expected(entries, query, 20));
      expect((await index.query(query)).matches.length).toBe(size);
    });

    test('have statistics', async () => {
      const text = 'The quick brown fox jumps over the lazy dog.';
      const fingerprint = fingerprintOf(text, { label: LABEL })!;
      const index = await filled(Array.from({ length: 49 }, (_, i) => ({ id: `${i}`, fingerprint })));
      const { matches } = await index.query(fingerprint, { k: 0, limit: 1 });
      expect(matches).toEqual([{ id: '0', fingerprint, distance: 0, similarity: 1 }]);
      const { documents, buckets } = await index.stats();
      expect(documents).toBe(49);
      expect(buckets).toMatchObject({ count: 16, mean: 49, median: 49, largest: 49 });
    });

    test('are given in each form, but not under other labels', async () => {
      const [fingerprint] = wide(1, 2) as [Uint8Array];
      const index = await open(LABEL);
      const text = formatLabelled(LABEL, fingerprint);
      expect(await index.add('a', text)).toBe(true);
      expect(await index.get('a')).toEqual(fingerprint);
      for (const query of [text, `${text.replace('minhash', 'MINHASH')}====`])
        expect((await index.query(query)).matches.length).toBe(1);
      const refused: readonly (readonly [unknown, string])[] = [
        [5n, 'wrong-type'],
        [[...fingerprint], 'wrong-type'],
        [null, 'no-fingerprint'],
        [fingerprint.subarray(1), 'out-of-range'],
        [formatLabelled('minhash-doc', 5n), 'label-mismatch'],
        ['minhash-doc-256:AAAAAAAAAAAAA', 'invalid-fingerprint'],
        ['minhash-doc-512:AAAAAAAAAAAAA', 'invalid-label'],
      ];
      for (const [bad, code] of refused)
        for (const call of [
          () => index.add('b', bad as never),
          () => index.upsert('a', bad as never),
          () => index.addAll([{ id: 'b', fingerprint: bad as never }]),
          () => index.query(bad as never),
          () => index.nearest(bad as never),
        ])
          expect(await codeOf(call)).toBe(code);
      expect(await index.size()).toBe(1);
      const narrow = await open('minhash-doc');
      expect(await codeOf(() => narrow.add('a', fingerprint))).toBe('wrong-type');
      expect(await codeOf(() => narrow.query(text))).toBe('label-mismatch');
    });

    test('are exported in lines with the label, and imported', async () => {
      const entries = wide(200, 4).map((fingerprint, i) => ({ id: `${i}`, fingerprint }));
      const lines = await all((await filled(entries)).exportLines());
      expect(lines.map((line) => JSON.parse(line)).sort(byId)).toEqual(
        entries.map(({ id, fingerprint }) => ({ id, label: LABEL, fingerprint: serialise(fingerprint) })).sort(byId),
      );
      const other = await open(LABEL);
      expect(await other.importLines(lines)).toEqual({ added: 200, replaced: 0, refused: 0, bad: 0 });
      for (const { id, fingerprint } of entries.slice(0, 20)) expect(await other.get(id)).toEqual(fingerprint);
      for (const [line, code] of [
        ['{"id":"x","label":"minhash-doc","fingerprint":"AAAAAAAAAAAAA"}', 'label-mismatch'],
        ['{"id":"x","label":"minhash-doc-256","fingerprint":"AAAAAAAAAAAAA"}', 'invalid-fingerprint'],
      ] as const)
        expect(await codeOf(() => other.importLines(line))).toBe(code);
      const narrow = await open('minhash-doc');
      expect(await codeOf(() => narrow.importLines(lines))).toBe('label-mismatch');
    });

    test('are those of files', async () => {
      const index = await open(LABEL);
      if (!('files' in index)) return;
      const { files } = index as StoredIndex;
      const [a, b, c] = wide(3, 6) as [Uint8Array, Uint8Array, Uint8Array];
      const read = (...documents: (readonly [string, Uint8Array])[]) => ({
        documents: documents.map(([id, fingerprint]) => ({ path: 'x', id, fingerprint })),
        finished: [{ path: 'x', state }],
      });
      expect(await files.commit(read(['x!1', a], ['x!2', b], ['x!3', c]))).toEqual(fileCounts({ added: 3 }));
      expect(await files.get('x')).toEqual(state);
      const counts = await files.commit(read(['x!1', a], ['x!2', c]));
      expect(counts).toEqual({ added: 0, replaced: 1, same: 1, removed: 1 });
      expect((await index.query(c, { k: 0 })).matches.map(({ id }) => id)).toEqual(['x!2']);
      const narrow = { path: 'x', id: 'x!4', fingerprint: 5n };
      expect(await codeOf(() => files.commit({ documents: [narrow], finished: [] }))).toBe('wrong-type');
      // The last of several documents with one id counts, and a file may not be read to its end.
      const twice = [a, b].map((fingerprint) => ({ path: 'y', id: 'y', fingerprint }));
      const more = { path: 'x', id: 'x!5', fingerprint: a };
      const partly = { documents: [...twice, more], finished: [] };
      expect(await files.commit(partly)).toEqual(fileCounts({ added: 2, replaced: 1 }));
      expect([await index.get('y'), await files.get('y'), await files.get('x')]).toEqual([b, undefined, undefined]);
      const both = ['x', 'y'].map((path) => ({ path, state }));
      const last = await files.commit({ documents: [{ path: 'x', id: 'x!1', fingerprint: a }], finished: both });
      // What the reading wrote before, x!5, stays.
      expect(last).toEqual(fileCounts({ same: 1, removed: 1 }));
      const removed = ['never', 'x', 'y'].map((path) => files.remove(path));
      expect(await Promise.all(removed)).toEqual([undefined, 2, 1]);
      expect(await index.size()).toBe(0);
    });

    test('are those of files under a path, and of files that are gone', async () => {
      const index = await open(LABEL);
      if (!('files' in index)) return;
      const { files } = index as StoredIndex;
      const paths = ['/a', '/a/1', '/a/2', '/a/é/3', '/a0', '/ab/4'];
      const documents = wide(paths.length, 7).map((fingerprint, i) => ({
        path: paths[i]!,
        id: paths[i]!,
        fingerprint,
      }));
      // The last one was not read to its end.
      const finished = paths.slice(0, -1).map((path) => ({ path, state }));
      await files.commit({ documents, finished });
      const under = async (prefix: string) => (await all(files.paths(prefix))).sort();
      expect(await under('/a/')).toEqual(['/a/1', '/a/2', '/a/é/3']);
      expect(await under('/a/é/')).toEqual(['/a/é/3']);
      expect(await under('/')).toEqual([...paths].sort());
      expect(await under(`/${'x'.repeat(600)}/`)).toEqual([]);
      const gone = ['/a/1', '/a/é/3', '/never', '/ab/4'];
      expect(await files.commit({ documents: [], finished: [], gone })).toEqual(fileCounts({ removed: 3 }));
      expect(await under('/')).toEqual(['/a', '/a/2', '/a0']);
      expect([await files.get('/a/1'), await files.get('/a/2'), await index.size()]).toEqual([undefined, state, 3]);
      // A file that comes back is a new one.
      expect(await files.commit({ documents: documents.slice(1, 2), finished: finished.slice(1, 2) })).toMatchObject({
        added: 1,
      });
    });
  });
}
