import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { RUN_REPORTS } from '../../src/cli/commands/conformance/report-options.ts';
import { IS_SLOW } from '../suite.ts';
import { folder, run, shell, wordsOf } from './command.ts';

const TEXT = wordsOf('', 100).join(' ');
const CHECK = ['conformance', '--group', 'serialise', '--random', '0'];
const DEDUPE = ['dedupe', 'in.jsonl', '--text-field', 'text'];

/** Options that name a file to write, after a command line that writes it. */
const OPTIONS: readonly (readonly [command: readonly string[], option: string])[] = [
  [['dupes', 'docs'], 'html'],
  [DEDUPE, 'out'],
  [DEDUPE, 'duplicates'],
  [DEDUPE, 'groups'],
  ...RUN_REPORTS.map((report) => [CHECK, report] as const),
  [['conformance', 'report', 'results.json'], 'html'],
  [['conformance', 'report', 'all.json'], 'claim'],
];

async function surroundings(): Promise<string> {
  const cwd = folder({
    'docs/a.txt': TEXT,
    'docs/b.txt': `${TEXT} more`,
    'in.jsonl': `{"text":"${TEXT}"}\n{"text":"${TEXT}"}\n`,
    'mine.txt': 'a text of mine\n',
    list0: 'docs/a.txt\0docs/b.txt\0',
    'skip.txt': 'serialise/*\n',
  });
  await run([...CHECK, '--quiet', '--results', 'results.json'], { cwd });
  return cwd;
}

const cwd = await surroundings();
const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
const typed = (command: readonly string[], option: string) => `${command[0]} ${command[1]} --${option}`;

describe('an existing file', () => {
  test.each(OPTIONS)('that another program wrote stays: %j --%s', async (command, option) => {
    const { code, stdout, stderr } = await run([...command, `--${option}`, 'mine.txt'], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const reason = option === 'out' ? 'exists: remove it first, or' : `exists and was not written by --${option}:`;
    expect(stderr).toMatch(
      new RegExp(`^simhash-doc: (?:conformance report: )?--${option}: mine\\.txt ${reason} name a new file`),
    );
    expect(read('mine.txt')).toBe('a text of mine\n');
  });

  // A dataset does not show what wrote it; a claim needs a run of all vectors. One run may write several files.
  const marked = OPTIONS.filter(([, option]) => option !== 'out' && option !== 'claim');
  const lines = new Set(marked.map(([command]) => command.join(' ')));
  test.each([...lines])('that the options wrote, or that is empty, is replaced: %s', async (line) => {
    const files = marked
      .filter(([command]) => command.join(' ') === line)
      .map(([command, option]) => [option, `${typed(command, option).replaceAll(' ', '')}.new`] as const);
    const args = [...line.split(' '), ...files.flatMap(([option, name]) => [`--${option}`, name])];
    for (const [, name] of files) writeFileSync(join(cwd, name), '');
    const run1 = await run(args, { cwd });
    const first = files.map(([, name]) => read(name));
    for (const [i, [option]] of files.entries()) expect(first[i], option).not.toBe('');
    const run2 = await run(args, { cwd });
    expect([run1.code, run2.code, run2.stderr]).toEqual([run2.code, run1.code, run1.stderr]);
    expect(run2.code).toBeLessThan(2);
    // Results have a date.
    expect(files.map(([, name]) => read(name).length)).toEqual(first.map(({ length }) => length));
  });
});

describe('an input is never replaced', () => {
  test.each([
    ['dupes --html docs/a.txt docs/a.txt docs/b.txt', 'docs/a.txt'],
    ['dupes --html docs/../docs/a.txt docs/a.txt docs/b.txt', 'docs/a.txt'],
    ['dupes --html hard.txt docs/a.txt docs/b.txt', 'docs/a.txt'],
    ['dupes --html soft.txt docs/a.txt docs/b.txt', 'docs/a.txt'],
    ['dupes --html docs/b.txt --files0-from list0', 'docs/b.txt'],
    ['dupes --html list0 --files0-from list0', 'list0'],
    ['dupes --html mine.txt docs --against mine.txt', 'mine.txt'],
    ['dedupe in.jsonl --text-field text --out in.jsonl', 'in.jsonl'],
    ['dedupe in.jsonl --text-field text --groups in.jsonl', 'in.jsonl'],
    ['conformance --group serialise --skip skip.txt --write-skip skip.txt', 'skip.txt'],
    ['conformance report results.json --html results.json', 'results.json'],
  ])('%s', async (line, input) => {
    rmSync(join(cwd, 'hard.txt'), { force: true });
    rmSync(join(cwd, 'soft.txt'), { force: true });
    linkSync(join(cwd, 'docs/a.txt'), join(cwd, 'hard.txt'));
    symlinkSync('docs/a.txt', join(cwd, 'soft.txt'));
    const before = read(input);
    const { code, stdout, stderr } = await run(line.split(' '), { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/ is also an input: name a new file/);
    expect(read(input)).toBe(before);
  });

  test('not even an empty one', async () => {
    writeFileSync(join(cwd, 'docs/none.txt'), '');
    const { code, stderr } = await run(['dupes', '--html', 'docs/none.txt', 'docs/none.txt', 'docs/a.txt'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('docs/none.txt is also an input') });
    rmSync(join(cwd, 'docs/none.txt'));
  });
});

describe('the page of dupes --html', () => {
  test('stays if PATH is missing', async () => {
    expect((await run(['dupes', '--html', 'page.html', 'docs'], { cwd })).code).toBe(0);
    const page = read('page.html');
    const { code, stderr } = await run(['dupes', '--html', 'page.html'], { cwd });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('standard input is empty') });
    expect(read('page.html')).toBe(page);
    // A document in its place gives the message that names what is missing.
    const document = await run(['dupes', '--html', 'docs/a.txt'], { cwd });
    expect(document.stderr).toContain('docs/a.txt exists and was not written by --html: name a new file, then PATH\n');
  });

  test('is not one of the documents of its folder', async () => {
    const pages = [1, 2].map(async () => {
      expect((await run(['dupes', '--html', 'docs/page.html', 'docs'], { cwd })).code).toBe(0);
      return read('docs/page.html');
    });
    const [first, second] = await Promise.all(pages);
    expect(second).toBe(first);
    expect(first).toContain('<h1>1 group among 2 documents</h1>');
    rmSync(join(cwd, 'docs/page.html'));
  });
});

describe.skipIf(process.platform === 'win32')('an output that is not a file', () => {
  const made = folder({ file: 'x' });
  execFileSync('mkfifo', [join(made, 'pipe')]);
  symlinkSync('none/file', join(made, 'dangling'));
  const server = createServer().listen(join(made, 'socket'));
  afterAll(() => void server.close());
  const listening = once(server, 'listening');

  // The --out of enrich may replace its input, so it is not among the others.
  const commands = [...OPTIONS, [['enrich', 'none.cdxj'], 'out'] as const];
  writeFileSync(join(cwd, 'none.cdxj'), '!a comment\n');

  test.each(commands)('is refused or written to: %j --%s', async (command, option) => {
    await listening;
    for (const [name, message] of [
      ['socket', ' is a socket: expected the name of a file'],
      ['.', ' is a folder: expected the name of a file'],
      ['file/page', `: no such folder: ${join(made, 'file')}`],
      ['dangling', `: no such folder: ${join(made, 'none')}`],
      ['none/page', `: no such folder: ${join(made, 'none')}`],
    ]) {
      const { code, stderr } = await run([...command, `--${option}`, join(made, name!)], { cwd });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message!) });
    }
    // One of the reports stands for all, and a claim needs results of all vectors.
    if (option === 'claim' || (!IS_SLOW && option !== 'junit' && RUN_REPORTS.some((each) => each === option))) return;
    for (const [path, message] of [
      [join(made, 'pipe'), 'a pipe without a reader'],
      ...(existsSync('/dev/full') ? [['/dev/full', 'no space left on the disk']] : []),
    ]) {
      const { code, stderr } = await run([...command, `--${option}`, path!], { cwd });
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message!) });
      expect(stderr).toContain(path);
      expect(stderr).not.toMatch(/bug in this program|\.tmp/);
    }
    const result = await run([...command, `--${option}`, '/dev/null'], { cwd });
    expect([result.code, result.stderr]).toEqual([0, '']);
  });

  test('gets all of it from a shell: a pipe on /dev/stdout', async () => {
    for (const [args, expected] of [
      [['dupes', 'docs', '--html', '/dev/stdout'], '</html>\n'],
      [[...DEDUPE, '--out', '/dev/stdout', '--json'], `{"text":"${TEXT}"}\n`],
      [['enrich', 'none.cdxj', '--out', '/dev/stdout'], '!a comment\n'],
      [[...CHECK, '--quiet', '--junit', '/dev/stdout'], '</testsuites>\n'],
    ] as const) {
      const { code, stdout, stderr } = await shell('"$@" | cat', args, cwd);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining(expected), stderr: '' });
    }
  });
});
