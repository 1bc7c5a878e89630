import { wrapWords } from '../../common/text.ts';
import { COMMON_OPTIONS, type Command, HELP_OPTION, type Option, optionsOf, type Topic } from '../command.ts';
import { TOPICS } from './topics.ts';

const WIDTH = 80;
const MIN_COLUMN = 28;

export function helpOfProgram(commands: readonly Pick<Command, 'name' | 'summary'>[]): string {
  return join([
    'Usage: simhash-doc COMMAND [OPTION…] [ARGUMENT…]',
    PURPOSE,
    list('Examples:', [
      ['simhash-doc dupes docs/', 'groups of near-duplicates in a folder'],
      ['simhash-doc compare report.html report.txt', 'two documents'],
    ]),
    list('Commands:', commands.map(row)),
    list('Options:', [
      ['-h, --help', 'print this help; after a command, the help of that command'],
      ...COMMON_OPTIONS.map((option): Row => [syntaxOf(option).trim(), option.help]),
    ]),
    list('More help, with simhash-doc help NAME:', [['COMMAND', 'Everything about a command'], ...TOPICS.map(row)]),
    EXIT_CODES_IN_SHORT,
  ]);
}

const PURPOSE =
  'Computes fingerprints of documents, of 64 or 256 bits, which differ in few bits if the documents are similar.';

const EXIT_CODES_IN_SHORT =
  'Exit code: 0 done, 1 the answer is no, 2 wrong usage, 3 something could not be read or written.';

export function helpOfCommand(command: Command): string {
  const { name, options, topics = [], details = [] } = command;
  const rare = options.filter(({ isRare }) => isRare === true);
  const shown = [
    ...options.filter(({ isRare }) => isRare !== true),
    ...topics.flatMap((topic) => topic.options.filter(({ isOften }) => isOften === true)),
  ];
  const topicNames = topics.map((topic) => topic.name);
  const also = rare.length === 0 ? '' : `, also ${rare.map((option) => `--${option.name}`).join(', ')}`;
  return join([
    ...openingOf(command),
    list(
      'Options:',
      [...shown, HELP_OPTION].map((option) => [syntaxOf(option), option.help]),
    ),
    list('More help, with simhash-doc help NAME:', [
      ...(details.length + rare.length === 0 ? [] : [[name, `everything about this command${also}`] as const]),
      ...(topicNames.length === 0
        ? []
        : [[topicNames.join(', '), 'options of all commands that read documents'] as const]),
      ['exit-codes', 'what the exit code says'],
    ]),
  ]);
}

export function manualOfCommand(command: Command): string {
  const { details = [], options, topics = [] } = command;
  const more = topics.map((topic): Row => {
    return [`simhash-doc help ${topic.name}`, topic.options.map(({ name }) => `--${name}`).join(', ')];
  });
  return join([
    ...openingOf(command),
    ...details,
    list('Options:', describedOptions([...options, HELP_OPTION], optionsOf(command))),
    ...(topics.length === 0 ? [] : [list('More options:', more)]),
    'Exit codes: simhash-doc help exit-codes',
  ]);
}

function openingOf({ name, usage, summary, examples, subcommands = [] }: Command): readonly string[] {
  return [
    `Usage: simhash-doc ${name} ${usage}`,
    `${summary}.`,
    list(
      'Examples:',
      examples.map(({ typed, about }) => [`simhash-doc ${typed}`, about]),
    ),
    ...(subcommands.length === 0 ? [] : [list(`Subcommands (simhash-doc ${name} NAME --help):`, subcommands.map(row))]),
  ];
}

export function helpOfTopic({ summary, details = [], options }: Topic): string {
  return join([
    `${summary}.`,
    ...details,
    ...(options.length === 0 ? [] : [list('Options:', describedOptions(options))]),
  ]);
}

export function syntaxOf({ name, short, value }: Option): string {
  const long = `--${name}${value === undefined ? '' : ` ${value}`}`;
  return short === undefined ? `    ${long}` : `-${short}, ${long}`;
}

type Row = readonly [left: string, right: string];

const row = ({ name, summary }: { readonly name: string; readonly summary: string }): Row => [name, summary];

function describedOptions(options: readonly Option[], all = options): Row[] {
  return options.map((option) => [syntaxOf(option), descriptionOf(option, all)]);
}

export function descriptionOf({ name, help, needs, excludes = [] }: Option, all: readonly Option[]): string {
  const excluded = all.filter((other) => excludes.includes(other.name) || other.excludes?.includes(name) === true);
  const need = needs === undefined ? '' : `; needs --${needs}`;
  return `${help}${need}${excluded.length === 0 ? '' : `; not with ${excluded.map((other) => `--${other.name}`).join(', ')}`}`;
}

function list(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 4;
  if (width > WIDTH - MIN_COLUMN) {
    const pairs = rows.flatMap(([left, right]) => [
      `  ${left}`,
      ...wrapWords(right.split(' '), WIDTH - 6).map((line) => `      ${line}`),
    ]);
    return [title, ...pairs].join('\n');
  }
  const lines = rows.flatMap(([left, right]) =>
    wrapWords(right.split(' '), WIDTH - width).map((line, i) => `${(i === 0 ? `  ${left}` : '').padEnd(width)}${line}`),
  );
  return [title, ...lines].join('\n');
}

const join = (parts: readonly string[]): string => `${parts.map(fill).join('\n\n')}\n`;

function fill(paragraph: string): string {
  const joined = paragraph.replace(/^(?! )(.+)\n(?! )/gm, '$1 ');
  return joined
    .split('\n')
    .flatMap((line) => (line.startsWith(' ') ? line : wrapWords(line.split(' '), WIDTH)))
    .join('\n');
}
