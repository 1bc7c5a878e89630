import { type Command, JSON_OPTION } from '../../command.ts';

/** `simhash-doc vectors`: lists, prints and validates vectors. */
export const vectors: Command = {
  name: 'vectors',
  summary: 'List, print and validate the vectors',
  usage: '[list | show ID… | validate [FILE…]] [OPTION…]',
  details: [
    `list prints the id and the title of each vector. show prints vectors as JSON. validate checks vector files, by default those
of this package: they must match the schema, their ids must be unique, and their rules and flags must exist. LIST is a list of
names separated by commas. FILE may be - for standard input.`,
    `With --json, list and show print one vector on each line; validate prints an object for each file: file, vectors
(their number), faults ([{ id, message }]).`,
  ],
  options: [
    { name: 'group', value: 'LIST', help: 'list only vectors of these groups' },
    { name: 'rule', value: 'LIST', help: 'list only vectors about these rules: TOK-1, or TOK for all TOK rules' },
    { name: 'flag', value: 'LIST', help: 'list only vectors with one of these flags' },
    { name: 'operation', value: 'LIST', help: 'list only vectors of these operations' },
    JSON_OPTION,
  ],

  async run(args) {
    const { runVectorsCommand } = await import('./run.ts');
    return runVectorsCommand(args);
  },
};
