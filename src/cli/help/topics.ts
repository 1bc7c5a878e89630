import { DEFAULT_TIMEOUT, MAX_DEFAULT_MEMORY } from '../../documents/hints.ts';
import { READER_LIMITS } from '../../documents/limits-by-format.ts';
import { TIME_PER_FILE, TIME_PER_MEBIBYTE } from '../../documents/time-budget.ts';
import { aboutType, TYPES } from '../../extract/formats.ts';
import { DEFAULT_LIMITS, type ExtractionLimits, MIN_INFLATED } from '../../extract/limits.ts';
import { LOSSES } from '../../extract/result.ts';
import type { Option, Topic } from '../command.ts';
import { asSize } from '../options.ts';

const [PER_FILE, PER_MEBIBYTE] = [TIME_PER_FILE / 1000, TIME_PER_MEBIBYTE / 1000];

export const HIDDEN_OPTION: Option = {
  name: 'hidden',
  isOften: true,
  help: 'also read hidden files and folders, and node_modules',
};

export const FILES: Topic = {
  name: 'files',
  summary: 'Which files are read',
  details: [
    `A GLOB without a slash, such as '*.pdf', is matched against the file name. Any other GLOB, such as 'drafts/**', is matched
against the path or the end of it. * and ? match no slash, ** matches folders. With --include, a file must match one of the globs.
With --exclude, neither the file nor a folder that contains it may match one. Both may be repeated. An archive is one file.`,
    `--files-from reads the paths of files and folders from FILE instead of the arguments: one in a line, or each terminated by
NUL, as find -print0 prints them.`,
    `In a folder, names that begin with a dot, and folders named node_modules, are skipped unless --hidden is given. A path that
is an argument is always read.`,
    `A file in a folder that is not a document is skipped: one that is empty, has no text or no letters, or is of a type that
cannot be read, a link to a folder or to nothing, or a pipe, socket or device. The same holds for the files of a list. Such a file fails
if it is an argument. What is skipped is counted on standard error, and does not change the exit code.`,
    `In the paths that are printed, each byte that is not UTF-8 is written \\xNN (\\xff), and a backslash before an escape
\\x5c, and ! after the name of another file \\x21, so that no two files have the same path. hash --check, index query --verify and index remove read these paths. To name
such a file yourself, name its folder, or list the bytes of its path in --files-from.`,
  ],
  options: [
    { name: 'include', value: 'GLOB', isRepeatable: true, isOften: true, help: 'read only files that match GLOB' },
    {
      name: 'exclude',
      value: 'GLOB',
      isRepeatable: true,
      isOften: true,
      help: 'skip files that match GLOB, or whose folder does',
    },
    {
      name: 'ext',
      value: 'EXT',
      isRepeatable: true,
      isOften: true,
      help: 'read only files named *.EXT: pdf or html,txt',
    },
    {
      name: 'files-from',
      value: 'FILE',
      help: 'read the paths from FILE or standard input (-), one in a line',
    },
    { name: 'files0-from', value: 'FILE', help: 'the same; each path must be terminated by NUL' },
    HIDDEN_OPTION,
  ],
};

export const FORMATS: Topic = {
  name: 'formats',
  summary: 'The types of documents and archives that can be read',
  details: [
    `The type of a document is detected from its content, then from its file name; --type overrides both. These types are
read:`,
    TYPES.map((type) => `  ${type.padEnd(8)}  ${aboutType(type)}`).join('\n'),
    `JSON Lines (plain, or compressed with gzip or Zstandard) and Parquet are collections: with --text-field, each row is a
document PATH!ID. A dot in NAME leads into an object: meta.text. ID is the value of the --id-field, or the number of the row.
Files named .jsonl or .ndjson need --text-field; with it, any other file that begins with a JSON object is read in the same way.
Rows are plain text, unless --type names another type. A row that cannot be read fails, and the others are read. Parquet needs
the packages hyparquet and hyparquet-compressors.`,
    `E-mail and MHTML need the package postal-mime.`,
    `Documents and archives may be compressed with gzip. hash, extract, dupes and index read every document in an archive;
images, audio, fonts, style sheets, scripts and JSON in archives are skipped, and counted on standard error. compare and
explain take one document.`,
    `Plain text is UTF-8, unless it has a byte order mark or --charset names another charset. A document that names its own
charset, such as HTML, is read in that one. HTML without any is UTF-8 if its bytes are, otherwise windows-1252.`,
    `Warnings have codes, which JSON, CDXJ and lists of duplicates carry, and by which --refuse makes documents fail: charset-guessed
(nothing declares the charset, or not the one of the bytes), damaged (text may be missing or wrong), left-out (a part of the
document is not read), markup (the text has markup or encoded data).`,
  ],
  options: [
    { name: 'type', value: 'TYPE', choices: TYPES, help: 'read every document as TYPE, whatever it looks like' },
    {
      name: 'extractor',
      value: 'NAME',
      choices: ['article'],
      help: 'of HTML, read the article without navigation, headers, footers, asides and forms, not the whole body',
    },
    {
      name: 'charset',
      value: 'NAME',
      help: 'charset of the documents; a byte order mark overrides it; auto guesses the charset',
    },
    { name: 'refuse', value: 'CODE', choices: LOSSES, isRepeatable: true, help: 'fail for documents with this loss' },
    {
      name: 'text-field',
      value: 'NAME',
      isRepeatable: true,
      help: 'field that holds the text of each row of JSON Lines or Parquet; texts of several are joined by line breaks',
    },
    {
      name: 'id-field',
      value: 'NAME',
      needs: 'text-field',
      help: 'field that holds the id of each row (default: its number)',
    },
  ],
};

function readersOf(limit: keyof ExtractionLimits): string {
  const readers = Object.entries(READER_LIMITS).flatMap(([reader, limits]) => (limits.includes(limit) ? [reader] : []));
  return readers.join(', ');
}

export const LIMITS: Topic = {
  name: 'limits',
  summary: 'The limits on reading a document',
  details: [
    `A document that exceeds a limit fails, and the others are read. Plain text in UTF-8 is streamed and has no limits.`,
    `All documents together have --timeout, and ${PER_FILE} s for each file and ${PER_MEBIBYTE} s for each MiB. When slow documents have used that up,
each file has its own ${PER_FILE} s and ${PER_MEBIBYTE} s per MiB at most.`,
    `SIZE is a number of bytes, or a number with K, M, G or T for KiB, MiB, GiB or TiB: 1000000, 500M, 2G.`,
    `--max-inflated applies to ${readersOf('inflated')}; --max-ratio to ${readersOf('ratio')}; --max-depth to ${readersOf('depth')};
--max-nesting to ${readersOf('nesting')}; --max-pages to ${readersOf('pages')}; the others to all.`,
  ],
  options: [
    { name: 'max-size', value: 'SIZE', help: `size of a document (default: ${asSize(DEFAULT_LIMITS.bytes)})` },
    {
      name: 'max-inflated',
      value: 'SIZE',
      help: `size of a compressed document after decompression (default: ${asSize(DEFAULT_LIMITS.inflated)})`,
    },
    {
      name: 'max-ratio',
      value: 'N',
      help: `size after decompression, of an archive in total, as a multiple of its size; ${asSize(MIN_INFLATED)} are allowed (default: ${DEFAULT_LIMITS.ratio})`,
    },
    { name: 'max-depth', value: 'N', help: `nesting of elements in HTML and XML (default: ${DEFAULT_LIMITS.depth})` },
    {
      name: 'max-nesting',
      value: 'N',
      help: `nesting of archives and compression (default: ${DEFAULT_LIMITS.nesting})`,
    },
    { name: 'max-pages', value: 'N', help: `pages of a document (default: ${DEFAULT_LIMITS.pages})` },
    {
      name: 'max-memory',
      value: 'SIZE',
      help: `abort the longest-running document when the process exceeds SIZE (default: ${asSize(MAX_DEFAULT_MEMORY)}, or half the RAM if less)`,
    },
    {
      name: 'timeout',
      value: 'SECONDS',
      help: `time for extracting the text of a document; of an archive in total, half of it and ${PER_MEBIBYTE} s per MiB (default: ${DEFAULT_TIMEOUT / 1000})`,
    },
  ],
};

const EXIT_CODES: Topic = {
  name: 'exit-codes',
  summary: 'What the exit code of a command says',
  details: [
    `  0  Done, whether or not something was found.
  1  The answer is no:
       compare               the documents are not near-duplicates
       hash --check          a document has changed
       dupes, index query    with --fail-if-found: something was found
       index verify          the index has a fault
       conformance           the implementation does not conform, the claim does
                             not hold, or there is nothing to claim
       vectors validate      a file is not valid
  2  Wrong usage: an option, or an operand that does not exist or is of the
     wrong kind. Nothing is done.
  3  Some documents failed, or a file, an index or an output could not be read
     or written, or an adapter could not be run. Everything else was done.`,
    'If both 1 and 3 apply, the exit code is 3. Files in folders that are not documents do not fail (see help files).',
    `The exit code does not depend on the reader of standard output: if it ends early, such as head, the command goes on
without output and without a message. If standard output cannot be written to, such as on a full disk, that is reported, and the
exit code is 3. A standard error that is closed or full is ignored.`,
  ],
  options: [],
};

export const TOPICS: readonly Topic[] = [FILES, FORMATS, LIMITS, EXIT_CODES];
