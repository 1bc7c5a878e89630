import { parseArgs } from 'node:util';

/** Exit code: everything was done. */
export const DONE = 0;
/** Exit code: nothing was found, or some of the inputs failed. */
export const FAILED = 1;
/** Exit code: the command line makes no sense. */
export const USAGE = 2;

/** One option of a command: what `parseArgs` and `--help` need to know of it. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** What stands for the option's value in the help; absent for an option that takes none. */
  readonly value?: string;
  readonly help: string;
}

/** What was given on the command line behind the name of a command. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** Tells whether an option without a value was given. */
  flag(name: string): boolean;
  /** The value of an option that takes one, or undefined. */
  value(name: string): string | undefined;
}

/** A command. To add one, make such an object and put it in the table of `dispatch.ts`. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the name of the command. */
  readonly usage: string;
  /** Paragraphs for `--help`. */
  readonly details: readonly string[];
  readonly options: readonly Option[];
  /**
   * Does the work.
   * @returns the exit code
   * @throws (rejects) with a {@link usageError} when the arguments make no sense
   */
  run(args: Arguments): Promise<number>;
}

/** The options of every command that prints results. */
export const JSON_OPTION: Option = { name: 'json', help: 'print JSON, one object per line' };

/** The options of every command that reads documents. */
export const DOCUMENT_OPTIONS: readonly Option[] = [
  { name: 'charset', value: 'NAME', help: 'charset of the documents (a byte order mark beats it)' },
  { name: 'type', value: 'TYPE', help: 'read documents as TYPE whatever they look like: text, html, xml, pdf, …' },
  { name: 'max-size', value: 'SIZE', help: 'octets of a document that is read whole (default: 500M)' },
  { name: 'max-inflated', value: 'SIZE', help: 'octets that a compressed document may grow to (default: 1G)' },
  { name: 'max-depth', value: 'N', help: 'elements of markup that may be open at once (default: 2000)' },
  { name: 'max-nesting', value: 'N', help: 'archives and compressions that may lie in each other (default: 4)' },
  { name: 'max-pages', value: 'N', help: 'pages of a document (default: 10000)' },
  {
    name: 'max-memory',
    value: 'SIZE',
    help: 'memory of the process at which a document is given up (default: 4G or half of all)',
  },
  { name: 'timeout', value: 'SECONDS', help: 'time for extracting the text of one document (default: 120)' },
];

/** What can be read: for the help of every command that reads documents. */
export const MEDIA = `Read are plain text (UTF-8 unless it has another mark or --charset names another; auto guesses),
HTML, XML (JATS, TEI and others), PDF, EPUB, DOCX and ODT, and any of them in gzip. What a file is shows in its octets,
then in its name, unless --type names it: text, html, xml, pdf, epub, docx, odt, zip or warc.`;

/** What can be read besides: for commands that take several documents. */
export const ARCHIVES = 'Of ZIP and WARC archives, every document is read.';

const HELP: Option = { name: 'help', short: 'h', help: 'print this help' };

/** An error in the command line itself. */
export interface UsageError extends Error {
  readonly code: 'usage';
}

/**
 * Makes the error for a command line that makes no sense.
 * @param message - what is wrong, and what was expected
 */
export function usageError(message: string): UsageError {
  return Object.assign(new Error(message), { code: 'usage' as const });
}

/** Tells whether something thrown is a {@link usageError}. */
export function isUsageError(error: unknown): error is UsageError {
  return error instanceof Error && 'code' in error && error.code === 'usage';
}

/**
 * Reads the arguments of a command.
 * @param command - the command
 * @param argv - what stands behind its name
 * @returns the arguments, or null when help is asked for
 * @throws a {@link usageError} for an unknown option, a missing value, or a value where none is taken
 */
export function parseArguments(command: Command, argv: readonly string[]): Arguments | null {
  const options = Object.fromEntries(
    [...command.options, HELP].map(({ name, short, value }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
    ]),
  );
  let values: { readonly help?: unknown; readonly [name: string]: unknown };
  let positionals: string[];
  try {
    ({ values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true }));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node's advice behind the first sentence is about cases that few meet; the help is near.
    const [sentence] = error.message.split(/\. |\n/);
    const message = sentence!.replace(/(?: <value>)?' argument (?:missing|is ambiguous\.)$/, "' needs a value");
    throw usageError(message.replace(/^O/, 'o').replace(/^U/, 'u'));
  }
  if (values.help === true) return null;
  return {
    positionals,
    flag: (name) => values[name] === true,
    value: (name) => values[name] as string | undefined,
  };
}

/**
 * Writes the help of a command.
 * @param command - the command
 * @returns lines, the last one ended too
 */
export function helpOf(command: Command): string {
  const rows = [...command.options, HELP].map(({ name, short, value, help }) => {
    const long = `--${name}${value === undefined ? '' : ` ${value}`}`;
    return [short === undefined ? `    ${long}` : `-${short}, ${long}`, help] as const;
  });
  return [
    `Usage: simhash-doc ${command.name} ${command.usage}`,
    `${command.summary}.`,
    ...command.details,
    ['Options:', ...alignRows(rows)].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/**
 * Puts two columns under each other.
 * @param rows - left and right cell of each row
 * @returns a line for each row, indented by two
 */
export function alignRows(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
