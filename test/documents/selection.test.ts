import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { looksLikePaths } from '../../src/documents/documents-at.ts';
import { createPathMatcher } from '../../src/documents/path-globs.ts';
import { folder, run, stdoutOf } from '../cli/command.ts';

const pathsOf = (stdout: string): string[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(27));

describe('globs', () => {
  test.each([
    ['*.txt', 'a.txt', true],
    ['*.txt', './x/y/a.txt', true],
    ['*.txt', 'a.txt/b', false],
    ['*', '.hidden', true],
    ['x/*.txt', './x/a.txt', true],
    ['x/*.txt', 'y/x/a.txt', true],
    ['x/*.txt', 'yx/a.txt', false],
    ['x/*.txt', 'x/y/a.txt', false],
    ['x/**', 'y/x/z/a.txt', true],
    ['/x/*', '/x/a', true],
    ['/x/*', '/y/x/a', false],
    ['./x/*', './x/a', true],
    ['!a', '!a', true],
    ['{a,b}.[ch]', 'b.c', true],
    ['A', 'a', false],
    ['**', 'x/y', true],
    ['x/**/a', 'x/a', true],
    ['x/**/a', 'x/y/z/a', true],
    ['x/**/a', 'x/ya', false],
    ['**/y/*.txt', 'x/y/a.txt', true],
    ['[!a-c]?', 'd1', true],
    ['[!a-c]?', 'b1', false],
    ['{a,{b,c}}', 'c', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    // Names may come from an attacker: a backtracking matcher never ends here.
    ['*-*-*-*-*.txt', '-'.repeat(230), false],
    [`${'*-'.repeat(50)}.txt`, '-'.repeat(250), false],
    ['**/*a/**/*a/**/*a/b', 'a/'.repeat(2000), false],
  ])('match %s, %s: %s', async (glob, path, expected) => {
    expect((await createPathMatcher([glob]))(path)).toBe(expected);
  });
});

describe('--include, --exclude, --hidden', () => {
  const cwd = folder({
    'a.txt': 'one',
    'b.md': 'two',
    'drafts/c.txt': 'three',
    'drafts/deep/d.txt': 'four',
    'empty.txt': '',
    'binary.txt': Uint8Array.of(0, 1, 2, 3),
    'numbers.txt': '1 2 3',
  });
  const common = ['hash', '.'];

  test.each([
    [['--include', '*.md'], ['./b.md']],
    [
      ['--include', '*.md', '--include', 'drafts/*.txt'],
      ['./b.md', './drafts/c.txt'],
    ],
    [
      ['--exclude', 'drafts'],
      ['./a.txt', './b.md'],
    ],
    [
      ['--include', '*.txt', '--exclude', 'deep'],
      ['./a.txt', './drafts/c.txt'],
    ],
    [['--exclude', '*.md', '--exclude', 'drafts/**'], ['./a.txt']],
  ])('select documents: %j', async (args, expected) => {
    const { code, stdout } = await run([...common, ...args], { cwd });
    expect({ code, paths: pathsOf(stdout) }).toEqual({ code: 0, paths: expected });
  });

  const SKIPPED = 'skipped 3 files: not documents (1 empty, 1 of other types, 1 without letters)';

  test('count skipped files in one line; other failures fail', async () => {
    const { code, stderr } = await run(common, { cwd });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `simhash-doc: ${SKIPPED}\n`,
    });
    expect(await run(['dupes', '.'], { cwd })).toMatchObject({
      code: 0,
      stderr: `simhash-doc: ${SKIPPED}\nsimhash-doc: no two of 4 documents are similar\n`,
    });
    const named = await run(['hash', 'empty.txt', '.'], { cwd });
    expect(named.code).toBe(3);
    expect(named.stderr).toMatch(/^simhash-doc: empty.txt: the document is empty\n/);
  });

  test.each([['hash'], ['extract'], ['dupes'], ['explain'], ['index', 'add', 'store'], ['index', 'import', 'store']])(
    'end the command before it works if an operand does not exist: %s %s',
    async (...command) => {
      const start = command[0] === 'index' ? `index ${command[1]}: ` : '';
      const missing = 'no such file or folder';
      for (const [path, message] of [
        ['missing', missing],
        ['a.txt/x', 'a part of the path is not a folder'],
        ['', missing],
      ] as const) {
        const { code, stdout, stderr } = await run([...command, ...(command[0] === 'explain' ? [] : ['a.txt']), path], {
          cwd,
        });
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(`simhash-doc: ${start}${path || "''"}: ${message}`);
      }
      const { code, stderr } = await run([...command, 'mysql://me:secret@host/db'], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain('mysql://…: expected a file or a folder, got a URL');
      expect(stderr).not.toContain('secret');
      expect(existsSync(join(cwd, 'store'))).toBe(false);
    },
  );

  test('reject --against TYPO and --store TYPO', async () => {
    for (const option of ['--against', '--store']) {
      const { code, stderr } = await run(['dupes', option, 'typo', '.'], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain('typo: no such f');
    }
  });

  const hidden = folder({
    '.env': 'hidden words',
    '.git/a.txt': 'words in git',
    'node_modules/p/b.txt': 'words in a package',
    'sub/.cache/c.txt': 'words in a cache',
    'sub/d.txt': 'words in sight',
  });

  test.each<[string[], string[], string]>([
    [['hash', '.'], ['./sub/d.txt'], 'skipped 3 folders and 1 file: hidden, or node_modules (--hidden reads them)\n'],
    [
      ['hash', '.', '--exclude', '.*'],
      ['./sub/d.txt'],
      'skipped 1 folder: hidden, or node_modules (--hidden reads them)\n',
    ],
    [['hash', '.git', 'node_modules', '.env'], ['.git/a.txt', 'node_modules/p/b.txt', '.env'], ''],
    [
      ['hash', '--hidden', '.'],
      ['./.env', './.git/a.txt', './node_modules/p/b.txt', './sub/.cache/c.txt', './sub/d.txt'],
      '',
    ],
  ])('find hidden names: %j', async (args, expected, message) => {
    const { code, stdout, stderr } = await run(args, { cwd: hidden });
    expect({ code, paths: pathsOf(stdout) }).toEqual({ code: 0, paths: expected });
    expect(stderr).toBe(message === '' ? '' : `simhash-doc: ${message}`);
  });

  test('skip hidden names in all commands that walk', async () => {
    for (const args of [
      ['extract', '.'],
      ['dupes', '.'],
      ['index', 'add', 'store', '.'],
      ['index', 'query', 'store', '.'],
    ]) {
      const { code, stderr } = await run(args, { cwd: hidden });
      expect(code).toBe(0);
      expect(stderr).toContain('skipped 3 folders and 1 file: hidden');
    }
    const { stdout } = await run(['index', 'add', 'store', '--hidden', '.'], { cwd: hidden });
    expect(stdout).toContain('added 4 documents');
  });
});

describe('--files-from and --files0-from', () => {
  const cwd = folder({ a: 'one', 'line\nfeed': 'two', 'folder/b': 'three', '-': 'four' });
  const bytes = Buffer.concat([Buffer.from(`${cwd}/x`), Buffer.of(0xff)]);
  writeFileSync(bytes, 'five');

  test('reads names from standard input and from a file, the last name with or without its end', async () => {
    const list = Buffer.concat([Buffer.from('a\0line\nfeed\0folder\0-\0'), bytes]);
    writeFileSync(join(cwd, 'list'), list);
    const expected = ['a', 'line\\nfeed', 'folder/b', './-', `${cwd}/x\\xff`];
    for (const end of ['', '\0']) {
      const { code, stdout, stderr } = await run(['hash', '--files0-from', '-'], {
        cwd,
        stdin: Buffer.concat([list, Buffer.from(end)]),
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.split('\n').map((line) => line.replace(/^\\?\S{25} {2}/, ''))).toEqual([
        ...expected.map((path) => (path.endsWith('xff') ? path.replaceAll('\\', '\\\\') : path)),
        '',
      ]);
    }
    expect((await run(['hash', '--files0-from', 'list'], { cwd })).code).toBe(0);
  });

  test('--files-from reads lines, unless the list has a NUL', async () => {
    const pathsIn = async (stdin: string) =>
      (await stdoutOf(['hash', '--files-from', '-'], { cwd, stdin })).match(/(?<=^\S{25} {2}).+$/gm);
    expect(await pathsIn('a\nfolder\n-')).toEqual(['a', 'folder/b', './-']);
    expect(await pathsIn('a\0folder/b\0')).toEqual(['a', 'folder/b']);
    expect((await run(['hash', '--files-from', '-'], { cwd, stdin: 'a\n\nb' })).stderr).toContain('path 2 is empty');
  });

  test('--ext chooses by the end of the name, in any case', async () => {
    const cwd = folder({ 'a.TXT': 'one', 'b.md': 'two', 'c/d.txt': 'three', 'e.txt.bak': 'four', txt: 'five' });
    const pathsOf = async (...args: string[]) =>
      (await stdoutOf(['hash', ...args, '.'], { cwd })).match(/(?<=^\S{25} {2}).+$/gm);
    expect(await pathsOf('--ext', 'txt')).toEqual(['./a.TXT', './c/d.txt']);
    expect(await pathsOf('--ext', '.md,*.bak', '--include', 'txt')).toEqual(['./b.md', './e.txt.bak', './txt']);
  });

  test.each([
    [['--files0-from', '-', 'a'], '', '--files0-from: expected no other paths, got a'],
    [['--files0-from', '-'], 'a\0\0b', '--files0-from: -: path 2 is empty'],
    [['--files0-from', 'missing'], '', '--files0-from: missing: no such file'],
  ])('is rejected with exit code 2: %j', async (args, stdin, message) => {
    const { code, stderr } = await run(['hash', ...args], { cwd, stdin });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

test('a list of existing paths on standard input causes a warning', async () => {
  const cwd = folder({ 'a.txt': 'one', 'b.txt': 'two' });
  const { code, stderr } = await run(['hash', '-'], { cwd, stdin: 'a.txt\nb.txt\n' });
  expect(code).toBe(0);
  expect(stderr).toContain('-: warning: this looks like a list of paths');
  expect((await run(['hash', '-'], { cwd, stdin: 'a.txt\nand other words\n' })).stderr).toBe('');
  // A file is named by the caller.
  writeFileSync(join(cwd, 'list'), 'a.txt\nb.txt\n');
  expect((await run(['hash', 'list'], { cwd })).stderr).toBe('');
  expect(looksLikePaths(new TextEncoder().encode('package.json\nsrc\npac'))).toBe(true);
  expect(looksLikePaths(new TextEncoder().encode('package.json\n\nsrc\n'))).toBe(false);
  expect(looksLikePaths(new Uint8Array(0))).toBe(false);
});
