import { readFileSync, statSync } from 'node:fs';
import {
  type Command,
  chooseSubcommand,
  DONE,
  FAILED,
  isUsageError,
  parseArguments,
  programName,
  quoteWords,
  USAGE,
  usageError,
  withSubcommands,
} from './command.ts';
import { COMMANDS, loadCommands } from './commands/all-commands.ts';
import { print, warn, withOutput } from './terminal/print.ts';

const MANIFEST = new URL('../../package.json', import.meta.url);

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
    if (name === '--version' || name === '-V') return await showVersion();
    if (isHelp(name)) return await show(await manualOf([]));
    if (name === 'help') return await show(await manualOf(rest));
    const found = await find(name);
    typed = found.name;
    const [command, argv] = chooseSubcommand(found, rest);
    typed = command.name;
    const args = parseArguments(command, argv);
    if (args?.flag('version')) return await showVersion();
    setColor(args?.value('color'));
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

async function fail(error: unknown): Promise<number> {
  const { failureOf } = await import('../documents/failure.ts');
  const path = error instanceof Error && 'path' in error ? `${error.path}: ` : '';
  warn(`${path}${failureOf(error).message}`);
  return FAILED;
}

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

const showVersion = (): Promise<number> => show(`${JSON.parse(readFileSync(MANIFEST, 'utf8')).version}\n`);

function setColor(when: string | undefined): void {
  if (when === undefined || when === 'auto') return;
  if (when !== 'always' && when !== 'never')
    throw usageError(`--color: expected auto, always or never, got ${JSON.stringify(when)}`);
  process.env['FORCE_COLOR'] = when === 'always' ? '1' : '0';
}

async function show(text: string): Promise<number> {
  await print(text);
  return DONE;
}

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

async function find(name: string, others: readonly string[] = []): Promise<Command> {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!();
  const { meantByCommand } = await import('./help/meant.ts');
  const known = [...Object.keys(COMMANDS), ...others];
  if (name === '-v') throw usageError("unknown option '-v': did you mean --version?");
  if (name.startsWith('-')) throw usageError(`unknown option '${name}': expected a command, then its options`);
  const all = (await loadCommands()).flatMap(withSubcommands).map((each) => each.name);
  const subcommands = all.filter((each) => each.split(' ')[1] === name);
  const stat = statSync(name, { throwIfNoEntry: false });
  const reader = `${programName()} ${stat?.isDirectory() ? 'dupes' : 'hash'} ${quoteWords([name])}`;
  const hint =
    subcommands.length > 0
      ? `: did you mean ${subcommands.join(' or ')}?`
      : meantByCommand(name, known) || (stat === undefined ? '' : `: to read it, type ${reader}`);
  throw usageError(`unknown command ${JSON.stringify(name)}${hint || `: expected one of ${known.join(', ')}`}`);
}

/** The first major version of Node whose exit does not wait for a collection of garbage. */
const FIXED_IN = 22;
const MIN_TIME = 100;

let isCollected = false;

/**
 * Makes the process end in Node 20, which may wait forever at its exit (nodejs/node#54918): its main thread waits for
 * threads that optimize functions, and these wait for memory, until the main thread collects garbage. Collecting it
 * before gives them the memory in any case. Call it when the work is done: Node waits before it emits `exit`.
 */
export function prepareExit(): void {
  if (isCollected || Number.parseInt(process.versions.node, 10) >= FIXED_IN || performance.now() < MIN_TIME) return;
  // (Node 21 has no such function.)
  if (process.getBuiltinModule === undefined) return;
  isCollected = true;
  // No static imports: most runs need neither module.
  const [v8, vm] = [process.getBuiltinModule('node:v8'), process.getBuiltinModule('node:vm')];
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('gc')();
}
