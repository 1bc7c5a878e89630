import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Command, type Option, optionsOf, parseArguments, withSubcommands } from '../../src/cli/command.ts';
import { loadCommands } from '../../src/cli/commands/all-commands.ts';
import { settingsOf as dupesSettings } from '../../src/cli/commands/dupes/dupes-settings.ts';
import { index } from '../../src/cli/commands/index/index-command.ts';
import { queryLimitsOf } from '../../src/cli/commands/index/run-query.ts';
import { defaultDistance } from '../../src/cli/distance-option.ts';
import { descriptionOf, syntaxOf } from '../../src/cli/help/help.ts';
import { LIMITS } from '../../src/cli/help/topics.ts';
import { documentHintsOf } from '../../src/cli/options.ts';
import { warcRecord } from './archives.ts';
import { folder, lettersOf, run, runProcess, stdoutOf, success, wordsOf } from './command.ts';

const COMMANDS = ['hash', 'compare', 'explain', 'extract', 'dupes'];

const commands = (await loadCommands()).flatMap(withSubcommands);

/** Lines of a screen, less those of the prompt. */
const SCREEN = 40;
const COLUMNS = 80;

/** The examples of `index` need the index that the first of them makes. */
const isOfIndex = ({ name }: Command): boolean => name.startsWith('index ');

const linesOf = (text: string): string[] => text.trimEnd().split('\n');

function examples(): string {
  const text = lettersOf(12345678).repeat(3);
  const [first, second] = ['a', 'b'].map((seed) => wordsOf(seed, 100).join(' ')) as [string, string];
  const record = warcRecord('words', { 'WARC-Type': 'resource', 'Content-Type': 'text/plain' });
  return folder({
    'archive/a.warc': record,
    'index.cdxj': 'example,a)/ 20260102030405 {"filename":"a.warc","offset":"0"}\n',
    'report.txt': first,
    'report.html': `<title>Report</title><p>${first} ${text}`,
    'docs/a.txt': first,
    'docs/b.txt': second,
    'new/a.txt': `${first} ${text}`,
    'rows.jsonl': `${JSON.stringify({ text: first })}\n${JSON.stringify({ text: second })}\n`,
  });
}

describe('help', () => {
  test.each([[['--help']], [['-h']], [['help']]])('lists the commands: %j', async (args) => {
    const stdout = await stdoutOf(args);
    for (const command of [...COMMANDS, 'index']) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(stdout).toContain('Exit code:');
  });

  test.each(COMMANDS)('is the same for %s --help and -h', async (command) => {
    const stdout = await stdoutOf([command, '--help']);
    expect(await stdoutOf([command, '-h'])).toBe(stdout);
    expect(stdout).toMatch(new RegExp(`^Usage: simhash-doc ${command} `));
    for (const text of ['--json', '-h, --help', 'More help, with simhash-doc help NAME:', 'exit-codes'])
      expect(stdout).toContain(text);
  });

  test.each(commands)('of $name --help opens with two examples and fits on a screen', async (command) => {
    const { name, options } = command;
    const stdout = await stdoutOf([...name.split(' '), '--help']);
    const lines = linesOf(stdout);
    expect(lines.length, stdout).toBeLessThanOrEqual(SCREEN);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(COLUMNS);
    expect(lines.indexOf('Examples:')).toBeLessThan(7);
    for (const option of options)
      expect(stdout, 'an option that is not even named').toContain(
        option.isRare ? `--${option.name}` : `  ${syntaxOf(option)} `,
      );
  });

  test.each(commands)('of help $name describes every option', async ({ name, options, topics = [] }) => {
    const stdout = await stdoutOf(['help', ...name.split(' ')]);
    const described = linesOf(stdout).flatMap((line) => /^ {2}(?: {4}|-., )(--\S+)/.exec(line)?.[1] ?? []);
    expect(described).toEqual([...options.map((option) => `--${option.name}`), '--help']);
    for (const line of linesOf(stdout)) expect(line.length, line).toBeLessThanOrEqual(COLUMNS);
    for (const topic of topics) expect(stdout).toContain(`simhash-doc help ${topic.name}`);
  });

  test('has examples that run, one after the other in one folder', async () => {
    const cwd = examples();
    let count = 0;
    const order = [...commands.filter((command) => !isOfIndex(command)), ...commands.filter(isOfIndex)];
    for (const { typed } of order.flatMap((command) => command.examples)) {
      const [line = '', file] = typed.split(' > ');
      const words = line
        .split(' | ')[0]!
        .split(' ')
        .map((word) => word.replace(/^'(.*)'$/, '$1'));
      const command = commands.findLast(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))!;
      expect(parseArguments(command, words.slice(command.name.split(' ').length)), typed).not.toBeNull();
      // A database, adapters, and results of them, are not here.
      if (/postgres:|adapter\.py|my-hash|results|mine\.json|claim/.test(line)) continue;
      const { code, stdout, stderr } = await run(words, { cwd });
      expect({ code: code === 1 && command.name === 'compare' ? 0 : code, stderr }, typed).toMatchObject({ code: 0 });
      if (file !== undefined) writeFileSync(join(cwd, file), stdout);
      count++;
    }
    expect(count).toBeGreaterThan(commands.length);
  });

  test('lists subcommands, each with its own help', async () => {
    const stdout = await stdoutOf(['index', '--help']);
    for (const { name, summary } of index.subcommands!) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 30)}`, 'm'));
      for (const args of [
        ['index', name, '--help'],
        ['help', 'index', name],
      ])
        expect(await stdoutOf(args)).toMatch(new RegExp(`^Usage: simhash-doc index ${name} `));
    }
    expect((await stdoutOf(['index', 'stats', '-h'])).match(/--[a-z0-9-]+/g)).toEqual(['--json', '--help']);
  });

  test('fills paragraphs, also after a colon', async () => {
    for (const command of ['dupes', 'explain', 'index', 'formats']) {
      const lines = (await stdoutOf(['help', command])).split('\n');
      for (const [index, line] of lines.entries()) {
        const [word = ''] = (lines[index + 1] ?? '').split(' ');
        if (line !== '' && word !== '') expect(`${line} ${word}`.length, line).toBeGreaterThan(80);
      }
    }
  });

  test.each([
    ['files', ['--include GLOB', '--files-from FILE', '--ext EXT', '--hidden']],
    ['formats', ['--charset NAME', '--type TYPE', 'warc ']],
    ['limits', ['--max-size SIZE', '--timeout SECONDS', '(default: 2000)']],
    ['exit-codes', ['0  Done', '1  The answer is no', '2  Wrong usage', '3  Some documents failed']],
  ])('describes common options: help %s', async (topic, texts) => {
    const stdout = await stdoutOf(['help', topic]);
    for (const text of texts) expect(stdout).toContain(text);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(await stdoutOf(['--help'])).toMatch(new RegExp(`^  ${topic} `, 'm'));
  });

  test.each(['--version', '-V', 'hash -V', 'index query --version'])('%s', async (typed) => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runProcess(typed.split(' '))).toEqual(success(`${version}\n`));
  });

  test('--color overrides the environment', async () => {
    const compare = async (color: string, env: NodeJS.ProcessEnv) =>
      (await runProcess(['compare', '--color', color, 'README.md', 'CHANGELOG.md'], { env })).stdout.includes('\x1b[');
    expect(await compare('always', { NO_COLOR: '1' })).toBe(true);
    expect(await compare('never', { FORCE_COLOR: '1' })).toBe(false);
    expect(await compare('auto', { FORCE_COLOR: '1' })).toBe(true);
  });
});

describe('a default that the help names', () => {
  const argumentsOf = (name: string, ...argv: string[]) =>
    parseArguments(commands.find((command) => command.name === name)!, argv)!;
  const helpOf = (name: string, option: string): string =>
    commands.find((command) => command.name === name)!.options.find((each) => each.name === option)!.help;
  const defaultIn = (help: string): string => /\(default: (\d[\d.]*[MG]?)/.exec(help)![1]!;

  test.each(LIMITS.options.map(({ name, help }) => [name, defaultIn(help)]))(
    'of --%s has the same effect if it is typed: %s',
    async (name, value) => {
      const [none, typed] = await Promise.all(
        [[], [`--${name}`, value]].map((argv) => documentHintsOf(argumentsOf('hash', ...argv))),
      );
      // A machine with little memory has another default.
      expect(typed).toEqual(name === 'max-memory' ? { ...none, memory: 4 * 2 ** 30 } : none);
    },
  );

  test.each(['min-overlap', 'min-tokens'])('of dupes --%s has the same effect if it is typed', async (name) => {
    const value = defaultIn(helpOf('dupes', name));
    const typed = await dupesSettings(argumentsOf('dupes', `--${name}`, value, '.'));
    expect({ ...typed, selection: null }).toEqual({
      ...(await dupesSettings(argumentsOf('dupes', '.'))),
      selection: null,
    });
  });

  test('is the distance by which dupes, dedupe and index query search', () => {
    const [narrow, bare, wide] = ['minhash-doc', 'simhash-doc', 'minhash-doc-256'].map((label) =>
      defaultDistance(true, label),
    );
    expect(helpOf('dupes', 'distance')).toContain(`(default: ${wide} of 256, ${narrow} of 64)`);
    expect(helpOf('dedupe', 'distance')).toContain(`(default: ${wide}); of 64,`);
    expect(helpOf('dedupe', 'distance')).toContain(`(default: ${narrow}; ${bare} with simhash-doc)`);
    const [asked, verified, verifiedBare] = [
      queryLimitsOf(argumentsOf('index query'), 'minhash-doc'),
      queryLimitsOf(argumentsOf('index query', '--verify'), 'minhash-doc'),
      queryLimitsOf(argumentsOf('index query', '--verify'), 'simhash-doc'),
    ].map(({ k }) => k);
    expect(helpOf('index query', 'distance')).toContain(
      `(default: ${asked}; with --verify ${verified}, or ${verifiedBare} with simhash-doc)`,
    );
    const guide = readFileSync(new URL('../../src/site/guides/choosing.md', import.meta.url), 'utf8');
    expect(guide).toContain(`pairs of \`minhash-doc-256\` within ${wide} of 256 bits`);
  });
});

describe('options that cannot be given together', () => {
  const given = ({ name, value }: Option): string => `--${name}${value === undefined ? '' : '=1'}`;
  const together = commands.flatMap((command) =>
    optionsOf(command).flatMap((option) => (option.excludes ?? []).map((other) => ({ command, option, other }))),
  );
  const needing = commands.flatMap((command) =>
    optionsOf(command).flatMap((option) => (option.needs === undefined ? [] : [{ command, option }])),
  );

  test.each(together)('$command.name --$option.name excludes --$other', async ({ command, option, other }) => {
    const all = optionsOf(command);
    const find = (name: string | undefined): Option[] => all.filter((each) => each.name === name);
    const [second] = find(other);
    expect(second, 'the excluded option').toBeDefined();
    expect(second!.excludes ?? [], 'one of two names the other').not.toContain(option.name);
    const argv = [option, second!].flatMap((each) => [each, ...find(each.needs)]).map(given);
    for (const each of [argv, argv.toReversed()])
      expect(() => parseArguments(command, each)).toThrow(`--${option.name} cannot be used with --${other}`);
    const stdout = await stdoutOf(['help', ...command.name.split(' ')]);
    const [inHelp] = [option, second!].filter((each) => command.options.includes(each));
    expect(stdout.replace(/\s+/g, ' ')).toContain(descriptionOf(inHelp!, all));
    expect(descriptionOf(inHelp!, all)).toContain('; not with --');
  });

  test.each(needing)('$command.name --$option.name needs another', ({ command, option }) => {
    expect(optionsOf(command).map(({ name }) => name)).toContain(option.needs);
    expect(() => parseArguments(command, [given(option)])).toThrow(`--${option.name} needs --${option.needs}`);
  });
});
