import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openFolder } from '../../../src/lookup/stores/folder/open-folder.ts';
import { countSalvaged } from '../../../src/lookup/stores/folder/salvage-lines.ts';
import { all, IS_SLOW } from '../../suite.ts';
import { entriesOf, FILE_STATE as state, uniform } from '../data.ts';
import { newPath, salvage } from './folders.ts';

const PAGE = 1 << 14;
const COUNT = 4000;

async function makeIndex(): Promise<{ readonly path: string; readonly lines: readonly string[] }> {
  const path = newPath();
  const index = openFolder(path, { label: 'simhash-doc', create: true }, 1500);
  const entries = Array.from(uniform(COUNT), (fingerprint, i) => ({
    id: `document ${i} ${'x'.repeat(i % 40)}`,
    fingerprint,
  }));
  for (let i = 0; i < COUNT - 200; i += 500) await index.addAll(entries.slice(i, Math.min(i + 500, COUNT - 200)));
  for (let i = COUNT - 200; i < COUNT; i += 20) await index.addAll(entries.slice(i, i + 20));
  await index.close();
  const reader = openFolder(path, { mode: 'read' });
  const lines = await all(reader.exportLines());
  await reader.close();
  expect(lines.length).toBe(COUNT);
  return { path, lines };
}

/** The first byte of each section of a segment, and that after the last one, by the footer. */
function sectionsOf(segment: Buffer) {
  const length = segment.readUInt32LE(segment.length - 24);
  const { places } = JSON.parse(segment.toString('utf8', segment.length - 24 - length, segment.length - 24));
  return places as Record<'blocks' | 'index', { readonly offset: number; readonly length: number }>;
}

describe('salvage of a folder index', () => {
  test('gives all lines of an intact one, and no fault', async () => {
    const { path, lines } = await makeIndex();
    expect(salvage(path)).toEqual({ lines, faults: [] });
  });

  test('gives every other document of one with a damaged page, and a fault for each lost document', async () => {
    const { path, lines } = await makeIndex();
    const known = new Set(lines);
    const files = readdirSync(path).filter((name) => /\.(?:seg|log)$/.test(name));
    expect(files.length).toBeGreaterThan(1);
    for (const name of files) {
      const whole = readFileSync(join(path, name));
      const pages = Math.ceil(whole.length / PAGE);
      for (let page = 0; page < pages; page += IS_SLOW ? 1 : 3) {
        const bytes = Buffer.from(whole);
        bytes.fill(page % 2 === 0 ? 0 : 0xa5, page * PAGE, Math.min(bytes.length, (page + 1) * PAGE));
        writeFileSync(join(path, name), bytes);
        const { lines: saved, faults } = salvage(path);
        const what = `${name}, page ${page} of ${pages}`;
        expect(
          saved.filter((line) => !known.has(line)),
          what,
        ).toEqual([]);
        expect(new Set(saved).size, what).toBe(saved.length);
        if (saved.length < COUNT) expect(faults.length, what).toBeGreaterThan(0);
        // A page of records and the blocks, or frames, that it cuts; nothing where there are no records.
        const { offset, length } = name.endsWith('.log')
          ? { offset: 0, length: whole.length }
          : sectionsOf(whole).blocks;
        const hasRecords = (page + 1) * PAGE > offset && page * PAGE < offset + length;
        expect(COUNT - saved.length, what).toBeLessThanOrEqual(hasRecords ? (2 * PAGE + 2 * 4096) / 12 : 0);
      }
      writeFileSync(join(path, name), whole);
    }
  });

  test('gives all documents of one with a damaged list of blocks', async () => {
    const HALF = IS_SLOW ? 3000 : 1000;
    const path = newPath();
    const index = openFolder(path, { label: 'simhash-doc', create: true }, 1);
    const fingerprints = [...uniform(2 * HALF)];
    const ids = fingerprints.map((fingerprint) => fingerprint.toString(16).padStart(16, '0').repeat(30));
    await index.addAll(ids.slice(0, HALF).map((id, i) => ({ id, fingerprint: fingerprints[i]! })));
    // Records that are not documents, one of them longer than what is read at once.
    const documents = ids.slice(HALF).map((id, i) => ({ path: 'a', id, fingerprint: fingerprints[HALF + i]! >> 60n }));
    await index.files.commit({ documents, finished: [{ path: 'a', state }] });
    await index.removeAll(ids.filter((_, i) => i % 9 === 0));
    await index.close();
    const { lines } = salvage(path);
    expect(lines).toHaveLength(2 * HALF - Math.ceil((2 * HALF) / 9));
    let pages = 0;
    for (const name of readdirSync(path).filter((each) => each.endsWith('.seg'))) {
      const whole = readFileSync(join(path, name));
      const { offset, length } = sectionsOf(whole).index;
      for (let at = 0; at < length; at += PAGE, pages++) {
        const bytes = Buffer.from(whole).fill(0, offset + at, offset + Math.min(length, at + PAGE));
        writeFileSync(join(path, name), bytes);
        const saved = salvage(path);
        expect(saved.faults).toEqual([
          expect.stringMatching(`${name}: checksum mismatch in the bytes from ${offset + at}`),
        ]);
        expect(saved.lines).toEqual(lines);
      }
      writeFileSync(join(path, name), whole);
    }
    expect(pages).toBeGreaterThan(2);
  });

  test('reports the documents that are lost', async () => {
    const { path, lines } = await makeIndex();
    const [name] = readdirSync(path).filter((each) => each.endsWith('.seg'));
    writeFileSync(join(path, name!), readFileSync(join(path, name!)).fill(0, 20_000, 20_100));
    const saved = salvage(path);
    const [, count, after, before] =
      /; ([\d,]+) records lost after (".*") and before (".*")$/.exec(saved.faults.join('\n')) ?? [];
    expect(saved.lines).toHaveLength(COUNT - Number(count!.replace(',', '')));
    const ids = saved.lines.map((line) => JSON.stringify(JSON.parse(line).id));
    expect(ids).toContain(after);
    expect(ids[ids.indexOf(after!) + 1]).toBe(before);
    expect(lines.map((line) => JSON.stringify(JSON.parse(line).id))).toContain(before);
  });

  test('gives all documents of one without its manifest and the copy, if the label is known', async () => {
    const { path, lines } = await makeIndex();
    for (const name of ['manifest', 'manifest.copy']) writeFileSync(join(path, name), Buffer.alloc(300));
    expect(() => salvage(path)).toThrow(/the label is lost .* --label with one of simhash-doc, .*minhash-doc$/);
    expect(() => salvage(path, 'minhash-doc-256')).toThrow(/the label is lost/);
    expect(countSalvaged(path, () => {})).toBe(COUNT);
    const saved = salvage(path, 'simhash-doc');
    expect(saved.lines).toEqual(lines);
    expect(saved.faults).toEqual([
      expect.stringMatching(/manifest: it is not a manifest$/),
      expect.stringMatching(/manifest\.copy: it is not a manifest$/),
    ]);
    for (const name of readdirSync(path)) if (/manifest|\.log$/.test(name)) rmSync(join(path, name));
    const withoutLog = salvage(path, 'simhash-doc');
    expect(withoutLog.lines.length).toBeGreaterThan(COUNT / 2);
    expect(withoutLog.faults).toHaveLength(3);
  });

  test('takes the copy and other files where files that the manifest names are missing', async () => {
    const { path, lines } = await makeIndex();
    const manifest = readFileSync(join(path, 'manifest'), 'utf8');
    const { log, segments } = JSON.parse(manifest.split('\n')[0]!);
    const write = (name: string, changes: object): void => {
      const json = JSON.stringify({ ...JSON.parse(manifest.split('\n')[0]!), ...changes });
      writeFileSync(join(path, name), `${json}\n${crc32(json).toString(16).padStart(8, '0')}\n`);
    };
    const lost = { name: '00000999.seg', records: 1, documents: 1, checksum: 0 };
    // The manifest names a segment and a log that were never there; then the copy does so, too.
    for (const name of ['manifest', 'manifest.copy']) {
      write(name, { segments: [...segments, lost], log: '00001000.log', sound: 0, logChecksum: 0, next: 1001 });
      const saved = salvage(path);
      expect(saved.lines).toEqual(lines);
      expect(saved.faults).toEqual([
        expect.stringMatching(/00000999\.seg: it is missing$/),
        expect.stringMatching(/00001000\.log: it is missing$/),
      ]);
    }
    expect(log).toMatch(/^\d{8}\.log$/);
  });

  test.each([1, 1000])('needs no label for 256 bits, with segments from %i records on', async (held) => {
    const path = newPath();
    const index = openFolder(path, { label: 'minhash-doc-256', create: true }, held);
    const entries = Array.from({ length: 300 }, (_, i) => ({ id: `${i}`, fingerprint: new Uint8Array(32).fill(i) }));
    await index.addAll(entries);
    await index.removeAll(['7']);
    await index.close();
    for (const name of ['manifest', 'manifest.copy']) rmSync(join(path, name));
    expect(salvage(path).lines).toHaveLength(299);
  });

  test('gives the transactions after a damaged one in its log', async () => {
    const path = newPath();
    const index = openFolder(path, { label: 'simhash-doc', create: true });
    for (let i = 0; i < 100; i++) await index.add(`${i}`, BigInt(i));
    await index.close();
    const [name] = readdirSync(path).filter((each) => each.endsWith('.log'));
    const bytes = readFileSync(join(path, name!));
    bytes.fill(0, 1000, 1030);
    writeFileSync(join(path, name!), bytes);
    const { lines, faults } = salvage(path);
    expect(lines.length).toBeGreaterThan(94);
    expect(lines.length).toBeLessThan(100);
    expect(faults).toEqual([expect.stringMatching(/\.log: bytes \d+ to \d+ are damaged$/)]);
  });
});

describe('damage of a page', () => {
  /** Makes an index of 5,000 documents in one transaction; returns its folder. */
  async function makeLog(): Promise<string> {
    const path = newPath();
    const index = openFolder(path, { label: 'simhash-doc', create: true });
    await index.addAll(entriesOf(uniform(COUNT), 'document '));
    await index.close();
    return path;
  }

  test('in a log costs the documents of two pages at most, even if they were one transaction', async () => {
    const path = await makeLog();
    const [name] = readdirSync(path).filter((each) => each.endsWith('.log'));
    const whole = readFileSync(join(path, name!));
    for (let page = 0; page * PAGE < whole.length; page++) {
      const bytes = Buffer.from(whole);
      bytes.fill(0xa5, page * PAGE, Math.min(bytes.length, (page + 1) * PAGE));
      writeFileSync(join(path, name!), bytes);
      const { lines, faults } = salvage(path);
      expect(faults.length).toBeGreaterThan(0);
      expect(lines.length).toBeGreaterThan(COUNT - 2 * (PAGE / 20));
      expect(() => openFolder(path, { mode: 'read' })).toThrow(/is damaged/);
    }
  });

  test('in a log does not restore a transaction that was incomplete when the process was killed', async () => {
    const path = await makeLog();
    const [name] = readdirSync(path).filter((each) => each.endsWith('.log'));
    const index = openFolder(path, { label: 'simhash-doc', create: true });
    const before = readFileSync(join(path, name!)).length;
    const manifest = readFileSync(join(path, 'manifest'));
    await index.addAll(Array.from({ length: 2000 }, (_, i) => ({ id: `more ${i}`, fingerprint: BigInt(i) })));
    await index.close();
    // As it was before the index was closed.
    for (const each of ['manifest', 'manifest.copy']) writeFileSync(join(path, each), manifest);
    const whole = readFileSync(join(path, name!));
    writeFileSync(join(path, name!), whole.subarray(0, whole.length - 5));
    expect(whole.length - before).toBeGreaterThan(PAGE + 100);
    expect(salvage(path).lines).toHaveLength(COUNT);
    const reader = openFolder(path, { mode: 'read' });
    expect(await reader.verify()).toEqual({ documents: COUNT, faults: [] });
    await reader.close();
  });

  test('in the footer of a segment costs nothing', async () => {
    const { path, lines } = await makeIndex();
    for (const name of readdirSync(path).filter((name) => name.endsWith('.seg')))
      for (const [from, to] of [
        [-40, -1],
        [-PAGE, Number.MAX_SAFE_INTEGER],
        [-1, Number.MAX_SAFE_INTEGER],
      ] as const) {
        const whole = readFileSync(join(path, name));
        const bytes = Buffer.from(whole);
        bytes.fill(0, bytes.length + from, Math.min(bytes.length, to < 0 ? bytes.length + to : to));
        writeFileSync(join(path, name), bytes);
        expect(() => openFolder(path, { mode: 'read' })).toThrow(/\.seg: /);
        const { lines: saved, faults } = salvage(path);
        expect(faults).toHaveLength(1);
        expect(saved).toEqual(lines);
        writeFileSync(join(path, name), whole);
      }
  });

  test('in the manifest costs nothing, and no index is begun in its place', async () => {
    const { path, lines } = await makeIndex();
    for (const damage of [
      () => writeFileSync(join(path, 'manifest'), ''),
      () => writeFileSync(join(path, 'manifest'), Buffer.alloc(122, 0xa5)),
      () => rmSync(join(path, 'manifest')),
    ]) {
      damage();
      for (const mode of ['read', 'write'] as const)
        expect(() => openFolder(path, { mode })).toThrow(expect.objectContaining({ code: 'damaged' }));
      const { lines: saved, faults } = salvage(path);
      expect(saved).toEqual(lines);
      expect(faults).toEqual([expect.stringMatching(/manifest: it is (?:not a manifest|missing)$/)]);
    }
    const copy = join(path, 'manifest.copy');
    writeFileSync(join(path, 'manifest'), readFileSync(copy));
    writeFileSync(copy, readFileSync(copy).fill(0, 40, 50));
    const reader = openFolder(path, { mode: 'read' });
    expect(await reader.verify()).toEqual({
      documents: COUNT,
      faults: [expect.stringMatching(/manifest\.copy: checksum mismatch/)],
    });
    await reader.close();
    for (const name of ['manifest', 'manifest.copy']) rmSync(join(path, name));
    expect(() => openFolder(path, {})).toThrow(expect.objectContaining({ code: 'damaged' }));
  });

  test('that leaves only a log does not lose the documents in it', async () => {
    const path = await makeLog();
    for (const name of ['manifest', 'manifest.copy']) rmSync(join(path, name));
    const [name] = readdirSync(path).filter((each) => each.endsWith('.log'));
    const { length } = readFileSync(join(path, name!));
    expect(() => openFolder(path, {})).toThrow(expect.objectContaining({ code: 'damaged' }));
    expect(readFileSync(join(path, name!))).toHaveLength(length);
  });
});
