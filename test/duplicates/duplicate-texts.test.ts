import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDuplicatePairs, findDuplicates, readTexts, removeDuplicates } from '../../src/duplicates/index.ts';
import { countTokens, overlap } from '../../src/index.ts';
import { folder, lettersOf, wordsOf } from '../cli/command.ts';
import { all, forAllAsync } from '../suite.ts';

const WORDS = 'one two three four five six seven eight nine ten'.split(' ');

test('groups, pairs and the remaining texts agree with brute force', async () => {
  const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' '));
  await forAllAsync([fc.array(text, { maxLength: 12 })], 100, async (texts) => {
    const items = texts.map((each, i) => ({ id: `${i}`, text: i % 2 === 0 ? each : () => each }));
    const matches = (a: number, b: number): boolean =>
      texts[a] !== '' && texts[b] !== '' && overlap(countTokens(texts[a]!), countTokens(texts[b]!)) >= 0.8;
    const options = { ignoreNumbers: true };
    const groups = await all(findDuplicates(items, options));
    const removed = new Set(groups.flatMap(({ members }) => members.map(({ id }) => Number(id))));
    // The first text of all that match is kept, one after the other.
    const expected = new Set<number>();
    for (const a of texts.keys())
      if (!expected.has(a)) for (let b = a + 1; b < texts.length; b++) if (matches(a, b)) expected.add(b);
    expect(removed).toEqual(expected);
    expect((await all(removeDuplicates(items, options))).map(({ id }) => Number(id))).toEqual(
      [...texts.keys()].filter((each) => !expected.has(each)),
    );
    for (const { a, b } of await all(findDuplicatePairs(items, options)))
      expect(matches(Number(a), Number(b))).toBe(true);
  });
});

test('removes what another set has, and only that, whatever objects come twice', async () => {
  const [x, y] = ['x', 'y'].map((id) => ({ id, text: `${id} ${WORDS.join(` ${id}`)}` }));
  const plain = { id: 'plain', text: '42 %' };
  const left = async (items: (typeof plain)[], against?: (typeof plain)[]): Promise<string> =>
    (await all(removeDuplicates(items, against && { against }))).map(({ id }) => id).join();
  expect(await left([x!, x!, y!, plain])).toBe('x,y,plain');
  expect(await left([x!, y!, y!, plain], [x!, plain])).toBe('y,y,plain');
  expect(await left([x!, x!], [plain])).toBe('x,x');
  expect(await left([x!, x!], [])).toBe('x,x');
  await expect(left([x!], 'text' as never)).rejects.toThrow('against: expected texts that can be iterated over');
});

test('a text that changed since it was first read is an error', async () => {
  let reads = 0;
  const items = ['a', 'b'].map((id) => ({ id, text: () => `${WORDS.join(' ')} ${reads++ < 2 ? '' : 'changed'}` }));
  await expect(all(findDuplicates(items))).rejects.toThrow('changed after its fingerprint was computed');
});

test('files and rows are read, and failures are reported', async () => {
  const text = WORDS.join(' ');
  const cwd = folder({
    'a.txt': text,
    'b.html': `<p>${text}</p>`,
    'c.jsonl': `{"t":"${text}"}\n{"t":"other words"}\n`,
    'd.pdf': '%PDF-1.4 broken',
  });
  const paths = ['a.txt', 'b.html', 'c.jsonl', 'd.pdf'].map((name) => join(cwd, name));
  const failures: string[] = [];
  const onFailure = (id: string): void => void failures.push(id);
  const groups = await all(findDuplicates(readTexts(paths, { textField: 't', onFailure })));
  expect(groups.map(({ kept, members }) => [kept, ...members.map(({ id }) => id)])).toEqual([
    [paths[0], paths[1], `${paths[2]}!1`],
  ]);
  expect(failures).toEqual([paths[3]]);
  await expect(all(readTexts([join(cwd, 'nothing')]))).rejects.toThrow('nothing: no such file or folder');
});

test('a smaller overlap is found as well', async () => {
  const items = Array.from({ length: 100 }, (_, i) => {
    const words = wordsOf(`w${lettersOf(i)}x`, 150);
    // 90 of 150 words.
    return [
      { id: `${i} a`, text: words.slice(0, 120).join(' ') },
      { id: `${i} b`, text: [...words.slice(0, 90), ...words.slice(120)].join(' ') },
    ];
  }).flat();
  const left = async (minOverlap: number): Promise<string[]> =>
    (await all(removeDuplicates(items, { minOverlap, ignoreNumbers: true }))).map(({ id }) => id);
  expect(await left(0.62)).toEqual(items.map(({ id }) => id));
  expect(await left(0.58)).toEqual(items.map(({ id }) => id).filter((id) => id.endsWith('a')));
});
