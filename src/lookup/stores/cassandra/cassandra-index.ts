import { assertOneOf, assertOptions, assertString } from '../../../errors.ts';
import { LABEL, parseLabel } from '../../../scheme/labels/label.ts';
import { createStoredIndex } from '../backend.ts';
import type { StoredIndex } from '../stored-index.ts';
import { createBackend } from './cassandra-backend.ts';
import { connect } from './cassandra-connection.ts';
import { createSchema, namesIn, readMeta } from './cassandra-schema.ts';
import { type CassandraIndexOptions, readTarget } from './cassandra-url.ts';

export type { StoreError, StoreErrorCode } from '../store-errors.ts';
export type { StoredIndex, Verification } from '../stored-index.ts';
export type { CassandraConsistency, CassandraIndexOptions } from './cassandra-url.ts';

/**
 * Opens an index in a keyspace of Apache Cassandra, or of another system with CQL. Needs the package `cassandra-driver`.
 *
 * Any number of processes can read and write. Each change of a document is a logged batch; there are no transactions over
 * several documents. A query for k up to 3 reads 16 partitions at once, and for k up to 7 some thousand; beyond that it compares
 * all documents. A row counts as a match only if its document still has that fingerprint. With the default consistency levels,
 * a query reads every acknowledged change while more than half of the replicas answer; if fewer do, calls fail with
 * `unavailable`. If several writers change a document at the same time, the last change wins, so their clocks have to agree.
 * An iteration yields a document that is changed meanwhile as it was before or after the change.
 * @param url - `cassandra://USER@HOST:PORT,HOST/KEYSPACE`; options can also be its parameters, and `tls=true` encrypts
 * @param options - see {@link CassandraIndexOptions}
 * @throws (rejects) a {@link StoreError}; TypeError `wrong-type`; RangeError `invalid-label`, `label-mismatch`, `out-of-range`
 * @see spec/sharing.md#wide-column
 * @example
 * const index = await openCassandraIndex('cassandra://db1,db2/library', { label: 'simhash-doc', create: true });
 */
export async function openCassandraIndex(url: string, options: CassandraIndexOptions = {}): Promise<StoredIndex> {
  assertString('url', url);
  assertOptions('options', options, { create: 'boolean?', datacenter: 'string?' });
  const { mode = 'write', create = false } = options;
  assertOneOf('mode', mode, ['write', 'read']);
  const expected = options.label === undefined ? undefined : parseLabel(options.label);
  const target = readTarget(url, options);
  const connection = await connect(target);
  try {
    if (create) await createSchema(connection, target, expected ?? LABEL);
    const isWritable = mode === 'write';
    const meta = await readMeta(connection, target.keyspace, expected, isWritable);
    return createStoredIndex(createBackend(connection, namesIn(target.keyspace), meta, isWritable));
  } catch (error) {
    await connection.close();
    throw error;
  }
}
