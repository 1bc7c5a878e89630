import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { findDamage } from '../../../../src/extract/pdf/file/find-damage.ts';
import { bytesOf, stream } from '../pdf-made.ts';

function damageOf(packed: string, entries = '/Type/ObjStm/N 2/First 8'): ReturnType<typeof findDamage> {
  const content = String.fromCharCode(...deflateSync(packed));
  const catalog = '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n';
  return findDamage(
    bytesOf(`${catalog}4 0 obj${stream(`${entries}/Filter/FlateDecode`, content)}endobj trailer<</Root 1 0 R>>`),
  );
}

test('objects in a stream of objects are there, and name others', () => {
  const tree = '2 0 3 27<</Type/Pages/Kids[3 0 R]>><</Type/Page/Contents 4 0 R>>';
  expect(damageOf(tree)).toMatchObject({ streams: 0, objects: 0, pages: 1, catalog: 1 });
  expect(damageOf(tree.replace('4 0 R', '5 0 R'))).toMatchObject({ objects: 1, pages: 1 });
});

test('names of glyphs mean the same in all fonts of a name, or nothing', () => {
  const encoding = (names: string) => `/Encoding<</Differences[65/f_f/${names}]>>`;
  const objects = ['s_t', 'c_t'].map((name) => `<</BaseFont/A${encoding(name)}>>`);
  const packed = `2 0 3 ${objects[0]!.length}`;
  const { glyphs } = damageOf(packed + objects.join(''), `/Type/ObjStm/N 2/First ${packed.length}`);
  expect(glyphs).toEqual(
    new Map([
      [
        'A',
        new Map([
          [65, 'ff'],
          [66, ''],
        ]),
      ],
    ]),
  );
});

test('nothing is missing where a stream of objects cannot be read', () => {
  for (const tree of ['2 9 3 0 <</Type/Pages>>', '2 0 3', ''])
    expect(damageOf(tree)).toMatchObject({ streams: 0, objects: 0 });
  expect(damageOf('2 0 3 9 <</Kids>>', '/Type/ObjStm')).toMatchObject({ objects: 0 });
});

test('the last of several objects with a number counts', () => {
  const page = '3 0 obj<</Type/Page>>endobj\n';
  const tree = (kids: string) => `2 0 obj<</Type/Pages/Kids[${kids}]>>endobj\n`;
  const catalog = '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n';
  const of = (text: string) => findDamage(bytesOf(text + catalog)).pages;
  expect(of(page + page.replace('3', '4') + tree('3 0 R 4 0 R') + tree('3 0 R'))).toBe(1);
  expect(of(page + page.replace('/Type/Page', '') + tree('3 0 R'))).toBe(0);
  expect(of(page + page.replace('3', '4') + tree('3 0 R') + tree('3 0 R 4 0 R'))).toBe(2);
});
