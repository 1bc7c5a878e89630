import { TRUSTED_TOKENS } from '../../../duplicates/answer.ts';
import { type Command, JSON_OPTION } from '../../command.ts';
import { FILES, FORMATS, LIMITS } from '../../help/topics.ts';
import { DOCUMENT_LABEL, JOBS_OPTION, LABEL_OPTION, QUIET_OPTION } from '../../options.ts';

export const hash: Command = {
  name: 'hash',
  summary: 'Print the fingerprints of documents',
  usage: '[OPTION…] [PATH…|-]',
  examples: [
    { typed: 'hash report.html', about: 'the fingerprint of a document' },
    { typed: 'hash --json docs/ > docs.jsonl', about: 'of each document in a folder' },
  ],
  details: [
    `PATH is a file or a folder. All files in a folder are read, except hidden ones, in the order of their names. Without PATH, or
if PATH is -, standard input is read.`,
    `Each document gets a line for each label: LABEL:FINGERPRINT  PATH. As in the output of sha256sum, a line whose path contains a backslash or a
line end begins with a backslash, and these characters are escaped. A document in an archive is PATH!NAME.`,
    `With --json, each line is an object with the keys path, label, fingerprint, hex, tokens (their number), short (true
if there are too few tokens), mediaType, extractor; a document that failed has path, error: { code, message }. The lists losses
(codes: help formats) and warnings are present if there are any. For a document in an archive, path is the path of the archive; member is the name in the archive, the
target URI of a WARC record (with the keys recordId and date), or @ and the offset of a damaged part.`,
    `--token-counts adds tokenHashes, the hashes of the distinct tokens in hexadecimal form, and tokenCounts, how often each occurs. The
overlap of two documents is computed from them (spec/verification.md#verification).`,
    `A document that is empty or binary fails; in a folder or an archive, it is skipped. A document of fewer than ${TRUSTED_TOKENS} tokens
gets a warning, since its fingerprint is unreliable.`,
    `--raw reads every document as step 1 of the specification does: as UTF-8, whatever its type. With --raw and --bare, hash is a
one-shot adapter for conformance tests (vectors/README.md):`,
    `  simhash-doc conformance --one-shot -- simhash-doc hash --raw --bare`,
    `--cdxj prints a line of CDXJ for each document in a WARC file, with its labelled fingerprint and its extractor
(spec/carrying.md). The default label is then ${DOCUMENT_LABEL}. The line of a document without letters has no such key. A document that cannot be read has no line.
A document that is not in a WARC file fails.`,
    `--check reads a list that hash printed, with or without --json, and prints for each document OK, CHANGED with the
distance of the fingerprints, or FAILED and why; with --json, objects with the keys path, status, and distance, label and
fingerprint, or message. Labels are the same as in the list.`,
  ],
  options: [
    JSON_OPTION,
    { ...LABEL_OPTION, isRepeatable: true, help: `${LABEL_OPTION.help}; several are computed in one pass` },
    {
      name: 'bare',
      isRare: true,
      excludes: ['json', 'cdxj'],
      help: 'print only fingerprints, without labels and paths; for a document without tokens an empty line, which is not an error',
    },
    {
      name: 'cdxj',
      isRare: true,
      excludes: ['json', 'raw'],
      help: 'print an index of WARC files with fingerprints, in the format CDXJ',
    },
    { name: 'token-counts', isRare: true, needs: 'json', help: 'print how often each token occurs' },
    {
      name: 'raw',
      isRare: true,
      excludes: ['type', 'charset'],
      help: 'read every document as UTF-8: no type is detected, nothing is decompressed',
    },
    {
      name: 'check',
      value: 'FILE',
      excludes: ['bare', 'cdxj', 'token-counts', 'label'],
      help: 'compare documents with the fingerprints in FILE (- is standard input)',
    },
    JOBS_OPTION,
    QUIET_OPTION,
  ],
  topics: [FILES, FORMATS, LIMITS],
  run: async (args) => (await import('./run-hash.ts')).runHash(args),
};
