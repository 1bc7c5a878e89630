import { DEFAULT_OVERLAP, TRUSTED_TOKENS } from '../../../duplicates/answer.ts';
import { type Command, JSON_OPTION } from '../../command.ts';
import { DEFAULT_DISTANCES, DISTANCE_RULE, MAX_DISTANCES } from '../../distance-option.ts';
import { FILES, FORMATS, LIMITS } from '../../help/topics.ts';
import { DOCUMENT_LABEL_OPTION, JOBS_OPTION, QUIET_OPTION } from '../../options.ts';

const { 'minhash-doc': NARROW, 'minhash-doc-256': WIDE } = DEFAULT_DISTANCES;

export const dupes: Command = {
  name: 'dupes',
  summary: 'Find groups of similar documents',
  usage: '[OPTION…] [PATH…|-]',
  examples: [
    { typed: 'dupes docs/', about: 'groups in a folder' },
    { typed: 'dupes new/ --against docs/ --script', about: 'a script that removes copies' },
  ],
  details: [
    `PATH is a file or a folder, as for hash; without PATH in a terminal, it is the current folder. A file given as an argument, and standard input (-, or no PATH elsewhere), may also hold
fingerprints as JSON Lines with the keys path, label, fingerprint, as hash --json prints them. The label of the first of these
then applies to all documents. With --store, the label of the index applies.`,
    `Two documents match if their fingerprints differ in at most K bits and their overlap is at least SHARE. To compute the
overlap, both are read again: for each token, take the smaller and the larger of its counts in the two documents; the overlap is
the sum of the smaller counts divided by the sum of the larger ones. Each group has one document to keep, and all others in the
group match that one. Links to the same file are one document. Documents in archives do not count as reclaimable, nor does a file with a hard link among
the files, which is marked as link: removing one name frees nothing, so --print0 and --script leave it out. Files with
the same bytes are marked as identical.`,
    `K is 0 to ${MAX_DISTANCES[256]} of 256 bits and 0 to ${MAX_DISTANCES[64]} of 64 bits. SHARE is 0 to 1.`,
    `Members may also differ in what is not a word, and are then marked, as in "differs: numbers". They differ in numbers, in locators (web
addresses and the like), and where the words agree, in other characters or the order of words. Such members are not duplicates:
they do not count as reclaimable, and --print0 and --script leave them out, unless --ignore-numbers is given. These two also leave
out members that share most words and are still other documents (VER-5 of the specification): the first lines differ, or the words
of texts of fewer than 60. For that, they read the documents once more. A PDF often differs from the text that it was made of in the
numbers of its pages.`,
    `A document that is in no group, or the one to keep of one, is contained in a longer one if at least 95 % of its words, each as often
as it occurs, are in that one, and the two share less than SHARE. Such documents are listed after the groups in text, --json and --html. --print0 and --script never remove them, and
--fail-if-found does not count them. They are looked for with minhash-doc-256 and verification, among the 16 most likely of the
longer documents within 64 bits: that found 93 of 93 among versions of 500 pages, and 70 of 77 among 2,000 manual pages.`,
    `With SHARE below ${DEFAULT_OVERLAP}, candidates are looked for within more bits, unless K is given: 61 of 256 for 0.7, 74 for 0.6, 86 for
0.5. Among 13,702 versions of short pages, that found all pairs of 0.7 and 0.6 and 99.97 % of the pairs of 0.5 that brute force found,
and 99.9 % or more among 2,000 manual pages. Labels of 64 bits have no such rule.`,
    `With --no-verify, only fingerprints are compared: groups hold candidates, and some of them are false. Fingerprints in JSON
Lines and streams cannot be read again, so they are never verified. With --no-verify --pairs, of the documents with equal
fingerprints only the first is paired with others, and each of the rest is paired only with the first. With verification, the
same holds for documents with the same tokens.`,
    `With minhash-doc-256, candidates are found by groups of 20 of the 256 bits: pairs that overlap enough and share no group are
missed, 1 in 1,000 in collections that were compared with brute force.`,
    `Documents with fewer than N tokens (--min-tokens) are marked as short. Documents in which 4 distinct tokens make up more than
half of all tokens are marked as repetitive. The fingerprints of both are unreliable.`,
    `With --against PATH, a file or a folder, documents are compared with a reference set only. Each group has one reference document to
keep, and the documents that are nearest to it. The reference set itself is not searched for duplicates.`,
    `With --store, the documents of PATH are compared with an index (see simhash-doc index), except with themselves;
without PATH, groups are found in the index. The ids of its documents are paths; those that are not absolute start in the
current folder. A document that is gone or has changed is reported, and not compared.`,
    `With --new, the documents of PATH that match none of the reference set or the index are listed, one path a line;
a document that is in the index itself is not new, and one that differs from its match in numbers is, unless --ignore-numbers is given. --print0 then
prints the path of each file that is new or holds a new document, --tsv size, fingerprint, path, and --json an object with the keys
path, label, fingerprint, size, tokens, and member, recordId and date as for hash.`,
    `--against and --keep may be repeated. With several --keep, the first one decides, and the next one among equals: --keep masters/ --keep pdf --keep oldest. The kinds
are the types of documents of simhash-doc help formats. A document that is damaged or truncated, as a warning says, is kept only if all
others in the group are also damaged.`,
    `dupes removes nothing. --print0 lists the files that match one to keep, without documents in archives and symbolic links;
--script prints a POSIX shell script that removes them. Review it before you run it. The script removes a file only if it and
the file to keep have the size and the SHA-256 digest of when they were compared, and are not links to each other. It needs
sha256sum, shasum or openssl. Run with MOVE_TO=FOLDER in its environment, it moves the files to that folder, under their whole paths,
instead of deleting them. It prints what it skips and why, and then exits with code 3. Symbolic links among the files that were
read are named if they would point to nothing; other links are not known.`,
    `The page of --html links to the files and shows the passages in which each member differs from the document to keep, in the
first 200 groups. It shows one group at a time, can be filtered and used with the keyboard, writes the command that removes what is
ticked, and needs no network. Passages need the package diff (npm install diff). FILE is a new file or an earlier page, which is replaced and is not compared.`,
    DISTANCE_RULE,
    `--tsv prints group, distance, overlap, size, fingerprint, date, path, differs; with --pairs a, b, distance, overlap, differs. The
overlap is empty where nothing was verified, the date where the document is not a capture in a WARC file. In paths, tab, line
feed, carriage return and backslash are escaped as \\t, \\n, \\r and \\\\.`,
    `With --json, each group is an object with the keys label, verified, documents (each with path, fingerprint, distance,
overlap, size, tokens, identical, confirmed if false, differs, flags, and member, recordId and date as for hash), reclaimable; each
contained document is one with the keys contained, in (paths), share, distance, overlap; with
--pairs, each pair is an object with the keys a, b, distance, overlap, differs (numbers, locators, …), and aDate and bDate for captures. Sizes are
in bytes, null if unknown. A document that failed is an object with the keys path and error, as for hash.`,
  ],
  options: [
    {
      name: 'distance',
      short: 'k',
      value: 'K',
      help: `bits that may differ (default: ${WIDE.verified} of 256, ${NARROW.verified} of 64)`,
    },
    { name: 'min-overlap', value: 'SHARE', help: `minimum overlap of two documents (default: ${DEFAULT_OVERLAP})` },
    DOCUMENT_LABEL_OPTION,
    {
      name: 'no-verify',
      isRare: true,
      excludes: ['min-overlap', 'ignore-numbers', 'match-case'],
      help: 'compare fingerprints only, and print candidates',
    },
    { name: 'ignore-numbers', help: 'accept other numbers, locators or characters' },
    { name: 'match-case', isRare: true, help: 'mark members that differ only in upper and lower case' },
    {
      name: 'min-tokens',
      isRare: true,
      value: 'N',
      help: `mark documents of fewer tokens as short (default: ${TRUSTED_TOKENS})`,
    },
    {
      name: 'keep',
      value: 'WHICH',
      isRepeatable: true,
      help: 'document to keep: first, longest, oldest, newest, a kind such as pdf, or a glob of paths (default: first)',
    },
    {
      name: 'against',
      value: 'PATH',
      isRepeatable: true,
      help: 'find only matches of this file or folder',
    },
    { name: 'store', value: 'STORE', excludes: ['against'], help: 'find matches of this index, or groups within it' },
    {
      name: 'new',
      excludes: ['pairs', 'keep', 'script', 'html', 'min-tokens'],
      help: 'list what matches none of --against or --store',
    },
    {
      name: 'pairs',
      excludes: ['keep', 'print0', 'script', 'html', 'min-tokens', 'ignore-numbers'],
      help: 'print pairs instead of groups',
    },
    { name: 'print0', excludes: ['json', 'script', 'tsv'], help: 'print the NUL-terminated paths of duplicates' },
    { name: 'script', excludes: ['json', 'tsv'], help: 'print a shell script that removes duplicates' },
    { name: 'fail-if-found', help: 'exit with code 1 if something was found' },
    { name: 'html', value: 'FILE', help: 'also write a page to review, with the differences' },
    { name: 'tsv', isRare: true, excludes: ['json'], help: 'print tab-separated values' },
    JSON_OPTION,
    JOBS_OPTION,
    QUIET_OPTION,
  ],
  topics: [FILES, FORMATS, LIMITS],
  run: async (args) => (await import('./run-dupes.ts')).runDupes(args),
};
