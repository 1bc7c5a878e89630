import { type Command, type Option, optionsOf } from '../command.ts';
import { TOPICS } from './topics.ts';

/** The shells that there is a script for. */
export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * Writes the script that completes the command line in a shell.
 * @param shell - the shell
 * @param commands - all commands
 */
export function completionOf(shell: Shell, commands: readonly Command[]): string {
  const help = helpCommand(commands);
  return `${{ bash, zsh, fish }[shell]([...commands, help]).join('\n')}\n`;
}

/** `simhash-doc help`, which completes like a command. */
function helpCommand(commands: readonly Command[]): Completed {
  const subcommands = [...commands, ...TOPICS].map(({ name }) => name);
  return { name: 'help', summary: 'Print the help of a command or a topic', options: [], subcommands };
}

/** What is completed of a command. */
type Completed = Pick<Command, 'name' | 'summary' | 'options' | 'topics' | 'subcommands'>;

/** The options of a command as words: `--distance` and `-k`. */
function wordsOf({ name, short }: Option): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

function isFile({ value }: Option): boolean {
  return value === 'FILE' || value === 'FOLDER';
}

/** A word in single quotes, for any shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function bash(commands: readonly Completed[]): readonly string[] {
  return [
    '# Completes the command line of simhash-doc in bash.',
    '_simhash_doc() {',
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are variables of the shell.
    '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=',
    '  case $COMP_CWORD,${COMP_WORDS[1]},$previous in',
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the end of them.
    `    1,*) words=${quote([...commands.map(({ name }) => name), '--help', '--version'].join(' '))} ;;`,
    ...commands.flatMap(bashValues),
    ...commands.map((command) => {
      const words = optionsOf(command).flatMap(wordsOf).join(' ');
      const first = command.subcommands?.join(' ') ?? '';
      const ifFirst = first === '' ? '' : `; [ "$COMP_CWORD" -eq 2 ] && words="$words "${quote(first)}`;
      return `    *,${command.name},*) case $current in -*) words=${quote(words)} ;; esac${ifFirst} ;;`;
    }),
    '  esac',
    '  # Without words, readline completes file names.',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _simhash_doc simhash-doc',
  ];
}

/** The cases in which the value of an option is completed. */
function bashValues(command: Completed): readonly string[] {
  return optionsOf(command)
    .filter(({ value }) => value !== undefined)
    .map((option) => {
      const patterns = wordsOf(option).map((word) => `*,${command.name},${word}`);
      return `    ${patterns.join('|')}) words=${quote(option.choices?.join(' ') ?? '')} ;;`;
    });
}

function zsh(commands: readonly Completed[]): readonly string[] {
  return [
    '#compdef simhash-doc',
    '# Completes the command line of simhash-doc in zsh.',
    '_simhash_doc() {',
    '  local -a commands=(',
    ...commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`),
    '  )',
    '  if (( CURRENT == 2 )); then',
    '    _describe command commands',
    '    _arguments --help --version',
    '    return',
    '  fi',
    '  shift words',
    '  (( CURRENT-- ))',
    '  case $words[1] in',
    ...commands.flatMap((command) => [
      `    ${command.name})`,
      `      _arguments ${optionsOf(command).map(zshOption).join(' ')} ${zshPositionals(command)}`,
      '      ;;',
    ]),
    '  esac',
    '}',
    'compdef _simhash_doc simhash-doc',
  ];
}

function zshOption(option: Option): string {
  const { help, value, choices } = option;
  const words = wordsOf(option);
  // In a specification of _arguments, these characters have a meaning.
  const text = `[${help.replace(/[[\]:\\]/g, '\\$&')}]`;
  const action = choices !== undefined ? `(${choices.join(' ')})` : isFile(option) ? '_files' : ' ';
  const argument = value === undefined ? '' : `:${value}:${action}`;
  if (words.length === 1) return quote(`${words[0]}${text}${argument}`);
  return `${quote(`(${words.join(' ')})`)}{${words.join(',')}}${quote(`${text}${argument}`)}`;
}

function zshPositionals({ subcommands }: Completed): string {
  return subcommands === undefined
    ? quote('*:file:_files')
    : `${quote(`1: :(${subcommands.join(' ')})`)} ${quote('*:file:_files')}`;
}

function fish(commands: readonly Completed[]): readonly string[] {
  const complete = (condition: string, rest: string): string =>
    `complete -c simhash-doc -n ${quote(condition)} ${rest}`;
  const isFirst = '__fish_use_subcommand';
  return [
    '# Completes the command line of simhash-doc in fish.',
    ...commands.map(({ name, summary }) => complete(isFirst, `-f -a ${name} -d ${quote(summary)}`)),
    complete(isFirst, `-l help -s h -d ${quote('print the help')}`),
    complete(isFirst, `-l version -d ${quote('print the version')}`),
    ...commands.flatMap((command) => {
      const condition = `__fish_seen_subcommand_from ${command.name}`;
      const first = (command.subcommands ?? []).map((word) => complete(condition, `-a ${quote(word)}`));
      return [...first, ...optionsOf(command).map((option) => complete(condition, fishOption(option)))];
    }),
  ];
}

function fishOption(option: Option): string {
  const { name, short, help, value, choices } = option;
  const argument = value === undefined ? '' : isFile(option) ? ' -r' : ' -x';
  const words = choices === undefined ? '' : ` -a ${quote(choices.join(' '))}`;
  return `-l ${name}${short === undefined ? '' : ` -s ${short}`}${argument}${words} -d ${quote(help)}`;
}
