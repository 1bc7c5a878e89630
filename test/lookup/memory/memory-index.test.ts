import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LABEL } from '../../../src/index.ts';
import { createMemoryIndex } from '../../../src/lookup/memory/memory-index.ts';
import { MAX_TAIL_SIZE } from '../../../src/lookup/table/fingerprint-list.ts';
import { forAll, IS_SLOW } from '../../suite.ts';
import { twin } from '../../twin/twin.ts';
import { describeIndex } from '../contract.ts';
import { type NarrowEntry as Entry, entriesOf, flipped, randomOf, uniform } from '../data.ts';

describeIndex('memory', (label) => createMemoryIndex({ label }), IS_SLOW ? 100 : 10);

/** An index and a map of the same documents, of which many thousands come and go. */
function createPair() {
  const index = createMemoryIndex({ label: LABEL });
  const model = new Map<string, bigint>();
  const check = (query: bigint, k: number): void => {
    const entries: Entry[] = Array.from(model, ([id, fingerprint]) => ({ id, fingerprint }));
    const expected = twin.matches(entries, query, k);
    expect(index.query(query, { k }).matches).toMatchObject(expected);
    expect(index.query(query, { k }).matches.length).toBe(expected.length);
  };
  return { index, model, check };
}

describe('compaction of the memory index', () => {
  test('happens when more than half of the documents are removed, whatever happens in between', () => {
    forAll([fc.integer()], IS_SLOW ? 10 : 1, (seed) => {
      const random = randomOf(seed);
      const { index, model, check } = createPair();
      let compactions = 0;
      let last = 0;
      for (let round = 0; round < 8; round++) {
        const batch: Entry[] = Array.from({ length: random() % 5000 }, () => ({
          id: `${random() % 9000}`,
          fingerprint: BigInt(random() % 64) << BigInt(random() % 40),
        }));
        if (random() % 2 === 0) {
          index.addAll(batch, { existing: 'replace' });
          for (const { id, fingerprint } of batch) model.set(id, fingerprint);
        } else
          for (const { id, fingerprint } of batch) {
            index.upsert(id, fingerprint);
            model.set(id, fingerprint);
          }
        const goes = [...model.keys()].filter(() => random() % 4 > 0);
        expect(index.removeAll(goes)).toBe(goes.length);
        for (const id of goes) model.delete(id);
        const { bytes } = index.stats();
        if (bytes.ids < last) compactions++;
        last = bytes.ids;
        expect(index.size()).toBe(model.size);
        check(0n, 3);
        check(BigInt(random() % 64) << BigInt(random() % 40), random() % 9);
      }
      for (const [id, fingerprint] of model) if (index.get(id) !== fingerprint) throw new Error(id);
      expect(compactions).toBeGreaterThan(0);
    });
  });

  test('frees memory', () => {
    const { index } = createPair();
    const count = IS_SLOW ? 100_000 : 40_000;
    const values = uniform(count);
    index.addAll(entriesOf(values, 'document number '));
    const full = index.stats().bytes;
    const gone = Array.from({ length: 0.9 * count }, (_, i) => `document number ${i}`);
    expect(index.removeAll(gone)).toBe(gone.length);
    const { bytes } = index.stats();
    expect(bytes.fingerprints).toBeLessThan(full.fingerprints / 2);
    expect(bytes.ids).toBeLessThan(full.ids / 2);
    const kept = 0.95 * count;
    expect(index.query(values[kept]!, { k: 0 }).matches[0]!.id).toBe(`document number ${kept}`);
    expect(index.get('document number 5')).toBe(undefined);
  });

  test('bounds the memory for one document that is replaced again and again', () => {
    const { index } = createPair();
    for (let i = 0; i < 50_000; i++) index.upsert('counter', BigInt(i));
    expect(index.size()).toBe(1);
    expect(index.get('counter')).toBe(49_999n);
    expect(index.stats().bytes.fingerprints).toBeLessThan(40 * 5 * MAX_TAIL_SIZE);
  });

  test('does not affect an iteration that began before', () => {
    const { index } = createPair();
    const entries = entriesOf(uniform(20_000));
    index.addAll(entries);
    index.remove('3');
    const seen: Entry[] = [];
    for (const entry of index.entries()) {
      seen.push(entry as Entry);
      if (seen.length === 10) expect(index.removeAll(Array.from({ length: 19_000 }, (_, i) => `${i}`))).toBe(18_999);
    }
    expect(seen).toEqual(entries.filter(({ id }) => id !== '3'));
    expect([...index.entries()].length).toBe(1000);
  });
});

if (IS_SLOW)
  describe('a million documents', () => {
    test('take little memory, and are found', () => {
      const index = createMemoryIndex({ label: LABEL });
      const values = uniform(1e6);
      function* entries(): Generator<Entry> {
        for (let i = 0; i < values.length; i++) yield { id: i.toString(36), fingerprint: values[i]! };
      }
      expect(index.addAll(entries())).toEqual({ added: 1e6, replaced: 0, refused: 0 });
      const { bytes, buckets } = index.stats();
      expect(bytes.fingerprints / 1e6).toBeLessThanOrEqual(41);
      expect(bytes.ids / 1e6).toBeLessThanOrEqual(4 + 26);
      expect(buckets).toMatchObject({ bits: 16, mean: expect.closeTo(4e6 / buckets.count) });
      const random = randomOf(1);
      for (let round = 0; round < 1000; round++) {
        const i = random() % 1e6;
        const { matches } = index.query(flipped(values[i]!, 3, random));
        expect(matches.map(({ id }) => id)).toContain(i.toString(36));
      }
    });

    test('that are equal take no quadratic time', () => {
      const index = createMemoryIndex({ label: LABEL });
      function* entries(): Generator<Entry> {
        for (let i = 0; i < 1e6; i++) yield { id: i.toString(36), fingerprint: 77n };
      }
      index.addAll(entries());
      expect(index.query(76n, { limit: 2 })).toMatchObject({ completeTo: 0, matches: [{ id: '0' }, { id: '1' }] });
      expect(index.nearest(77n, { count: 3 }).matches.map(({ id }) => id)).toEqual(['0', '1', '10']);
      expect(index.stats().buckets).toMatchObject({ count: 4, mean: 1e6, largest: 1e6 });
      for (let i = 0; i < 20_000; i++) index.upsert(i.toString(36), 78n);
      expect(index.query(78n, { k: 0 }).matches.length).toBe(20_000);
      expect(index.removeAll(Array.from({ length: 600_000 }, (_, i) => i.toString(36)))).toBe(600_000);
      expect(index.size()).toBe(400_000);
    });
  });

test('documents can be added while others are being added', () => {
  const index = createMemoryIndex({ label: LABEL });
  function* entries(): Generator<Entry> {
    for (let i = 0; i < 10; i++) {
      index.add(`inner ${i}`, 1n);
      index.add('outer 3', 2n);
      yield { id: `outer ${i}`, fingerprint: 3n };
    }
  }
  expect(index.addAll(entries())).toEqual({ added: 9, replaced: 0, refused: 1 });
  expect(index.size()).toBe(20);
  expect(index.get('outer 3')).toBe(2n);
});

test('a closed index is empty', () => {
  const index = createMemoryIndex({ label: LABEL });
  index.add('a', 1n);
  index.close();
  expect(index.size()).toBe(0);
});
