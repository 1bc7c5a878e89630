import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder, jsonLines, run, stdoutOf, success, testWrongUsage, wordsOf } from '../command.ts';

const page = (seed: string): string => wordsOf(seed, 200).join(' ');
const near = (seed: string): string => [...wordsOf(seed, 200).slice(2), 'some', 'others'].join(' ');

const FILES = {
  'archive/a.txt': page('a'),
  'archive/b.txt': page('b'),
  'in/a2.txt': near('a'),
  'in/copy.txt': page('b'),
  'in/new.txt': page('n'),
  'in/twin.txt': page('n'),
  'in/line\nend.txt': page('z'),
};

describe('dupes --new', () => {
  test.each([['--against'], ['--store']])('lists documents without a match in %s', async (option) => {
    const cwd = folder(FILES);
    await run(['index', 'add', 'store', 'archive'], { cwd });
    const from = option === '--store' ? ['--store', 'store'] : ['--against', 'archive'];
    const dupes = (...args: string[]) => run(['dupes', '--new', ...from, ...args], { cwd });
    expect(await dupes('in')).toEqual(success('\\in/line\\nend.txt\nin/new.txt\nin/twin.txt\n'));
    const names = ['in/line\nend.txt', 'in/new.txt', 'in/twin.txt'];
    expect((await dupes('in', '--print0')).stdout).toBe(names.map((name) => `${name}\0`).join(''));
    expect(jsonLines((await dupes('in', '--json')).stdout)).toEqual(
      names.map((path) => ({
        path,
        label: 'minhash-doc-256',
        fingerprint: expect.stringMatching(/^[A-Z2-7]{52}$/),
        size: expect.any(Number),
        tokens: 200,
      })),
    );
    expect((await dupes('in', '--tsv')).stdout).toMatch(/^\d+\t[A-Z2-7]{52}\tin\/line\\nend\.txt\n\d+\t/);
    // Documents of the archive itself are not new to it.
    expect(await dupes('in/copy.txt', 'in/a2.txt', 'archive')).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('no new documents: each one matches another\n'),
    });
    writeFileSync(join(cwd, 'archive/a.txt'), page('q'));
    if (option === '--store') expect((await dupes('archive')).stdout).toBe('archive/a.txt\n');
    expect((await dupes('in', '--no-verify', '--print0', '-k', '7')).stdout).toContain('in/new.txt\0');
  });

  test('lists a form with another number, unless that is ignored', async () => {
    const form = (amount: number) => `${page('a')} ${amount}`;
    const cwd = folder({ 'archive/a.txt': form(1), 'in/a.txt': form(1), 'in/b.txt': form(2) });
    const args = ['dupes', '--new', '--against', 'archive', 'in'];
    expect(await stdoutOf(args, { cwd })).toBe('in/b.txt\n');
    expect((await run([...args, '--ignore-numbers'], { cwd })).stdout).toBe('');
  });

  testWrongUsage(
    'dupes',
    [
      [['--new', 'in'], '--new needs --against, or --store and PATH'],
      [['--new', '--store', 'store'], '--new needs --against, or --store and PATH'],
    ],
    folder(FILES),
  );
});
