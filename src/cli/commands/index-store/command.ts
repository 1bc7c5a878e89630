import { LABEL, LABELS } from '../../../scheme/labels/label.ts';
import { type Command, JSON_OPTION } from '../../command.ts';
import { FORMATS, HIDDEN_OPTION, LIMITS } from '../../help/topics.ts';
import { JOBS_OPTION, LABEL_OPTION, QUIET_OPTION } from '../../options.ts';

/** `simhash-doc index`: a collection that lasts. */
export const index: Command = {
  name: 'index',
  summary: 'Keep an index of documents, and look them up',
  usage: '(create | add | query | remove | stats | export | import | verify) STORE [OPTION…] [PATH…]',
  details: [
    `STORE is a folder, which the first add creates, or postgres://USER@HOST/DATABASE or cassandra://USER@HOST,HOST/KEYSPACE,
where index create makes the tables. A folder needs the package lmdb; one process at a time can write to it, and others can read
meanwhile. PostgreSQL (15 or later) needs the packages pg and pg-copy-streams; what the URL leaves out comes from PGPASSFILE and
the other variables of libpq.`,
    `Apache Cassandra needs the package cassandra-driver. If the URL has no user, CASSANDRA_USERNAME and CASSANDRA_PASSWORD are
used. The URL may end with ?NAME=VALUE&…: datacenter, read and write (consistency levels, default LOCAL_QUORUM), tls=true, and for
index create buckets (partitions that a key is spread over, default 1) and replication (of a new keyspace, default 3).`,
    `Subcommands:
  index create STORE            create an empty index, unless there is one
  index add STORE PATH…         add the documents of files and folders
  index query STORE PATH…       find similar documents; also takes fingerprints
  index remove STORE ID…        remove documents by id, or all of a file
  index stats STORE             print the number of documents and the size
  index export STORE            print all documents as JSON Lines
  index import STORE [FILE…|-]  add documents from JSON Lines
  index verify STORE            check that the index is consistent`,
    `PATH is a file or a folder, as for hash. The id of a document is its path as it is given to add, or PATH!NAME in an archive: at most 500 bytes. add skips files
that were read before and have not changed since (by their size, time and inode), and resumes where it was interrupted. The
documents of a file that has changed are replaced; those that an archive no longer holds are removed. If a file fails, its
documents stay in the index. add also imports JSON Lines files that are given as arguments. import reads lines as export or
hash --json print them, and replaces documents whose ids are already in the index.`,
    `query takes files and folders, fingerprints with a label such as simhash-doc:GAQM5KRDOWTU4, and 13 characters (52 with
minhash-doc-256) that form a fingerprint unless a file has that name. It prints DISTANCE  FINGERPRINT  ID, the nearest first; for
several documents, under the name of each. In an index of minhash-doc-256, a document matches if one of the four words of 64 bits
is within K bits of the same word of the query; the distance is that of all 256 bits.`,
    `With --verify, query reads the documents and those that it finds again and prints only matches that share enough of their
words: the sentence that compare prints, and the id. Ids are read as paths from the current folder; a match whose document is gone or has
changed since it was added is printed with that reason instead.`,
    `With --json, query prints an object for each match: query, id, label, fingerprint, distance, and with --verify
overlap, null with an error where it is unknown; add and import
print one with the numbers added, replaced, same, removed, unchanged (files), failed, or added, replaced, bad (lines); remove
prints removed; stats and verify print what they find.`,
  ],
  options: [
    {
      name: 'distance',
      short: 'k',
      value: 'K',
      help: 'query: maximum number of bits that differ, 0 to 64 (default: 3; with --verify 7, or 6 with simhash-doc)',
    },
    { name: 'limit', value: 'N', help: 'query: print at most N matches for each document' },
    { name: 'verify', help: 'query: read the documents again and compare their words' },
    { name: 'fail-if-found', help: 'query: exit with code 1 if something was found' },
    { ...HIDDEN_OPTION, help: `add, query: ${HIDDEN_OPTION.help}` },
    { name: 'min-overlap', value: 'SHARE', help: 'query --verify: minimum overlap, 0 to 1 (default: 0.8)' },
    {
      name: 'exclusive',
      help: 'import to PostgreSQL: lock the index and rebuild its database indexes if that is faster',
    },
    {
      name: 'take-over',
      help: 'write even if a process on another machine is recorded as the writer; only safe if it has ended',
    },
    {
      ...LABEL_OPTION,
      help: `scheme of a new index (default: ${LABEL}), or the one that an existing index must have: ${LABELS.join(', ')}`,
    },
    JSON_OPTION,
    JOBS_OPTION,
    QUIET_OPTION,
  ],
  topics: [FORMATS, LIMITS],
  subcommands: ['create', 'add', 'query', 'remove', 'stats', 'export', 'import', 'verify'],

  async run(args) {
    const { runIndex } = await import('./run.ts');
    return runIndex(args);
  },
};
