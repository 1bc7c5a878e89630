import type { Command } from '../../command.ts';
import { DATABASES } from './databases.ts';
import { SUBCOMMANDS } from './subcommands.ts';

export const index: Command = {
  name: 'index',
  summary: 'Keep an index of documents, and look them up',
  usage: 'SUBCOMMAND STORE [OPTION…] [ARGUMENT…]',
  examples: [
    { typed: 'index sync collection docs/', about: 'index a folder, and again after changes' },
    { typed: 'index query collection report.txt', about: 'find similar documents' },
  ],
  details: [
    `STORE is a folder, which the first add, sync or import creates, or ${DATABASES.map(({ example }) => example).join(' or\n')},
where index create or import makes the tables. One process at a time can write to a folder, and others can read meanwhile.`,
    ...DATABASES.map(({ help }) => help),
  ],
  options: [],
  subcommands: SUBCOMMANDS,
};
