import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageOf } from '../extract/package/package-of.ts';
import { folder, jsonLines, jsonOf, run, stdoutOf } from './command.ts';

const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(30);
const OTHER = 'Of all the ships that left the harbour that year, three came home. '.repeat(30);

/** Makes a folder `two` of files whose names are bytes, one character for each. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const cwd = folder({ 'two/plain.txt': 'Nothing in here is like the rest of it, as every word is new.' });
  for (const [name, text] of Object.entries(files))
    writeFileSync(Buffer.concat([Buffer.from(`${join(cwd, 'two')}/`), Buffer.from(name, 'latin1')]), text);
  return cwd;
}

/** Two names that would look alike if only the bytes that are not UTF-8 were escaped. */
const TWO = { '\xff.txt': TEXT, '\\xff.txt': TEXT };

describe.runIf(process.platform === 'linux')(
  'of two files, one whose name is not UTF-8 and one whose name looks like its escape,',
  () => {
    test('hash --check reads both from its list, in each form', async () => {
      for (const form of [[], ['--json']]) {
        const cwd = folderOf({ '\xff.txt': TEXT, '\\xff.txt': OTHER, 'caf\xe9.txt': TEXT });
        const stdout = await stdoutOf(['hash', ...form, 'two'], { cwd });
        writeFileSync(join(cwd, 'list'), stdout);
        const before = await run(['hash', '--check', 'list'], { cwd });
        expect(before).toMatchObject({ code: 0, stderr: '' });
        expect(before.stdout.match(/: OK$/gm)).toHaveLength(4);
        writeFileSync(join(cwd, 'two/\\xff.txt'), TEXT);
        const after = await run(['hash', '--check', 'list'], { cwd });
        expect(after.code).toBe(1);
        expect(after.stdout).toMatch(/^two\/\\x5cxff\.txt: CHANGED/m);
        expect(after.stdout).toContain('two/\\xff.txt: OK\n');
      }
    });

    test('dupes reports both as identical', async () => {
      const { code, stdout, stderr } = await run(['dupes', '--json', 'two'], { cwd: folderOf(TWO) });
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stderr).not.toContain('not compared');
      expect(jsonLines(stdout)).toHaveLength(1);
      expect(stdout).toContain('"identical":true');
    });

    test('index keeps both, and replaces nothing in a second sync', async () => {
      const cwd = folderOf(TWO);
      const count = async (...args: string[]) => (await jsonOf(['index', ...args, '--json'], { cwd }))[0];
      expect(await count('sync', 'store', 'two')).toMatchObject({ added: 3, replaced: 0, failed: 0 });
      expect(await count('sync', 'store', 'two')).toMatchObject({ added: 0, replaced: 0, removed: 0 });
      const stdout = await stdoutOf(['index', 'export', 'store'], { cwd });
      expect(await run(['index', 'import', 'copy', '-'], { cwd, stdin: stdout })).toMatchObject({ code: 0 });
      expect(await stdoutOf(['index', 'export', 'copy'], { cwd })).toBe(stdout);
      const verified = await run(['index', 'query', '--verify', 'store', 'two/\\xff.txt'], { cwd });
      expect(verified).toMatchObject({ code: 0, stderr: '' });
      expect(verified.stdout.split('\n').filter((line) => line.includes('xff'))).toHaveLength(2);
      rmSync(join(cwd, 'two/\\xff.txt'));
      expect(await count('sync', 'store', 'two')).toMatchObject({ added: 0, removed: 1 });
      expect(await count('remove', 'store', 'two/\\xff.txt')).toMatchObject({ removed: 1 });
      expect(await count('sync', 'store', 'two')).toMatchObject({ added: 1, removed: 0 });
      rmSync(Buffer.concat([Buffer.from(join(cwd, 'two/')), Buffer.from('\xff.txt', 'latin1')]));
      expect(await count('sync', 'store', 'two')).toMatchObject({ added: 0, removed: 1 });
    });

    test('--files0-from reads both, and an argument that Node.js cannot pass on is explained', async () => {
      const cwd = folderOf({ '\xff.txt': TEXT, '\\xff.txt': OTHER });
      writeFileSync(join(cwd, 'list'), Buffer.from('two/\xff.txt\0two/\\xff.txt\0', 'latin1'));
      const stdout = await stdoutOf(['hash', '--json', '--files0-from', 'list'], { cwd });
      expect(jsonLines(stdout).map(({ path }) => path)).toEqual(['two/\\xff.txt', 'two/\\x5cxff.txt']);
      const { code, stderr } = await run(['hash', 'two/\uFFFD.txt'], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain('no such file or folder (is its name not UTF-8? Name its folder instead');
    });
  },
);

describe.runIf(process.platform !== 'win32')('a file with the name of a document in an archive beside it', () => {
  test('has another path, by which every command finds it', async () => {
    const cwd = folder({
      'two/x.zip': await packageOf({ 'a.txt': TEXT }),
      'two/x.zip!a.txt': OTHER,
      'two/Stop!.txt': 'Nobody waited for the lights to change that evening.',
    });
    const stdout = await stdoutOf(['hash', 'two'], { cwd });
    const names = ['two/Stop!.txt', 'two/x.zip!a.txt', 'two/x.zip\\\\x21a.txt'];
    expect(stdout.split('\n').map((line) => line.split('  ')[1])).toEqual([...names, undefined]);
    writeFileSync(join(cwd, 'list'), stdout);
    expect(await run(['hash', '--check', 'list'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(await stdoutOf(['index', 'sync', 'store', 'two'], { cwd })).toContain('added 3 documents');
    for (const query of ['two/x.zip', 'two/x.zip!a.txt']) {
      const verified = await run(['index', 'query', '--verify', 'store', query], { cwd });
      expect(verified).toMatchObject({ code: 0, stderr: '' });
      expect(verified.stdout).toContain(query === 'two/x.zip' ? 'two/x.zip!a.txt' : 'two/x.zip\\\\x21a.txt');
    }
  });
});
