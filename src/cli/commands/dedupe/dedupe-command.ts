import { DEFAULT_OVERLAP } from '../../../duplicates/answer.ts';
import { DEFAULT_LIMITS } from '../../../extract/limits.ts';
import { LABEL } from '../../../scheme/labels/label.ts';
import { type Command, JSON_OPTION } from '../../command.ts';
import { DEFAULT_DISTANCES, DISTANCE_RULE, MAX_DISTANCES } from '../../distance-option.ts';
import { asSize, DOCUMENT_LABEL_OPTION, QUIET_OPTION } from '../../options.ts';

const { [LABEL]: BARE, 'minhash-doc': NARROW, 'minhash-doc-256': WIDE } = DEFAULT_DISTANCES;

export const dedupe: Command = {
  name: 'dedupe',
  summary: 'Write a dataset without its near-duplicates',
  usage: '[OPTION…] IN… [--text-field NAME]… --out OUT',
  examples: [
    { typed: 'dedupe rows.jsonl --text-field text --out kept.jsonl', about: 'a dataset without near-duplicates' },
    { typed: 'dedupe rows.jsonl --text-field text --groups groups.jsonl', about: 'the group of each row' },
  ],
  details: [
    `IN are JSON Lines files (plain, or compressed with gzip or Zstandard), or Parquet files with the same schema; - is standard
input. The order of the files is the order of the rows. OUT gets the rows to keep, in that order; - is standard output, and the
result then goes to standard error. JSON Lines are copied byte for byte, and
compressed if OUT ends in .gz or .zst (.zst needs Node 22.15). Parquet keeps its schema, its metadata and its
codecs; LZ4, and Zstandard before Node 22.15, become Snappy, with a warning. Encrypted columns are refused.`,
    `Two rows match as two documents do for dupes: their fingerprints differ in at most K bits, and the overlap of their texts is
at least SHARE. A row is removed if it matches one that is kept. Rows with the same text are found without reading them again. With SHARE
below ${DEFAULT_OVERLAP}, rows are compared within more bits, unless K is given, as dupes does: see help dupes.`,
    `Pages of one template share most words and are different documents. So a row is kept if it is different from its match by
VER-5 of the specification: both have a first line, a title, with words that the other lacks; or more than a tenth of the numbers of
the row with fewer are not in the other; or both have fewer than 60 words, and each has one that the other lacks. --ignore-numbers removes
these rows as well. The last line of the output has their number, and the number of removed rows of fewer than 80 tokens, whose fingerprints
are unreliable. --groups has the reason of each row that is kept: differs, which is title, numbers or words. Two versions of a text that differ in a version number or in a renamed title are kept; a sentence and its negation
in long texts, or the reports of two days without numbers, are not told apart.`,
    DISTANCE_RULE,
    `A row that cannot be read is reported and kept as it is, and the exit code is 3. If none of the first 10,000 rows of a file has
the text field, nothing is written. Rows without a letter, such as dates, are only removed if
the same text came before. Empty lines of JSON Lines are also kept. Ids are only for the
lists below: they may repeat, and integers of any length keep their digits.`,
    `--text-field may be repeated: the texts of the fields, and of the items of a list, are joined by line breaks. Fields that are
null are left out if another one has text. A row without any of them is reported and kept; --allow-empty only counts these rows.`,
    `--against removes the rows that match PLACE, and only these: duplicates among IN are kept. PLACE is a dataset with the same fields,
in any format that IN may have; another file, a folder or an archive, whose documents are read as by hash; or an index, whose
documents near a row are read again. Files of IN in PLACE are left out. Nothing of it is written. --groups gives each removed row its match in PLACE: { path, row, id }, or
{ path, id } for a document.`,
    `--duplicates writes JSON Lines with an object for each removed row: path, row (from 1), id, kept: { path, row, id } of the row
that is kept in its place, distance and overlap.`,
    `--groups is for those who choose rows themselves, with or without --out. It writes JSON Lines with an object for each row, in
their order: path, row, id, group, kept, differs. Rows with the same group match the same row; group is the number of that row, counted
over all files. kept is true for that row and for rows that match no other.`,
    `OUT and FILE are written under temporary names and renamed when they are complete. OUT must not exist, as nothing in rows shows
who wrote them. FILE may be an earlier list of the same option, which is replaced. Each file of IN is
read twice, and texts with candidates once more. Compressed files and Parquet are read three times; their texts that have
candidates are copied to an unnamed temporary file beside OUT. Standard input and the texts of PLACE are copied to temporary files there,
which are deleted at the end. Lists with ids read each file once or twice more. Memory: about 400 MB, plus 130 bytes for each distinct
text, plus a row group for Parquet.`,
  ],
  options: [
    {
      name: 'text-field',
      value: 'NAME',
      isRepeatable: true,
      help: 'field that holds the text of each row; meta.text leads into an object, messages[].content into a list (default: text)',
    },
    { name: 'allow-empty', isRare: true, help: 'accept rows whose text is missing or null; the result counts them' },
    { name: 'id-field', value: 'NAME', help: 'field that holds the id of each row (default: its number)' },
    { name: 'out', short: 'o', value: 'FILE', help: 'file to write, or - for standard output' },
    {
      name: 'against',
      value: 'PLACE',
      isRepeatable: true,
      help: 'only remove rows that PLACE has, a dataset, file, folder or index',
    },
    { name: 'duplicates', value: 'FILE', help: 'write a list of the removed rows to FILE' },
    { name: 'groups', isRare: true, value: 'FILE', help: 'write the group of every row to FILE' },
    {
      name: 'distance',
      short: 'k',
      value: 'K',
      help: `maximum number of bits that differ: of 256, 0 to ${MAX_DISTANCES[256]} (default: ${WIDE.verified}); of 64, 0 to ${MAX_DISTANCES[64]} (default: ${NARROW.verified}; ${BARE.verified} with ${LABEL})`,
    },
    { name: 'min-overlap', value: 'SHARE', help: `minimum overlap of two texts, 0 to 1 (default: ${DEFAULT_OVERLAP})` },
    DOCUMENT_LABEL_OPTION,
    { name: 'ignore-numbers', help: 'also remove rows with other titles or numbers' },
    { name: 'match-case', isRare: true, help: 'keep rows that differ only in upper and lower case' },
    {
      name: 'keep',
      value: 'WHICH',
      choices: ['first', 'longest'],
      help: 'row to keep: first or longest (default: first)',
    },
    { name: 'max-size', isRare: true, value: 'SIZE', help: `size of a row (default: ${asSize(DEFAULT_LIMITS.bytes)})` },
    {
      name: 'max-inflated',
      isRare: true,
      value: 'SIZE',
      help: `size of a row group of Parquet after decompression (default: ${asSize(DEFAULT_LIMITS.inflated)})`,
    },
    { ...JSON_OPTION, help: 'print the row counts as JSON' },
    QUIET_OPTION,
  ],
  run: async (args) => (await import('./run-dedupe.ts')).runDedupe(args),
};
