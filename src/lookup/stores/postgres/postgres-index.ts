import { assertOneOf, assertOptions, assertString } from '../../../errors.ts';
import { LABEL, parseLabel, schemeOf } from '../../../scheme/labels/label.ts';
import { createStoredIndex } from '../backend.ts';
import type { StoredIndex } from '../stored-index.ts';
import { createBackend } from './postgres-backend.ts';
import { createConnection } from './postgres-connection.ts';
import { createSchema, namesIn, readLabel } from './postgres-schema.ts';

export type { StoreError, StoreErrorCode } from '../store-errors.ts';
export type { StoredIndex, Verification } from '../stored-index.ts';

/** Options of `openPostgresIndex`. */
export interface PostgresIndexOptions {
  /** A registered label, in any case (LAB-1), which an index must have or a new one gets. Default for a new one: `simhash-doc`. */
  readonly label?: string;
  /** True to create the index if it does not exist. Default: false. */
  readonly create?: boolean;
  /** The mode: documents can be added and removed (the default), or only looked up. */
  readonly mode?: 'write' | 'read';
  /**
   * True if `addAll` may lock out other users of the index, by dropping and rebuilding the indexes of its keys in a
   * transaction. It does so where that is faster: if the index has at most eight times as many documents as are added.
   * Default: false.
   */
  readonly exclusive?: boolean;
  /** The schema that has the tables. Default `public`. */
  readonly schema?: string;
  /** The maximum number of connections at a time, 1 or more. Default 10. */
  readonly connections?: number;
}

/**
 * Opens an index in a PostgreSQL database, version 15 or later. Needs the packages `pg` and `pg-copy-streams`.
 *
 * Any number of processes can read and write. Each call is one transaction. `addAll` takes one for every 65,536 documents; if
 * the index is empty, it takes one for every 1,048,576, and nobody else can use the index meanwhile. With `exclusive`, the same
 * holds for an index that has at most eight times as many documents as are added. A failed transaction writes nothing; if the
 * answer to its COMMIT is lost, the error `unavailable` says that the outcome is unknown.
 *
 * A query is one statement. For k up to 7, it reads the 16 tables of each word, which are indexes on expressions; beyond, it
 * compares all documents.
 * @param url - `postgres://USER@HOST:PORT/DATABASE`; what it leaves out comes from the variables of libpq and from PGPASSFILE
 * @param options - see {@link PostgresIndexOptions}
 * @throws (rejects) a {@link StoreError}; TypeError `wrong-type`; RangeError `invalid-label`, `label-mismatch`, `out-of-range`
 * @see spec/sharing.md#layout-3
 * @example
 * const index = await openPostgresIndex('postgres://localhost/library', { label: 'simhash-doc', create: true });
 */
export async function openPostgresIndex(url: string, options: PostgresIndexOptions = {}): Promise<StoredIndex> {
  assertString('url', url);
  assertOptions('options', options, {
    create: 'boolean?',
    exclusive: 'boolean?',
    schema: 'string?',
    connections: 'number?',
  });
  const { mode = 'write', create = false, exclusive = false, schema = 'public', connections = 10 } = options;
  assertOneOf('mode', mode, ['write', 'read']);
  const expected = options.label === undefined ? undefined : parseLabel(options.label);
  const connection = await createConnection(url, connections);
  try {
    if (create) await createSchema(connection, schema, expected ?? LABEL);
    const label = await readLabel(connection, schema, expected);
    const isWritable = mode === 'write';
    const names = namesIn(schema, schemeOf(label).words);
    return createStoredIndex(createBackend({ connection, ...names, isExclusive: exclusive }, label, isWritable));
  } catch (error) {
    await connection.close();
    throw error;
  }
}
