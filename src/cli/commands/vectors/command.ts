import { type Command, JSON_OPTION } from '../../command.ts';

/** `simhash-doc vectors`: lists, prints and validates vectors. */
export const vectors: Command = {
  name: 'vectors',
  summary: 'List, print and validate the vectors',
  usage: '[list | show ID… | validate [FILE…]] [OPTION…]',
  details: [
    `list prints a line for each vector: its id and what it pins. show prints vectors as they stand in their files. validate
checks the vectors that ship with this program, or files in the same form that somebody else made: their schema, that ids
occur once, that rules and flags exist. LIST is names with commas between; - is standard input.`,
    `With --json, list and show print a vector on a line; validate prints an object for each file: file, vectors (their
number), faults ([{ id, message }]).`,
    'Exit code: 0 done, 1 a file is not valid, 2 wrong usage.',
  ],
  options: [
    { name: 'group', value: 'LIST', help: 'of these groups only' },
    { name: 'rule', value: 'LIST', help: 'about these rules only, such as TOK-1, or TOK for all of them' },
    { name: 'flag', value: 'LIST', help: 'with one of these flags only' },
    { name: 'operation', value: 'LIST', help: 'of these operations only' },
    JSON_OPTION,
  ],

  async run(args) {
    const { runVectorsCommand } = await import('./run.ts');
    return runVectorsCommand(args);
  },
};
