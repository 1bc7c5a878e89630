import { existsSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/common/folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-folder-'));

test('makeFolder makes a folder with those above it, and leaves an existing one', () => {
  const deep = join(folder, 'a', 'b', 'c');
  for (let i = 0; i < 2; i++) {
    makeFolder(deep);
    expect(statSync(deep).isDirectory()).toBe(true);
  }
  makeFolder(`${join(folder, 'd', 'e')}/`);
  expect(statSync(join(folder, 'd', 'e')).isDirectory()).toBe(true);
});

test('makeFolder fails if a file or a dangling link is in the way', () => {
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'nothing'), join(folder, 'link'));
  expect(() => makeFolder(join(folder, 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(() => makeFolder(join(folder, 'file', 'a'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  expect(() => makeFolder(join(folder, 'link', 'a'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
});

test.runIf(existsSync('/proc/self'))('makeFolder ends if the system makes no folders', () => {
  expect(() => makeFolder('/proc/simhash-doc/a')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});
