import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { index } from '../../src/cli/commands/index-store/index-command.ts';
import { run, runProcess } from './command.ts';

const COMMANDS = ['hash', 'compare', 'explain', 'extract', 'dupes'];

describe('help', () => {
  test.each([[['--help']], [['-h']], [['help']]])('%j lists the commands', async (args) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of [...COMMANDS, 'index']) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(stdout).toContain('Exit code:');
  });

  test.each(COMMANDS)('%s --help, -h and help %s', async (command) => {
    const texts = await Promise.all(
      [
        [command, '--help'],
        [command, '-h'],
        ['help', command],
      ].map((args) => run(args)),
    );
    const [{ code, stdout, stderr }] = texts as [Awaited<ReturnType<typeof run>>];
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(texts.map((text) => text.stdout)).toEqual([stdout, stdout, stdout]);
    expect(stdout).toMatch(new RegExp(`^Usage: simhash-doc ${command} `));
    for (const option of [
      '--json',
      '-h, --help',
      'help exit-codes',
      'help formats  --type, --extractor',
      'help limits',
    ])
      expect(stdout).toContain(option);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('a command with subcommands lists them, and each has a help of its own', async () => {
    const { stdout } = await run(['index', '--help']);
    for (const { name, summary } of index.subcommands!) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 30)}`, 'm'));
      const texts = await Promise.all(
        [
          ['index', name, '--help'],
          ['help', 'index', name],
        ].map((args) => run(args)),
      );
      expect(texts[0]).toEqual(texts[1]);
      expect(texts[0]!.stdout).toMatch(new RegExp(`^Usage: simhash-doc index ${name} `));
      for (const line of texts[0]!.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    }
    const stats = (await run(['index', 'stats', '-h'])).stdout;
    expect(stats.match(/--[a-z0-9-]+/g)).toEqual(['--json', '--help']);
  });

  test.each([
    ['files', ['--include GLOB', '--files0-from FILE', '--hidden']],
    ['formats', ['--charset NAME', '--type TYPE', 'warc ']],
    ['limits', ['--max-size SIZE', '--timeout SECONDS', '(default: 2000)']],
    ['exit-codes', ['0  Done', '1  The answer is no', '2  Wrong usage', '3  Some documents failed']],
  ])('help %s: what several commands have in common', async (topic, texts) => {
    const { code, stdout, stderr } = await run(['help', topic]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const text of texts) expect(stdout).toContain(text);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect((await run(['--help'])).stdout).toMatch(new RegExp(`^  ${topic} `, 'm'));
  });

  test('--version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runProcess(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('wrong usage', () => {
  test.each([
    [[], 'expected a command'],
    [['file.txt'], 'unknown command "file.txt": expected one of hash, compare, explain'],
    [['help', 'nope'], 'unknown command "nope"'],
    [['--nope'], 'unknown command "--nope"'],
    [['toString'], 'unknown command "toString"'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain('Try: simhash-doc --help');
  });
});
