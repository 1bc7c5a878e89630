import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { open } from 'lmdb';
import { describe, expect, test } from 'vitest';
import '../../../built.ts';
import { LABEL } from '../../../../src/index.ts';
import { META } from '../../../../src/lookup/index/stores/lmdb/format.ts';
import { openWithScans } from '../../../../src/lookup/index/stores/lmdb/open.ts';
import { createScan, scanPlain } from '../../../../src/lookup/index/stores/lmdb/scan.ts';
import { openLmdbIndex, type StoredIndex } from '../../../../src/lookup/index/stores/lmdb.ts';
import { createHits } from '../../../../src/lookup/segment/hits.ts';
import type { QueryResult } from '../../../../src/lookup/types.ts';
import { isThere } from '../../../adapters/implementations.ts';
import { kill, NODE, outputOf, runToEnd } from '../../../process.ts';
import { IS_SLOW, slowTest } from '../../../suite.ts';
import { matchesTwin } from '../../../twin/twin.ts';
import { type NarrowEntry as Entry, flipped, randomOf, uniform } from '../../data.ts';
import { describeIndex } from '../contract.ts';
import { expectReader } from '../contract-wide.ts';
import { newPath } from './folders.ts';

const runs = IS_SLOW ? 100 : 4;
/** It scans until tables pay, or a scan is too much work. */
const byEither = (): QueryResult['by'] => expect.stringMatching(/^(?:scan|tables)$/) as never;

describeIndex('LMDB, scanning', (label) => openWithScans(newPath(), { label }), runs, byEither, IS_SLOW ? 1 : 0.5);
describeIndex('LMDB, with tables', (label) => openWithScans(newPath(), { label }, 0), runs);

const create = (path = newPath()): Promise<StoredIndex> => openLmdbIndex(path, { label: LABEL });

/** Documents with random fingerprints. */
const documents = (count: number, seed = 1): Entry[] =>
  Array.from(uniform(count, seed), (fingerprint, i) => ({ id: `document ${i}`, fingerprint }));

async function expectSound(index: StoredIndex, size: number): Promise<void> {
  expect(await index.verify()).toEqual({ documents: size, faults: [] });
}

describe('what is kept', () => {
  test('an index that is opened again has its documents and its label', async () => {
    const path = newPath();
    const index = await create(path);
    await index.addAll(documents(5000));
    await index.close();
    const again = await openLmdbIndex(path);
    expect([again.label, await again.size()]).toEqual([LABEL, 5000]);
    expect((await again.query(documents(5000)[4321]!.fingerprint, { k: 0 })).matches[0]!.id).toBe('document 4321');
    expect(await again.add('one more', 5n)).toBe(true);
    await expectSound(again, 5001);
    await again.close();
    await again.close();
    await expect(again.add('late', 1n)).rejects.toMatchObject({ code: 'unavailable' });
  });

  slowTest('documents that come, change and go, until rows are cleaned up, with a reader beside', async () => {
    const path = newPath();
    const index = await create(path);
    const reader = await openLmdbIndex(path, { mode: 'read' });
    const warm = await openWithScans(path, { mode: 'read' }, 0);
    const random = randomOf(7);
    const model = new Map<string, bigint>();
    for (let round = 0; round < 14; round++) {
      const batch = Array.from(uniform(12_000, round), (fingerprint) => ({ id: `${random() % 20_000}`, fingerprint }));
      await index.addAll(batch, { existing: 'replace' });
      for (const { id, fingerprint } of batch) model.set(id, fingerprint);
      const gone = [...model.keys()].filter(() => random() % 3 === 0);
      expect(await index.removeAll(gone)).toBe(gone.length);
      for (const id of gone) model.delete(id);
      if (round % 4 !== 1) continue;
      const entries = Array.from(model, ([id, fingerprint]) => ({ id, fingerprint }));
      const query = flipped(entries[random() % entries.length]!.fingerprint, 3, random);
      for (const k of [3, 20]) {
        const expected = matchesTwin(entries, query, k);
        for (const each of [index, reader, warm])
          expect((await each.query(query, { k })).matches).toMatchObject(expected);
      }
    }
    await expectSound(reader, model.size);
    await index.close();
    // 168,000 rows were written; without cleaning, all of them would be there.
    const { fingerprints } = (await reader.stats()).octets;
    expect(fingerprints).toBeLessThan(9 * 120_000);
    await reader.close();
    await warm.close();
  });

  test('files: what an interrupted reading left is replaced when the file is read again', async () => {
    const path = newPath();
    const state = { size: 1, mtime: 2, inode: 3, extractors: ['text/2'], options: '' };
    const documentsOf = (names: string[], fingerprint: bigint) =>
      names.map((name) => ({ path: 'a.zip', id: `a.zip!${name}`, fingerprint }));
    const index = await create(path);
    expect(
      await index.files.commit({ documents: documentsOf(['x', 'y'], 1n), finished: [{ path: 'a.zip', state }] }),
    ).toEqual({ added: 2, replaced: 0, same: 0, removed: 0 });
    expect(await index.files.get('a.zip')).toEqual(state);
    await index.files.commit({ documents: documentsOf(['x', 'z'], 2n), finished: [] });
    expect(await index.files.get('a.zip')).toBe(undefined);
    await index.close();
    const again = await openLmdbIndex(path);
    expect(
      await again.files.commit({ documents: documentsOf(['x', 'w'], 2n), finished: [{ path: 'a.zip', state }] }),
    ).toEqual({ added: 1, replaced: 0, same: 1, removed: 2 });
    expect([await again.has('a.zip!y'), await again.has('a.zip!z'), await again.size()]).toEqual([false, false, 2]);
    expect([await again.files.remove('b'), await again.files.remove('a.zip'), await again.size()]).toEqual([
      undefined,
      2,
      0,
    ]);
    await expectSound(again, 0);
    await again.close();
  });

  test('files: one whose transaction failed does not share its documents with another', async () => {
    const state = { size: 1, mtime: 2, inode: 3, extractors: ['text/2'], options: '' };
    const read = (path: string, ...ids: string[]) => ({
      documents: ids.map((id) => ({ path, id, fingerprint: 1n })),
      finished: [{ path, state }],
    });
    const index = await create(newPath());
    await expect(index.files.commit(read('a', 'a!x', ''))).rejects.toMatchObject({ code: 'out-of-range' });
    expect(await index.size()).toBe(0);
    await index.files.commit(read('b', 'b!x'));
    await index.files.commit(read('a', 'a!x'));
    await index.files.commit(read('a', 'a!x'));
    expect([await index.has('a!x'), await index.has('b!x'), await index.size()]).toEqual([true, true, 2]);
    await index.close();
  });

  test('the kernel scans as plain code does', () => {
    const chunk = new Uint8Array(uniform(3000).buffer);
    for (const k of [0, 20, 32, 64]) {
      const [a, b] = [createHits(), createHits()];
      createScan(1)(chunk, 5n, k, a, 7);
      scanPlain(chunk, 5n, k, b, 7);
      expect([a.count, a.positions.slice(0, a.count)]).toEqual([b.count, b.positions.slice(0, b.count)]);
      expect(a.distances.slice(0, a.count)).toEqual(b.distances.slice(0, b.count));
    }
  });

  test('verify finds what does not agree', async () => {
    const path = newPath();
    const index = await create(path);
    await index.addAll(documents(3));
    await index.close();
    const environment = open({
      path,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
    });
    const ids = environment.openDB({ name: 'ids', encoding: 'binary', keyEncoding: 'binary' });
    ids.removeSync(Buffer.from('document 1'));
    await environment.close();
    const again = await openLmdbIndex(path);
    const { faults } = await again.verify();
    expect(faults).toEqual(['document 1: its id leads elsewhere', 'expected 3 ids, got 2']);
    await again.close();
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.runIf(isThere('python3', hasPython))('from Python, by the annex alone', () => {
  const script = fileURLToPath(new URL('read_lmdb.py', import.meta.url));
  const read = (...args: string[]): unknown[] =>
    execFileSync('python3', [script, ...args], { encoding: 'utf8', env: { ...process.env, PYTHONIOENCODING: 'utf-8' } })
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('whatever the ids, after changes', async () => {
    const path = newPath();
    const index = await create(path);
    const hostile = [
      '\0',
      '\n',
      '\ufeffa',
      "'; DROP TABLE x; --",
      '\u{10ffff}',
      'é'.repeat(250),
      'x'.repeat(500),
      '../..',
      '\x1b[31m',
    ];
    await index.addAll(documents(9000));
    await index.addAll(hostile.map((id, i) => ({ id, fingerprint: BigInt(i) })));
    await index.removeAll(
      documents(9000)
        .slice(0, 3000)
        .map(({ id }) => id),
    );
    await index.upsert('document 5000', 2n ** 64n - 1n);
    const entries: Entry[] = [];
    for await (const entry of index.entries()) entries.push(entry as Entry);
    await index.close();
    expect(read(path)).toEqual(
      entries.map(({ id, fingerprint }) => ({ id, fingerprint: fingerprint.toString(16).padStart(16, '0') })),
    );
    expect(read(path, '0000000000000000', '2')).toEqual(matchesTwin(entries, 0n, 2).map(({ id }) => id));
  });

  test('256 bits', async () => {
    const path = newPath();
    await expectReader(await openLmdbIndex(path, { label: 'minhash-doc-256' }), (...args) => read(path, ...args));
  });
});

const writer = fileURLToPath(new URL('writer.mjs', import.meta.url));

/** A process that writes until it is killed. */
function startWriter(path: string, from: number) {
  const child = spawn(process.execPath, [writer, path, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

describe('writers', () => {
  test('killed in the middle: nothing that was acknowledged is lost, and the index opens', async () => {
    const random = randomOf(Date.now());
    let [path, from] = ['', 0];
    for (let round = 0; round < (IS_SLOW ? 100 : 2); round++) {
      // Each round checks all of the index: the time grows with the square of the rounds of one.
      if (round % 10 === 0) [path, from] = [newPath(), 0];
      const { child, lines } = startWriter(path, from);
      let last = from - 1;
      expect((await lines.next()).value).toBe('open');
      if (round === 0) {
        await expect(openLmdbIndex(path)).rejects.toMatchObject({
          code: 'locked',
          message: expect.stringContaining(`process ${child.pid} on `),
        });
        const reader = await openLmdbIndex(path, { mode: 'read' });
        // The writer goes on meanwhile.
        const { documents, faults } = await reader.verify();
        expect({ rest: documents % 1000, faults }).toEqual({ rest: 0, faults: [] });
        await reader.close();
      }
      for (let acknowledged = random() % 12; acknowledged > 0; acknowledged--)
        last = Number((await lines.next()).value);
      const killed = kill(child);
      for (let next = await lines.next(); next.done !== true; next = await lines.next()) last = Number(next.value);
      await killed;
      const index = await openLmdbIndex(path);
      const size = await index.size();
      await expectSound(index, size);
      expect(size % 1000).toBe(0);
      for (let batch = 0; batch <= last; batch++)
        expect(await index.has(`999 of ${batch}`)).toBe(batch % 3 !== 1 || batch >= last);
      // What was written and not acknowledged any more is there, too, or not at all.
      from = last + 1;
      await index.removeAll(Array.from({ length: 2000 }, (_, i) => `${i % 1000} of ${from + Math.floor(i / 1000)}`));
      await index.close();
    }
  });

  test('one at a time: a second one is told who the first one is', async () => {
    const path = newPath();
    const first = await create(path);
    await expect(openLmdbIndex(path)).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining(`process ${process.pid} on `),
    });
    await first.add('a', 1n);
    await first.close();
    const second = await openLmdbIndex(path);
    expect(await second.has('a')).toBe(true);
    await second.close();
  });

  test('of another machine: only by taking over, which the other one notices', async () => {
    const path = newPath();
    const first = await create(path);
    const environment = open({
      path,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
    });
    const meta = environment.openDB({ name: 'meta', encoding: 'binary', keyEncoding: 'binary' });
    const record = { ...JSON.parse(meta.get(META.writer)!.toString()), machine: 'other', host: 'elsewhere' };
    meta.putSync(META.writer, Buffer.from(JSON.stringify(record)));
    await expect(openLmdbIndex(path)).rejects.toThrow('elsewhere');
    const second = await openLmdbIndex(path, { takeOver: true });
    await expect(first.add('a', 1n)).rejects.toMatchObject({ code: 'locked' });
    expect(await second.add('a', 1n)).toBe(true);
    await first.close();
    await second.close();
  });
});

describe('what is refused', () => {
  test.each<[string, (path: string) => void, string]>([
    ['a path where nothing is', () => {}, 'not-found'],
    ['a file', (path) => writeFileSync(path, 'x'), 'not-an-index'],
    ['an empty folder', (path) => mkdirSync(path), 'not-an-index'],
    ['a folder of something else', (path) => other(path, 'notes.txt', 'x'), 'not-an-index'],
    ['a data.mdb that is none', (path) => other(path, 'data.mdb', 'x'.repeat(9000)), 'not-an-index'],
    ['a short data.mdb', (path) => other(path, 'data.mdb', 'x'), 'truncated'],
  ])('%s', async (_, make, code) => {
    const path = newPath();
    make(path);
    await expect(openLmdbIndex(path, { mode: 'read' })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(path),
    });
    if (code === 'not-found' || _ === 'an empty folder') return;
    await expect(create(path)).rejects.toMatchObject({ code });
  });

  const other = (path: string, name: string, content: string): void => {
    mkdirSync(path);
    writeFileSync(join(path, name), content);
  };

  test('an LMDB environment of something else, which stays as it is', async () => {
    const path = newPath();
    const environment = open({ path, noSubdir: false });
    await environment.openDB({ name: 'theirs' }).put('a', 1);
    await environment.close();
    const hash = () =>
      createHash('sha256')
        .update(readFileSync(join(path, 'data.mdb')))
        .digest('hex');
    const before = hash();
    await expect(create(path)).rejects.toMatchObject({
      code: 'not-an-index',
      message: expect.stringContaining('theirs'),
    });
    await expect(openLmdbIndex(path, { mode: 'read' })).rejects.toMatchObject({ code: 'not-an-index' });
    expect(hash()).toBe(before);
  });

  test('a file that was cut', async () => {
    const path = newPath();
    const index = await create(path);
    await index.addAll(documents(9000));
    await index.close();
    const copy = newPath();
    mkdirSync(copy);
    copyFileSync(join(path, 'data.mdb'), join(copy, 'data.mdb'));
    truncateSync(join(copy, 'data.mdb'), 200_000);
    for (const mode of ['read', 'write'] as const)
      await expect(openLmdbIndex(copy, { mode })).rejects.toMatchObject({ code: 'truncated' });
  });

  test.each([
    ['layout', '3', 'other-version'],
    ['label', 'simhash-doc+bg1+cap8', 'invalid-label'],
  ] as const)('another %s', async (name, value, code) => {
    const path = newPath();
    await (await create(path)).close();
    const environment = open({
      path,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
    });
    environment
      .openDB({ name: 'meta', encoding: 'binary', keyEncoding: 'binary' })
      .putSync(META[name], Buffer.from(value));
    await environment.close();
    const message = expect.stringContaining(`"${value}"`);
    for (const options of [{}, { mode: 'read' }, { label: LABEL }] as const)
      await expect(openLmdbIndex(path, options)).rejects.toMatchObject({ code, message });
  });

  test('a query that meets damage which could hide a match', async () => {
    const whole = newPath();
    const index = await create(whole);
    await index.addAll([
      { id: 'document a', fingerprint: 0x55n },
      { id: 'document b', fingerprint: 0xff00n },
    ]);
    await index.close();
    const packed = Buffer.from('0000000000000055000000000000ff00', 'hex');
    const row = Buffer.alloc(8);
    const first = Buffer.concat([row, Buffer.from('0000000000000055', 'hex'), Buffer.from('document a')]);
    const state = Buffer.from('000000000000000000000000000000020000000000000002', 'hex');
    const places: [string, Buffer, number][] = [
      ['a packed fingerprint', packed, 0],
      ['the fingerprint of a document', first, 9],
      ['the row of a document', first, 0],
      ['the id of a document', first, 16],
      ['the number of rows', state, 15],
    ];
    for (const [what, content, place] of places) {
      const path = newPath();
      mkdirSync(path);
      const octets = readFileSync(join(whole, 'data.mdb'));
      // Earlier transactions have left copies.
      for (let at = octets.indexOf(content); at >= 0; at = octets.indexOf(content, at + 1)) octets[at + place]! ^= 1;
      writeFileSync(join(path, 'data.mdb'), octets);
      const damaged = await openLmdbIndex(path, { mode: 'read' });
      await expect(damaged.query(0x55n), what).rejects.toMatchObject({
        code: 'damaged',
        message: expect.stringContaining(path),
      });
      expect((await damaged.verify()).faults.length, what).toBeGreaterThan(0);
      await damaged.close();
    }
  });

  test('writing to what was opened for reading', async () => {
    const path = newPath();
    await (await create(path)).close();
    const reader = await openLmdbIndex(path, { mode: 'read' });
    for (const call of [
      () => reader.add('a', 1n),
      () => reader.remove('a'),
      () => reader.addAll([{ id: 'a', fingerprint: 1n }]),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'read-only' });
    await reader.close();
  });

  const script = (body: string): string => `
    import { openLmdbIndex } from ${JSON.stringify(new URL('../../../../dist/lookup/index/stores/lmdb.js', import.meta.url).href)};
    const show = (error) => { process.stdout.write((error.code ?? String(error)) + '\\n'); };
    ${body}`;

  test.each([
    ['scanning', 'Infinity'],
    ['with tables', '0'],
  ])('a query leaves next to no garbage and few timers: %s', async (_, scans) => {
    const path = newPath();
    const index = await create(path);
    await index.addAll(documents(3000));
    await index.close();
    const queries = 2000;
    const body = `
      import { openWithScans } from ${JSON.stringify(new URL('../../../../dist/lookup/index/stores/lmdb/open.js', import.meta.url).href)};
      const fingerprints = JSON.parse(process.argv[2]).map(BigInt);
      const index = await openWithScans(process.argv[1], { mode: 'read' }, ${scans});
      const run = async () => { for (const each of fingerprints) await index.query(each); };
      for (let round = 0; round < 3; round++) await run();
      await new Promise((resolve) => setTimeout(resolve, 20));
      gc();
      const before = process.memoryUsage();
      await run();
      const after = process.memoryUsage();
      const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      const [heap, buffers] = ['heapUsed', 'arrayBuffers'].map((name) => (after[name] - before[name]) / fingerprints.length);
      await index.close();
      process.stdout.write(JSON.stringify({ heap, buffers, timers }));`;
    const fingerprints = documents(queries).map(({ fingerprint }) => `${fingerprint}`);
    // So large a nursery that nothing is collected meanwhile.
    const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64', '--input-type=module'];
    const command = [...NODE, ...flags, '-e', script(body), path, JSON.stringify(fingerprints)];
    const { heap, buffers, timers } = JSON.parse(outputOf(command));
    // The result, with its id and fingerprint, and the promises take most of it.
    expect(heap).toBeLessThan(1700);
    expect(buffers).toBeLessThan(20);
    expect(timers).toBeLessThan(queries / 2);
  });

  test('a query sees what was committed before it, in the same turn of the event loop', async () => {
    const path = newPath();
    const index = await create(path);
    const reader = await openLmdbIndex(path, { mode: 'read' });
    for (let i = 0; i < 50; i++) {
      await index.add(`document ${i}`, BigInt(i) << 8n);
      expect((await reader.query(BigInt(i) << 8n, { k: 0 })).matches).toHaveLength(1);
      expect(await reader.size()).toBe(i + 1);
    }
    await index.close();
    await reader.close();
  });

  slowTest('a damaged page: no query misses a document in silence, and verify tells', async ({ annotate }) => {
    const count = 3000;
    const whole = newPath();
    const index = await create(whole);
    await index.addAll(documents(count));
    await index.removeAll(documents(500).map(({ id }) => id));
    await index.close();
    // Each in a process of its own, which a damaged page may end.
    const body = `
      const outcome = { missed: 0, told: 0, faults: 0 };
      try {
        const index = await openLmdbIndex(process.argv[1], { mode: 'read' });
        outcome.faults = (await index.verify()).faults.length;
        for (const [i, fingerprint] of JSON.parse(process.argv[2]).entries()) {
          try {
            const { matches } = await index.query(BigInt(fingerprint));
            if (!matches.some(({ id }) => id === 'document ' + (500 + i))) outcome.missed++;
          } catch (error) {
            if (error.code === 'damaged') outcome.told++;
            else throw error;
          }
        }
        await index.close();
      } catch (error) {
        outcome.refused = error.code ?? String(error);
      }
      process.stdout.write(JSON.stringify(outcome) + '\\n');`;
    const fingerprints = JSON.stringify(
      documents(count)
        .slice(500)
        .map(({ fingerprint }) => `${fingerprint}`),
    );
    const octets = readFileSync(join(whole, 'data.mdb'));
    const random = randomOf(5);
    const damages: ((page: Buffer) => unknown)[] = [
      (page) => (page[random() % page.length]! ^= 1 << (random() % 8)),
      (page) => page.fill(0),
      (page) => page.set(Uint8Array.from(page, () => random())),
    ];
    const page = 4096;
    const rounds = 60;
    const ends: Record<string, number> = {};
    let told = 0;
    for (let round = 0; round < rounds; round++) {
      const damaged = Buffer.from(octets);
      const number = 2 + (random() % (octets.length / page - 2));
      damages[round % 3]!(damaged.subarray(number * page, (number + 1) * page));
      const path = newPath();
      mkdirSync(path);
      writeFileSync(join(path, 'data.mdb'), damaged);
      const what = `page ${number}, damage ${round % 3}`;
      const command = [...NODE, '--input-type=module', '-e', script(body), path, fingerprints];
      const { end, stdout, stderr } = runToEnd(command, { timeout: 30_000 });
      const outcome = stdout.endsWith('\n') ? JSON.parse(stdout) : undefined;
      const seen =
        end !== 'exit 0' ? end : outcome?.refused === undefined ? 'answered' : `refused (${outcome.refused})`;
      ends[seen] = (ends[seen] ?? 0) + 1;
      // A damaged page that crashes LMDB is a known limit; other ends are not.
      expect(seen, `${what}: ${stderr}`).toMatch(/^(?:answered|refused \([a-z-]+\)|crashed \(SIG(?:SEGV|ABRT|BUS)\))$/);
      if (outcome === undefined) continue;
      expect(outcome.missed, what).toBe(0);
      if (outcome.told > 0) expect(outcome.faults, what).toBeGreaterThan(0);
      told += Math.sign(outcome.told);
    }
    const summary = Object.entries(ends).map(([end, times]) => `${times} ${end}`);
    await annotate(`${rounds} damaged pages: ${summary.join(', ')}; ${told} with queries that failed`);
    expect(told).toBeGreaterThan(0);
    expect(ends['answered'], summary.join(', ')).toBeGreaterThan(rounds / 2);
  });

  test('more than there is room for: what was acknowledged stays', async () => {
    const path = newPath();
    const body = `
      const index = await openLmdbIndex(process.argv[1], { label: 'simhash-doc' });
      let batch = 0;
      try {
        for (; batch < 1000; batch++)
          await index.addAll(Array.from({ length: 1000 }, (_, i) => ({ id: i + ' of ' + batch, fingerprint: BigInt(i) })));
      } catch (error) { show(error); }
      process.stdout.write(batch + '\\n');`;
    // In blocks of 512 octets or of 1 KiB, by shell: 2 or 4 MB.
    const limited = ['sh', '-c', 'ulimit -f 4000; exec "$@"', 'sh', ...NODE];
    const [code, batches] = outputOf([...limited, '--input-type=module', '-e', script(body), path]).split('\n');
    expect(code).toBe('no-space');
    expect(Number(batches)).toBeGreaterThan(3);
    const index = await openLmdbIndex(path);
    await expectSound(index, 1000 * Number(batches));
    expect(await index.add('more', 1n)).toBe(true);
    await index.close();
  });

  test.runIf(process.getuid?.() === 0)('a folder without permission', async () => {
    const path = newPath();
    await (await create(path)).close();
    chmodSync(path, 0o500);
    for (const name of ['data.mdb', 'lock.mdb']) chmodSync(join(path, name), 0o400);
    const body = `
      process.setuid(65534);
      for (const mode of ['write', 'read']) await openLmdbIndex(process.argv[1], { mode }).catch(show);`;
    const output = outputOf([...NODE, '--input-type=module', '-e', script(body), path]);
    expect(output).toBe('no-permission\nno-permission\n');
  });
});
