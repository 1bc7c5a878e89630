import { DEFAULT_OVERLAP } from '../../../duplicates/answer.ts';
import { LABEL, LABELS } from '../../../scheme/labels/label.ts';
import { type Arguments, type Command, DONE, JSON_OPTION, type Option } from '../../command.ts';
import { DEFAULT_DISTANCES, DISTANCE_RULE, MAX_DISTANCES } from '../../distance-option.ts';
import { FILES, FORMATS, HIDDEN_OPTION, LIMITS } from '../../help/topics.ts';
import { DOCUMENT_LABEL, JOBS_OPTION, LABEL_OPTION, QUIET_OPTION } from '../../options.ts';
import { DATABASES } from '../../stores/databases.ts';
import { assertStorePlace, type Use } from '../../stores/open-store.ts';
import { assertOperands, type Prepare, prepareStats, runOnStore } from './run-index.ts';

const BARE = DEFAULT_DISTANCES[LABEL];

const INDEX_LABEL_OPTION: Option = {
  ...LABEL_OPTION,
  help: `scheme of a new index (default: ${DOCUMENT_LABEL}), or the one that an existing index must have: ${LABELS.join(', ')}`,
};

const TAKE_OVER_OPTION: Option = {
  name: 'take-over',
  help: 'write even if a process on another machine is recorded as the writer; only safe if it has ended',
};

const EXCLUSIVE_OPTION: Option = {
  name: 'exclusive',
  help: 'in PostgreSQL: lock the index and rebuild its database indexes if that is faster',
};

const READING = [
  `The id of a document is its absolute path, or PATH!NAME in an archive, of at most 500 bytes. It is the same from every
folder; paths in the current folder are shown relative to it. Files that were read before and have not changed since (by their
size, time and inode) are skipped. The documents of a file that has changed are replaced; those that an archive no longer holds
are removed.`,
  `A file that is no longer a document (empty, without letters, of another type, encrypted, a pipe or the like) leaves the index, which is reported
once. If a file or a link to it cannot be read, is damaged or exceeds a limit, its documents stay in the index. If the command is
interrupted, the next run continues its work.`,
  'With --json, prints an object with the numbers added, replaced, same, removed, unchanged (files), failed.',
] as const;

function opens(use: Use, prepare: Prepare): NonNullable<Command['run']> {
  return (args) => runOnStore(args, use, prepare);
}

function reads(run: (place: string, args: Arguments) => Promise<number>): NonNullable<Command['run']> {
  return async (args) => {
    assertOperands(args, null);
    const place = args.positionals[0]!;
    await assertStorePlace(place, 'read');
    return run(place, args);
  };
}

const SUBCOMMANDS: readonly Command[] = [
  {
    name: 'create',
    summary: 'Create an empty index, unless there is one',
    usage: 'STORE [OPTION…]',
    examples: [
      { typed: 'index create collection', about: 'an index in a folder' },
      { typed: 'index create postgres://me@localhost/library --label minhash-doc', about: 'in a database, of 64 bits' },
    ],
    options: [INDEX_LABEL_OPTION],
    run: opens('create', async (args) => {
      assertOperands(args, null);
      // Opening an index creates it, so nothing is left to do.
      return { action: async () => DONE };
    }),
  },
  {
    name: 'add',
    summary: 'Add the documents of files and folders',
    usage: 'STORE [OPTION…] PATH…',
    examples: [
      { typed: 'index add collection docs/', about: 'what is new or has changed in a folder' },
      { typed: 'index add collection report.html new/', about: 'a file and a folder' },
    ],
    details: [
      'PATH is a file or a folder, as for hash, or a JSON Lines file of fingerprints, which is imported.',
      ...READING,
    ],
    options: [INDEX_LABEL_OPTION, EXCLUSIVE_OPTION, TAKE_OVER_OPTION, JSON_OPTION, JOBS_OPTION, QUIET_OPTION],
    topics: [FILES, FORMATS, LIMITS],
    run: opens('write', async (...given) => (await import('./run-sync.ts')).prepareAdd(...given)),
  },
  {
    name: 'sync',
    summary: 'Make the index agree with files and folders: add, replace and remove documents',
    usage: 'STORE [OPTION…] PATH…',
    examples: [
      { typed: 'index sync collection docs/', about: 'a folder' },
      { typed: "index sync collection docs/ --exclude 'drafts/**'", about: 'a part of it' },
    ],
    details: [
      `Does what add does, and removes the documents of files that are no longer under PATH. Documents of other files, of files
that --include and --exclude leave out, and of JSON Lines stay in the index.`,
      `A PATH that does not exist ends the command. From a folder that is empty, no documents are removed: it may be a disk that is
not mounted. If its documents are no longer wanted: index remove STORE PATH. Name each disk as a PATH of its own.`,
      ...READING,
    ],
    options: [INDEX_LABEL_OPTION, TAKE_OVER_OPTION, JSON_OPTION, JOBS_OPTION, QUIET_OPTION],
    topics: [FILES, FORMATS, LIMITS],
    run: opens('write', async (...given) => (await import('./run-sync.ts')).prepareSync(...given)),
  },
  {
    name: 'query',
    summary: 'Find similar documents',
    usage: 'STORE [OPTION…] (PATH | FINGERPRINT)…',
    examples: [
      { typed: 'index query collection report.txt', about: 'documents that may be similar' },
      { typed: 'index query collection --verify new/', about: 'those that share most words' },
    ],
    details: [
      `PATH is a file or a folder. FINGERPRINT has a label, such as simhash-doc:GAQM5KRDOWTU4, or is 13 characters (52 with
minhash-doc-256) that form a fingerprint unless a file has that name. Prints DISTANCE  FINGERPRINT  ID, the nearest first; for
several documents, under the name of each. In an index of minhash-doc-256, a document matches if one of the four words of 64 bits
is within K bits of the same word of the query; the distance counts all 256 bits.`,
      `With --verify, query reads the documents and those that it finds again and prints only matches that share enough of their
words: the sentence that compare prints, and the id. Ids that are not absolute are read as paths from the current folder. A match whose
document is gone or has changed since it was added is a failure, reported on standard error.`,
      DISTANCE_RULE,
      `An index keeps the codes of warnings with each document, which query prints before the id. With --refuse CODE, matches
that have it are left out.`,
      `With --json, prints an object for each match: query, id, label, fingerprint, distance, losses (codes, if there are any), and with
--verify overlap, or error if the documents could not be compared.`,
    ],
    options: [
      {
        name: 'distance',
        short: 'k',
        value: 'K',
        help: `maximum number of bits that differ, 0 to ${MAX_DISTANCES[256]} (default: ${BARE.unverified}; with --verify ${MAX_DISTANCES[64]}, or ${BARE.verified} with ${LABEL})`,
      },
      { name: 'limit', value: 'N', help: 'print at most N matches for each document' },
      { name: 'verify', help: 'read the documents again and compare their words' },
      {
        name: 'min-overlap',
        needs: 'verify',
        value: 'SHARE',
        help: `minimum overlap of verified documents, 0 to 1 (default: ${DEFAULT_OVERLAP})`,
      },
      { name: 'fail-if-found', help: 'exit with code 1 if something was found' },
      HIDDEN_OPTION,
      JSON_OPTION,
      JOBS_OPTION,
      QUIET_OPTION,
    ],
    topics: [FORMATS, LIMITS],
    run: opens('read', async (...given) => (await import('./run-query.ts')).prepareQuery(...given)),
  },
  {
    name: 'remove',
    summary: 'Remove documents by id, or all of a file or a folder',
    usage: 'STORE [OPTION…] (ID | PATH)…',
    examples: [
      { typed: 'index remove collection docs/a.txt', about: 'a document' },
      { typed: 'index remove collection docs/', about: 'all documents of a folder' },
    ],
    details: [
      `ID may be a path from the current folder, or PATH!NAME. All documents that were added from a file or from under a folder are
removed, whether or not it still exists. With --json, prints their number: removed.`,
    ],
    options: [TAKE_OVER_OPTION, JSON_OPTION],
    run: opens('change', async (...given) => (await import('./store-changes.ts')).prepareRemove(...given)),
  },
  {
    name: 'stats',
    summary: 'Print the label, the size and the numbers of documents, also of those with warnings',
    usage: 'STORE [OPTION…]',
    examples: [
      { typed: 'index stats collection', about: 'a folder' },
      { typed: 'index stats postgres://me@localhost/library', about: 'a database' },
    ],
    options: [JSON_OPTION],
    run: opens('read', prepareStats),
  },
  {
    name: 'export',
    summary: 'Print all documents as JSON Lines',
    usage: 'STORE',
    examples: [
      { typed: 'index export collection > collection.jsonl', about: 'a copy of an index' },
      { typed: 'index export collection | gzip > collection.jsonl.gz', about: 'compressed' },
    ],
    details: [
      `Each line has the keys id, label, fingerprint, and losses (codes of warnings) if the index keeps any. Of an index in a folder that is damaged, the documents that can be read are printed, and
the damaged parts are reported; index import makes a new index of them.`,
    ],
    options: [
      {
        ...INDEX_LABEL_OPTION,
        help: 'label that the index must have; needed for a folder that has lost its manifest and the copy of it',
      },
    ],
    run: reads(async (...given) => (await import('./export-verify.ts')).exportStore(...given)),
  },
  {
    name: 'import',
    summary: 'Add documents from JSON Lines',
    usage: 'STORE [OPTION…] [FILE…|-]',
    examples: [
      { typed: 'index import copy collection.jsonl', about: 'what index export printed' },
      { typed: 'index import hashes docs.jsonl', about: 'what hash --json printed' },
    ],
    details: [
      `Reads lines as export or hash --json print them, and replaces documents whose ids are already in the index. Ids stay as they
are. A new index gets the label of the first line; in a database, import creates the index unless there is one. Lines with another
label than the index are reported, and left out.`,
      'With --json, prints an object with the numbers added, replaced, bad (lines).',
    ],
    options: [INDEX_LABEL_OPTION, EXCLUSIVE_OPTION, TAKE_OVER_OPTION, JSON_OPTION, QUIET_OPTION],
    run: opens('import', async (...given) => (await import('./run-import.ts')).prepareImport(...given)),
  },
  {
    name: 'verify',
    summary: 'Check that the index is consistent',
    usage: 'STORE [OPTION…]',
    examples: [
      { typed: 'index verify collection', about: 'a folder' },
      { typed: 'index verify postgres://me@localhost/library', about: 'a database' },
    ],
    options: [JSON_OPTION],
    run: reads(async (...given) => (await import('./export-verify.ts')).verifyStore(...given)),
  },
];

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
