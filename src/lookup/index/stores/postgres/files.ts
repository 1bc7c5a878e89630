import type { FileChanges, FileCounts, FileRegister, FileState } from '../types.ts';
import type { Connection, Runner } from './connection.ts';
import type { Names } from './schema.ts';
import { onConflict, signed } from './write.ts';

/** A file that is being read. */
interface BegunFile {
  readonly number: string;
  readonly generation: string;
}

/** No document is of this generation. */
const NO_GENERATION = '-1';

/** Makes the register of a store. */
export function createFileRegister(connection: Connection, names: Names): FileRegister {
  const { file } = names;
  const begun = new Map<string, BegunFile>();

  async function begin(runner: Runner, path: string): Promise<BegunFile> {
    const known = begun.get(path) ?? (await beginGeneration(runner, names, path));
    begun.set(path, known);
    return known;
  }

  async function commit({ documents, finished }: FileChanges): Promise<FileCounts> {
    const counts = { added: 0, replaced: 0, same: 0, removed: 0 };
    await connection.transaction(async (runner) => {
      for (const { path, id, fingerprint } of documents) {
        const read = await begin(runner, path);
        counts[await putDocument(runner, names, read, Buffer.from(id), fingerprint)]++;
      }
      for (const { path, state } of finished) {
        const { number, generation } = await begin(runner, path);
        counts.removed += await removeStale(runner, names, number, generation);
        await runner.query(`UPDATE ${file} SET state = $2 WHERE number = $1`, [number, JSON.stringify(state)]);
      }
    });
    for (const { path } of finished) begun.delete(path);
    return counts;
  }

  return {
    async get(path) {
      const rows = await connection.query<{ state: FileState | null }>(`SELECT state FROM ${file} WHERE path = $1`, [
        Buffer.from(path),
      ]);
      return rows[0]?.state ?? undefined;
    },
    commit,
    remove: (path) =>
      connection.transaction(async (runner) => {
        const [row] = await runner.query<{ number: string }>(`DELETE FROM ${file} WHERE path = $1 RETURNING number`, [
          Buffer.from(path),
        ]);
        begun.delete(path);
        return row === undefined ? undefined : removeStale(runner, names, row.number, NO_GENERATION);
      }),
  };
}

async function beginGeneration({ query }: Runner, { file }: Names, path: string): Promise<BegunFile> {
  const [row] = await query<{ number: string; generation: string }>(
    `INSERT INTO ${file} AS f (path, generation) VALUES ($1, 1)
     ON CONFLICT (path) DO UPDATE SET generation = f.generation + 1, state = NULL RETURNING number, generation`,
    [Buffer.from(path)],
  );
  return row!;
}

/** Adds or replaces a document of a file. */
async function putDocument(
  { query }: Runner,
  { document, member }: Names,
  { number, generation }: BegunFile,
  id: Buffer,
  fingerprint: bigint,
): Promise<'added' | 'replaced' | 'same'> {
  const [row] = await query<{ is_new: boolean }>(
    `INSERT INTO ${document} AS d VALUES ($1, $2) ON CONFLICT (document_id) ${onConflict(true)} RETURNING xmax = 0 AS is_new`,
    [id, signed(fingerprint)],
    'simhash-doc file document',
  );
  await query(
    `INSERT INTO ${member} VALUES ($1, $2, $3) ON CONFLICT (number, document_id) DO UPDATE SET generation = EXCLUDED.generation`,
    [number, id, generation],
    'simhash-doc member',
  );
  if (row === undefined) return 'same';
  return row.is_new ? 'added' : 'replaced';
}

/** Removes the documents of a file that were not found again; returns how many there were. */
async function removeStale(
  { query }: Runner,
  { document, member }: Names,
  number: string,
  generation: string,
): Promise<number> {
  const [row] = await query<{ count: string }>(
    `WITH stale AS (DELETE FROM ${member} WHERE number = $1 AND generation <> $2 RETURNING document_id),
     gone AS (DELETE FROM ${document} WHERE document_id IN (SELECT document_id FROM stale) RETURNING 1)
     SELECT count(*) FROM gone`,
    [number, generation],
  );
  return Number(row!.count);
}
