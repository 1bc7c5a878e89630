import { type Command, type Option, optionsOf, withSubcommands } from '../../command.ts';
import { TOPICS } from '../../help/topics.ts';

export function completionOf(shell: 'bash' | 'zsh' | 'fish', commands: readonly Command[]): string {
  const words = [...commands, ...TOPICS].map(({ name }) => name);
  const help = { name: 'help', summary: 'Print the help of a command or a topic', options: [], words };
  return `${{ bash, zsh, fish }[shell]([...commands.flatMap(withSubcommands), help]).join('\n')}\n`;
}

type Completed = Pick<Command, 'name' | 'summary' | 'options' | 'topics' | 'words' | 'subcommands'>;

const isFirst = ({ name }: Completed): boolean => !name.includes(' ');

function wordsAfter({ words = [], subcommands = [] }: Completed): readonly string[] {
  return [...words, ...subcommands.map(({ name }) => name)];
}

function subcommandPatterns(commands: readonly Completed[]): string {
  return commands
    .filter((command) => !isFirst(command))
    .map(({ name }) => quote(name))
    .join('|');
}

function wordsOf({ name, short }: Option): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

const isFile = ({ value }: Option): boolean => value === 'FILE' || value === 'FOLDER';

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: readonly Completed[]): readonly string[] {
  return [
    '# Completes the command line of simhash-doc in bash, or in zsh with bashcompinit.',
    '_simhash_doc() {',
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are variables of the shell.
    '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words= name=${COMP_WORDS[1]}',
    '  if [ "$COMP_CWORD" -gt 2 ]; then',
    `    case "$name \${COMP_WORDS[2]}" in ${subcommandPatterns(commands)}) name="$name \${COMP_WORDS[2]}" ;; esac`,
    '  fi',
    '  case $COMP_CWORD,$name,$previous in',
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the end of them.
    `    1,*) words=${quote([...commands.filter(isFirst).map(({ name }) => name), '--help', '--version'].join(' '))} ;;`,
    ...commands.flatMap((command) => {
      const options = optionsOf(command).filter(({ value }) => value !== undefined);
      return options.map((option) => {
        const patterns = wordsOf(option).map((word) => `*,${quote(command.name)},${word}`);
        return `    ${patterns.join('|')}) words=${quote(option.choices?.join(' ') ?? '')} ;;`;
      });
    }),
    ...commands.map((command) => {
      const words = optionsOf(command).flatMap(wordsOf).join(' ');
      const first = wordsAfter(command).join(' ');
      const ifFirst = first === '' ? '' : `; [ "$COMP_CWORD" -eq 2 ] && words="$words "${quote(first)}`;
      return `    *,${quote(command.name)},*) case $current in -*) words=${quote(words)} ;; esac${ifFirst} ;;`;
    }),
    '  esac',
    '  # Without words, readline completes file names.',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _simhash_doc simhash-doc',
  ];
}

/** Runs the script for bash by the emulation of zsh. */
function zsh(commands: readonly Completed[]): readonly string[] {
  return ['autoload -U +X bashcompinit && bashcompinit', ...bash(commands)];
}

function fish(commands: readonly Completed[]): readonly string[] {
  const complete = (condition: string, rest: string): string =>
    `complete -c simhash-doc -n ${quote(condition)} ${rest}`;
  const atStart = '__fish_use_subcommand';
  const isSeen = (names: readonly string[]): string => `__fish_seen_subcommand_from ${names.join(' ')}`;
  return [
    '# Completes the command line of simhash-doc in fish.',
    ...commands.filter(isFirst).map(({ name, summary }) => complete(atStart, `-f -a ${name} -d ${quote(summary)}`)),
    complete(atStart, `-l help -s h -d ${quote('print the help')}`),
    complete(atStart, `-l version -d ${quote('print the version')}`),
    ...commands.flatMap((command) => {
      const { name, words = [], subcommands = [] } = command;
      const names = subcommands.map((each) => each.name);
      const seen = name.split(' ').map((word) => isSeen([word]));
      const condition = [...seen, ...(names.length > 0 ? [`not ${isSeen(names)}`] : [])].join('; and ');
      return [
        ...words.map((word) => complete(condition, `-a ${quote(word)}`)),
        ...subcommands.map((each) => complete(condition, `-f -a ${each.name} -d ${quote(each.summary)}`)),
        ...optionsOf(command).map((option) => complete(condition, fishOption(option))),
      ];
    }),
  ];
}

function fishOption(option: Option): string {
  const { name, short, help, value, choices } = option;
  const argument = value === undefined ? '' : isFile(option) ? ' -r' : ' -x';
  const words = choices === undefined ? '' : ` -a ${quote(choices.join(' '))}`;
  return `-l ${name}${short === undefined ? '' : ` -s ${short}`}${argument}${words} -d ${quote(help)}`;
}
