import { describe, expect, test } from 'vitest';
import { createFingerprinter, serialise } from '../../../src/index.ts';
import { firstRows, IS_SLOW } from '../../suite.ts';
import { folder, PRINT_PEAK, run, runProcess, shell, stdoutOf } from '../command.ts';

const files = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}.txt`, `file number ${i}`]));

describe('a command', () => {
  const cwd = folder(files);

  test.each(firstRows(1, ['2', '1']))('ends quietly when head -1 closes its output, with --jobs %s', async (jobs) => {
    const line = '{ "$@"; echo "exit $?" >&2; } | head -1';
    const { stdout, stderr } = await shell(line, ['hash', '-j', jobs, ...Array(20).fill('.')], cwd);
    expect(stdout).toMatch(/^[A-Z2-7]{13} {2}\.\/0\.txt\n$/);
    expect(stderr).toBe('exit 0\n');
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

describe('with streams that are full or closed', () => {
  const cwd = folder({ 'a.txt': 'some words', 'b.txt': 'some words' });

  const COMMANDS = [
    ['hash', 'a.txt', 'nope'],
    ['hash', '--json', '.'],
    ['extract', '.'],
    ['explain', 'a.txt'],
    ['dupes', '.', 'nope'],
    ['completion', 'bash'],
    ['--help'],
    ['nope'],
  ];
  const REDIRECTIONS = ['> /dev/full', '2> /dev/full', '>&-', '2>&-', '>&- 2>&-', '| head -c1'];

  test.each(REDIRECTIONS)('reports no stack: %s', async (redirection) => {
    // One of them for each redirection, all of them in the slow suite.
    const from = REDIRECTIONS.indexOf(redirection);
    const turned = COMMANDS.map((_, i) => COMMANDS[(from + i) % COMMANDS.length]!);
    for (const args of firstRows(1, turned)) {
      const { stdout, stderr } = await shell(`{ "$@" ${redirection}; } 2>&1`, args, cwd);
      expect(`${stdout}${stderr}`).not.toMatch(/^ +at |node:|Uncaught|Unhandled/m);
    }
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
      expect(long.stdout).toBe(`${serialise(fingerprinter.digest()!)}  -\n`);
      expect(long.kilobytes).toBeGreaterThan(0);
      expect(long.kilobytes - short.kilobytes).toBeLessThan((MIB << 10) / 2);
    });

    test(`for a file of that size is little more than a line`, async () => {
      const cwd = folder({ 'short.txt': block, 'long.txt': Buffer.concat(Array(MIB).fill(block)) });
      const peak = async (path: string) => Number((await runProcess(['hash', path], { cwd, node: PRINT_PEAK })).stderr);
      expect((await peak('long.txt')) - (await peak('short.txt'))).toBeLessThan((MIB << 10) / 2);
    });
  });
