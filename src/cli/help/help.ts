import { type Command, HELP_OPTION, type Option, type Topic } from '../command.ts';
import { TOPICS } from './topics.ts';

/** Columns of a line of help. */
const WIDTH = 80;

/**
 * Writes the help of the program.
 * @param commands - all commands
 */
export function helpOfProgram(commands: readonly Pick<Command, 'name' | 'summary'>[]): string {
  return join([
    'Usage: simhash-doc COMMAND [OPTION…] [ARGUMENT…]',
    PURPOSE,
    list('Commands:', commands.map(row)),
    list('Options:', [
      ['-h, --help', 'print this help; after a command, the help of that command'],
      ['--version', 'print the version'],
    ]),
    list('More help, with simhash-doc help TOPIC:', TOPICS.map(row)),
    EXIT_CODES_IN_SHORT,
  ]);
}

/** The purpose of the program. */
export const PURPOSE =
  'Computes fingerprints of documents, of 64 or 256 bits. Those of similar documents differ in few bits.';

const EXIT_CODES_IN_SHORT =
  'Exit code: 0 done, 1 the answer is no, 2 wrong usage, 3 something could not be read or written.';

/** Writes the help of a command. */
export function helpOfCommand(command: Command): string {
  const { name, usage, summary, details, options, topics = [], subcommands = [] } = command;
  return join([
    `Usage: simhash-doc ${name} ${usage}`,
    `${summary}.`,
    ...(subcommands.length === 0 ? [] : [list(`Subcommands (simhash-doc ${name} NAME --help):`, subcommands.map(row))]),
    ...details,
    list('Options:', [...options, HELP_OPTION].map(optionRow)),
    ...(topics.length === 0 ? [] : [list('More options:', topics.map(topicRow))]),
    'Exit codes: simhash-doc help exit-codes',
  ]);
}

/** Writes the page of a topic. */
export function helpOfTopic({ summary, details, options }: Topic): string {
  return join([`${summary}.`, ...details, ...(options.length === 0 ? [] : [list('Options:', options.map(optionRow))])]);
}

/** An option as it is typed: `-k, --distance K`. */
export function syntaxOf({ name, short, value }: Option): string {
  const long = `--${name}${value === undefined ? '' : ` ${value}`}`;
  return short === undefined ? `    ${long}` : `-${short}, ${long}`;
}

/** A line of a list: what it is about, and what there is to say. */
type Row = readonly [left: string, right: string];

function row({ name, summary }: { readonly name: string; readonly summary: string }): Row {
  return [name, summary];
}

function optionRow(option: Option): Row {
  return [syntaxOf(option), option.help];
}

function topicRow({ name, options }: Topic): Row {
  return [`simhash-doc help ${name}`, options.map((option) => `--${option.name}`).join(', ')];
}

function list(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 4;
  const lines = rows.flatMap(([left, right]) =>
    wrap(right, WIDTH - width).map((line, i) => `${(i === 0 ? `  ${left}` : '').padEnd(width)}${line}`),
  );
  return [title, ...lines].join('\n');
}

function join(parts: readonly string[]): string {
  return `${parts.map(fill).join('\n\n')}\n`;
}

/** Fills the lines of a paragraph; those that begin with a space stay as they are. */
function fill(paragraph: string): string {
  const lines: string[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') lines.push(...wrap(text, WIDTH));
    text = '';
  };
  for (const line of paragraph.split('\n')) {
    const isFilled = !line.startsWith(' ');
    if (isFilled) text += text === '' ? line : ` ${line}`;
    if (!isFilled || line.endsWith(':')) flush();
    if (!isFilled) lines.push(line);
  }
  flush();
  return lines.join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' '))
    if (line === '') line = word;
    else if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  return [...lines, line];
}
