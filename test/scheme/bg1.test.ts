import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kindOf } from '../../src/scheme/bg1.ts';
import { BIGRAMS, listRanges, makeBigrams, makePacked, PACKED } from '../tools/generate/bigrams.ts';

test('both tables are what `npm run generate -- bigrams` writes', () => {
  expect(readFileSync(BIGRAMS, 'utf8')).toBe(makeBigrams(listRanges()));
  expect(readFileSync(PACKED, 'utf8')).toBe(makePacked(listRanges()));
});

test('the packed table has the kinds of the normative file for every code point', () => {
  const kinds = new Uint8Array(0x110000);
  for (const [, first, last, kind] of readFileSync(BIGRAMS, 'utf8').matchAll(/^([0-9A-F]+)\.\.([0-9A-F]+);(.*)$/gm))
    kinds.fill(kind === 'mark' ? 2 : 1, Number.parseInt(first!, 16), Number.parseInt(last!, 16) + 1);
  expect(kinds.every((kind, codePoint) => kindOf(codePoint) === kind)).toBe(true);
});
