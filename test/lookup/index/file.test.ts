import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import '../../built.ts';
import { LABEL } from '../../../src/index.ts';
import { encodeHeader } from '../../../src/lookup/index/file/format.ts';
import { temporaryName } from '../../../src/lookup/index/file/temporary.ts';
import { loadIndex, saveIndex } from '../../../src/lookup/index/file.ts';
import { createMemoryIndex, type MemoryIndex } from '../../../src/lookup/index/memory-index.ts';
import type { Entry } from '../../../src/lookup/types.ts';
import { isRunning, kill, NODE, outputOf } from '../../process.ts';
import { firstRows, IS_SLOW, slowTest } from '../../suite.ts';
import { documentId } from '../../twin/arbitraries.ts';
import { uniform } from '../data.ts';

const root = mkdtempSync(join(tmpdir(), 'simhash-doc-index-'));
let folder = '';
let path = '';
let number = 0;
beforeEach(() => {
  folder = join(root, String(number++));
  mkdirSync(folder);
  path = join(folder, 'documents.index');
});
afterAll(() => rmSync(root, { recursive: true }));

function indexOf(entries: Iterable<Entry>): MemoryIndex {
  const index = createMemoryIndex({ label: LABEL });
  index.addAll(entries);
  return index;
}

const some = (count: number): Entry[] =>
  Array.from(uniform(count), (fingerprint, i) => ({ id: `${i} ${'ü'.repeat(i % 50)}`, fingerprint }));

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return (error as { readonly code?: unknown }).code ?? error;
  }
  return undefined;
}

/** Puts the right checksums to a file that was changed. */
function seal(octets: Uint8Array): Uint8Array {
  const sha = (end: number) => createHash('sha256').update(octets.subarray(0, end)).digest();
  const label = new DataView(octets.buffer, octets.byteOffset).getUint32(12, true);
  octets.set(sha(32 + label).subarray(0, 8), 32 + label);
  octets.set(sha(octets.length - 32), octets.length - 32);
  return octets;
}

/** An expression for the peak of a process's memory; on Linux, `maxRSS` is at least that of the process that started it. */
const PEAK = `(() => {
  try {
    return 1024 * Number(/^VmHWM:\\s+(\\d+) kB$/m.exec(process.getBuiltinModule('fs').readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
})()`;

describe('saving and loading', () => {
  test('gives the same documents', async () => {
    const entry = fc.record({
      id: documentId.filter((id) => id !== ''),
      fingerprint: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(entry, { selector: ({ id }) => id }), async (entries) => {
        await saveIndex(indexOf(entries), path);
        const index = await loadIndex(path);
        expect([...index.entries()]).toEqual(entries);
        expect(index.label).toBe(LABEL);
        expect(index.size()).toBe(entries.length);
        for (const { id, fingerprint } of entries) {
          expect(index.get(id)).toBe(fingerprint);
          expect(index.query(fingerprint, { k: 0 }).matches.map((match) => match.id)).toContain(id);
        }
        expect(index.add('one more', 5n)).toBe(true);
      }),
      { numRuns: IS_SLOW ? 50 : 15 },
    );
    expect(readdirSync(folder)).toEqual(['documents.index']);
  });

  test('of 256 bits, more than are read at once, without what was removed', async () => {
    const size = IS_SLOW ? 100_000 : 40_000;
    const label = 'minhash-doc-256';
    const octets = new Uint8Array(uniform(4 * size).buffer);
    const at = (i: number): Uint8Array => octets.slice(32 * i, 32 * i + 32);
    const index = createMemoryIndex({ label });
    index.addAll(Array.from({ length: size }, (_, i) => ({ id: `${i}`, fingerprint: at(i) })));
    for (let i = 0; i < 1000; i++) index.remove(`${i}`);
    await saveIndex(index, path);
    // Word 0 of the first document is the first number, the lowest octet first.
    const start = readFileSync(path).subarray(40 + label.length, 40 + label.length + 32);
    expect(Buffer.from(start).swap64()).toEqual(Buffer.from(at(1000)));
    const loaded = await loadIndex(path);
    expect([loaded.label, loaded.size()]).toEqual([label, size - 1000]);
    for (const i of [1000, 33_000, 33_768, 33_769, size - 1]) {
      expect(loaded.get(`${i}`)).toEqual(at(i));
      expect(loaded.query(at(i), { k: 0 }).matches).toMatchObject([{ id: `${i}`, distance: 0 }]);
    }
    expect(loaded.add('one more', at(0))).toBe(true);
  });

  slowTest('of many documents, more than are read or written at once, without what was removed', async () => {
    const entries = some(150_000);
    const index = indexOf(entries);
    for (let i = 0; i < 1000; i++) index.remove(entries[i]!.id);
    await saveIndex(index, path);
    expect(statSync(path).size).toBeGreaterThan(4 << 20);
    const loaded = await loadIndex(path, { label: 'SIMHASH-DOC' });
    expect([...loaded.entries()]).toEqual(entries.slice(1000));
    expect(loaded.stats().octets.fingerprints / 149_000).toBeLessThan(42);
  });

  test('saves what was there when it was called, and over an older file', async () => {
    const index = indexOf(some(5000));
    await saveIndex(indexOf([]), path);
    const saved = saveIndex(index, path);
    index.removeAll(some(4900).map(({ id }) => id));
    index.add('new', 1n);
    await saved;
    expect([...(await loadIndex(path)).entries()]).toEqual(some(5000));
  });

  test('the layout, octet by octet', async () => {
    await saveIndex(
      indexOf([
        { id: 'a', fingerprint: 0x0102_0304_0506_0708n },
        { id: 'é€', fingerprint: 2n ** 64n - 1n },
      ]),
      path,
    );
    const octets = readFileSync(path);
    const label = Buffer.from('simhash-doc');
    const header = Buffer.concat([
      Buffer.from('89534844 0d0a1a0a 01000000 0b000000 0200000000000000 0a00000000000000'.replaceAll(' ', ''), 'hex'),
      label,
    ]);
    const sha = (data: Uint8Array) => createHash('sha256').update(data).digest();
    const content = Buffer.concat([
      header,
      sha(header).subarray(0, 8),
      Buffer.from(`0807060504030201${'f'.repeat(16)}`, 'hex'),
      Buffer.from('0100', 'hex'),
      Buffer.from('a'),
      Buffer.from('0500', 'hex'),
      Buffer.from('é€'),
    ]);
    expect(octets.toString('hex')).toBe(Buffer.concat([content, sha(content)]).toString('hex'));
  });

  test('a file that cannot be written leaves the old one and nothing else', async () => {
    await saveIndex(indexOf(some(3)), path);
    const before = readFileSync(path);
    expect(await codeOf(saveIndex(indexOf(some(3)), join(folder, 'none', 'x')))).toBe('ENOENT');
    // The new file is written, but cannot take the name of a folder.
    mkdirSync(join(folder, 'taken'));
    expect(await codeOf(saveIndex(indexOf(some(3)), join(folder, 'taken')))).toMatch(/^E(ISDIR|EXIST|NOTEMPTY|PERM)$/);
    expect(readdirSync(folder).sort()).toEqual(['documents.index', 'taken']);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  slowTest(
    'takes no more memory than the index, and not twice that',
    () => {
      // In a process of its own, in which nothing else happened.
      const url = (name: string): string => new URL(`../../../dist/lookup/index/${name}.js`, import.meta.url).href;
      const program = `
      import { createMemoryIndex } from '${url('memory-index')}';
      import { loadIndex, saveIndex } from '${url('file')}';
      const path = process.argv[1];
      const step = process.argv[2];
      if (step === 'save') {
        const index = createMemoryIndex({ label: 'simhash-doc' });
        index.addAll((function* () { for (let i = 0; i < 1e6; i++) yield { id: String(i), fingerprint: BigInt(i) * 0x9e3779b97f4a7c15n % (1n << 64n) }; })());
        await saveIndex(index, path);
      } else {
        const before = process.memoryUsage().rss;
        const index = await loadIndex(path);
        const { octets } = index.stats();
        const most = ${PEAK};
        console.log(JSON.stringify({ share: (most - before) / (octets.fingerprints + octets.ids), size: index.size() }));
      }`;
      const run = (step: string): string => outputOf([...NODE, '--input-type=module', '-e', program, path, step]);
      run('save');
      const { share, size } = JSON.parse(run('load'));
      expect(size).toBe(1e6);
      expect(share).toBeLessThan(1.6);
    },
    60_000,
  );
});

describe('what is refused', () => {
  test('every octet that is changed', async () => {
    await saveIndex(indexOf(some(4)), path);
    const whole = readFileSync(path);
    const seen = new Set<unknown>();
    for (let at = 0; at < whole.length; at++)
      for (const mask of firstRows(1, [0x01, 0x80, 0xff])) {
        const damaged = Uint8Array.from(whole);
        damaged[at]! ^= mask;
        writeFileSync(path, damaged);
        const code = await codeOf(loadIndex(path));
        expect(code, `octet ${at}`).toMatch(/^(not-an-index|other-version|truncated|damaged)$/);
        if (at >= 16) expect(code).toBe('damaged');
        seen.add(code);
      }
    expect(seen).toContain('not-an-index');
    expect(seen).toContain('other-version');
  });

  test('every place at which it can be cut, and octets behind the end', async () => {
    await saveIndex(indexOf(some(4)), path);
    const whole = readFileSync(path);
    for (let length = whole.length - 1; length >= 0; length--) {
      truncateSync(path, length);
      expect(await codeOf(loadIndex(path)), `${length} octets`).toBe('truncated');
    }
    for (const more of ['x', 'x'.repeat(5000)]) {
      writeFileSync(path, Buffer.concat([whole, Buffer.from(more)]));
      expect(await codeOf(loadIndex(path))).toBe('damaged');
    }
  });

  slowTest(
    'large files cut and changed in many places',
    async () => {
      await saveIndex(indexOf(some(140_000)), path);
      const whole = readFileSync(path);
      for (let at = 40; at < whole.length; at += Math.floor(whole.length / 9)) {
        const damaged = Uint8Array.from(whole);
        damaged[at]! ^= 0x10;
        writeFileSync(path, damaged);
        expect(await codeOf(loadIndex(path))).toBe('damaged');
        writeFileSync(path, whole.subarray(0, at));
        expect(await codeOf(loadIndex(path))).toBe('truncated');
      }
    },
    60_000,
  );

  test('content that agrees with its checksum, but not with itself', async () => {
    const entries = ['ab', 'cd', 'ef'].map((id) => ({ id, fingerprint: 1n }));
    await saveIndex(indexOf(entries), path);
    const whole = readFileSync(path);
    const ids = whole.length - 32 - 12;
    const cases: readonly (readonly [string, (octets: Uint8Array) => void])[] = [
      ['is not unique', (octets) => octets.set(Buffer.from('ab'), ids + 6)],
      ['UTF-8', (octets) => octets.set([0xff, 0xfe], ids + 6)],
      ['length', (octets) => octets.set([0, 0], ids + 4)],
      ['length', (octets) => octets.set([0xff, 0xff], ids)],
      ['length', (octets) => octets.set([3, 0], ids + 8)],
      ['after the last', (octets) => octets.set([1, 0], ids + 8)],
      ['length', (octets) => octets.set([0xf5, 0x01], ids)],
    ];
    for (const [message, change] of cases) {
      const octets = Uint8Array.from(whole);
      change(octets);
      writeFileSync(path, seal(octets));
      expect(await codeOf(loadIndex(path)), message).toBe('damaged');
      await expect(loadIndex(path)).rejects.toThrow(message);
    }
    writeFileSync(path, seal(Uint8Array.from(whole)));
    expect((await loadIndex(path)).size()).toBe(3);
  });

  test('numbers of documents that would fill all memory', async () => {
    await saveIndex(indexOf(some(2)), path);
    for (const [at, value] of [
      [16, 2n ** 63n],
      [16, 2n ** 40n],
      [24, 2n ** 64n - 1n],
      [24, 2n ** 32n],
    ] as const) {
      const octets = Uint8Array.from(readFileSync(path));
      new DataView(octets.buffer).setBigUint64(at, value, true);
      writeFileSync(join(folder, 'huge'), seal(octets));
      expect(await codeOf(loadIndex(join(folder, 'huge')))).toBe('truncated');
    }
  });

  test('another version, another label, none of ours, nothing', async () => {
    await saveIndex(indexOf(some(2)), path);
    const octets = Uint8Array.from(readFileSync(path));
    octets[8] = 2;
    writeFileSync(path, seal(octets));
    expect(await codeOf(loadIndex(path))).toBe('other-version');
    await expect(loadIndex(path)).rejects.toThrow('expected format version 1, got 2');

    await saveIndex(createMemoryIndex({ label: 'MINHASH-DOC' }), path);
    expect((await loadIndex(path)).label).toBe('minhash-doc');
    expect(await codeOf(loadIndex(path, { label: LABEL }))).toBe('label-mismatch');
    await expect(loadIndex(path, { label: LABEL })).rejects.toThrow(/simhash-doc, got "minhash-doc"/);
    // Written by another version of this package, with labels that were withdrawn or are not known yet.
    writeFileSync(path, seal(Buffer.concat([encodeHeader('simhash-doc+bg1+cap8', 0, 0), Buffer.alloc(32)])));
    for (const options of [{}, { label: LABEL }]) {
      expect(await codeOf(loadIndex(path, options))).toBe('invalid-label');
      await expect(loadIndex(path, options)).rejects.toThrow('"simhash-doc+bg1+cap8", which is not a registered label');
    }

    expect(await codeOf(loadIndex(path, { label: 'nope' }))).toBe('invalid-label');
    writeFileSync(path, 'some text that is no index at all, and long enough to be one, as far as length goes');
    expect(await codeOf(loadIndex(path))).toBe('not-an-index');
    writeFileSync(path, 'x');
    expect(await codeOf(loadIndex(path))).toBe('not-an-index');
    expect(await codeOf(loadIndex(join(folder, 'none')))).toBe('ENOENT');
    expect(await codeOf(loadIndex(folder))).toBe('EISDIR');
  });
});

describe('permissions, links and what others left behind', () => {
  const temporary = () => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

  test('a file that is replaced keeps its mode; a new one has the usual one', async () => {
    await saveIndex(indexOf(some(3)), path);
    expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask());
    for (const mode of [0o600, 0o640, 0o664]) {
      chmodSync(path, mode);
      await saveIndex(indexOf(some(4)), path);
      expect(statSync(path).mode & 0o777).toBe(mode);
    }
  });

  test.runIf(process.getuid?.() === 0)('and its owner', async () => {
    await saveIndex(indexOf(some(3)), path);
    chownSync(path, 1234, 2345);
    await saveIndex(indexOf(some(4)), path);
    expect(statSync(path)).toMatchObject({ uid: 1234, gid: 2345 });
  });

  test('the target of a link is replaced, also one that does not exist yet', async () => {
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync('second', path);
    symlinkSync(join('elsewhere', 'target'), join(folder, 'second'));
    for (const count of [3, 4]) {
      await saveIndex(indexOf(some(count)), path);
      expect(readlinkSync(path)).toBe('second');
      expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['target']);
      expect((await loadIndex(path)).size()).toBe(count);
    }
    symlinkSync('loop', join(folder, 'loop'));
    expect(await codeOf(saveIndex(indexOf([]), join(folder, 'loop')))).toBe('ELOOP');
  });

  test('links are followed as the system does, also through a link to a folder', async () => {
    mkdirSync(join(folder, 'a', 'b'), { recursive: true });
    symlinkSync(join('a', 'b'), join(folder, 'short'));
    symlinkSync(join('..', 'target'), join(folder, 'a', 'b', 'index'));
    await saveIndex(indexOf(some(3)), join(folder, 'short', 'index'));
    expect(readdirSync(join(folder, 'a'))).toEqual(['b', 'target']);
    // Not joined, which would make it that of `folder`.
    await saveIndex(indexOf(some(4)), `${folder}/short/../other`);
    expect(readdirSync(join(folder, 'a'))).toEqual(['b', 'other', 'target']);
    expect(readdirSync(folder).sort()).toEqual(['a', 'short']);
  });

  // Root can open every folder, so it becomes somebody else for the time of the save.
  test.skipIf(process.platform === 'win32')(
    'a folder that can be written to, but not be opened for fsync',
    async () => {
      const drop = join(folder, 'drop');
      mkdirSync(drop);
      // It must reach the folder from the temporary one, which only root may enter.
      for (const parent of [dirname(folder), folder]) chmodSync(parent, 0o755);
      chmodSync(drop, 0o300);
      const isRoot = process.getuid?.() === 0;
      if (isRoot) chownSync(drop, 1234, 2345);
      if (isRoot) process.seteuid!(1234);
      try {
        expect(() => readdirSync(drop)).toThrow(/EACCES/);
        await saveIndex(indexOf(some(3)), join(drop, 'index'));
      } finally {
        if (isRoot) process.seteuid!(0);
      }
      chmodSync(drop, 0o700);
      expect((await loadIndex(join(drop, 'index'))).size()).toBe(3);
    },
  );

  test('the temporary file of a writer that was killed goes with the next save, that of another machine stays', async () => {
    const url = (name: string): string => new URL(`../../../dist/lookup/index/${name}.js`, import.meta.url).href;
    const program = `
      import { createMemoryIndex } from '${url('memory-index')}';
      import { saveIndex } from '${url('file')}';
      const index = createMemoryIndex({ label: 'simhash-doc' });
      index.addAll(Array.from({ length: 40000 }, (_, i) => ({ id: 'document ' + i, fingerprint: BigInt(i) })));
      for (;;) await saveIndex(index, process.argv[1]);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, path]);
    while (temporary().length === 0 && isRunning(child)) await new Promise((resolve) => setImmediate(resolve));
    await kill(child);
    // The last save may have been finished: then there is a file like the one that it would have left.
    if (temporary().length === 0)
      writeFileSync(join(folder, temporaryName().replace(/-\d+-\d+-/, `-${child.pid}-1-`)), 'x');
    const other = '.simhash-doc-0123abcd-1-1-0123456789ab.tmp';
    writeFileSync(join(folder, other), 'x');
    const mine = temporaryName();
    writeFileSync(join(folder, mine), 'x');
    await saveIndex(indexOf(some(3)), path);
    expect(temporary().sort()).toEqual([other, mine].sort());
    const old = Date.now() / 1000 - 3 * 24 * 3600;
    utimesSync(join(folder, other), old, old);
    await saveIndex(indexOf(some(3)), path);
    expect(temporary()).toEqual([mine]);
  });

  test('neither replaces nor reads anything but a regular file', async () => {
    execFileSync('mkfifo', [path]);
    expect(await codeOf(loadIndex(path))).toBe('not-an-index');
    expect(await codeOf(saveIndex(indexOf([]), path))).toBe('not-an-index');
    expect(statSync(path).isFIFO()).toBe(true);
  });
});

test('a sparse file that claims millions of documents is refused without memory for them', () => {
  const program = `
    import { createHash } from 'node:crypto';
    import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
    import { loadIndex } from '${new URL('../../../dist/lookup/index/file.js', import.meta.url).href}';
    import { encodeHeader } from '${new URL('../../../dist/lookup/index/file/format.js', import.meta.url).href}';
    const [count, idOctets] = [8e6, 24e6];
    const header = encodeHeader('simhash-doc', count, idOctets);
    const fd = openSync(process.argv[1], 'w');
    writeSync(fd, header);
    const size = header.length + 8 * count + idOctets;
    ftruncateSync(fd, size + 32);
    if (process.argv[2] === 'sealed') {
      const hash = createHash('sha256').update(header);
      for (let left = size - header.length; left > 0; left -= 1 << 20) hash.update(new Uint8Array(Math.min(left, 1 << 20)));
      writeSync(fd, hash.digest(), 0, 32, size);
    }
    closeSync(fd);
    const before = process.memoryUsage().rss;
    const code = await loadIndex(process.argv[1]).catch((error) => error.code);
    console.log(JSON.stringify({ code, grown: ${PEAK} - before }));`;
  for (const form of firstRows(1, ['sealed', 'open'])) {
    const { code, grown } = JSON.parse(outputOf([...NODE, '--input-type=module', '-e', program, path, form]));
    expect(code).toBe('damaged');
    // The documents would take more than 400 MB.
    expect(grown).toBeLessThan(64 << 20);
  }
});
