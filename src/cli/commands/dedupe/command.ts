import { type Command, JSON_OPTION } from '../../command.ts';
import { DOCUMENT_VARIANT_OPTION, JOBS_OPTION, QUIET_OPTION } from '../../options.ts';

/** `simhash-doc dedupe`: writes a dataset without its duplicates. */
export const dedupe: Command = {
  name: 'dedupe',
  summary: 'Write a dataset without its near-duplicates',
  usage: '[OPTION…] IN… --text-field NAME --out OUT',
  details: [
    `IN are files of JSON Lines (plain, or compressed with gzip or Zstandard), or Parquet files of one schema, in the order in which
their rows count. OUT gets the rows to keep, in that order: those of JSON Lines byte for byte, compressed if OUT ends in .gz or
.zst (.zst needs Node 22.15), those of Parquet with the same schema.`,
    `Two rows match as two documents do for dupes: their fingerprints differ in at most K bits, and the overlap of their texts is
at least SHARE. A row is removed if it matches one that is kept. Rows with the same text are found without reading them again.`,
    `A row that cannot be read is reported and kept as it is, and the exit code is 1. Rows without a letter are kept. Empty lines
of JSON Lines are kept, too.`,
    `--duplicates writes JSON Lines with an object for each removed row: path, row (from 1), id, kept: { path, row, id } of the row
that is kept in its place, distance and overlap.`,
    `OUT and FILE are written under temporary names and get theirs when they are complete. Neither may be one of IN. The files are
read twice, those that are compressed and Parquet three times: texts with candidates among them are then copied to a temporary file beside
OUT, which has no name. Memory: at most about 300 MB, 110 bytes for each row with a text of its own, and for Parquet a row group.`,
    'Exit code: 0 OUT was written, 1 some rows could not be read, or OUT was not written, 2 wrong usage.',
  ],
  options: [
    {
      name: 'text-field',
      value: 'NAME',
      help: 'field that holds the text of each row; meta.text leads into an object',
    },
    { name: 'id-field', value: 'NAME', help: 'field that holds the id of each row (default: its number)' },
    { name: 'out', short: 'o', value: 'FILE', help: 'file to write' },
    { name: 'duplicates', value: 'FILE', help: 'list the rows that were removed in FILE' },
    {
      name: 'distance',
      short: 'k',
      value: 'K',
      help: 'the most bits that may differ, 0 to 7 (default: 7; 6 without cap8)',
    },
    { name: 'min-overlap', value: 'SHARE', help: 'the least overlap of two texts, 0 to 1 (default: 0.8)' },
    DOCUMENT_VARIANT_OPTION,
    { name: 'max-rejected', value: 'N', help: 'false candidates to check for each row (default: 100)' },
    {
      name: 'keep',
      value: 'WHICH',
      choices: ['first', 'longest'],
      help: 'row to keep: first or longest (default: first)',
    },
    { name: 'max-size', value: 'SIZE', help: 'size of a row (default: 500M)' },
    { name: 'max-inflated', value: 'SIZE', help: 'size of a row group of Parquet after decompression (default: 1G)' },
    { ...JSON_OPTION, help: 'print the numbers of rows as JSON' },
    JOBS_OPTION,
    QUIET_OPTION,
  ],

  async run(args) {
    const { runDedupe } = await import('./run.ts');
    return runDedupe(args);
  },
};
