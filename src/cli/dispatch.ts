import { readFileSync, statSync } from 'node:fs';
import {
  type Command,
  chooseSubcommand,
  DONE,
  FAILED,
  isUsageError,
  parseArguments,
  USAGE,
  usageError,
  withSubcommands,
} from './command.ts';
import { COMMANDS, loadCommands } from './commands/index.ts';
import { prepareExit } from './exit.ts';
import { programName, quoteWords } from './program.ts';
import { print, warn, withOutput } from './terminal/output.ts';

/** Runs the command line that follows the name of the program; returns the exit code (see `help exit-codes`). */
export function dispatch(argv: readonly string[]): Promise<number> {
  return withOutput(() => runCommand(argv));
}

async function runCommand(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = isHelp(argv[0]) && argv.length > 1 ? [...argv.slice(1), '--help'] : argv;
  let typed = '';
  try {
    if (name === undefined) {
      process.stderr.write(await manualOf([]));
      return USAGE;
    }
    if (name === '--version' || name === '-V') return await show(`${version()}\n`);
    if (isHelp(name)) return await show(await manualOf([]));
    if (name === 'help') return await show(await manualOf(rest));
    const found = await find(name);
    typed = found.name;
    const [command, argv] = chooseSubcommand(found, rest);
    typed = command.name;
    const args = parseArguments(command, argv);
    if (args === null || command.run === undefined) {
      const { helpOfCommand } = await import('./help/help.ts');
      return await show(helpOfCommand(command));
    }
    return await command.run(args, loadCommands);
  } catch (error) {
    if (!isUsageError(error)) return await fail(error);
    const subcommand = typed.includes(' ') ? `${typed}: ` : '';
    warn(`${subcommand}${error.message}\nTry: ${programName()} ${typed}${typed && ' '}--help`);
    return USAGE;
  }
}

/** Reports an error thrown outside {@link dispatch}, such as by a timer, and ends the process. */
export function guardProcess(): void {
  // After process.exit(); a process that ends by itself has called it before.
  process.on('exit', prepareExit);
  // Unhandled rejections also arrive here.
  process.on('uncaughtException', (error) => void fail(error).then((code) => process.exit(code)));
}

/** Reports an unexpected error. Node would print it to the terminal with unescaped paths. */
async function fail(error: unknown): Promise<number> {
  const { failureOf } = await import('../documents/failure.ts');
  const path = error instanceof Error && 'path' in error ? `${error.path}: ` : '';
  warn(`${path}${failureOf(error).message}`);
  return FAILED;
}

/** Everything about a command, a subcommand or a topic; the help of the program without names. */
async function manualOf([name, ...rest]: readonly string[]): Promise<string> {
  const { manualOfCommand, helpOfProgram, helpOfTopic } = await import('./help/help.ts');
  const { TOPICS } = await import('./help/topics.ts');
  if (name === undefined || name === 'help') return helpOfProgram(await loadCommands());
  const topic = TOPICS.find((each) => each.name === name);
  if (topic !== undefined) return helpOfTopic(topic);
  const topics = TOPICS.map((each) => each.name);
  const [command] = chooseSubcommand(await find(name, topics), rest.length === 0 ? ['--help'] : rest);
  return manualOfCommand(command);
}

async function show(text: string): Promise<number> {
  await print(text);
  return DONE;
}

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h';
}

async function find(name: string, others: readonly string[] = []): Promise<Command> {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!();
  const { meantByCommand } = await import('./help/meant.ts');
  const known = [...Object.keys(COMMANDS), ...others];
  if (name === '-v') throw usageError("unknown option '-v': did you mean --version?");
  if (name.startsWith('-')) throw usageError(`unknown option '${name}': expected a command, then its options`);
  const hint = (await subcommandsNamed(name)) || meantByCommand(name, known) || commandForFile(name);
  throw usageError(`unknown command ${JSON.stringify(name)}${hint || `: expected one of ${known.join(', ')}`}`);
}

/** The end of a message that names the commands with such a subcommand; empty if there are none. */
async function subcommandsNamed(word: string): Promise<string> {
  const all = (await loadCommands()).flatMap(withSubcommands);
  const found = all.map(({ name }) => name).filter((name) => name.split(' ')[1] === word);
  return found.length === 0 ? '' : `: did you mean ${found.join(' or ')}?`;
}

/** The end of a message about a file or a folder in the place of a command; empty for anything else. */
function commandForFile(name: string): string {
  const stat = statSync(name, { throwIfNoEntry: false });
  if (stat === undefined) return '';
  return `: to read it, type ${programName()} ${stat.isDirectory() ? 'dupes' : 'hash'} ${quoteWords([name])}`;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
