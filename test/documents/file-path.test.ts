import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FilePath, pathFromBytes, pathFromName, pathFromShown, pathOf } from '../../src/documents/file-path.ts';
import { forAll } from '../suite.ts';

const bytesOf = (file: FilePath): string => Buffer.from(pathOf(file) as Buffer).toString('latin1');
const shown = (latin1: string): string => pathFromBytes(Buffer.from(latin1, 'latin1')).path;

describe.runIf(process.platform !== 'win32')('paths of files', () => {
  test.each([
    ['plain/a.txt', 'plain/a.txt'],
    ['back\\slash', 'back\\slash'],
    ['\\x41', '\\x41'],
    ['\xff.txt', '\\xff.txt'],
    ['\\xff.txt', '\\x5cxff.txt'],
    ['\\x5cxff.txt', '\\x5cx5cxff.txt'],
    ['\xc3\xa9\xe9', 'é\\xe9'],
    ['\\\xff', '\\\\xff'],
    ['\\\\xff\xff', '\\\\x5cxff\\xff'],
    ['a!b\\x21', 'a!b\\x5cx21'],
    ['\xed\xa0\x80', '\\xed\\xa0\\x80'],
  ])('show the bytes %j as %j', (latin1, path) => {
    expect(shown(latin1)).toBe(path);
  });

  test('are different for different names of bytes, and restore the bytes', () => {
    const pieces = fc.constantFrom(
      '\\',
      'x',
      '5',
      'c',
      '2',
      '1',
      '!',
      'f',
      'F',
      '\xff',
      '\xc3',
      '\xa9',
      '\xf0\x9f',
      '\x80',
      '/',
      'é',
    );
    forAll([fc.array(pieces, { maxLength: 12 })], 5000, (parts) => {
      const latin1 = parts.join('');
      const { path } = pathFromBytes(Buffer.from(latin1, 'latin1'));
      expect(bytesOf(pathFromShown(path))).toBe(latin1);
      expect(Buffer.from(path).toString()).toBe(path);
    });
  });

  test('are shown like their parts, one after the other', () => {
    for (const [folder, name] of [
      ['d\xff', 'é'],
      ['\\', 'x5c'],
      ['\xc3', '\xa9'],
    ])
      expect(shown(`${folder}/${name}`)).toBe(`${shown(folder!)}/${shown(name!)}`);
  });

  test('show a name in UTF-8 in the same way for bytes and for text', () => {
    for (const name of ['é\\xff', '\\x5c', 'a\\xfg', '\\xC3'])
      expect(pathFromName(name)).toEqual(pathFromBytes(Buffer.from(name)));
  });
});
