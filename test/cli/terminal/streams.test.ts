import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { withSubcommands } from '../../../src/cli/command.ts';
import { loadCommands } from '../../../src/cli/commands/all-commands.ts';
import { createFingerprinter, serialise } from '../../../src/index.ts';
import { firstRows, IS_SLOW } from '../../suite.ts';
import {
  folder,
  PRINT_PEAK,
  type Run,
  run,
  runProcess,
  type Surroundings,
  shell,
  stdoutOf,
  wordsOf,
} from '../command.ts';
import { SAMPLES } from '../commands/cdxj/entries.ts';

const files = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}.txt`, `file number ${i}`]));

describe('a command', () => {
  const cwd = folder(files);

  // Each prints more than a pipe holds.
  test.each<readonly [code: number, command: string, args: readonly string[]]>([
    [1, 'dupes', ['--fail-if-found', '--json', 'many']],
    [3, 'dupes', ['--fail-if-found', '--json', 'many', 'empty.txt']],
    ...firstRows(1, ['2', '1']).map((jobs) => [0, 'hash', ['-j', jobs, 'many', 'many']] as [number, string, string[]]),
  ])('exits quietly with %i if head closes its output: %s %j', async (code, command, args) => {
    const text = wordsOf('', 100).join(' ');
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`many/${'long'.repeat(40)}${i}.txt`, text]));
    const line = '{ "$@"; echo "exit $?" >&2; } | head -c 1';
    const { stdout, stderr } = await shell(line, [command, ...args], folder({ ...many, 'empty.txt': '' }));
    expect(stdout).toHaveLength(1);
    expect(stderr.replace(/^simhash-doc: (?:empty\.txt: |skipped ).*\n/gm, '')).toBe(`exit ${code}\n`);
  });

  test('goes on when nobody reads stderr', async () => {
    const cwd = folder({ ...files, 'empty.txt': '' });
    const { code, stdout } = await shell('"$@" 2>&-', ['hash', 'empty.txt', '1.txt'], cwd);
    expect(code).toBe(3);
    expect(stdout).toMatch(/ {2}1\.txt\n$/);
  });

  test('fails when an output cannot be written', async () => {
    const { code, stderr } = await shell('"$@" > /dev/full', ['hash', '.'], cwd);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^simhash-doc: cannot write to standard output: .*\n$/);
  });
});

const CONFORMANCE = 'conformance --group simhash --random 1 --seed 1 --one-shot';

/** A command line of every command, with its exit code. */
const LINES: readonly (readonly [code: number, typed: string])[] = [
  [0, 'hash a.txt b.txt'],
  [3, 'hash --json a.txt none.txt'],
  [1, 'hash --check changed.jsonl'],
  [0, 'hash --token-counts --json a.txt'],
  [0, 'compare a.txt b.txt'],
  [1, 'compare a.txt other.txt'],
  [0, 'explain a.txt'],
  [0, 'explain --diff a.txt other.txt'],
  [0, 'extract a.txt b.txt'],
  [0, 'enrich sample.warc.cdxj'],
  [0, 'dupes .'],
  [1, 'dupes . --fail-if-found --json'],
  [3, 'dupes a.txt b.txt none.txt --fail-if-found --html page.html'],
  [0, 'dupes . --pairs --no-verify'],
  [0, 'dupes . --script'],
  [0, 'dedupe rows.jsonl --text-field text --out kept.jsonl'],
  [0, 'sql --dialect duckdb --task pairs'],
  [1, `${CONFORMANCE} --junit - -- echo GAQM5KRDOWTU4`],
  [3, `${CONFORMANCE} -- false`],
  [0, 'conformance init --lang python --out made'],
  [0, 'conformance explain tokenise/empty'],
  [0, 'conformance report results.json --html -'],
  [2, 'conformance verify claim.json'],
  [0, 'vectors --group serialise'],
  [0, 'vectors list'],
  [0, 'vectors show tokenise/empty'],
  [1, 'vectors validate rows.jsonl'],
  [0, 'index create new'],
  [0, 'index add new a.txt'],
  [0, 'index sync new a.txt b.txt'],
  [0, 'index query store a.txt'],
  [1, 'index query store . --verify --fail-if-found'],
  [3, 'index remove new none.txt'],
  [0, 'index stats store'],
  [0, 'index export store'],
  [0, 'index import new lines.jsonl'],
  [0, 'index verify store'],
  [0, 'completion bash'],
  [0, '--help'],
  [0, 'help index'],
  [2, 'nope'],
];

describe('the exit code does not depend on who reads', () => {
  const TEXT = wordsOf('', 100).join(' ');
  const template = folder({
    'a.txt': TEXT,
    'b.txt': TEXT,
    'other.txt': wordsOf('o', 100).join(' '),
    'none.txt': '',
    'rows.jsonl': `{"text":"${TEXT}"}\n`,
    'changed.jsonl': '{"path":"a.txt","label":"simhash-doc","fingerprint":"GAQM5KRDOWTU4"}\n',
    'claim.json': '{}',
    ...SAMPLES,
  });
  beforeAll(async () => {
    const cwd = template;
    for (const each of ['index add store a.txt', 'index create new', `${CONFORMANCE} --results results.json -- echo`])
      await run(each.split(' '), { cwd });
    writeFileSync(join(cwd, 'lines.jsonl'), await stdoutOf(['index', 'export', 'store'], { cwd }));
  });

  /** Runs a line in a copy of the folder. */
  async function runIn(typed: string, broken: NonNullable<Surroundings['broken']> = {}): Promise<Run> {
    const cwd = folder();
    cpSync(template, cwd, { recursive: true });
    const { code, ...output } = await run(typed.split(' '), { cwd, broken });
    const plain = (text: string): string => text.replaceAll(cwd, '').replaceAll(/\d+(?:\.\d+)? m?s\b/g, 'T');
    return { code, stdout: plain(output.stdout), stderr: plain(output.stderr) };
  }

  test('for any command: each is in this table', async () => {
    const names = (await loadCommands()).flatMap(withSubcommands).filter(({ run }) => run !== undefined);
    const missing = names.filter(({ name }) => !LINES.some(([, typed]) => `${typed} `.startsWith(`${name} `)));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test.each(LINES)('%i: %s', async (code, typed) => {
    const usual = await runIn(typed);
    expect(usual).toMatchObject({ code });
    const { stdout, stderr } = usual;
    expect(await runIn(typed, { stdout: 'EPIPE' })).toEqual({ code, stdout: '', stderr });
    for (const each of ['EPIPE', 'ENOSPC'] as const)
      expect(await runIn(typed, { stderr: each })).toEqual({ code, stdout, stderr: '' });
    const full = await runIn(typed, { stdout: 'ENOSPC' });
    expect(full.code).toBe(stdout === '' ? code : 3);
    const message = 'simhash-doc: cannot write to standard output: no space left on the device\n';
    expect(full.stderr.split(message)).toHaveLength(stdout === '' ? 1 : 2);
    expect(full.stderr.replace(message, '')).toBe(stderr);
  });
});

describe('output for a terminal', () => {
  const cwd = folder(files);
  const args = ['compare', 'simhash-doc:GAQM5KRDOWTU4', 'simhash-doc:GAQM5KRDOWTU6'];
  const ESC = '\x1b[';

  test.each([
    ['none where stdout is no terminal', {}, false],
    ['FORCE_COLOR', { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, false],
    ['NO_COLOR', { NO_COLOR: '1' }, false],
  ])('has colours: %s', async (_, env, coloured) => {
    for (const each of [args, ['explain', '1.txt']])
      expect((await stdoutOf(each, { env, cwd })).includes(ESC)).toBe(coloured);
  });

  test('has no progress line if stderr is not a terminal', async () => {
    expect((await run(['hash', '.'], { cwd })).stderr).toBe('');
  });
});

if (IS_SLOW)
  describe('the memory of hash', () => {
    /** Far more than the garbage that may not be collected yet. */
    const MIB = 256;
    const block = Buffer.from(
      'The quick brown fox jumps over https://example.org/ the lazy dog. '.repeat(16_384),
    ).subarray(0, 1 << 20);

    test(`for plain text of ${MIB} MiB on stdin is little more than a line`, async () => {
      const peak = async (blocks: number) => {
        const { stdout, stderr } = await runProcess(['hash'], { stdin: Array(blocks).fill(block), node: PRINT_PEAK });
        return { stdout, kilobytes: Number(stderr) };
      };
      const [short, long] = [await peak(1), await peak(MIB)];
      const fingerprinter = createFingerprinter();
      for (let i = 0; i < MIB; i++) fingerprinter.update(block);
      expect(long.stdout).toBe(`simhash-doc:${serialise(fingerprinter.digest()!)}  -\n`);
      expect(long.kilobytes).toBeGreaterThan(0);
      expect(long.kilobytes - short.kilobytes).toBeLessThan((MIB << 10) / 2);
    });

    test(`for a file of that size is little more than a line`, async () => {
      const cwd = folder({ 'short.txt': block, 'long.txt': Buffer.concat(Array(MIB).fill(block)) });
      const peak = async (path: string) => Number((await runProcess(['hash', path], { cwd, node: PRINT_PEAK })).stderr);
      expect((await peak('long.txt')) - (await peak('short.txt'))).toBeLessThan((MIB << 10) / 2);
    });
  });
