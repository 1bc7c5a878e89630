import { DEFAULT_DISTANCE } from '../../../scheme/compare.ts';
import { type Fingerprint, wordsOf } from '../../../scheme/labels/fingerprint.ts';
import { probeKeys, TABLES } from '../../../scheme/tables.ts';
import { completeDistance, matchOf, tooMuchWork } from '../../query-results.ts';
import { MAX_PROBED_DISTANCE } from '../../table/table-segment.ts';
import type { Backend } from '../backend.ts';
import {
  type FingerprintRow,
  fingerprintIn,
  lossesIn,
  type PostgresStore,
  signedWords,
  textOf,
} from './postgres-schema.ts';

interface Row extends FingerprintRow {
  readonly id: Buffer;
  readonly distance: number;
}

export function createSqlSearch(store: PostgresStore, counter: DocumentCounter): Backend['findNearest'] {
  const { connection, document, columns, keys: expressions } = store;
  const words = columns.length;

  async function assertWork(keys: readonly Keys[] | undefined, maxWork: number): Promise<void> {
    if (words * (await counter.estimate()) <= maxWork) return;
    const all = words * (await counter.count());
    const work = keys === undefined ? all : Math.min(all, await countProbed(keys, maxWork));
    if (work > maxWork) throw tooMuchWork(work, maxWork);
  }

  /** Counts the documents that have the keys of a query in any table; each table is counted up to one more than `maxWork`. */
  async function countProbed(keys: readonly Keys[], maxWork: number): Promise<number> {
    const parts = expressions.map(
      (key, table) =>
        `(SELECT count(*) FROM (SELECT 1 FROM ${document} WHERE ${key} = ANY ($${table + 1}::int[]) LIMIT ${maxWork + 1}) AS few)`,
    );
    const [row] = await connection.query<{ work: string }>(`SELECT ${parts.join(' + ')} AS work`, keys);
    return Number(row!.work);
  }

  return async ({ fingerprint: value, k, limit, maxWork }) => {
    const isProbed = k <= MAX_PROBED_DISTANCE;
    const keys = isProbed ? keysOf(value, k) : undefined;
    await assertWork(keys, maxWork);
    const isOne = k <= DEFAULT_DISTANCE;
    const rows = await connection.query<Row>(
      nearStatement(
        isProbed ? probed(store, isOne) : `(SELECT document_id, ${columns.join(', ')}, losses FROM ${document})`,
        columns,
      ),
      [
        ...signedWords(value),
        k,
        Number.isFinite(limit) ? limit + 1 : null,
        ...(keys ?? []).map((list) => (isOne ? list[0] : list)),
      ],
      isProbed ? `simhash-doc near ${isOne ? 'one' : 'many'}` : undefined,
    );
    const cut = rows[limit]?.distance;
    return {
      by: isProbed ? 'tables' : 'scan',
      completeTo: completeDistance(words, k, cut),
      matches: rows.slice(0, limit).map((row) => {
        const fingerprint = fingerprintIn(row, columns);
        return {
          ...matchOf(row.id.toString('utf8'), fingerprint, row.distance),
          ...lossesIn(row, fingerprint),
        };
      }),
    };
  };
}

type Keys = readonly number[];

function keysOf(fingerprint: Fingerprint, k: number): Keys[] {
  return wordsOf('fingerprint', fingerprint).flatMap((word) =>
    Array.from({ length: TABLES }, (_, table) => [...probeKeys(word, table, k)]),
  );
}

/**
 * Returns the statement that finds the near documents among candidates. Values: the words, k, limit, and the keys of
 * each table.
 */
function nearStatement(candidates: string, columns: readonly string[]): string {
  const words = columns.length;
  const distances = columns.map((column, word) => `bit_count((${column} # $${word + 1}::bigint)::bit(64))`);
  return `SELECT document_id AS id, (${distances.join(' + ')})::int AS distance, ${textOf(columns)}, losses FROM ${candidates} AS candidate
       WHERE least(${distances.join(', ')}) <= $${words + 1}::int ORDER BY 2, 1 LIMIT $${words + 2}::bigint`;
}

/**
 * Returns the subquery for the documents that have the keys of a query. Without statistics, one condition with OR would
 * be estimated to select so much that all rows are read.
 */
function probed({ document, columns, keys }: PostgresStore, isOne: boolean): string {
  const selections = keys.map((key, table) => {
    const value = `$${columns.length + 3 + table}`;
    const condition = isOne ? `${key} = ${value}::int` : `${key} = ANY (${value}::int[])`;
    return `SELECT document_id, ${columns.join(', ')}, losses FROM ${document} WHERE ${condition}`;
  });
  return `(${selections.join(' UNION ')})`;
}

/** The time in milliseconds for which a number of documents is good enough to decide that no query is too much work. */
const MAX_AGE = 60_000;

type DocumentCounter = ReturnType<typeof createDocumentCounter>;

export function createDocumentCounter({ connection, document }: PostgresStore) {
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
    add(more: number): void {
      added += more;
    },
    count,
    /** Returns the last count, at most a minute old, plus the number of documents added here since. */
    estimate: async (): Promise<number> => (performance.now() - countedAt > MAX_AGE ? count() : counted + added),
  };
}
