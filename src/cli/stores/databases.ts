import type { StoredIndex } from '../../lookup/stores/stored-index.ts';

interface DatabaseOptions {
  readonly label?: string;
  readonly mode: 'write' | 'read';
  readonly create: boolean;
  /** True to lock the index while many documents are added, if that is possible. */
  readonly exclusive: boolean;
}

interface Database {
  /** The schemes of its URLs, in lower case. */
  readonly schemes: readonly [string, ...string[]];
  readonly example: string;
  readonly help: string;
  open(url: string, options: DatabaseOptions): Promise<StoredIndex>;
}

export const DATABASES: readonly Database[] = [
  {
    schemes: ['postgres', 'postgresql'],
    example: 'postgres://USER@HOST/DATABASE',
    help: `PostgreSQL (15 or later) needs the packages pg and pg-copy-streams; what the URL leaves out comes from PGPASSFILE and the
other variables of libpq.`,
    async open(url, options) {
      const { openPostgresIndex } = await import('../../lookup/stores/postgres/postgres-index.ts');
      return openPostgresIndex(url, options);
    },
  },
];

/** The database that a STORE names by its URL; undefined for a path, and for the URL of anything else. */
export function databaseOf(place: string): Database | undefined {
  const [, scheme = ''] = /^([a-z]+):\/\//i.exec(place) ?? [];
  return DATABASES.find(({ schemes }) => schemes.includes(scheme.toLowerCase()));
}
