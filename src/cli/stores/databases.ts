import type { StoredIndex } from '../../lookup/stores/stored-index.ts';

interface DatabaseOptions {
  readonly label?: string;
  readonly mode: 'write' | 'read';
  readonly create: boolean;
}

interface Database {
  /** The schemes of its URLs, in lower case. */
  readonly schemes: readonly [string, ...string[]];
  readonly example: string;
  readonly help: string;
  /** Opens an index; `isExclusive` locks it while many documents are added, if that is possible. */
  open(url: string, options: DatabaseOptions, isExclusive: boolean): Promise<StoredIndex>;
}

export const DATABASES: readonly Database[] = [
  {
    schemes: ['postgres', 'postgresql'],
    example: 'postgres://USER@HOST/DATABASE',
    help: `PostgreSQL (15 or later) needs the packages pg and pg-copy-streams; what the URL leaves out comes from PGPASSFILE and the
other variables of libpq.`,
    async open(url, options, exclusive) {
      const { openPostgresIndex } = await import('../../lookup/stores/postgres/postgres-index.ts');
      return openPostgresIndex(url, { ...options, exclusive });
    },
  },
  {
    schemes: ['cassandra'],
    example: 'cassandra://USER@HOST,HOST/KEYSPACE',
    help: `Apache Cassandra needs the package cassandra-driver. If the URL has no user, CASSANDRA_USERNAME and CASSANDRA_PASSWORD are
used. The URL may end with ?NAME=VALUE&…: datacenter, read and write (consistency levels, default LOCAL_QUORUM), tls=true, and for
index create buckets (partitions that a key is spread over, default 1) and replication (of a new keyspace, default 3).`,
    async open(url, options) {
      const { openCassandraIndex } = await import('../../lookup/stores/cassandra/cassandra-index.ts');
      return openCassandraIndex(url, options);
    },
  },
];

/** The database that a STORE names by its URL; undefined for a path, and for the URL of anything else. */
export function databaseOf(place: string): Database | undefined {
  const [, scheme = ''] = /^([a-z]+):\/\//i.exec(place) ?? [];
  return DATABASES.find(({ schemes }) => schemes.includes(scheme.toLowerCase()));
}
