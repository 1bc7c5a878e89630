import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { groupsAsJson, pairAsJson } from '../../../src/cli/commands/dupes/report/json.ts';
import { groupsAsPaths } from '../../../src/cli/commands/dupes/report/paths.ts';
import type { Result } from '../../../src/cli/commands/dupes/report/result.ts';
import { groupsAsRows, pairAsRow } from '../../../src/cli/commands/dupes/report/rows.ts';
import { groupsAsText, pairAsText } from '../../../src/cli/commands/dupes/report/text.ts';
import type { Collection } from '../../../src/duplicates/collect.ts';
import type { GroupMember } from '../../../src/duplicates/group.ts';
import { fingerprint } from '../../../src/index.ts';
import { lines, makePdf } from '../../extract/pdf/pdf-made.ts';
import { folder, jsonOf, run, wordsOf } from '../command.ts';

const NAMES = ['kept.txt', 'same.txt', 'amount.txt'];

const collection = {
  label: 'simhash-doc',
  documents: NAMES.map((path) => ({ place: { path }, size: 100, tokens: 90 })),
  fingerprints: { words: 1, values: BigUint64Array.from(NAMES, () => fingerprint('a bell on a ferry')!) },
} as unknown as Collection;

const member = (
  document: number,
  differs: GroupMember['differs'],
  isConfirmed = differs.length === 0,
): GroupMember => ({
  ...{ document, distance: 0, overlap: 1, differs, isConfirmed, isIdentical: false },
});

function resultOf(isIgnored: boolean): Result {
  const members = [member(1, []), member(2, ['numbers', 'locators'], isIgnored)];
  const groups = [{ kept: 0, members, reclaimable: isIgnored ? 200 : 100 }];
  return { collection, groups, contained: [], isVerified: true, flagsOf: () => [] };
}

const textOf = (output: Iterable<string | Uint8Array>): string =>
  Buffer.concat([...output].map(Buffer.from)).toString();

const pair = { kept: 0, other: 2, distance: 0, overlap: 1, differs: ['numbers', 'locators'] } as const;
const samePair = { ...pair, other: 1, differs: [] };

describe('dupes reports differences other than in the words', () => {
  test('as text', () => {
    const text = textOf(groupsAsText(resultOf(false)));
    expect(text).toMatch(/ same\.txt\n/);
    expect(text).toMatch(/ amount\.txt {2}\[differs: numbers, locators\]\n/);
    expect(pairAsText(collection, pair)).toContain('numbers and locators differ');
    expect(pairAsText(collection, samePair)).not.toContain('differ');
  });

  test('with --json', () => {
    const { documents } = JSON.parse(textOf(groupsAsJson(resultOf(false)))) as { documents: { differs?: string[] }[] };
    expect(documents.map(({ differs }) => differs)).toEqual([undefined, undefined, ['numbers', 'locators']]);
    expect(JSON.parse(pairAsJson(collection, pair))).toMatchObject({ differs: ['numbers', 'locators'] });
    expect(JSON.parse(pairAsJson(collection, samePair))).toMatchObject({ differs: [] });
  });

  test('with --tsv in the last column', () => {
    const cells = textOf(groupsAsRows(resultOf(false)))
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t').slice(-2));
    expect(cells).toEqual([
      ['kept.txt', ''],
      ['same.txt', ''],
      ['amount.txt', 'numbers,locators'],
    ]);
    expect(pairAsRow(collection, pair)).toMatch(/\tnumbers,locators\n$/);
    expect(pairAsRow(collection, samePair)).toMatch(/\t\n$/);
  });
});

test('dupes --script removes only duplicates', () => {
  const cwd = folder(Object.fromEntries(NAMES.map((name) => [name, name])));
  const documents = collection.documents.map((each, i) => ({ ...each, place: { path: join(cwd, NAMES[i]!) } }));
  const removed = (isIgnored: boolean): string[] =>
    textOf(groupsAsPaths({ ...resultOf(isIgnored), collection: { ...collection, documents } }))
      .split('\0')
      .map((path) => basename(path));
  expect(removed(false)).toEqual(['same.txt', '']);
  expect(removed(true)).toEqual(['same.txt', 'amount.txt', '']);
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
    expect((await pathsOf(['--chain'], folder(files))).paths, 'in a chain').toEqual(['./d.txt']);
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
