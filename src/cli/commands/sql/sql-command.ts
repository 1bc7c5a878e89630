import { joinWithOr } from '../../../common/text.ts';
import { type Command, DONE, usageError } from '../../command.ts';
import { DISTANCE_RULE } from '../../distance-option.ts';
import { LABEL_OPTION } from '../../options.ts';
import { DIALECTS, type Dialect, type DialectName } from './sql-dialects.ts';

const NAMES = Object.keys(DIALECTS) as DialectName[];

export const sql: Command = {
  name: 'sql',
  summary: 'Print SQL that finds near-duplicates in a database',
  usage: '--dialect NAME --task NAME [OPTION…]',
  examples: [
    { typed: 'sql --dialect duckdb --task pairs', about: 'pairs of the table fingerprints' },
    {
      typed: 'sql --dialect spark --task pairs --label minhash-doc --load h.json',
      about: 'pairs of what hash --json --label minhash-doc wrote',
    },
  ],
  details: [
    `Prints standard SQL that needs no extension: the 16 tables of the specification as a join of a table with itself. The table has
a column id, which must differ in each row, and a column fingerprint: a signed 64-bit number (BIGINT). Under minhash-doc-256 it has
four such columns, fingerprint, fingerprint_1, fingerprint_2 and fingerprint_3, as an index in PostgreSQL has them.`,
    `--load FILE first makes this table from the output of hash --json, with the columns path and member and a number as id, since
members share the path of their archive. An older table of that name is replaced: the statements can be run again. For PostgreSQL
they are a script of psql, and FILE is read where it runs; the others read FILE where the database is.`,
    `pairs finds each pair of documents once. Documents with equal fingerprints are paired only with the one that has the smallest id,
which alone is paired with others, as dupes --no-verify --pairs does. query finds the documents near the documents of another table.
clusters computes the connected components of the pairs, in tables whose names begin with simhash_doc_. The components are
complete if the result named unfinished is 0.`,
    `The result is complete for K up to 6, or 27 of 256 bits: one of their four words then differs in at most a quarter of K, and each
word has its 16 tables. For K above 3 (15), bits of the keys are flipped: for each table, there are then 29 keys (K = 4, or 16 to 19)
or 221 instead of 1. A key that more than N distinct fingerprints share (--max-bucket) is split by their other bits, so that no pair
is lost. The last statement lists these keys.`,
    DISTANCE_RULE,
    'The results are candidates, since SQL does not compare the texts: confirm them before you remove any (dupes, dedupe).',
  ],
  options: [
    {
      name: 'dialect',
      value: 'NAME',
      choices: NAMES,
      help: joinWithOr(
        NAMES.map((name) => {
          const { versions }: Dialect = DIALECTS[name];
          return versions === undefined ? name : `${name} (${versions})`;
        }),
      ),
    },
    { name: 'task', value: 'NAME', choices: ['pairs', 'query', 'clusters'], help: 'pairs, query or clusters' },
    LABEL_OPTION,
    { name: 'load', value: 'FILE', help: 'make the table from the output of hash --json' },
    {
      name: 'distance',
      short: 'k',
      value: 'K',
      help: 'maximum number of bits that differ, 0 to 6 (default: 3), or 0 to 27 of 256 bits (default: 15)',
    },
    { name: 'max-bucket', value: 'N', help: 'split keys that more than N fingerprints share (default: 1000)' },
    { name: 'table', value: 'NAME', help: 'table of fingerprints (default: fingerprints)' },
    { name: 'id', value: 'NAME', help: 'its column of ids (default: id)' },
    { name: 'fingerprint', value: 'NAME', help: 'its column of fingerprints (default: fingerprint)' },
    {
      name: 'query-table',
      value: 'NAME',
      help: 'table of the fingerprints to look up, with the same columns (default: queries)',
    },
  ],

  async run(args) {
    const { expectedOneOf, labelOf, wholeNumberOf } = await import('../../options.ts');
    const { print } = await import('../../terminal/print.ts');
    const { writeSql } = await import('./sql-statements.ts');
    const [operand] = args.positionals;
    if (operand !== undefined)
      throw usageError(`expected options only, as in --dialect duckdb --task pairs, got ${JSON.stringify(operand)}`);
    const choice = <T extends string>(name: string, choices: readonly T[]): T => {
      const found = choices.find((each) => each === args.value(name));
      if (found === undefined) throw usageError(`--${name}: ${expectedOneOf(choices, args.value(name))}`);
      return found;
    };
    const name = (option: string, usual: string): string => {
      const given = args.value(option) ?? usual;
      if (given === '' || given.includes('\0'))
        throw usageError(`--${option}: expected the name of a table or a column`);
      return given;
    };
    const dialect = choice('dialect', NAMES);
    const task = choice('task', ['pairs', 'query', 'clusters']);
    if (task !== 'query' && args.value('query-table') !== undefined)
      throw usageError('--query-table needs --task query');
    const load = args.value('load');
    if (load !== undefined && !/^[^\0\r\n]+$/.test(load)) throw usageError('--load: expected the name of a file');
    if (load !== undefined && args.value('label') === undefined)
      throw usageError('--load needs --label, as given to hash --json');
    const label = labelOf(args);
    const isWide = label === 'minhash-doc-256';
    await print(
      writeSql({
        dialect,
        task,
        label,
        k: wholeNumberOf(args, 'distance', 0, isWide ? 27 : 6) ?? (isWide ? 15 : 3),
        hot: wholeNumberOf(args, 'max-bucket', 1, 999_999_999) ?? 1000,
        table: name('table', 'fingerprints'),
        id: name('id', 'id'),
        fingerprint: name('fingerprint', 'fingerprint'),
        queries: name('query-table', 'queries'),
        ...(load !== undefined && { load }),
      }),
    );
    return DONE;
  },
};
