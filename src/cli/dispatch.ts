import { readFileSync } from 'node:fs';
import { alignRows, type Command, DONE, helpOf, isUsageError, parseArguments, USAGE, usageError } from './command.ts';
import { compare } from './commands/compare.ts';
import { conformance } from './commands/conformance/command.ts';
import { dupes } from './commands/dupes.ts';
import { explain } from './commands/explain.ts';
import { extract } from './commands/extract.ts';
import { hash } from './commands/hash.ts';
import { vectors } from './commands/vectors/command.ts';
import { guardStreams, print, warn } from './terminal/output.ts';

/** Every command, in the order of the help. */
const COMMANDS: readonly Command[] = [hash, compare, explain, extract, dupes, conformance, vectors];

/**
 * Runs the command line.
 * @param argv - the arguments behind the name of the program
 * @returns the exit code: 0 done, 1 nothing was found or some inputs failed, 2 wrong usage
 */
export async function dispatch(argv: readonly string[]): Promise<number> {
  guardStreams();
  const [name, ...rest] = argv;
  let help = 'simhash-doc --help';
  try {
    if (name === undefined) throw usageError('expected a command');
    if (name === '--help' || name === '-h') return await show(usage());
    if (name === '--version') return await show(`${version()}\n`);
    if (name === 'help') return await show(rest[0] === undefined ? usage() : helpOf(find(rest[0])));
    const command = find(name);
    help = `simhash-doc ${command.name} --help`;
    const args = parseArguments(command, rest);
    return args === null ? await show(helpOf(command)) : await command.run(args);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    warn(`${error.message}\nTry: ${help}`);
    return USAGE;
  }
}

/** Writes the help of the program: its commands. */
export function usage(): string {
  return [
    'Usage: simhash-doc COMMAND [OPTION…] [ARGUMENT…]',
    'Fingerprints of documents: 64 bits of which most are the same when the documents are similar.',
    ['Commands:', ...alignRows(COMMANDS.map(({ name, summary }) => [name, summary] as const))].join('\n'),
    [
      'Options:',
      ...alignRows([
        ['-h, --help', 'print this help; behind a command, the help of that command'],
        ['--version', 'print the version'],
      ]),
    ].join('\n'),
    'Exit code: 0 done, 1 nothing was found or some inputs failed, 2 wrong usage.',
  ]
    .join('\n\n')
    .concat('\n');
}

async function show(text: string): Promise<number> {
  await print(text);
  return DONE;
}

function find(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name);
  if (command !== undefined) return command;
  const known = COMMANDS.map((each) => each.name).join(', ');
  throw usageError(`unknown command ${JSON.stringify(name)}: expected one of ${known}`);
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return manifest.version;
}
