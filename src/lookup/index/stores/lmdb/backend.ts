import type { Fingerprint } from '../../../../scheme/labels/fingerprint.ts';
import type { Entry, IndexStats } from '../../../types.ts';
import { bucketStats } from '../../stats.ts';
import type { Backend } from '../backend.ts';
import { encodeKey } from '../keys.ts';
import { damaged, readState, type Store } from './environment.ts';
import { createFileRegister } from './files.ts';
import { readFingerprint } from './format.ts';
import type { Ownership } from './owner.ts';
import { createSearch } from './search.ts';
import { verify } from './verify.ts';
import { MIN_BATCH, RowWriter, type Transact, writeBatch } from './write.ts';

/** How many documents are removed in a transaction. */
const REMOVE_BATCH = 1 << 16;

/**
 * Makes the {@link Backend} of an environment.
 * @param ownership - missing if it is open for reading
 * @param scans - how many scans come before tables are made
 */
export function createBackend(
  environment: Store,
  label: string,
  ownership: Ownership | undefined,
  scans: number | undefined,
): Backend<Buffer> {
  const transact: Transact = (action) => environment.write(() => writeRows(environment, ownership!, action));
  const search = createSearch(environment, scans);
  return {
    place: environment.path,
    label,
    isWritable: ownership !== undefined,
    removeBatch: REMOVE_BATCH,
    keyOf: (id) => encodeKey('id', id),
    get: (key) => environment.read(() => readFingerprintOf(environment, key)),
    put: (key, fingerprint, replaces) => transact((rows) => putRow(rows, key, fingerprint, replaces)),
    firstBatch: () => MIN_BATCH,
    putBatch: (batch, replaces) => writeBatch(transact, batch, replaces),
    remove: (keys) => transact((rows) => keys.filter((key) => rows.remove(key)).length),
    search: {
      query: (value, options) => environment.read(() => search.query(value, options)),
      nearest: (value, options) => environment.read(() => search.nearest(value, options)),
    },
    size() {
      environment.refresh();
      return readState(environment).count;
    },
    stats: () => stats(environment),
    entries: () => documentsIn(environment),
    files: createFileRegister(environment, transact),
    verify: () => environment.read(() => verify(environment)),
    async close() {
      try {
        ownership?.release();
      } finally {
        await environment.close();
      }
    },
  };
}

/** Changes rows within a transaction. */
function writeRows<T>(environment: Store, ownership: Ownership, action: (rows: RowWriter) => T): T {
  ownership.assert();
  const rows = new RowWriter(environment);
  const result = action(rows);
  rows.finish();
  return result;
}

/** Returns whether the id is new. */
function putRow(rows: RowWriter, key: Buffer, fingerprint: Fingerprint, replaces: boolean): boolean {
  const isNew = rows.add(key, fingerprint);
  if (!isNew && replaces) rows.replace(key, fingerprint);
  return isNew;
}

function readFingerprintOf({ path, tables, refresh, width }: Store, key: Buffer): Fingerprint | undefined {
  refresh();
  const row = tables.ids.getBinary(key);
  if (row === undefined) return undefined;
  const document = tables.documents.getBinary(row);
  if (document?.subarray(width).equals(key) !== true) throw damaged(path, 'an id leads to another document');
  return readFingerprint(document, width);
}

/** How many documents are read before others may do something. */
const READ_BATCH = 4096;

/** All documents of one transaction, in the order of their rows. */
async function* documentsIn({ tables, refresh, width }: Store): AsyncGenerator<Entry, void> {
  refresh();
  const transaction = tables.documents.useReadTransaction();
  try {
    for (let start: Buffer | undefined = Buffer.alloc(8); start !== undefined; ) {
      const range = { start, limit: READ_BATCH, transaction };
      const rows: { readonly key: Buffer; readonly value: Buffer }[] = [...tables.documents.getRange(range)];
      for (const { value } of rows)
        if (value.length > width)
          yield { id: value.toString('utf8', width), fingerprint: readFingerprint(value, width) };
      // The next key: one octet more.
      start = rows.length < READ_BATCH ? undefined : Buffer.concat([rows.at(-1)!.key, Buffer.alloc(1)]);
    }
  } finally {
    transaction.done();
  }
}

function stats(environment: Store): IndexStats {
  const { tables, words, width } = environment;
  environment.refresh();
  function* fingerprints(): Generator<Fingerprint> {
    for (const { value } of tables.documents.getRange({}))
      if (value.length > width) yield readFingerprint(value, width);
  }
  const octetsOf = (name: keyof Store['tables']): number => {
    const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = tables[name].getStats() as PageStats;
    return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages);
  };
  return {
    documents: readState(environment).count,
    octets: { fingerprints: octetsOf('fingerprints'), ids: octetsOf('documents') + octetsOf('ids') },
    buckets: bucketStats(fingerprints(), words),
  };
}

interface PageStats {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}
