import { readFileSync } from 'node:fs';
import { type Command, DONE, FAILED, isUsageError, parseArguments, USAGE, usageError } from './command.ts';
import { COMMANDS, loadCommands } from './commands/index.ts';
import { prepareExit } from './exit.ts';
import { programName } from './program.ts';
import { flushOutput, guardStreams, print, warn } from './terminal/output.ts';

/**
 * Runs the command line.
 * @param argv - the arguments that follow the name of the program
 * @returns the exit code; see `help exit-codes`
 */
export async function dispatch(argv: readonly string[]): Promise<number> {
  guardStreams();
  const [name, ...rest] = argv;
  let help = '--help';
  try {
    if (name === undefined) throw usageError('expected a command');
    if (name === '--version') return await show(`${version()}\n`);
    if (name === '--help' || name === '-h') return await show(await helpOf(undefined));
    if (name === 'help') return await show(await helpOf(rest[0]));
    const command = await find(name);
    help = `${command.name} --help`;
    const args = parseArguments(command, rest);
    return args === null ? await show(await helpOf(command.name)) : await command.run(args, loadCommands);
  } catch (error) {
    if (!isUsageError(error)) return await fail(error);
    warn(`${error.message}\nTry: ${programName()} ${help}`);
    return USAGE;
  } finally {
    await flushOutput();
  }
}

/** Tells of an error that was thrown outside {@link dispatch}, such as by a timer, and ends the process; see also {@link prepareExit}. */
export function guardProcess(): void {
  // After process.exit(); a process that ends by itself has called it before.
  process.on('exit', prepareExit);
  // Rejections that nobody handles are errors of this kind, too.
  process.on('uncaughtException', (error) => void fail(error).then((code) => process.exit(code)));
}

/** Tells of an error that no command expects. Left to Node, it would reach the terminal with whatever a path holds. */
async function fail(error: unknown): Promise<number> {
  const { failureOf } = await import('../documents/failure.ts');
  const path = error instanceof Error && 'path' in error ? `${error.path}: ` : '';
  warn(`${path}${failureOf(error).message}`);
  return FAILED;
}

/** The help of a command or a topic; that of the program without a name. */
async function helpOf(name: string | undefined): Promise<string> {
  const { helpOfCommand, helpOfProgram, helpOfTopic } = await import('./help/help.ts');
  const { TOPICS } = await import('./help/topics.ts');
  if (name === undefined) return helpOfProgram(await loadCommands());
  const topic = TOPICS.find((each) => each.name === name);
  return topic === undefined
    ? helpOfCommand(
        await find(
          name,
          TOPICS.map((each) => each.name),
        ),
      )
    : helpOfTopic(topic);
}

async function show(text: string): Promise<number> {
  await print(text);
  return DONE;
}

async function find(name: string, others: readonly string[] = []): Promise<Command> {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!();
  const { didYouMean } = await import('./help/suggest.ts');
  const known = [...Object.keys(COMMANDS), ...others];
  throw usageError(
    `unknown command ${JSON.stringify(name)}${didYouMean(name, known) || `: expected one of ${known.join(', ')}`}`,
  );
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
