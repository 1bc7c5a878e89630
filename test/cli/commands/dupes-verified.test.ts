import { execFileSync } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MEDIA } from '../../../src/extract/formats.ts';
import { distance, fingerprint, LABEL } from '../../../src/index.ts';
import { capturesOf } from '../archives.ts';
import { folder, jsonLines, jsonOf, MAIN, run, stdoutOf, testWrongUsage, wordsOf } from '../command.ts';

const TEXT = wordsOf('w', 300).join(' ');
const NEAR = `${wordsOf('w', 298).join(' ')} other words`;
/** Two texts with the same fingerprint and hardly a word in common: one token decides all bits. */
const HEAVY = ['alpha', 'beta', 'gamma'].map((word) => `${'heavy '.repeat(40)}${wordsOf(word, 35).join(' ')}`);

interface Group {
  readonly documents: readonly { readonly path: string; readonly overlap?: number; readonly flags?: string[] }[];
  readonly reclaimable?: number;
}

async function groupsOf(args: readonly string[], cwd: string): Promise<Group[]> {
  const { code, stdout } = await run(['dupes', '--json', ...args], { cwd });
  expect(code).toBe(0);
  return jsonLines(stdout) as unknown as Group[];
}

const paths = ({ documents }: Group): string[] => documents.map(({ path }) => path);

test('the texts have the distances that the tests assume', () => {
  const [a, b] = HEAVY.map((text) => fingerprint(text)!);
  expect(distance(a!, b!)).toBeLessThanOrEqual(6);
  expect(distance(fingerprint(TEXT)!, fingerprint(NEAR)!)).toBeLessThanOrEqual(6);
});

describe('dupes with verification', () => {
  test('does not match near fingerprints of different documents, which --no-verify calls candidates', async () => {
    const cwd = folder({ 'a.txt': HEAVY[0]!, 'b.txt': HEAVY[1]! });
    const verified = await run(['dupes', '--label', LABEL, '.'], { cwd });
    expect(verified).toEqual({ code: 0, stdout: '', stderr: 'simhash-doc: no two of 2 documents are similar\n' });
    const stdout = await stdoutOf(['dupes', '--label', LABEL, '--no-verify', '-k', '6', '.'], { cwd });
    expect(stdout).toMatch(/^2 candidates\n/);
    expect(stdout).not.toMatch(/duplicate|reclaim|overlap/);
    const [low] = await groupsOf(['--label', LABEL, '--min-overlap', '0.1', '--min-tokens', '20', '.'], cwd);
    expect(low!.documents.map(({ flags }) => flags)).toEqual([['repetitive'], ['repetitive']]);
  });

  test('reads members of archives, even of the same name, and compressed files', async () => {
    const cwd = folder({
      'a.warc': capturesOf([wordsOf('x', 300).join(' '), TEXT, wordsOf('y', 300).join(' ')]),
      'b.txt.gz': gzipSync(NEAR),
    });
    const [group] = (await jsonOf(['dupes', '--json', '.'], { cwd })) as unknown as Group[];
    expect(group!.documents).toMatchObject([{ path: './a.warc', recordId: 'urn:x:2' }, { path: './b.txt.gz' }]);
    expect(group!.documents[1]!.overlap).toBeCloseTo(298 / 302, 3);
  });

  test('prints failures as objects on stdout with --json', async () => {
    const cwd = folder({ 'a.txt': TEXT, 'b.txt': TEXT, 'empty.txt': '' });
    const { code, stdout, stderr } = await run(['dupes', '--json', 'empty.txt', 'a.txt', 'b.txt'], { cwd });
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(jsonLines(stdout)[0]).toMatchObject({ path: 'empty.txt', error: { code: 'empty' } });
    expect(jsonLines(stdout).length).toBe(2);
  });

  test('marks short documents', async () => {
    const cwd = folder({ 'a.txt': 'one two three', 'b.txt': 'one two three' });
    expect(await run(['dupes', '.'], { cwd })).toMatchObject({ stdout: expect.stringContaining('./b.txt  [short') });
    expect(await stdoutOf(['dupes', '--min-tokens', '3', '.'], { cwd })).not.toContain('short');
  });
});

describe('dupes keeps', () => {
  const cwd = folder({ 'a.txt': TEXT, 'b.txt': `${TEXT} longer`, 'c.md': TEXT });
  for (const [index, name] of ['b.txt', 'c.md', 'a.txt'].entries())
    utimesSync(join(cwd, name), 1000 * (index + 1), 1000 * (index + 1));

  test.each([
    ['first', './a.txt'],
    ['longest', './b.txt'],
    ['oldest', './b.txt'],
    ['newest', './a.txt'],
    ['*.md', './c.md'],
    ['**/b.*', './b.txt'],
  ])('by --keep %s: %s', async (keep, expected) => {
    const [group] = await groupsOf(['--keep', keep, '.'], cwd);
    expect(paths(group!)[0]).toBe(expected);
    expect(group!.documents.length).toBe(3);
  });
});

describe('dupes --keep with an order of preference', () => {
  const cwd = folder({
    'a.txt': TEXT,
    'b.html': `<p>${TEXT}`,
    'masters/c.txt': TEXT,
    'masters/d.html': `<p>${TEXT}`,
    'sub/e.html': `<p>${TEXT}`,
  });

  test.each([
    [['html'], './b.html'],
    [['masters/'], './masters/c.txt'],
    [['masters/', 'html'], './masters/d.html'],
    [['html', 'masters/'], './masters/d.html'],
    [['pdf', 'first', 'html'], './a.txt'],
    [['sub/**', 'masters/'], './sub/e.html'],
  ])('%j: %s', async (keep, expected) => {
    const [group] = await groupsOf([...keep.flatMap((each) => ['--keep', each]), '.'], cwd);
    expect(paths(group!)[0]).toBe(expected);
  });

  testWrongUsage(
    'dupes',
    [
      [['--keep', 'oldset', '.'], '--keep: got "oldset": did you mean oldest?'],
      [
        ['--keep', 'masters', '.'],
        `--keep: got "masters": expected first, longest, oldest, newest, ${MEDIA.join(', ')}, or a glob of paths such as FOLDER/ or './masters'`,
      ],
    ],
    cwd,
  );

  test('keeps a damaged document only if there is no sound one', async () => {
    const files = folder({
      'a.txt': Buffer.concat([Buffer.from(TEXT), Buffer.of(0xff)]),
      'b.xml': `<a>${TEXT}`,
      'c.txt': TEXT,
    });
    for (const keep of [[], ['--keep', 'a.txt'], ['--keep', 'xml']]) {
      const [group] = await groupsOf([...keep, '.'], files);
      expect(paths(group!)[0]).toBe('./c.txt');
    }
  });
});

test('--fail-if-found exits with 1 if something was found, and with 3 if something failed', async () => {
  const cwd = folder({ 'a.txt': TEXT, 'b.txt': TEXT, 'c.txt': wordsOf('z', 300).join(' '), 'd.txt': '' });
  const code = async (...args: string[]) => (await run(['dupes', '--fail-if-found', ...args], { cwd })).code;
  expect(await code('a.txt', 'b.txt')).toBe(1);
  expect(await code('a.txt', 'c.txt')).toBe(0);
  expect(await code('a.txt', 'b.txt', 'd.txt')).toBe(3);
  const index = (...args: string[]) => run(['index', ...args], { cwd });
  await index('add', 'store', 'a.txt');
  expect((await index('query', 'store', '--fail-if-found', 'b.txt')).code).toBe(1);
  expect((await index('query', 'store', '--fail-if-found', 'c.txt')).code).toBe(0);
});

test('--against finds the new documents that match the reference set', async () => {
  const cwd = folder({
    'old/a.txt': TEXT,
    'old/copy.txt': TEXT,
    'old/other.txt': wordsOf('z', 300).join(' '),
    'new/a.txt': NEAR,
    'new/b.txt': wordsOf('n', 300).join(' '),
    'new/c.txt': wordsOf('n', 300).join(' '),
  });
  expect((await groupsOf(['--against', 'old', 'new'], cwd)).map(paths)).toEqual([['old/a.txt', 'new/a.txt']]);
  expect((await run(['dupes', '--print0', '--against', 'old', 'new'], { cwd })).stdout).toBe('new/a.txt\0');
});

describe('dupes with hostile names', () => {
  const names = [
    "it's",
    'line\nfeed',
    '-rf',
    '$(touch pwned)',
    '`touch pwned`',
    '"; touch pwned; "',
    "' ; touch pwned #",
    "'\n touch pwned #",
    'back\\slash',
    ' spaces ',
    '*',
    'a\rb\tc',
    '\x1b[31mred',
  ];
  const files = () =>
    folder({ '0kept': TEXT, ...Object.fromEntries(names.map((name) => [name, NEAR])), single: 'alone' });

  test('lists them unescaped with --print0', async () => {
    const stdout = await stdoutOf(['dupes', '--print0', '--keep', '0kept', '.'], { cwd: files() });
    expect(stdout.split('\0').sort()).toEqual(['', ...names.map((name) => `./${name}`)].sort());
  });

  test('removes them and nothing else with --script, also from another folder', async () => {
    const cwd = files();
    const stdout = await stdoutOf(['dupes', '--script', '--keep', '0kept', '.'], { cwd });
    expect(readdirSync(cwd).length).toBe(names.length + 2);
    const elsewhere = folder();
    execFileSync('sh', { input: stdout, cwd: elsewhere });
    expect(readdirSync(cwd).sort()).toEqual(['0kept', 'single']);
    expect(readdirSync(elsewhere)).toEqual([]);
    // The contents of comments cannot end them.
    for (const line of stdout.split('\n')) if (line.startsWith('#')) expect(line).not.toMatch(/\p{Cc}/u);
  });

  test('removes files whose names are not UTF-8', async () => {
    const cwd = folder({ a: TEXT });
    const name = Buffer.concat([Buffer.from(`${cwd}/b`), Buffer.of(0xff, 0x27)]);
    writeFileSync(name, TEXT);
    expect(await run(['dupes', '--script', '.'], { cwd })).toMatchObject({ stdout: expect.stringContaining('remove') });
    execFileSync('sh', { input: execFileSync(process.execPath, [MAIN, 'dupes', '--script', '.'], { cwd }) });
    expect(readdirSync(cwd)).toEqual(['a']);
  });
});

testWrongUsage('dupes', [[['--min-overlap', '1.5', '.'], '--min-overlap: expected a number from 0 to 1']]);
