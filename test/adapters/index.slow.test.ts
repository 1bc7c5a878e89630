import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatLabelled, LABELS } from '../../src/index.ts';
import { openFolderIndex } from '../../src/lookup/stores/folder/folder-index.ts';
import { openFolder } from '../../src/lookup/stores/folder/open-folder.ts';
import { run as command, folder as newFolder } from '../cli/command.ts';
import { flipped, randomOf, uniform } from '../lookup/data.ts';
import { isThere } from './implementations.ts';
import { canBuildWheel, type InstalledWheel, installWheel } from './wheel.ts';

/** Answers queries, a JSON list of labelled fingerprints with k, from an index. */
const ANSWER = `
import json, sys, simhash_doc as sd
index = sd.Index.load(sys.argv[1])
found = [[[m.id, m.distance, str(m.fingerprint)] for m in index.query(text, k)] for text, k in json.load(sys.stdin)]
if len(sys.argv) > 2: index.save(sys.argv[2])
print(json.dumps([len(index), found]))
`;

/** Loads an index again and again, in which seven entries at a time get the same fingerprint; prints how many there were. */
const LOADS = `
import json, sys, simhash_doc as sd
sizes = []
while len(set(sizes)) < 9:
    groups = {}
    for id, fingerprint in sd.Index.load(sys.argv[1]).items(): groups.setdefault(int(id) // 7, []).append(fingerprint)
    assert all(len(group) == 7 and len(set(group)) == 1 for group in groups.values())
    sizes.append(len(groups))
print(json.dumps(sizes))
`;

describe.skipIf(!isThere('cargo, or maturin in build/python,', canBuildWheel()))('an index in Python', () => {
  let wheel: InstalledWheel;
  beforeAll(() => {
    wheel = installWheel();
  });
  const python = (program: string, args: readonly string[], input = ''): string =>
    execFileSync(wheel.python, ['-c', program, ...args], {
      input,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['pipe', 'pipe', 'pipe'],
    });

  test.each([LABELS[0]!, 'minhash-doc-256'])(
    'of %s equals that of the command in a folder, and in JSON Lines',
    async (label) => {
      const cwd = newFolder();
      const random = randomOf(7);
      const [centre] = uniform(1);
      const words = label === 'minhash-doc-256' ? 4 : 1;
      const near = (i: number): bigint[] =>
        Array.from({ length: words }, (_, w) => flipped(centre!, (i + 5 * w) % 20, random));
      const make = (i: number) => {
        if (words === 1) return near(i)[0]!;
        const bytes = Buffer.alloc(32);
        for (const [w, word] of near(i).entries()) bytes.writeBigUInt64BE(word, 8 * w);
        return new Uint8Array(bytes);
      };
      const place = join(cwd, 'index');
      const index = await openFolderIndex(place, { label, create: true });
      for (let part = 0; part < 3; part++)
        await index.addAll(
          Array.from({ length: 3000 }, (_, i) => ({
            id: `${'東'.repeat(i % 9)}${2000 * part + i}`,
            fingerprint: make(i),
          })),
          { existing: 'replace' },
        );
      await index.removeAll(['東1', '4002', 'none']);
      await index.addAll([{ id: 'lossy "\\', fingerprint: make(3), losses: ['damaged'] }]);
      const queries = [0, 1, 3, 4, 7, 8, 11, 12, 20].map((k) => [make(k), k] as const);
      const expected = await Promise.all(
        queries.map(async ([query, k]) =>
          (await index.query(query, { k })).matches.map((each) => [
            each.id,
            each.distance,
            formatLabelled(label, each.fingerprint),
          ]),
        ),
      );
      const size = await index.size();
      await index.close();
      const asked = JSON.stringify(queries.map(([query, k]) => [formatLabelled(label, query), k]));
      expect(JSON.parse(python(ANSWER, [place, join(cwd, 'saved.jsonl')], asked))).toEqual([size, expected]);
      expect(JSON.parse(python(ANSWER, [join(cwd, 'saved.jsonl')], asked))).toEqual([size, expected]);
      expect((await command(['index', 'import', 'again', 'saved.jsonl'], { cwd })).code).toBe(0);
      const exported = async (name: string) =>
        (await command(['index', 'export', name], { cwd })).stdout.replace(/,"losses":\[[^\]]*\]/g, '');
      expect(await exported('again')).toBe(await exported('index'));
    },
  );

  test('reads what is committed, also while another process writes', async () => {
    const cwd = newFolder();
    const place = join(cwd, 'index');
    // So few records fit in memory that segments are written and merged all the time.
    const index = openFolder(place, { label: LABELS[0]!, create: true }, 40);
    const add = (group: number) =>
      index.addAll(Array.from({ length: 7 }, (_, i) => ({ id: `${7 * group + i}`, fingerprint: BigInt(group) })));
    await add(0);
    let isLoading = true;
    const loading = promisify(execFile)(wheel.python, ['-c', LOADS, place]).finally(() => {
      isLoading = false;
    });
    for (let group = 1; isLoading; group++) {
      await add(group);
      await new Promise(setImmediate);
    }
    const sizes: number[] = JSON.parse((await loading).stdout);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    await index.close();
  });

  test('says why a folder is not opened: what it is, and each file that is damaged', async () => {
    const cwd = newFolder({ 'no/file': 'x', 'lines.jsonl': '{"id": 1' });
    const place = join(cwd, 'index');
    const index = await openFolderIndex(place, { label: LABELS[0]!, create: true });
    await index.addAll(Array.from(uniform(300), (fingerprint, i) => ({ id: `${i}`, fingerprint })));
    await index.close();
    await (await openFolderIndex(place)).close();
    const why = (name: string, ...label: string[]): string =>
      python(
        'import sys, simhash_doc as sd\ntry: print(sd.Index.load(*sys.argv[1:]))\nexcept ValueError as e: print(e)',
        [join(cwd, name), ...label],
      );
    expect(why('index')).toBe('<Index of simhash-doc: 300 entries>\n');
    expect(why('no')).toContain('is not an index: it has no manifest');
    expect(why('lines.jsonl')).toMatch(/Expecting|delimiter/);
    for (const name of readdirSync(place).filter((each) => each === 'manifest' || /log|seg|\d/.test(each))) {
      const copy = `damaged-${name}`;
      cpSync(place, join(cwd, copy), { recursive: true });
      const bytes = readFileSync(join(place, name));
      if (bytes.length === 0) continue;
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(join(cwd, copy, name), bytes);
      expect(why(copy), name).toContain(`${copy}: is damaged: `);
    }
    const log = readdirSync(place).find((each) => each.endsWith('.log'))!;
    const open = await openFolderIndex(place);
    await open.addAll([{ id: 'a', fingerprint: 1n }]);
    await open.addAll([{ id: 'b', fingerprint: 2n }]);
    const bytes = readFileSync(join(place, log));
    expect(why('index')).toContain('302 entries');
    expect(why('index', 'minhash-doc')).toContain('expected the label minhash-doc');
    // The end of the seal is missing, then a part of the last transaction.
    for (const [cut, size] of [
      [1, 302],
      [20, 301],
    ] as const) {
      writeFileSync(join(place, log), bytes.subarray(0, -cut));
      expect(why('index')).toContain(`${size} entries`);
    }
    const first = bytes.lastIndexOf('da');
    writeFileSync(join(place, log), bytes.fill(1, first, first + 1));
    expect(why('index')).toContain('index: is damaged: the frame at byte ');
    await open.close();
    python('import sys, simhash_doc as sd; sd.Index("minhash-doc").save(sys.argv[1])', [join(cwd, 'empty.jsonl')]);
    expect(why('empty.jsonl')).toContain('expected the argument label');
    expect(why('empty.jsonl', 'MINHASH-DOC')).toBe('<Index of minhash-doc: 0 entries>\n');
    const manifest = JSON.stringify({ layout: 4 });
    writeFileSync(join(place, 'manifest'), `${manifest}\n${crc32(manifest).toString(16).padStart(8, '0')}\n`);
    expect(why('index')).toContain('index: has layout 4; this version reads 5');
    appendFileSync(join(place, 'manifest'), 'x');
    expect(why('index')).toContain('the checksum of the manifest is wrong');
  });
});
