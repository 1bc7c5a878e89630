import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { classify } from '../../src/scheme/classify.ts';
import { classOf, combiningClass } from '../../src/scheme/unicode.ts';
import { combiningClassOf, makeTable, TABLE } from '../tools/generate/code-points.ts';

test('the table is what `npm run generate -- code-points` writes', () => {
  expect(readFileSync(TABLE, 'utf8')).toBe(makeTable());
});

test('the table has the word class and the combining class of the library for every code point', () => {
  const names = ['break', 'word', 'letter', 'ignorable', 'unassigned'];
  const wrong: number[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++)
    if (names[classOf(codePoint)] !== classify(codePoint) || combiningClass(codePoint) !== combiningClassOf(codePoint))
      wrong.push(codePoint);
  expect(wrong).toEqual([]);
});
