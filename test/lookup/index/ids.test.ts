import { expect, test } from 'vitest';
import { createIdTable } from '../../../src/lookup/index/ids.ts';

/** FNV-1a with a mixing step: a hash function without a key, for which anyone can find ids that collide. */
function fnv(octets: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const octet of octets) hash = Math.imul(hash ^ octet, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

test('hashes have a random key: ids that collide in one table do not in another', () => {
  const encode = (id: string): Uint8Array => new TextEncoder().encode(id);
  const ids: Uint8Array[] = [];
  for (let i = 0; ids.length < 300; i++) {
    const id = encode(`document ${i.toString(36)}`);
    if ((fnv(id) & 0xfff) === 5) ids.push(id);
  }
  for (const table of [createIdTable(), createIdTable()])
    expect(new Set(ids.map((id) => table.hash(id, id.length) & 0xfff)).size).toBeGreaterThan(200);
  const [one, other] = [createIdTable(), createIdTable()];
  const same = ids.filter((id) => one.hash(id, id.length) === other.hash(id, id.length));
  expect(same.length).toBeLessThan(3);
});

test('every length, and a change of any octet, gives another hash', () => {
  const table = createIdTable();
  const hashes = new Set<number>();
  const octets = new Uint8Array(40);
  for (let length = 1; length <= 40; length++) {
    hashes.add(table.hash(octets, length));
    octets[length - 1] = 1;
    hashes.add(table.hash(octets, length));
    octets[length - 1] = 0;
  }
  expect(hashes.size).toBeGreaterThan(78);
});
