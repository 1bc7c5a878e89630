import type { Connection } from './connection.ts';
import type { Names } from './schema.ts';

/** The time in milliseconds for which a number of documents is good enough to decide that no query is too much work. */
const MAX_AGE = 60_000;

export type DocumentCounter = ReturnType<typeof createDocumentCounter>;

/** Makes a cache of the number of documents, so that queries need not count them. */
export function createDocumentCounter(connection: Connection, { document }: Names) {
  let counted = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  let added = 0;

  async function count(): Promise<number> {
    // Before the statement: what is added meanwhile may count twice, but is not forgotten.
    added = 0;
    const [row] = await connection.query<{ count: string }>(`SELECT count(*) FROM ${document}`);
    counted = Number(row!.count);
    countedAt = performance.now();
    return counted;
  }

  return {
    /** Notes the number of documents that this process has added. */
    add(more: number): void {
      added += more;
    },
    count,
    /** Returns the last count, at most a minute old, plus the number of documents added here since. */
    estimate: async (): Promise<number> => (performance.now() - countedAt > MAX_AGE ? count() : counted + added),
  };
}
