import type { FileChanges, FileCounts, FileRegister, FileState } from '../stored-index.ts';
import type { Runner } from './postgres-connection.ts';
import { lossesText, type PostgresStore, signedWords } from './postgres-schema.ts';
import { noteLosses, onConflict } from './postgres-write.ts';

interface BegunFile {
  readonly number: string;
  readonly generation: string;
}

const NO_GENERATION = '-1';

export function createFileRegister({ connection, document, file, member, columns }: PostgresStore): FileRegister {
  const begun = new Map<string, BegunFile>();

  async function begin({ query }: Runner, paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const rows = await query<BegunFile & { readonly path: Buffer }>(
      `INSERT INTO ${file} AS f (path, generation) SELECT path, 1 FROM unnest($1::bytea[]) AS path ORDER BY path
       ON CONFLICT (path) DO UPDATE SET generation = f.generation + 1, state = NULL RETURNING path, number, generation`,
      [paths.map((path) => Buffer.from(path))],
    );
    for (const { path, ...each } of rows) begun.set(path.toString(), each);
  }

  async function putDocuments({ query }: Runner, documents: FileChanges['documents']) {
    const files = documents.map(({ path }) => begun.get(path)!);
    const ids = documents.map(({ id }) => Buffer.from(id));
    const fingerprints = documents.map(({ fingerprint }) => signedWords(fingerprint));
    const lists = columns.map((_, word) => fingerprints.map((words) => words[word]!));
    // In order, so that two that add the same ids wait for each other and do not block each other forever.
    const rows = await query<{ is_new: boolean }>(
      `INSERT INTO ${document} AS d (document_id, ${columns.join(', ')}) SELECT * FROM unnest($1::bytea[], ${lists.map((_, word) => `$${word + 2}::bigint[]`).join(', ')}) AS new (id) ORDER BY id
       ON CONFLICT (document_id) ${onConflict(columns, true)} RETURNING xmax = 0 AS is_new`,
      [ids, ...lists],
    );
    const losses = documents.map((each) => lossesText(each.fingerprint, each.losses));
    if (losses.some((text) => text !== undefined))
      await noteLosses({ query }, document, 'unnest($1::bytea[], $2::text[])', [ids, losses]);
    await query(
      `INSERT INTO ${member} SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bigint[])
       ON CONFLICT (number, document_id) DO UPDATE SET generation = EXCLUDED.generation`,
      [files.map(({ number }) => number), ids, files.map(({ generation }) => generation)],
    );
    const added = rows.filter((row) => row.is_new).length;
    return { added, replaced: rows.length - added };
  }

  async function removeStale({ query }: Runner, files: readonly BegunFile[]): Promise<number> {
    const [row] = await query<{ count: string }>(
      `WITH stale AS (
         DELETE FROM ${member} AS m USING unnest($1::bigint[], $2::bigint[]) AS f (number, generation)
         WHERE m.number = f.number AND m.generation <> f.generation RETURNING m.document_id),
       gone AS (DELETE FROM ${document} WHERE document_id IN (SELECT document_id FROM stale) RETURNING 1)
       SELECT count(*) FROM gone`,
      [files.map(({ number }) => number), files.map(({ generation }) => generation)],
    );
    return Number(row!.count);
  }

  async function removeFile(runner: Runner, path: string): Promise<number | undefined> {
    const [row] = await runner.query<{ number: string }>(`DELETE FROM ${file} WHERE path = $1 RETURNING number`, [
      Buffer.from(path),
    ]);
    return row === undefined ? undefined : removeStale(runner, [{ ...row, generation: NO_GENERATION }]);
  }

  async function noteStates({ query }: Runner, finished: FileChanges['finished']): Promise<void> {
    await query(
      `UPDATE ${file} AS f SET state = now.state::jsonb FROM unnest($1::bigint[], $2::text[]) AS now (number, state)
       WHERE f.number = now.number`,
      [finished.map(({ path }) => begun.get(path)!.number), finished.map(({ state }) => JSON.stringify(state))],
    );
  }

  async function commit(changes: FileChanges): Promise<FileCounts> {
    const counts = { added: 0, replaced: 0, same: 0, removed: 0 };
    const finished = changes.finished.map(({ path }) => path);
    const paths = new Set([...changes.documents.map(({ path }) => path), ...finished]);
    const fresh = [...paths].filter((path) => !begun.has(path));
    const write = async (runner: Runner): Promise<void> => {
      await begin(runner, fresh);
      // A statement cannot write an id twice.
      for (const documents of withoutRepeats(changes.documents)) {
        const { added, replaced } = await putDocuments(runner, documents);
        counts.added += added;
        counts.replaced += replaced;
        counts.same += documents.length - added - replaced;
      }
      for (const path of changes.gone ?? []) counts.removed += (await removeFile(runner, path)) ?? 0;
      if (finished.length === 0) return;
      counts.removed += await removeStale(
        runner,
        finished.map((path) => begun.get(path)!),
      );
      await noteStates(runner, changes.finished);
    };
    try {
      await connection.transaction(write);
    } catch (error) {
      for (const path of fresh) begun.delete(path);
      throw error;
    }
    for (const path of [...finished, ...(changes.gone ?? [])]) begun.delete(path);
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
    async *paths(prefix) {
      const start = Buffer.from(prefix);
      const end = Buffer.from(start);
      // The last byte of UTF-8 is never the largest.
      if (end.length > 0) end[end.length - 1]!++;
      const text = `SELECT path FROM ${file} WHERE path >= $1 AND (path < $2 OR $1 = '')`;
      for (const { path } of await connection.query<{ path: Buffer }>(text, [start, end])) yield path.toString();
    },
    remove(path) {
      begun.delete(path);
      return connection.transaction((runner) => removeFile(runner, path));
    },
  };
}

/** Splits documents, in their order, so that no id comes twice in a part. */
function* withoutRepeats(documents: FileChanges['documents']): Generator<FileChanges['documents']> {
  const part = new Map<string, FileChanges['documents'][number]>();
  for (const document of documents) {
    if (part.has(document.id)) {
      yield [...part.values()];
      part.clear();
    }
    part.set(document.id, document);
  }
  if (part.size > 0) yield [...part.values()];
}
