import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { meantByOption, meantBySubcommand } from './help/meant.ts';

/** Exit code: everything was done, whether or not something was found. */
export const DONE = 0;
/** Exit code: the answer to the question of the command is no. */
export const NO = 1;
/** Exit code: the command line is wrong, and nothing was done. */
export const USAGE = 2;
/** Exit code: some documents failed, or a file, an index or an output could not be read or written. */
export const FAILED = 3;

export interface Option {
  readonly name: string;
  readonly short?: string;
  /** Stands for the option's value in the help; absent for an option without a value. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** True if it may be given several times, each with a value of its own. Otherwise a second value is an error. */
  readonly isRepeatable?: true;
  /** The names of options that cannot be given with it. Only one of two names the other. */
  readonly excludes?: readonly string[];
  readonly needs?: string;
  /** True if `--help` only names it, and `help COMMAND` describes it. */
  readonly isRare?: true;
  /** True for an option of a topic that `--help` of each command with this topic describes. */
  readonly isOften?: true;
  readonly help: string;
}

export interface Example {
  readonly typed: string;
  readonly about: string;
}

export interface Arguments {
  readonly positionals: readonly string[];
  /** The number of them before `--`. */
  readonly before: number;
  flag(name: string): boolean;
  value(name: string): string | undefined;
  values(name: string): readonly string[];
}

/** A page of the help that several commands share, with the options that belong to it. */
export type Topic = Pick<Command, 'name' | 'summary' | 'details' | 'options'>;

/** A command. To add one, make such an object and add it to the table in `commands/all-commands.ts`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly examples: readonly [Example, Example];
  /** Paragraphs for `help COMMAND`. Lines that begin with a space stay as they are, the others are filled. */
  readonly details?: readonly string[];
  readonly options: readonly Option[];
  readonly topics?: readonly Topic[];
  readonly words?: readonly string[];
  readonly subcommands?: readonly Command[];
  /** Runs the command and returns its exit code. Missing if a subcommand must be named. Rejects with a {@link usageError}. */
  run?(args: Arguments, loadCommands: () => Promise<readonly Command[]>): Promise<number>;
}

export function withSubcommands(command: Command): readonly Command[] {
  const { name, subcommands = [] } = command;
  return [command, ...subcommands.map((each) => ({ ...each, name: `${name} ${each.name}` }))];
}

/** Finds the subcommand that the first argument names, or the command itself, and the arguments after it. */
export function chooseSubcommand(command: Command, argv: readonly string[]): [Command, readonly string[]] {
  const [word, ...rest] = argv[0] === 'help' && command.subcommands !== undefined ? ['--help'] : argv;
  const [self, ...others] = withSubcommands(command) as [Command, ...Command[]];
  const found = others.find(({ name }) => name === `${self.name} ${word}`);
  if (found !== undefined) return [found, rest];
  if (self.run === undefined && word !== '--help' && word !== '-h') throw unknownSubcommand(self, word, rest[0]);
  return [self, word === undefined ? [] : [word, ...rest]];
}

export function unknownSubcommand({ subcommands = [] }: Command, word: string | undefined, next?: string): UsageError {
  const names = subcommands.map(({ name }) => name);
  const expected = `one of ${names.join(', ')}`;
  if (word === undefined || word.startsWith('-'))
    return usageError(`expected a subcommand${word === undefined ? '' : ` before ${word}`}: ${expected}`);
  if (next !== undefined && names.includes(next)) return usageError(`expected ${next} before ${JSON.stringify(word)}`);
  const hint = meantBySubcommand(word, names) || `: expected ${expected}`;
  return usageError(`unknown subcommand ${JSON.stringify(word)}${hint}`);
}

export const JSON_OPTION: Option = { name: 'json', help: 'print JSON, one object per line' };
export const HELP_OPTION: Option = { name: 'help', short: 'h', help: 'print this help' };
/** Options that every command takes; the help of the program describes them. */
export const COMMON_OPTIONS: readonly Option[] = [
  { name: 'version', short: 'V', help: 'print the version' },
  {
    name: 'color',
    value: 'WHEN',
    choices: ['auto', 'always', 'never'],
    help: 'use colours: auto (on a terminal, unless NO_COLOR is set), always or never',
  },
];

export function optionsOf({ options, topics = [] }: Pick<Command, 'options' | 'topics'>): readonly Option[] {
  return [...options, ...topics.flatMap((topic) => topic.options), HELP_OPTION, ...COMMON_OPTIONS];
}

export interface UsageError extends Error {
  readonly code: 'usage';
}

export function usageError(message: string): UsageError {
  return Object.assign(new Error(message), { code: 'usage' as const });
}

export function isUsageError(error: unknown): error is UsageError {
  return error instanceof Error && 'code' in error && error.code === 'usage';
}

export function orUsageError<T>(action: () => T, start = ''): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof RangeError) throw usageError(start + error.message);
    throw error;
  }
}

export function parseArguments(command: Command, argv: readonly string[]): Arguments | null {
  const known = optionsOf(command);
  const options = Object.fromEntries(
    known.map(({ name, short, value, isRepeatable: multiple = false }) => {
      const type: 'boolean' | 'string' = value === undefined ? 'boolean' : 'string';
      return [name, { type, multiple, ...(short !== undefined && { short }) }];
    }),
  );
  const { values, positionals, tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  for (const token of tokens) if (token.kind === 'option') checkOption(token, known, argv[token.index]!);
  if (values['help'] === true) return null;
  for (const option of known) checkOnce(option, tokens);
  checkTogether(known.filter(({ name }) => values[name] !== undefined));
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? argv.length;
  return {
    positionals,
    before: tokens.filter(({ kind, index }) => kind === 'positional' && index < end).length,
    flag: (name) => values[name] === true,
    value: (name) => values[name] as string | undefined,
    values: (name) => [values[name] ?? []].flat() as string[],
  };
}

function checkTogether(given: readonly Option[]): void {
  const isGiven = (name: string): boolean => given.some((option) => option.name === name);
  for (const { name, excludes = [], needs } of given) {
    const other = excludes.find(isGiven);
    if (other !== undefined) throw usageError(`--${name} cannot be used with --${other}`);
    if (needs !== undefined && !isGiven(needs)) throw usageError(`--${name} needs --${needs}`);
  }
}

function checkOnce({ name, short, value, isRepeatable }: Option, tokens: readonly Token[]): void {
  if (value === undefined || isRepeatable) return;
  const given = tokens.flatMap((token) => (token.kind === 'option' && token.name === name ? [token.value] : []));
  if (given.length < 2) return;
  const names = short === undefined ? `--${name}` : `--${name} (-${short})`;
  throw usageError(`${names}: expected one value, got ${given.map((each) => JSON.stringify(each)).join(' and ')}`);
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

/** Throws a usage error for a wrong option. `typed` is the whole argument: `-help` is parsed as several options. */
function checkOption(
  { name, rawName, value, inlineValue }: Extract<Token, { readonly kind: 'option' }>,
  known: readonly Option[],
  typed: string,
): void {
  const option = known.find((each) => each.name === name);
  const names = known.map((each) => `--${each.name}`);
  if (!typed.startsWith('--') && names.includes(`-${typed}`))
    throw usageError(`unknown option '${typed}': did you mean -${typed}?`);
  if (option === undefined) throw usageError(`unknown option '${rawName}'${meantByOption(rawName, names)}`);
  const takesValue = option.value !== undefined;
  if (!takesValue && value !== undefined) throw usageError(`option '${rawName}' takes no value`);
  // A leading hyphen means an option: a value that begins with one is written --name=-value.
  const isMissing = value === undefined || (inlineValue === false && /^-[^\d]/.test(value));
  if (takesValue && isMissing) throw usageError(`option '${rawName}' needs a value: ${rawName} ${option.value}`);
}

/** The words that started this program, for commands that can be typed as they are printed; `script` is what Node runs. */
export function programName(script = process.argv[1] ?? '', env: NodeJS.ProcessEnv = process.env): string {
  const { npm_lifecycle_event: event } = env;
  if (event === 'start' && basename(script, '.js') === 'start') return 'npm start --';
  return event === 'npx' ? 'npx simhash-doc' : 'simhash-doc';
}

export function quoteWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
