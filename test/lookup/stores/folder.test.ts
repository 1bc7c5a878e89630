import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type HeapProfiler, Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '../../built.ts';
import { LABEL } from '../../../src/index.ts';
import type { QueryResult } from '../../../src/lookup/document-index.ts';
import { openFolderIndex, type StoredIndex } from '../../../src/lookup/stores/folder/folder-index.ts';
import { openFolder } from '../../../src/lookup/stores/folder/open-folder.ts';
import { isThere, succeeds } from '../../adapters/implementations.ts';
import { kill, NODE, outputOf } from '../../process.ts';
import { all, forAllAsync, IS_SLOW, runs, slowTest } from '../../suite.ts';
import { twin } from '../../twin/twin.ts';
import { describeIndex, expectLosses } from '../contract.ts';
import { expectReader } from '../contract-wide.ts';
import {
  type NarrowEntry as Entry,
  entriesOf,
  fileCounts,
  flipped,
  randomOf,
  FILE_STATE as state,
  uniform,
} from '../data.ts';
import { newPath } from './folders.ts';

const rounds = IS_SLOW ? 100 : 4;
/** It compares all where that costs less than reading buckets. */
const byEither = (): QueryResult['by'] => expect.stringMatching(/^(?:scan|tables)$/) as never;

describeIndex('folder', (label) => openFolderIndex(newPath(), { label, create: true }), rounds, byEither);
describeIndex(
  'folder, in segments',
  async (label) => openFolder(newPath(), { label, create: true }, 300),
  rounds,
  byEither,
  0.5,
);

const create = (path = newPath()): Promise<StoredIndex> => openFolderIndex(path, { label: LABEL, create: true });

/** Documents with random fingerprints. */
const documents = (count: number, seed = 1): Entry[] => entriesOf(uniform(count, seed), 'document ');

test('losses count while the document has the fingerprint that they are about', async () =>
  expectLosses(await create()));

function changeManifest(path: string, change: (manifest: object) => object): void {
  const file = join(path, 'manifest');
  const json = JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8').split('\n')[0]!)));
  writeFileSync(file, `${json}\n${crc32(json).toString(16).padStart(8, '0')}\n`);
}

async function expectSound(index: StoredIndex, size: number): Promise<void> {
  expect(await index.verify()).toEqual({ documents: size, faults: [] });
}

describe('a folder index', () => {
  test('has its documents and its label when it is opened again', async () => {
    const path = newPath();
    const index = await create(path);
    await index.addAll(documents(5000));
    await index.close();
    const again = await openFolderIndex(path);
    expect([again.label, await again.size()]).toEqual([LABEL, 5000]);
    expect((await again.query(documents(5000)[4321]!.fingerprint, { k: 0 })).matches[0]!.id).toBe('document 4321');
    expect(await again.add('one more', 5n)).toBe(true);
    await expectSound(again, 5001);
    await again.close();
    await again.close();
  });

  slowTest('shows documents that are added, changed and removed to a reader', async () => {
    const path = newPath();
    const index = openFolder(path, { label: LABEL, create: true }, 5000);
    const reader = await openFolderIndex(path, { mode: 'read' });
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
      for (const k of [3, 7, 20]) {
        const expected = twin.matches(entries, query, k);
        for (const each of [index, reader]) expect((await each.query(query, { k })).matches).toMatchObject(expected);
      }
    }
    await expectSound(reader, model.size);
    await index.close();
    // 168,000 documents were written; what is out of date goes when segments are merged.
    const { fingerprints } = (await reader.stats()).bytes;
    expect(fingerprints).toBeLessThan(36 * (2 * model.size + 70_000));
    await reader.close();
  });

  test('has the content of a map after any changes and merges', async () => {
    const change = fc.record({
      ids: fc.array(fc.nat(60), { maxLength: 12 }),
      bits: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      what: fc.constantFrom('add', 'replace', 'remove', 'reopen', 'refresh'),
    });
    await forAllAsync([fc.array(change, { maxLength: 30 })], runs(30), async (changes) => {
      const path = newPath();
      let index = openFolder(path, { label: LABEL, create: true }, 8);
      const reader = await openFolderIndex(path, { mode: 'read' });
      const model = new Map<string, bigint>();
      for (const { ids, bits, what } of changes) {
        const entries = ids.map((id, i) => ({ id: `${id}`, fingerprint: bits ^ (1n << BigInt(i)) }));
        if (what === 'add' || what === 'replace') {
          await index.addAll(entries, { existing: what === 'add' ? 'refuse' : 'replace' });
          for (const { id, fingerprint } of entries)
            if (what === 'replace' || !model.has(id)) model.set(id, fingerprint);
        } else if (what === 'remove') {
          await index.removeAll(entries.map(({ id }) => id));
          for (const { id } of entries) model.delete(id);
        } else if (what === 'reopen') {
          await index.close();
          index = openFolder(path, {}, 8);
        } else expect(await reader.size()).toBe(model.size);
      }
      const entries = Array.from(model, ([id, fingerprint]) => ({ id, fingerprint }));
      for (const each of [index, reader]) {
        const stored = (await all(each.entries())) as Entry[];
        expect(new Map(stored.map(({ id, fingerprint }) => [id, fingerprint]))).toEqual(model);
        for (const k of [2, 64])
          for (const query of [changes[0]?.bits ?? 0n])
            expect((await each.query(query, { k })).matches).toMatchObject(twin.matches(entries, query, k));
        await expectSound(each, model.size);
        await each.close();
      }
    });
  });

  test('replaces the documents of an interrupted reading when the file is read again', async () => {
    const path = newPath();
    const documentsOf = (names: string[], fingerprint: bigint) =>
      names.map((name) => ({ path: 'a.zip', id: `a.zip!${name}`, fingerprint }));
    const finished = [{ path: 'a.zip', state }];
    const index = await create(path);
    const first = await index.files.commit({ documents: documentsOf(['x', 'y'], 1n), finished });
    expect(first).toEqual(fileCounts({ added: 2 }));
    expect(await index.files.get('a.zip')).toEqual(state);
    await index.files.commit({ documents: documentsOf(['x', 'z'], 2n), finished: [] });
    expect(await index.files.get('a.zip')).toBe(undefined);
    await index.close();
    const again = await openFolderIndex(path);
    const last = await again.files.commit({ documents: documentsOf(['x', 'w'], 2n), finished });
    expect(last).toEqual({ added: 1, replaced: 0, same: 1, removed: 2 });
    expect([await again.has('a.zip!y'), await again.has('a.zip!z'), await again.size()]).toEqual([false, false, 2]);
    expect([await again.files.remove('b'), await again.files.remove('a.zip'), await again.size()]).toEqual([
      undefined,
      2,
      0,
    ]);
    await expectSound(again, 0);
    await again.close();
  });

  test('does not share the documents of a file whose transaction failed with another', async () => {
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
});

describe.runIf(isThere('python3', succeeds('python3', '--version')))(
  'a folder index read from Python by the annex alone',
  () => {
    const read = (...args: string[]): unknown[] =>
      execFileSync('python3', [fileURLToPath(new URL('read_folder.py', import.meta.url)), ...args], {
        encoding: 'utf8',
        env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
      })
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));

    test('has any ids after changes', async () => {
      const path = newPath();
      const index = await create(path);
      const hostile = [
        ...['\0', '\n', '\ufeffa', "'; DROP TABLE x; --", '\u{10ffff}'],
        'é'.repeat(250),
        'x'.repeat(500),
        '..',
        '\x1b[31m',
      ];
      await index.addAll(documents(3000));
      await index.addAll(hostile.map((id, i) => ({ id, fingerprint: BigInt(i) })));
      await index.removeAll(
        documents(3000)
          .slice(0, 1000)
          .map(({ id }) => id),
      );
      await index.upsert('document 2000', 2n ** 64n - 1n);
      const entries = (await all(index.entries())) as Entry[];
      await index.close();
      expect(read(path)).toEqual(
        entries.map(({ id, fingerprint }) => ({ id, fingerprint: fingerprint.toString(16).padStart(16, '0') })),
      );
      expect(read(path, '0000000000000000', '2')).toEqual(twin.matches(entries, 0n, 2).map(({ id }) => id));
    });

    test('may have 256 bits', async () => {
      const path = newPath();
      await expectReader(await openFolderIndex(path, { label: 'minhash-doc-256', create: true }), (...args) =>
        read(path, ...args),
      );
    });
  },
);

const writer = fileURLToPath(new URL('writer.mjs', import.meta.url));

/** A process that writes until it is killed. */
function startWriter(path: string, from: number) {
  const child = spawn(process.execPath, [writer, path, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

describe('a writer of a folder index', () => {
  test('that is killed loses nothing that was acknowledged, and the index opens', async () => {
    const random = randomOf(Date.now());
    let [path, from] = ['', 0];
    for (let round = 0; round < (IS_SLOW ? 100 : 2); round++) {
      // Each round checks all of the index: the time grows with the square of the rounds of one.
      if (round % 10 === 0) [path, from] = [newPath(), 0];
      const { child, lines } = startWriter(path, from);
      let last = from - 1;
      expect((await lines.next()).value).toBe('open');
      if (round === 0) {
        await expect(openFolderIndex(path)).rejects.toMatchObject({
          code: 'locked',
          message: expect.stringContaining(`process ${child.pid} on `),
        });
        const reader = await openFolderIndex(path, { mode: 'read' });
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
      const index = await openFolderIndex(path);
      const size = await index.size();
      await expectSound(index, size);
      expect(size % 1000).toBe(0);
      for (let batch = 0; batch <= last; batch++) {
        // The next batch removes it, and may have been committed without being acknowledged.
        if (batch % 3 === 1 && batch === last) continue;
        expect(await index.has(`999 of ${batch}`)).toBe(batch % 3 !== 1);
      }
      // Writes that were not acknowledged any more are also there, or not at all.
      from = last + 1;
      await index.removeAll(Array.from({ length: 2000 }, (_, i) => `${i % 1000} of ${from + Math.floor(i / 1000)}`));
      await index.close();
    }
  });

  test('excludes a second one, whose error names it', async () => {
    const path = newPath();
    const first = await create(path);
    await expect(openFolderIndex(path)).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining(`process ${process.pid} on `),
    });
    await first.add('a', 1n);
    await first.close();
    const second = await openFolderIndex(path);
    expect(await second.has('a')).toBe(true);
    await second.close();
  });

  test('of another machine is only replaced by taking over, which it notices', async () => {
    const path = newPath();
    const first = await create(path);
    const file = join(path, 'writer');
    const record = { ...JSON.parse(readFileSync(file, 'utf8')), machine: 'other', host: 'elsewhere' };
    writeFileSync(file, JSON.stringify(record));
    await expect(openFolderIndex(path)).rejects.toThrow('elsewhere');
    const second = await openFolderIndex(path, { takeOver: true });
    await expect(first.add('a', 1n)).rejects.toMatchObject({ code: 'locked' });
    expect(await second.add('a', 1n)).toBe(true);
    await first.close();
    await second.close();
  });
});

describe('opening a folder index fails', () => {
  test.each<[string, (path: string) => void, string]>([
    ['a path where nothing is', () => {}, 'not-found'],
    ['a file', (path) => writeFileSync(path, 'x'), 'not-an-index'],
    ['an empty folder', (path) => mkdirSync(path), 'not-an-index'],
    ['a folder of something else', (path) => other(path, 'notes.txt', 'x'), 'not-an-index'],
    ['a manifest of something else', (path) => other(path, 'manifest', 'x'.repeat(9000)), 'not-an-index'],
    ['an empty manifest', (path) => other(path, 'manifest', ''), 'not-an-index'],
  ])('for %s', async (_, make, code) => {
    const path = newPath();
    make(path);
    await expect(openFolderIndex(path, { mode: 'read' })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(path),
    });
    await expect(openFolderIndex(path)).rejects.toMatchObject({ code });
    expect(existsSync(path)).toBe(code !== 'not-found');
    if (code === 'not-found' || _ === 'an empty folder') return;
    await expect(create(path)).rejects.toMatchObject({ code });
  });

  const other = (path: string, name: string, content: string): void => {
    mkdirSync(path);
    writeFileSync(join(path, name), content);
  };

  /** Files of an index with a segment, and two documents in the log. */
  async function makeFiles(): Promise<string> {
    const path = newPath();
    const index = openFolder(path, { label: LABEL, create: true }, 1000);
    await index.addAll(documents(3000));
    await index.removeAll(documents(500).map(({ id }) => id));
    await index.addAll([
      { id: 'document a', fingerprint: 0x55n },
      { id: 'document b', fingerprint: 0xff00n },
    ]);
    await index.close();
    return path;
  }

  /** A copy of a folder, one file of which was changed. */
  function copyWith(path: string, name: string, change: (file: string) => void): string {
    const copy = newPath();
    mkdirSync(copy);
    for (const each of readdirSync(path)) copyFileSync(join(path, each), join(copy, each));
    change(join(copy, name));
    return copy;
  }

  test('for a file that was cut', async () => {
    const path = await makeFiles();
    for (const name of readdirSync(path).filter((each) => each !== 'manifest.copy')) {
      const { length } = readFileSync(join(path, name));
      for (const rest of [0, 10, length - 2]) {
        const copy = copyWith(path, name, (file) => truncateSync(file, rest));
        const code = expect.stringMatching(
          name === 'manifest' ? /^(?:damaged|not-an-index)$/ : /^(?:damaged|truncated)$/,
        );
        for (const mode of ['read', 'write'] as const)
          await expect(openFolderIndex(copy, { mode }), `${name} of ${rest} bytes`).rejects.toMatchObject({ code });
      }
    }
  });

  test.each([
    ['layout', 3, 'other-version', '"3"'],
    ['label', 'simhash-doc+bg1+cap8', 'invalid-label', '"simhash-doc+bg1+cap8"'],
  ] as const)('for another %s', async (name, value, code, shown) => {
    const path = newPath();
    await (await create(path)).close();
    changeManifest(path, (manifest) => ({ ...manifest, [name]: value }));
    for (const options of [{}, { mode: 'read' }, { label: LABEL }] as const)
      await expect(openFolderIndex(path, options)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(name === 'layout' ? '3' : shown),
      });
  });

  test('for a manifest without the checksum of its log or of a segment', async () => {
    const path = newPath();
    for (const range of [documents(40).slice(0, 30), documents(40).slice(30)]) {
      const index = openFolder(path, { label: LABEL, create: true }, 20);
      await index.addAll(range);
      await index.close();
    }
    for (const name of ['checksum', 'logChecksum']) {
      const copy = newPath();
      cpSync(path, copy, { recursive: true });
      changeManifest(copy, (manifest) =>
        JSON.parse(JSON.stringify(manifest, (key, value) => (key === name ? undefined : value))),
      );
      for (const mode of ['read', 'write'] as const)
        await expect(openFolderIndex(copy, { mode })).rejects.toMatchObject({
          code: 'damaged',
          message: expect.stringMatching(/it is not the (?:segment|log) that the manifest lists/),
        });
    }
  });

  const script = (body: string): string => `
    import { openFolderIndex } from ${JSON.stringify(new URL('../../../dist/lookup/stores/folder/folder-index.js', import.meta.url).href)};
    const show = (error) => { process.stdout.write((error.code ?? String(error)) + '\\n'); };
    ${body}`;

  test('a query sees the commits before it in the same turn of the event loop', async () => {
    const path = newPath();
    const index = await create(path);
    const reader = await openFolderIndex(path, { mode: 'read' });
    for (let i = 0; i < 50; i++) {
      await index.add(`document ${i}`, BigInt(i) << 8n);
      expect((await reader.query(BigInt(i) << 8n, { k: 0 })).matches).toHaveLength(1);
      expect(await reader.size()).toBe(i + 1);
    }
    await index.close();
    await reader.close();
  });

  test.each([
    ['in memory', 131_072],
    ['in segments', 500],
  ])('a query makes little garbage, which can hang Node 20 at exit: documents %s', async (_, maxRecords) => {
    const path = newPath();
    const documents = Array.from({ length: 3000 }, (_, i) => ({
      id: `document ${i}`,
      fingerprint: BigInt.asUintN(64, BigInt(i + 1) * 0x9e3779b97f4a7c15n),
    }));
    const index = await openFolder(path, { label: 'simhash-doc', create: true }, maxRecords);
    await index.addAll(documents);
    const asked = documents.slice(0, 1200);
    const ask = async (): Promise<void> => {
      for (const { fingerprint } of asked) await index.query(fingerprint);
    };
    for (let round = 0; round < 4; round++) await ask();
    const session = new Session();
    session.connect();
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 1024,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    await ask();
    const { profile } = await session.post('HeapProfiler.stopSampling');
    session.disconnect();
    await index.close();
    const sizeOf = (node: HeapProfiler.SamplingHeapProfileNode): number =>
      node.children.reduce((sum, child) => sum + sizeOf(child), node.selfSize);
    const bytes = sizeOf(profile.head) / asked.length;
    // A match, the result and its promises take about 2000; 4400 to 7500 were left when each step made objects of its own.
    expect(bytes).toBeLessThan(3600);
  });

  test('damage at any place of a file never loses a document silently in a query, and verify reports it', async ({
    annotate,
  }) => {
    const path = await makeFiles();
    const random = randomOf(5);
    const damages: ((bytes: Buffer, at: number) => unknown)[] = [
      (bytes, at) => {
        bytes[at]! ^= 1 << (random() % 8);
      },
      (bytes, at) => bytes.fill(0, at, Math.min(bytes.length, at + 4096)),
      (bytes, at) => {
        for (let i = at; i < Math.min(bytes.length, at + 4096); i++) bytes[i] = random();
      },
    ];
    const ends: Record<string, number> = {};
    for (const name of readdirSync(path)) {
      const whole = readFileSync(join(path, name));
      for (let round = 0; round < (IS_SLOW ? 120 : 6); round++) {
        const bytes = Buffer.from(whole);
        const at = random() % bytes.length;
        damages[round % 3]!(bytes, at);
        if (bytes.equals(whole)) continue;
        const copy = copyWith(path, name, (file) => writeFileSync(file, bytes));
        const end = await examine(copy, `${name}, byte ${at}, damage ${round % 3}`);
        ends[end] = (ends[end] ?? 0) + 1;
      }
    }
    await annotate(
      Object.entries(ends)
        .map(([end, times]) => `${times} ${end}`)
        .join(', '),
    );
    expect(ends['refused']).toBeGreaterThan(0);
    expect(ends['told']).toBeGreaterThan(0);
  });

  /** Opens a damaged index, asks for every document, and verifies it. */
  async function examine(path: string, what: string): Promise<'refused' | 'told' | 'harmless'> {
    let index: StoredIndex;
    try {
      index = await openFolderIndex(path, { mode: 'read' });
    } catch (error) {
      expect((error as { code?: string }).code, what).toMatch(/^(?:damaged|truncated|not-an-index|other-version)$/);
      return 'refused';
    }
    let isTold = false;
    const lost: string[] = [];
    const asked = [...documents(3000).slice(500), { id: 'document a', fingerprint: 0x55n }];
    for (const { id, fingerprint } of asked)
      try {
        const { matches } = await index.query(fingerprint);
        if (matches.every((match) => match.id !== id)) lost.push(id);
      } catch (error) {
        if ((error as { code?: string }).code !== 'damaged') expect.fail(`${what}: ${String(error)}`);
        isTold = true;
      }
    expect(lost, what).toEqual([]);
    const { faults } = await index.verify();
    await index.close();
    if (isTold) expect(faults.length, what).toBeGreaterThan(0);
    return isTold || faults.length > 0 ? 'told' : 'harmless';
  }

  test('a full disk loses nothing that was acknowledged', async () => {
    const path = newPath();
    const body = `
      const index = await openFolderIndex(process.argv[1], { label: 'simhash-doc', create: true });
      let batch = 0;
      try {
        for (; batch < 1000; batch++)
          await index.addAll(Array.from({ length: 1000 }, (_, i) => ({ id: i + ' of ' + batch, fingerprint: BigInt(i) })));
      } catch (error) { show(error); }
      process.stdout.write(batch + '\\n');`;
    // In blocks of 512 bytes or of 1 KiB, by shell: 2 or 4 MB.
    const limited = ['sh', '-c', 'ulimit -f 4000; exec "$@"', 'sh', ...NODE];
    const [code, batches] = outputOf([...limited, '--input-type=module', '-e', script(body), path]).split('\n');
    expect(code).toBe('no-space');
    expect(Number(batches)).toBeGreaterThan(3);
    const index = await openFolderIndex(path);
    await expectSound(index, 1000 * Number(batches));
    expect(await index.add('more', 1n)).toBe(true);
    await index.close();
  });

  test.runIf(process.getuid?.() === 0)('a folder without permission is reported', async () => {
    const path = newPath();
    await (await create(path)).close();
    chmodSync(path, 0o500);
    for (const name of readdirSync(path)) chmodSync(join(path, name), 0o400);
    const body = `
      process.setuid(65534);
      for (const mode of ['write', 'read']) await openFolderIndex(process.argv[1], { mode }).catch(show);`;
    expect(outputOf([...NODE, '--input-type=module', '-e', script(body), path])).toBe('no-permission\nno-permission\n');
  });
});
