import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createStamps } from '../../../src/duplicates/stamps.ts';
import { folder, run, stdoutOf, success, wordsOf } from '../command.ts';

const TEXT = wordsOf('w', 300).join(' ');
const NEAR = `${TEXT} more`;
/** Another text of the same length. */
const OTHER = TEXT.replaceAll('w', 'x');

/** The shells of this machine: the script is POSIX with `test -ef`. */
const SHELLS = [['sh'], ['dash'], ['bash'], ['busybox', 'sh'], ['ksh'], ['zsh']].filter(
  ([name, ...args]) => spawnSync(name!, [...args, '-c', ':']).status === 0,
);

function runScript(script: string, cwd: string, env: NodeJS.ProcessEnv = {}, [name, ...args] = SHELLS[0]!) {
  const { status, stdout, stderr } = spawnSync(name!, [...args], {
    input: script,
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

async function scriptFor(cwd: string, ...args: string[]): Promise<string> {
  const stdout = await stdoutOf(['dupes', '--script', ...args, '.'], { cwd });
  expect(stdout).toContain('\nremove ');
  return stdout;
}

/** Characters that a terminal interprets. */
const OBEYED = /(?!\n)[\p{Cc}\u202e\u2028\u200b\ufeff\u00ad\u2060\u3164\ufff9\u{e0041}]/u;

type At = (name: string) => string;

/** Puts something else in the place of a file. */
const replaced =
  (name: string, make: (path: string, at: At) => void) =>
  (at: At): void => {
    rmSync(at(name));
    make(at(name), at);
  };

/** Changes between the scan and the script, and the messages of the script. */
const CHANGES: readonly (readonly [string, (at: At) => void, string])[] = [
  ['the kept file is truncated', (at) => truncateSync(at('a.txt'), 0), 'has changed its size'],
  ['the kept file has other content of the same size', (at) => writeFileSync(at('a.txt'), OTHER), 'a.txt, has changed'],
  ['the kept file is gone', (at) => rmSync(at('a.txt')), 'is gone'],
  ['the kept file is a folder', replaced('a.txt', (path) => mkdirSync(path)), 'is not a file any more'],
  ['the kept file is a link', replaced('a.txt', (path) => symlinkSync('b.txt', path)), 'is a symbolic link now'],
  [
    'the kept file is a hard link',
    replaced('a.txt', (path, at) => linkSync(at('b.txt'), path)),
    'is a link to the file',
  ],
  ['the removed file has other content of the same size', (at) => writeFileSync(at('b.txt'), OTHER), 'it has changed'],
  ['the removed file is longer', (at) => writeFileSync(at('b.txt'), NEAR), 'it has changed its size'],
  ['the removed file is gone', (at) => rmSync(at('b.txt')), 'it is gone'],
  ['the removed file is a folder', replaced('b.txt', (path) => mkdirSync(path)), 'it is not a file any more'],
  ['the removed file is a link', replaced('b.txt', (path) => symlinkSync('a.txt', path)), 'it is a symbolic link now'],
];

describe.each(SHELLS.map((shell) => [shell.join(' '), shell] as const))('the script of dupes in %s', (_, shell) => {
  test.each(CHANGES)('removes nothing when %s', async (_title, change, reason) => {
    const cwd = folder({ 'a.txt': TEXT, 'b.txt': TEXT });
    const script = await scriptFor(cwd);
    change((name) => join(cwd, name));
    const before = readdirSync(cwd);
    const { code, stdout, stderr } = runScript(script, cwd, {}, shell);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '0 removed, 1 skipped\n' });
    expect(stderr).toMatch(/^not removed: .*b\.txt: /);
    expect(stderr).toContain(reason);
    expect(readdirSync(cwd)).toEqual(before);
  });

  test('removes files from another folder, and skips them in a second run', async () => {
    const cwd = folder({ 'a.txt': TEXT, '-b.txt': TEXT, "c'\n.txt": NEAR, 'd.txt': TEXT });
    const script = await scriptFor(cwd, '--keep', 'a.txt');
    writeFileSync(join(cwd, 'd.txt'), OTHER);
    const elsewhere = folder();
    expect(runScript(script, elsewhere, {}, shell)).toMatchObject({ code: 3, stdout: '2 removed, 1 skipped\n' });
    expect(readdirSync(cwd).sort()).toEqual(['a.txt', 'd.txt']);
    const again = runScript(script, elsewhere, {}, shell);
    expect(again).toMatchObject({ code: 3, stdout: '0 removed, 3 skipped\n' });
    expect(again.stderr).toContain("c'?.txt: it is gone\n");
    expect(readdirSync(cwd).sort()).toEqual(['a.txt', 'd.txt']);
  });

  test('escapes control and invisible characters of names in itself and in its messages', async () => {
    const UNSEEN = 'u\u200b\ufeff\u00ad\u2060\u3164\ufff9\u{e0041}';
    const cwd = folder({ 'a.txt': TEXT });
    const names = ['\x1b[31m\r', '\u202eb\n', "c'%s\\n\x9b\n\n", 'é\u2028', UNSEEN, 'd'].map((name) =>
      Buffer.from(name),
    );
    for (const name of [...names, Buffer.of(0x65, 0xff, 0x9b, 0x27, 0x25)])
      writeFileSync(Buffer.concat([Buffer.from(`${cwd}/`), name]), TEXT);
    const script = await scriptFor(cwd, '--keep', 'a.txt');
    const copy = await stdoutOf(['dupes', '--script', '--keep', 'a.txt', '.'], { cwd });
    for (const text of [script, copy]) expect(text).not.toMatch(OBEYED);
    expect(runScript(script, cwd, {}, shell)).toEqual(success('7 removed, 0 skipped\n'));
    expect(readdirSync(cwd)).toEqual(['a.txt']);
    const { code, stderr } = runScript(script, cwd, {}, shell);
    expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 3, lines: 8 });
    expect(stderr).not.toMatch(OBEYED);
  });

  test('moves files with MOVE_TO, and overwrites nothing', async () => {
    const cwd = folder({ 'a.txt': TEXT, 'x/b.txt': TEXT, 'y/b.txt': NEAR });
    const elsewhere = folder();
    const script = await scriptFor(cwd, '--keep', 'a.txt');
    const move = () => runScript(script, elsewhere, { MOVE_TO: '-to here' }, shell);
    expect(move()).toEqual(success('2 removed, 0 skipped\n'));
    const moved = join(elsewhere, '-to here', cwd);
    expect(readFileSync(join(moved, 'x/b.txt'), 'utf8')).toBe(TEXT);
    expect(readFileSync(join(moved, 'y/b.txt'), 'utf8')).toBe(NEAR);
    writeFileSync(join(cwd, 'x/b.txt'), TEXT);
    writeFileSync(join(moved, 'x/b.txt'), 'precious');
    expect(move().stderr).toContain('x/b.txt: the folder of MOVE_TO has such a file\n');
    expect(readFileSync(join(moved, 'x/b.txt'), 'utf8')).toBe('precious');
    expect(existsSync(join(cwd, 'x/b.txt'))).toBe(true);
    expect(runScript(script, elsewhere, { MOVE_TO: '' }, shell)).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(join(cwd, 'x/b.txt'))).toBe(true);
  });

  test('removes nothing without a tool for digests', async () => {
    const cwd = folder({ 'a.txt': TEXT, 'b.txt': TEXT });
    // A tool that prints something else does not count.
    const bin = folder();
    for (const tool of ['sha256sum', 'shasum', 'openssl', 'sha256']) {
      writeFileSync(join(bin, tool), '#!/bin/sh\necho 0\n', { mode: 0o755 });
    }
    // Busybox would take its own sha256sum.
    const script = (await scriptFor(cwd)).replace("in sha256sum '", "in ./sha256sum '");
    const { code, stderr } = runScript(script, bin, { PATH: `${bin}:${process.env['PATH']}` }, shell);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'nothing was removed: sha256sum, shasum or openssl is needed\n',
    });
    expect(readdirSync(cwd)).toEqual(['a.txt', 'b.txt']);
  });
});

test.each(['sha256sum', 'shasum -a 256', 'openssl dgst -sha256 -r'])('%s proves a file', async (tool) => {
  const cwd = folder({ 'a.txt': TEXT, 'b.txt': TEXT, 'c.txt': TEXT });
  const script = (await scriptFor(cwd)).replace(/for each in .*; do/, `for each in '${tool}'; do`);
  writeFileSync(join(cwd, 'c.txt'), OTHER);
  expect(runScript(script, cwd)).toMatchObject({ code: 3, stdout: '1 removed, 1 skipped\n' });
  expect(readdirSync(cwd)).toEqual(['a.txt', 'c.txt']);
});

test('the script of dupes reports links that would dangle, and never removes a link', async () => {
  const cwd = folder({ 'b.txt': TEXT, 'c.txt': TEXT });
  symlinkSync('c.txt', join(cwd, 'a-link'));
  symlinkSync('c.txt', join(cwd, 'z-link'));
  const { code, stdout, stderr } = await run(['dupes', '--script', '--keep', 'b.txt', '.'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain('if the script runs, 2 symbolic links will point to nothing: ./a-link, ./z-link\n');
  expect(stdout).toContain('# ./a-link will point to nothing\n');
  expect(runScript(stdout, cwd)).toMatchObject({ code: 0 });
  expect(readdirSync(cwd)).toEqual(['a-link', 'b.txt', 'z-link']);
  // A file outside the tree, known by its link: removing the link frees nothing.
  const outside = folder({ 'real.txt': TEXT });
  symlinkSync(join(outside, 'real.txt'), join(cwd, 'y-link'));
  expect((await run(['dupes', '--print0', '.'], { cwd })).stdout).toBe('');
  // A kept file that is known by its link is checked itself.
  const other = folder({ 'b.txt': TEXT });
  symlinkSync(join(outside, 'real.txt'), join(other, 'a-link'));
  expect(runScript(await scriptFor(other), other)).toMatchObject({ code: 0 });
  expect(lstatSync(join(other, 'a-link')).isSymbolicLink()).toBe(true);
  expect(readdirSync(other)).toEqual(['a-link']);
});

test('a file that changed between the scan and the digest has no proof', async () => {
  const cwd = folder({ 'a.txt': TEXT });
  const file = { path: join(cwd, 'a.txt') };
  const stamps = createStamps();
  stamps.take(file, statSync(file.path));
  const { mtime } = statSync(file.path);
  writeFileSync(file.path, OTHER);
  utimesSync(file.path, mtime, mtime);
  await expect(stamps.prove(file)).rejects.toMatchObject({ code: 'changed' });
  await expect(createStamps().prove(file)).rejects.toMatchObject({ code: 'changed' });
});

test('a damaged reference does not replace a sound document', async () => {
  const cwd = folder({ 'old/a.txt': Buffer.concat([Buffer.from(TEXT), Buffer.of(0x20, 0xff)]), 'new/a.txt': TEXT });
  expect(await run(['dupes', '--print0', '--against', 'old', 'new'], { cwd })).toMatchObject({ stdout: '' });
});
