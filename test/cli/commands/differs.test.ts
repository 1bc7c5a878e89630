import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder, jsonLines, jsonOf, run, stdoutOf, wordsOf } from '../command.ts';

const WORDS = wordsOf('w', 100);
const LINK = 'https://example.org/a';
const BASE = [...WORDS, '12', LINK];

/** Documents with the words of another one, the difference, and its description. */
const OTHERS = {
  numbers: [[...WORDS, '13', LINK], 'numbers differ'],
  locators: [[...WORDS, '12', 'https://example.org/b'], 'locators differ'],
  characters: [[...BASE, '+', '→'], 'other characters differ'],
  order: [[...WORDS.slice(1), WORDS[0]!, '12', LINK], 'word order differs'],
} as const;

const TEXTS = {
  base: BASE.join(' '),
  same: BASE.join('\n'),
  ...Object.fromEntries(Object.entries(OTHERS).map(([name, [words]]) => [name, words.join(' ')])),
  case: BASE.with(50, BASE[50]!.toUpperCase()).join(' '),
};

const cwd = folder(Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [`${name}.txt`, text])));

/** The output of commands on the base and another document: a sentence, and the differences by name. */
async function ask(other: string): Promise<readonly [command: string, sentence: string, differs: unknown][]> {
  const file = `${other}.txt`;
  await run(['index', 'add', other, file], { cwd });
  const first = async (...args: string[]): Promise<string> => (await stdoutOf(args, { cwd })).split('\n')[0]!;
  const json = async (...args: string[]): Promise<unknown> =>
    (await jsonOf(args, { cwd })).map(({ differs }) => differs);
  const query = ['index', 'query', other, '--verify', 'base.txt'];
  const pairs = ['dupes', '--pairs', 'base.txt', file];
  const compare = ['compare', 'base.txt', file];
  return Promise.all(
    [compare, pairs, query].map(
      async (args) => [args[0]!, await first(...args), await json(...args, '--json')] as const,
    ),
  ) as ReturnType<typeof ask>;
}

describe('compare, dupes --pairs and index query --verify', () => {
  test.each(Object.entries(OTHERS))('report a difference other than in the words: %s', async (name, [, sentence]) => {
    for (const [command, said, differs] of await ask(name)) {
      expect([command, said]).toEqual([
        command,
        expect.stringMatching(`^same words, but ${sentence}; distance 0 of 256`),
      ]);
      expect([command, differs]).toEqual([command, [[name]]]);
    }
  });

  test('ignore differences in white space and case', async () => {
    for (const [other, sentence] of [
      ['same', 'same words; distance 0'],
      ['case', 'near-duplicate: 98 % of the words are shared; distance'],
    ] as const)
      for (const [command, said, differs] of await ask(other)) {
        expect([command, said]).toEqual([command, expect.stringMatching(`^${sentence}`)]);
        expect([command, differs]).toEqual([command, [[]]]);
      }
  });
});

test('dedupe keeps a row with other numbers, and removes one that differs otherwise', async () => {
  const kept = async (names: readonly string[], ...options: string[]): Promise<unknown> => {
    const rows = names.map((id) => `${JSON.stringify({ id, text: (TEXTS as Record<string, string>)[id] })}\n`);
    const cwd = folder({ 'in.jsonl': rows.join('') });
    await run(['dedupe', 'in.jsonl', '--text-field', 'text', '--out', 'out.jsonl', ...options], { cwd });
    return jsonLines(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).map(({ id }) => id);
  };
  const all = Object.keys(TEXTS);
  expect(await kept(all)).toEqual(['base', 'numbers']);
  expect(await kept(all, '--ignore-numbers')).toEqual(['base']);
  expect(await kept(['base', 'same', 'case'])).toEqual(['base']);
  expect(await kept(['base', 'same', 'case'], '--match-case')).toEqual(['base', 'case']);
});
