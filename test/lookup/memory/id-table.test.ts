import { expect, test, vi } from 'vitest';
import { randomOddKey } from '../../../src/lookup/keyed-hash.ts';
import { createIdTable } from '../../../src/lookup/memory/id-table.ts';
import { MAX_ID_BYTES } from '../../../src/lookup/query-options.ts';
import { IS_SLOW } from '../../suite.ts';

/** FNV-1a with a mixing step: a hash function without a key, for which anyone can find ids that collide. */
function fnv(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

test('hashes have a random key: ids that collide in one table do not collide in another', () => {
  const encode = (id: string): Uint8Array => new TextEncoder().encode(id);
  const ids: Uint8Array[] = [];
  const count = IS_SLOW ? 300 : 90;
  for (let i = 0; ids.length < count; i++) {
    const id = encode(`document ${i.toString(36)}`);
    if ((fnv(id) & 0xfff) === 5) ids.push(id);
  }
  for (const table of [createIdTable(), createIdTable()])
    expect(new Set(ids.map((id) => table.hash(id, 0, id.length) & 0xfff)).size).toBeGreaterThan((2 / 3) * count);
  const [one, other] = [createIdTable(), createIdTable()];
  expect(ids.filter((id) => one.hash(id, 0, id.length) === other.hash(id, 0, id.length)).length).toBeLessThan(3);
});

test('ids of every length, and with any byte changed, have different hashes', () => {
  const table = createIdTable();
  const hashes = new Set<number>();
  const bytes = new Uint8Array(40);
  for (let length = 1; length <= 40; length++) {
    hashes.add(table.hash(bytes, 0, length));
    bytes[length - 1] = 1;
    hashes.add(table.hash(bytes, 0, length));
    bytes[length - 1] = 0;
  }
  expect(hashes.size).toBeGreaterThan(78);
});

/** Ids of the kinds that collide, whatever the key, in hash functions that only begin with it. */
const CHOSEN: Readonly<Record<string, (i: number) => Uint8Array>> = {
  'the first half of a word': (i) => Uint8Array.of(i, i >> 8, 0, 0),
  'the second half of a word': (i) => Uint8Array.of(0, 0, i, i >> 8),
  // Bits at the upper end of words: a product keeps them there.
  'the uppermost bits of 16 words': (i) => Uint8Array.from({ length: 64 }, (_, at) => ((i >> (at >> 2)) & 1) << 7),
  'two words that differ alike': (i) => Uint8Array.of(i, i >> 8, 0, 0, -i, -i >> 8, 0, 0),
  'only the length': (i) => new Uint8Array(1 + (i % MAX_ID_BYTES)),
  'only what follows the last word': (i) => Uint8Array.of(1, 2, 3, 4, i, i >> 8, i >> 16),
};

test.each(Object.entries(CHOSEN))('ids chosen by an attacker do not collide: %s', (_, idOf) => {
  const ids = Array.from({ length: 4096 }, (_, i) => idOf(i));
  const distinct = new Set(ids.map((id) => id.join())).size;
  // One key in 65,536 is bad for one of these kinds; two of three are not.
  const good = [createIdTable(), createIdTable(), createIdTable()].filter((table) => {
    const hashes = new Set(ids.map((id) => table.hash(id, 0, id.length)));
    const slots = new Set(ids.map((id) => table.hash(id, 0, id.length) & 0xffff));
    return hashes.size > 0.95 * distinct && slots.size > 0.9 * distinct;
  });
  expect(good.length).toBeGreaterThanOrEqual(2);
});

test('every bit of a random factor is random, and the last one is set', () => {
  const words = vi.spyOn(crypto, 'getRandomValues');
  try {
    for (const [high, low, key] of [
      [0, 0, 1n],
      [0, 0xffff_ffff, 0xffff_ffffn],
      [0x8000_0000, 0x8000_0000, 0x8000_0000_8000_0001n],
    ] as const) {
      words.mockImplementationOnce((array) => {
        (array as unknown as Uint32Array).set([high, low]);
        return array;
      });
      expect(randomOddKey()).toBe(key);
    }
  } finally {
    words.mockRestore();
  }
});
