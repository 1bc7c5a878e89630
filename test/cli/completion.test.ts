import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import '../built.ts';
import { optionsOf, withSubcommands } from '../../src/cli/command.ts';
import { loadCommands } from '../../src/cli/commands/all-commands.ts';
import { manPage } from '../../src/cli/help/man.ts';
import { run, stdoutOf, testWrongUsage } from './command.ts';

const commands = await loadCommands();
const all = commands.flatMap(withSubcommands);

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('has every command with every option: %s', async (shell) => {
    const stdout = await stdoutOf(['completion', shell]);
    for (const command of all)
      for (const { name } of optionsOf(command)) {
        const words = command.name.split(' ').at(-1)!;
        const lines = stdout.split('\n').filter((line) => line.includes(words) || line.includes('_arguments'));
        expect(lines.join('\n')).toContain(shell === 'fish' ? `-l ${name} ` : `--${name}`);
      }
  });

  test('completes commands, options and values in bash', async () => {
    const { stdout } = await run(['completion', 'bash']);
    const expected = {
      ha: 'hash',
      'hash --js': '--json',
      'hash --max-s': '--max-size',
      'dupes --pa': '--pairs',
      'hash --pa': '',
      'hash --type ep': 'epub',
      "hash --charset ''": '',
      'help lim': 'limits',
      'completion f': 'fish',
      'index sy': 'sync',
      'index add --exclu': '--exclusive --exclude',
      'index stats --': '--json --help --version --color',
      'conformance init --lang ru': 'rust',
    };
    const lines = Object.keys(expected).map(
      (words) =>
        `COMP_WORDS=(simhash-doc ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _simhash_doc; echo "\${COMPREPLY[*]}"\n`,
    );
    const printed = execFileSync('bash', ['-c', stdout + lines.join('')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(Object.fromEntries(Object.keys(expected).map((words, i) => [words, printed[i]]))).toEqual(expected);
  });

  testWrongUsage('completion', [
    [[], 'expected one of bash, zsh, fish'],
    [['bahs'], 'unknown shell "bahs": did you mean bash?'],
    [['tcsh', 'bash'], 'expected one of bash, zsh, fish, got 2 arguments'],
  ]);
});

describe('the manual page', () => {
  const page = readFileSync(new URL('../../dist/man/simhash-doc.1', import.meta.url), 'utf8');

  test('is up to date', () => {
    const { version, man } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(man).toBe('./dist/man/simhash-doc.1');
    expect(page).toBe(manPage(commands, version));
  });

  test('has every option, and no accidental request of troff', () => {
    for (const command of all)
      for (const { name } of optionsOf(command)) expect(page).toContain(`\\-\\-${name.replaceAll('-', '\\-')}`);
    for (const line of page.split('\n').filter((each) => /^[.']/.test(each)))
      expect(line).toMatch(/^\.(?:\\"|TH |SH |SS |PP$|TP$|B |br$|nf$|fi$)/);
  });
});
