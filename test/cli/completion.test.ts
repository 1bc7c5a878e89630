import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { optionsOf, withSubcommands } from '../../src/cli/command.ts';
import { loadCommands } from '../../src/cli/commands/all-commands.ts';
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
