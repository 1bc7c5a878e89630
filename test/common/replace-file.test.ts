import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import '../built.ts';
import { replaceFile } from '../../src/common/replace-file.ts';
import { temporaryName } from '../../src/common/temporary.ts';
import { isRunning, kill } from '../process.ts';
import { codeOf } from '../suite.ts';

const root = mkdtempSync(join(tmpdir(), 'simhash-doc-replace-'));
let folder = '';
let path = '';
let number = 0;
beforeEach(() => {
  folder = join(root, String(number++));
  mkdirSync(folder);
  path = join(folder, 'file');
});

const save = (path: string, content = 'content'): Promise<void> => replaceFile(path, (file) => file.writeFile(content));

const temporary = () => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

test('replaceFile keeps the mode of a file, and gives a new one the usual mode', async () => {
  await save(path);
  expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask());
  for (const mode of [0o600, 0o640, 0o664]) {
    chmodSync(path, mode);
    await save(path);
    expect(statSync(path).mode & 0o777).toBe(mode);
  }
});

test.runIf(process.getuid?.() === 0)('replaceFile keeps the owner', async () => {
  await save(path);
  chownSync(path, 1234, 2345);
  await save(path);
  expect(statSync(path)).toMatchObject({ uid: 1234, gid: 2345 });
});

test('replaceFile replaces the target of a link, even if it does not exist yet', async () => {
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync('second', path);
  symlinkSync(join('elsewhere', 'target'), join(folder, 'second'));
  for (const content of ['old', 'new']) {
    await save(path, content);
    expect(readlinkSync(path)).toBe('second');
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['target']);
    expect(readFileSync(path, 'utf8')).toBe(content);
  }
  symlinkSync('loop', join(folder, 'loop'));
  expect(await codeOf(save(join(folder, 'loop')))).toBe('ELOOP');
});

test('replaceFile follows links like the system, also through a link to a folder', async () => {
  mkdirSync(join(folder, 'a', 'b'), { recursive: true });
  symlinkSync(join('a', 'b'), join(folder, 'short'));
  symlinkSync(join('..', 'target'), join(folder, 'a', 'b', 'index'));
  await save(join(folder, 'short', 'index'));
  expect(readdirSync(join(folder, 'a'))).toEqual(['b', 'target']);
  // Not joined, which would make it that of `folder`.
  await save(`${folder}/short/../other`);
  expect(readdirSync(join(folder, 'a'))).toEqual(['b', 'other', 'target']);
  expect(readdirSync(folder).sort()).toEqual(['a', 'short']);
});

// Root can open every folder, so it becomes another user during the save.
test.skipIf(process.platform === 'win32')(
  'replaceFile writes into a folder that cannot be opened for fsync',
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
      await save(join(drop, 'index'));
    } finally {
      if (isRoot) process.seteuid!(0);
    }
    chmodSync(drop, 0o700);
    expect(readFileSync(join(drop, 'index'), 'utf8')).toBe('content');
  },
);

test('replaceFile removes the temporary file of a killed writer, but not one of another machine', async () => {
  const url = new URL('../../src/common/replace-file.ts', import.meta.url).href;
  const program = `
    import { replaceFile } from '${url}';
    for (;;) await replaceFile(process.argv[1], (file) => file.write(new Uint8Array(4e6)));`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, path]);
  while (temporary().length === 0 && isRunning(child)) await new Promise((resolve) => setImmediate(resolve));
  await kill(child);
  // The last save may have been finished: then the file is like the one that it would have left.
  if (temporary().length === 0)
    writeFileSync(join(folder, temporaryName().replace(/-\d+-\d+-/, `-${child.pid}-1-`)), 'x');
  const other = '.simhash-doc-0123abcd-1-1-0123456789ab.tmp';
  writeFileSync(join(folder, other), 'x');
  const mine = temporaryName();
  writeFileSync(join(folder, mine), 'x');
  await save(path);
  expect(temporary().sort()).toEqual([other, mine].sort());
  const old = Date.now() / 1000 - 3 * 24 * 3600;
  utimesSync(join(folder, other), old, old);
  await save(path);
  expect(temporary()).toEqual([mine]);
});

test.skipIf(process.platform === 'win32')('replaceFile writes to a pipe with a reader, and to devices', async () => {
  execFileSync('mkfifo', [path]);
  await expect(save(path)).rejects.toMatchObject({ code: 'ENXIO' });
  const reader = spawn('cat', [path]);
  const read = text(reader.stdout);
  // The reader may not have opened the pipe yet.
  while ((await codeOf(save(path))) === 'ENXIO') await new Promise((resolve) => setImmediate(resolve));
  expect(await read).toBe('content');
  expect(statSync(path).isFIFO()).toBe(true);
  await save('/dev/null');
  if (process.platform === 'linux')
    await expect(save('/dev/full')).rejects.toMatchObject({ code: 'ENOSPC', path: '/dev/full' });
});

test('replaceFile leaves only the old file if it cannot write', async () => {
  await save(path);
  expect(await codeOf(save(join(folder, 'none', 'x')))).toBe('ENOENT');
  // The new file is written, but cannot take the name of a folder.
  mkdirSync(join(folder, 'taken'));
  expect(await codeOf(save(join(folder, 'taken')))).toMatch(/^E(ISDIR|EXIST|NOTEMPTY|PERM)$/);
  await expect(replaceFile(path, () => Promise.reject(new Error('halfway')))).rejects.toThrow('halfway');
  expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
  expect(readFileSync(path, 'utf8')).toBe('content');
});
