import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildLines, type PdfLine } from '../../../src/extract/pdf/build-lines.ts';
import type { Run } from '../../../src/extract/pdf/build-runs.ts';
import { findDamage } from '../../../src/extract/pdf/file/find-damage.ts';
import { type MapFaults, mendCharacterMaps, noteMapFaults } from '../../../src/extract/pdf/file/tounicode.ts';
import { joinLines } from '../../../src/extract/pdf/join-lines.ts';
import { withoutLineNumbers, withoutRepetitions } from '../../../src/extract/pdf/repeated-lines.ts';
import { bytesOf, stream } from './pdf-made.ts';

/** The least CPU time of some runs, in milliseconds: other programs only make a run slower. */
function leastTime(work: () => unknown): number {
  let min = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5; run++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    min = Math.min(min, (user + system) / 1000);
  }
  return min;
}

/** Compares the work on four times the input. Linear work takes four times as long, quadratic work sixteen times. */
function expectLinear(work: (length: number) => () => unknown, length: number): void {
  const [short, long] = [leastTime(work(length)), leastTime(work(4 * length))];
  // What takes less than some milliseconds cannot be compared, and is fast.
  expect(long / Math.max(short, 5)).toBeLessThan(9);
}

const line = (text: string, baseline: number): PdfLine => ({
  ...{ text, baseline, start: 0, end: 100, size: 10, firstSize: 10, angle: 0, continuesRow: false },
});
const joining = (text: (length: number) => string) => (length: number) => {
  const lines = [line(text(length), 20), line('다음 next', 10), line('last', 0)];
  return () => joinLines(lines);
};

test.each<[string, (length: number) => string]>([
  ['Hangul', (length) => `${'가'.repeat(length)}.`],
  ['digits', (length) => `${'1'.repeat(length)}.`],
  ['a word with a hyphen', (length) => `${'a'.repeat(length)} -`],
  ['words with a hyphen', (length) => `${'a'.repeat(length)}.b-`],
  ['schemes', (length) => 'a'.repeat(length)],
  ['schemes of locators', (length) => `${'a://'.repeat(length / 4)} `],
  ['starts of locators', (length) => `${'www.'.repeat(length / 4)}x`],
  ['marks', (length) => `${'\u0e31'.repeat(length)}.`],
])('lines of %s are joined in linear time', (_what, text) => {
  expectLinear(joining(text), 1 << 17);
});

const run = (text: string, start: number): Run => ({
  ...{ text, start, end: start + 5, baseline: 0, size: 10, angle: 0, spaced: false, hasSpace: false, isPlain: true },
});

test.each<[string, (index: number) => Run]>([
  ['words', (index) => run('word', 8 * index)],
  ['accents', (index) => run('a\u00B4'[index % 2]!, 3 * index)],
  ['Arabic words', (index) => run('كلمة', -8 * index)],
  ['Arabic and Latin words', (index) => run(index % 2 === 0 ? 'كلمة' : 'word', -8 * index)],
])('a line of many %s is built in linear time', (_what, make) => {
  const build = (length: number) => {
    const items = Array.from({ length }, (_, index) => make(index));
    return () => buildLines(items);
  };
  expectLinear(build, 1 << 12);
});

test('radicals are resolved in linear time', () => {
  expectLinear((length) => () => buildLines([run('\u2F3E'.repeat(length), 0)]), 1 << 15);
});

test('a line may have more words than a function may have arguments', () => {
  const items = Array.from({ length: 130_000 }, (_, index) => run('a', 8 * index));
  expect(buildLines(items)).toMatchObject([{ start: 0, end: 8 * 129_999 + 5 }]);
});

test('many columns of numbers are compared in linear time', () => {
  const columns = (length: number) => {
    const numbers = Array.from({ length }, (_, index) => ({
      ...line(`${1 + (index % 9)}`, -(index % 9) * 12),
      start: 50 * Math.floor(index / 9),
    }));
    return () => withoutLineNumbers(numbers);
  };
  expectLinear(columns, 1 << 13);
});

test('the edges of pages with long rows are compared in linear time', () => {
  const pages = (length: number) => {
    const cells = Array.from({ length }, (_, index) => line(`word ${index}`, 12 * (index % 4)));
    return () => withoutRepetitions([cells, cells]);
  };
  expectLinear(pages, 1 << 13);
});

test.each([
  ['digits', '1'],
  ['white space', '1          '],
  ['sections without an end', '1 beginbfchar '],
  ['brackets', '1 beginbfrange <00> <01> [ '],
  ['strings without an end', '<'],
  ['ranges of all codes', '<0000><ffff><0000>'],
])('a character map of many %s is read in bounded time', async (_what, part) => {
  const content = `begincmap 1 beginbfrange ${part.repeat(500_000 / part.length)} endbfrange`;
  const bytes = bytesOf(`1 0 obj ${stream('', content)} endobj`);
  const start = process.cpuUsage();
  const faults: MapFaults = { total: 0, maps: [] };
  findDamage(bytes, (stream) => noteMapFaults(faults, stream));
  await mendCharacterMaps(bytes, faults);
  expect(process.cpuUsage(start).user).toBeLessThan(2e6);
});

test.each([
  ['strings without an end', '('],
  ['open dictionaries', '<<'],
  ['open strings of digits', '<0'],
  ['references', '/Kids[1 0 R '],
  ['references of a page', '1 0 R '],
  ['objects', '1 0 obj<<'],
  ['tables', 'xref 0 9 '],
  ['entries of tables', '0000000001 00000 n '],
  ['strings in content', 'BT (\\) ID '],
  ['heads of streams', '1 0 obj<</Type/ObjStm>>stream\n'],
])('damage is looked for in %s in linear time', (_what, part) => {
  expectLinear((length) => {
    const bytes = bytesOf(`xref 0 1\n3 0 obj<</Kids[${part.repeat(length / part.length)}`);
    return () => findDamage(bytes);
  }, 1 << 17);
});

test('overlapping objects in a stream of objects are read in linear time', () => {
  expectLinear((length) => {
    const places = Array.from({ length: length / 8 }, (_, index) => `7 ${index % 2 === 0 ? 0 : length}`).join(' ');
    const content = String.fromCharCode(...deflateSync(`${places}${'/a '.repeat(length / 3)}`));
    const bytes = bytesOf(`1 0 obj${stream(`/Type/ObjStm/First ${places.length}/Filter/FlateDecode`, content)}`);
    return () => findDamage(bytes);
  }, 1 << 16);
});
