import { type Command, JSON_OPTION, unknownSubcommand, usageError } from '../../command.ts';

const LIST = {
  name: 'list',
  summary: 'List the id and the title of each vector',
  usage: '[OPTION…]',
  examples: [
    { typed: 'vectors list --group tokenise', about: 'the vectors of a group' },
    { typed: 'vectors list --rule TOK-2', about: 'those about a rule' },
  ],
  details: ['LIST is a list of names separated by commas.', 'With --json, prints one vector on each line.'],
  options: [
    { name: 'group', value: 'LIST', help: 'list only vectors of these groups' },
    { name: 'rule', value: 'LIST', help: 'list only vectors about these rules: TOK-2, or TOK for all TOK rules' },
    { name: 'flag', value: 'LIST', help: 'list only vectors with one of these flags' },
    { name: 'operation', value: 'LIST', help: 'list only vectors of these operations' },
    JSON_OPTION,
  ],
  run: async (args) => (await import('./run-vectors.ts')).listVectors(args),
} satisfies Command;

const SHOW: Command = {
  name: 'show',
  summary: 'Print vectors as JSON',
  usage: 'ID… [OPTION…]',
  examples: [
    { typed: 'vectors show tokenise/empty', about: 'a vector' },
    { typed: 'vectors show tokenise/empty tokenise/one --json', about: 'two, one on each line' },
  ],
  options: [{ ...JSON_OPTION, help: 'print one vector on each line' }],
  run: async (args) => (await import('./run-vectors.ts')).showVectors(args),
};

const VALIDATE: Command = {
  name: 'validate',
  summary: 'Check vector files',
  usage: '[FILE…] [OPTION…]',
  examples: [
    { typed: 'vectors validate', about: 'the files of this package' },
    { typed: 'vectors validate mine.json', about: 'a file of your own' },
  ],
  details: [
    `Checks FILE, or the vector files of this package: they must match the schema, their ids must be unique, and their rules and
flags must exist. FILE may be - for standard input.`,
    'With --json, prints an object for each file: file, vectors (their number), faults ([{ id, message }]).',
    'Exit code: 0 done, 1 a file is not valid, 2 wrong usage.',
  ],
  options: [JSON_OPTION],
  run: async (args) => (await import('./run-vectors.ts')).validateVectors(args),
};

export const vectors: Command = {
  name: 'vectors',
  summary: 'List, print and validate the vectors',
  usage: '[list | show ID… | validate [FILE…]] [OPTION…]',
  examples: [
    { typed: 'vectors --group tokenise', about: 'list the vectors of a group' },
    { typed: 'vectors show tokenise/empty', about: 'print a vector' },
  ],
  details: ['Without a subcommand, lists the vectors.', ...LIST.details],
  options: LIST.options,
  subcommands: [LIST, SHOW, VALIDATE],

  async run(args) {
    const [word] = args.positionals;
    const { isGroup, listVectors } = await import('./run-vectors.ts');
    if (word !== undefined && isGroup(word))
      throw usageError(`unknown subcommand "${word}": did you mean --group ${word}?`);
    if (word !== undefined) throw unknownSubcommand(vectors, word);
    return listVectors(args);
  },
};
