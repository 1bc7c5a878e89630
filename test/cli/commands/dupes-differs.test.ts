import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { groupsAsJson, pairAsJson } from '../../../src/cli/commands/dupes/report/json.ts';
import { groupsAsPaths } from '../../../src/cli/commands/dupes/report/paths.ts';
import type { Result } from '../../../src/cli/commands/dupes/report/result.ts';
import { groupsAsRows, pairAsRow } from '../../../src/cli/commands/dupes/report/rows.ts';
import { groupsAsText, pairAsText } from '../../../src/cli/commands/dupes/report/text.ts';
import type { Collection } from '../../../src/duplicates/collect.ts';
import type { Member } from '../../../src/duplicates/group.ts';
import { fingerprint } from '../../../src/index.ts';
import { folder } from '../command.ts';

const NAMES = ['kept.txt', 'same.txt', 'amount.txt'];

const collection = {
  label: 'simhash-doc',
  documents: NAMES.map((path) => ({ place: { path }, size: 100, tokens: 90 })),
  fingerprints: { words: 1, values: BigUint64Array.from(NAMES, () => fingerprint('a bell on a ferry')!) },
} as unknown as Collection;

const member = (document: number, differs: Member['differs'], isConfirmed = differs.length === 0): Member => ({
  ...{ document, distance: 0, overlap: 1, differs, isConfirmed, isIdentical: false },
});

function resultOf(isIgnored: boolean): Result {
  const members = [member(1, []), member(2, ['numbers', 'locators'], isIgnored)];
  const groups = [{ kept: 0, members, reclaimable: isIgnored ? 200 : 100 }];
  return { collection, groups, isVerified: true, flagsOf: () => [] };
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
