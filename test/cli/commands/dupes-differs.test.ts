import { describe, expect, test } from 'vitest';
import { lines, makePdf } from '../../extract/pdf/pdf-made.ts';
import { folder, jsonOf, run, stdoutOf, wordsOf } from '../command.ts';

test('dupes reports differences other than in the words of a group', async () => {
  const [kept, other] = ['12 https://example.org/a', '13 https://example.org/b'].map(
    (end) => `${wordsOf('w', 100).join(' ')} ${end}`,
  );
  const cwd = folder({ kept: kept!, same: kept!, other: other! });
  const args = ['dupes', '--keep', './kept', '.'];
  const text = await stdoutOf(args, { cwd });
  expect(text).toMatch(/ \.\/same\n/);
  expect(text).toMatch(/ \.\/other {2}\[differs: numbers, locators\]\n/);
  const [group] = await jsonOf([...args, '--json'], { cwd });
  const documents = group!['documents'] as { path: string; differs?: string[] }[];
  expect(Object.fromEntries(documents.map(({ path, differs }) => [path, differs]))).toEqual({
    ...{ './kept': undefined, './same': undefined, './other': ['numbers', 'locators'] },
  });
  const rows = (await stdoutOf([...args, '--tsv'], { cwd }))
    .split('\n')
    .slice(0, -1)
    .map((row) => row.split('\t').slice(-2));
  expect(Object.fromEntries(rows)).toEqual({ './kept': '', './same': '', './other': 'numbers,locators' });
  const paths = async (...options: string[]) =>
    (await stdoutOf([...args, '--print0', ...options], { cwd })).split('\0').sort();
  expect(await paths()).toEqual(['', './same']);
  expect(await paths('--ignore-numbers')).toEqual(['', './other', './same']);
});

describe('dupes --print0 and --script leave out', () => {
  const BODY = wordsOf('w', 200).join(' ');
  const page = (title: string, end: string): string => `${title}\n\n${BODY}\n\n${end}\n`;
  const files = {
    'a.txt': page('mount the disk', 'the last line'),
    'b.txt': page('unmount the disk', 'the last line'),
    'c.txt': page('unmount the disk', 'the last line indeed'),
    'd.txt': page('mount the disk', 'the last line indeed'),
  };
  const pathsOf = async (args: readonly string[], cwd: string) => {
    const { stdout, stderr } = await run(['dupes', '--print0', ...args, '.'], { cwd });
    return { paths: stdout.split('\0').slice(0, -1).sort(), stderr };
  };

  test('near-duplicates with another first line, except for their own copies', async () => {
    const { paths, stderr } = await pathsOf([], folder(files));
    expect(paths).toEqual(['./c.txt', './d.txt']);
    expect(stderr).toMatch(/: 1 near-duplicate is left out: the first lines differ.*--ignore-numbers/);
    const script = await run(['dupes', '--script', '.'], { cwd: folder(files) });
    expect(script.stdout.match(/^remove .*\/\w\.txt/gm)?.length).toBe(2);
  });

  test('many pages of one template, except for their own copies', async () => {
    const names = wordsOf('x', 50);
    const ends = ['the last line', 'the last line indeed'];
    const pages = names.flatMap((name, i) =>
      ends.map((end, j) => [`${j}-${i + 10}.txt`, page(`about ${name}`, end)] as const),
    );
    const { paths, stderr } = await pathsOf([], folder(Object.fromEntries(pages)));
    expect(paths).toEqual(names.map((_, i) => `./1-${i + 10}.txt`));
    expect(stderr).toContain(': 49 near-duplicates are left out: ');
  });

  test('short texts with other words', async () => {
    const short = wordsOf('x', 10).map((name, i) => [`${i}.txt`, `${wordsOf('w', 30).join(' ')} ${name}`] as const);
    const { paths, stderr } = await pathsOf([], folder(Object.fromEntries(short)));
    expect(paths).toEqual([]);
    expect(stderr).toContain(': 9 near-duplicates are left out: ');
    expect(stderr).not.toContain('no two');
  });

  test('none of these with --ignore-numbers, or where people look at the groups', async () => {
    expect((await pathsOf(['--ignore-numbers'], folder(files))).paths).toEqual(['./b.txt', './c.txt', './d.txt']);
    const [group] = await jsonOf(['dupes', '--json', '.'], { cwd: folder(files) });
    expect(group!['documents']).toHaveLength(4);
    expect(JSON.stringify(group)).not.toContain('confirmed');
  });

  test('a PDF with page numbers beside its text, with a sentence about --ignore-numbers', async () => {
    const rows = Array.from({ length: 20 }, (_, i) =>
      wordsOf('w', 200)
        .slice(10 * i, 10 * i + 10)
        .join(' '),
    );
    const pdf = makePdf([lines(10, 700, [...rows, '17 of 25'], 'F', 4)]);
    const { paths, stderr } = await pathsOf([], folder({ 'a.txt': rows.join('\n'), 'b.pdf': pdf }));
    expect(paths).toEqual([]);
    expect(stderr).toMatch(
      /: 1 near-duplicate is left out: a PDF and a file of another type differ in numbers.*--ignore-numbers/,
    );
  });
});
