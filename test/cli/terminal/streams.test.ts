import { describe, expect, test } from 'vitest';
import { createFingerprinter, serialise } from '../../../src/index.ts';
import { firstRows, IS_SLOW } from '../../suite.ts';
import { folder, PRINT_PEAK, run, runProcess, shell } from '../command.ts';

const files = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}.txt`, `file number ${i}`]));

describe('a reader that has seen enough', () => {
  const cwd = folder(files);

  test.each(firstRows(1, ['2', '1']))('head -1, --jobs %s: quiet, and no failure', async (jobs) => {
    const line = '{ "$@"; echo "exit $?" >&2; } | head -1';
    const { stdout, stderr } = await shell(line, ['hash', '-j', jobs, ...Array(20).fill('.')], cwd);
    expect(stdout).toMatch(/^[A-Z2-7]{13} {2}\.\/0\.txt\n$/);
    expect(stderr).toBe('exit 0\n');
  });

  test('stderr that nobody reads does not end the work', async () => {
    const { code, stdout } = await shell(
      '"$@" 2>&-',
      ['hash', 'empty.txt', '1.txt'],
      folder({ ...files, 'empty.txt': '' }),
    );
    expect(code).toBe(3);
    expect(stdout).toMatch(/ {2}1\.txt\n$/);
  });

  test('an output that cannot be written is a failure', async () => {
    const { code, stderr } = await shell('"$@" > /dev/full', ['hash', '.'], cwd);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^simhash-doc: cannot write to standard output: .*\n$/);
  });
});

describe('streams that are full or closed', () => {
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

  test.each(REDIRECTIONS)('%s: no crash', async (redirection) => {
    // One of them for each redirection, all of them in the slow suite.
    const from = REDIRECTIONS.indexOf(redirection);
    const turned = COMMANDS.map((_, i) => COMMANDS[(from + i) % COMMANDS.length]!);
    for (const args of firstRows(1, turned)) {
      const { stdout, stderr } = await shell(`{ "$@" ${redirection}; } 2>&1`, args, cwd);
      expect(`${stdout}${stderr}`).not.toMatch(/^ +at |node:|Uncaught|Unhandled/m);
    }
  });
});

describe('colour and progress', () => {
  const cwd = folder(files);
  const args = ['compare', 'simhash-doc:GAQM5KRDOWTU4', 'simhash-doc:GAQM5KRDOWTU6'];
  const ESC = '\x1b[';

  test.each([
    ['none where stdout is no terminal', {}, false],
    ['FORCE_COLOR', { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, false],
    ['NO_COLOR', { NO_COLOR: '1' }, false],
  ])('%s', async (_, env, coloured) => {
    for (const each of [args, ['explain', '1.txt']])
      expect((await run(each, { env, cwd })).stdout.includes(ESC)).toBe(coloured);
  });

  test('no progress where stderr is no terminal', async () => {
    expect((await run(['hash', '.'], { cwd })).stderr).toBe('');
  });
});

if (IS_SLOW)
  describe('memory', () => {
    /** Far more than what the collector of garbage may leave lying about. */
    const MIB = 256;
    const block = Buffer.from(
      'The quick brown fox jumps over https://example.org/ the lazy dog. '.repeat(16_384),
    ).subarray(0, 1 << 20);

    test(`plain text of ${MIB} MiB on stdin takes hardly more than a line`, async () => {
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

    test(`and so does a file`, async () => {
      const cwd = folder({ 'short.txt': block, 'long.txt': Buffer.concat(Array(MIB).fill(block)) });
      const peak = async (path: string) => Number((await runProcess(['hash', path], { cwd, node: PRINT_PEAK })).stderr);
      expect((await peak('long.txt')) - (await peak('short.txt'))).toBeLessThan((MIB << 10) / 2);
    });
  });
