import { withoutRepeats } from '../backend.ts';
import type { FileChanges, FileCounts, FileRegister, FileState } from '../stored-index.ts';
import { mapLimited } from './cassandra-connection.ts';
import { type DocumentWriter, MAX_WRITES } from './cassandra-documents.ts';
import type { CassandraStore } from './cassandra-schema.ts';

const NO_GENERATION = -1;

/**
 * Makes the register of a store. There are no transactions: a change that ends early does no harm, and adding the file
 * again completes it.
 */
export function createFileRegister({ connection, names }: CassandraStore, writer: DocumentWriter): FileRegister {
  const { file, member } = names;
  const begun = new Map<string, Promise<number>>();

  function begin(path: string): Promise<number> {
    const known = begun.get(path) ?? beginGeneration(path);
    begun.set(path, known);
    return known;
  }

  async function beginGeneration(path: string): Promise<number> {
    const [row] = await connection.read(`SELECT generation FROM ${file} WHERE path = ?`, [path]);
    const generation = Number(row?.['generation'] ?? 0) + 1;
    const values = [path, BigInt(generation)];
    await connection.write(`INSERT INTO ${file} (path, generation, state) VALUES (?, ?, null)`, values);
    return generation;
  }

  async function removeStale(path: string, generation: number): Promise<number> {
    const members = await connection.read(`SELECT document_id, generation FROM ${member} WHERE path = ?`, [path]);
    const stale = members.filter((each) => Number(each['generation']) !== generation);
    const ids = stale.map((each) => String(each['document_id']));
    const removed = await writer.removeAll(ids);
    await mapLimited(ids, MAX_WRITES, (id) =>
      connection.write(`DELETE FROM ${member} WHERE path = ? AND document_id = ?`, [path, id]),
    );
    return removed;
  }

  async function putDocument({ path, id, fingerprint, losses }: FileChanges['documents'][number]) {
    const values = [path, id, BigInt(await begin(path))];
    await connection.write(`INSERT INTO ${member} (path, document_id, generation) VALUES (?, ?, ?)`, values);
    return writer.put(id, fingerprint, true, losses);
  }

  async function remove(path: string): Promise<number | undefined> {
    const [row] = await connection.read(`SELECT path FROM ${file} WHERE path = ?`, [path]);
    if (row === undefined) return undefined;
    const removed = await removeStale(path, NO_GENERATION);
    await connection.write(`DELETE FROM ${file} WHERE path = ?`, [path]);
    begun.delete(path);
    return removed;
  }

  async function commit({ documents, finished, gone = [] }: FileChanges): Promise<FileCounts> {
    const counts = { added: 0, replaced: 0, same: 0, removed: 0, refused: 0 };
    // Prevents writing a document twice at the same time.
    for (const wave of withoutRepeats(documents))
      for (const change of await mapLimited(wave, MAX_WRITES, putDocument)) counts[change]++;
    for (const { path, state } of finished) {
      const generation = await begin(path);
      counts.removed += await removeStale(path, generation);
      const values = [path, BigInt(generation), JSON.stringify(state)];
      await connection.write(`INSERT INTO ${file} (path, generation, state) VALUES (?, ?, ?)`, values);
      begun.delete(path);
    }
    for (const path of gone) counts.removed += (await remove(path)) ?? 0;
    const { refused: _, ...rest } = counts;
    return rest;
  }

  return {
    async get(path) {
      const [row] = await connection.read(`SELECT state FROM ${file} WHERE path = ?`, [path]);
      const state = row?.['state'];
      return typeof state === 'string' ? (JSON.parse(state) as FileState) : undefined;
    },
    commit,
    // Paths have no order in the table, so all are read.
    async *paths(prefix) {
      for await (const page of connection.pages(`SELECT path FROM ${file}`))
        for (const { path } of page) if (String(path).startsWith(prefix)) yield String(path);
    },
    remove,
  };
}
