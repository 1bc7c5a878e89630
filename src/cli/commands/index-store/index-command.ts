import type { Command } from '../../command.ts';
import { SUBCOMMANDS } from './subcommands.ts';

/** `simhash-doc index`: a collection that lasts. */
export const index: Command = {
  name: 'index',
  summary: 'Keep an index of documents, and look them up',
  usage: 'SUBCOMMAND STORE [OPTION…] [ARGUMENT…]',
  examples: [
    { typed: 'index sync collection docs/', about: 'index a folder, and again after changes' },
    { typed: 'index query collection report.txt', about: 'find similar documents' },
  ],
  details: [
    `STORE is a folder, which the first add, sync or import creates, or postgres://USER@HOST/DATABASE or
cassandra://USER@HOST,HOST/KEYSPACE, where index create or import
makes the tables. One process at a time can write to a folder, and others can read meanwhile. PostgreSQL (15 or later) needs the packages pg and pg-copy-streams; what the URL
leaves out comes from PGPASSFILE and the other variables of libpq.`,
    `Apache Cassandra needs the package cassandra-driver. If the URL has no user, CASSANDRA_USERNAME and CASSANDRA_PASSWORD are
used. The URL may end with ?NAME=VALUE&…: datacenter, read and write (consistency levels, default LOCAL_QUORUM), tls=true, and for
index create buckets (partitions that a key is spread over, default 1) and replication (of a new keyspace, default 3).`,
  ],
  options: [],
  subcommands: SUBCOMMANDS,
};
