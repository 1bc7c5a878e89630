import { DEFAULT_DISTANCE, similarityOfDistance } from '../../../../scheme/compare.ts';
import { probeKeys } from '../../../../scheme/tables.ts';
import { MAX_PROBED_DISTANCE } from '../../../segment/types.ts';
import type { Match, QueryResult } from '../../../types.ts';
import { tooMuchWork } from '../../work.ts';
import { createSearch, type Search } from '../search.ts';
import type { Connection } from './connection.ts';
import { KEYS, type Names } from './schema.ts';

interface Row {
  readonly id: Buffer;
  readonly fingerprint: string;
  readonly distance: number;
}

/** For how long a number of documents is good enough to know that no query is too much work, in milliseconds. */
const COUNT_AGE = 60_000;

/**
 * Makes a {@link Search}: one statement for each query.
 * @param added - how many documents were added here since the last call
 */
export function createSqlSearch(connection: Connection, { document }: Names, added: () => number): Search {
  let count = 0;
  let counted = Number.NEGATIVE_INFINITY;

  async function countDocuments(isExact: boolean): Promise<number> {
    if (isExact || performance.now() - counted > COUNT_AGE) {
      added();
      const [row] = await connection.query<{ count: string }>(`SELECT count(*) FROM ${document}`);
      count = Number(row!.count);
      counted = performance.now();
    } else count += added();
    return count;
  }

  /** Throws `too-much-work` if a query compares more than `maxWork` fingerprints. */
  async function assertWork(probes: readonly unknown[] | undefined, maxWork: number): Promise<void> {
    if ((await countDocuments(false)) <= maxWork) return;
    const all = await countDocuments(true);
    const work = probes === undefined ? all : Math.min(all, await workOf(probes, maxWork));
    if (work > maxWork) throw tooMuchWork(work, maxWork);
  }

  async function workOf(probes: readonly unknown[], maxWork: number): Promise<number> {
    const parts = KEYS.map(
      (key, table) =>
        `(SELECT count(*) FROM (SELECT 1 FROM ${document} WHERE ${key} = ANY ($${table + 1}::int[]) LIMIT ${maxWork + 1}) AS few)`,
    );
    const [row] = await connection.query<{ work: string }>(`SELECT ${parts.join(' + ')} AS work`, probes);
    return Number(row!.work);
  }

  async function answer(value: bigint, k: number, limit: number | undefined, maxWork: number): Promise<QueryResult> {
    const isProbed = k <= MAX_PROBED_DISTANCE;
    const keys = isProbed ? KEYS.map((_, table) => [...probeKeys(value, table, k)]) : undefined;
    await assertWork(keys, maxWork);
    const isOne = k <= DEFAULT_DISTANCE;
    const probes = KEYS.map((key, table) =>
      isOne ? `${key} = $${table + 4}::int` : `${key} = ANY ($${table + 4}::int[])`,
    );
    // Not one condition with OR: without statistics, that would be estimated to select so much that all rows are read.
    const candidates = isProbed
      ? `(${probes.map((probe) => `SELECT document_id, fingerprint FROM ${document} WHERE ${probe}`).join(' UNION ')})`
      : document;
    const distance = 'bit_count((fingerprint # $1::bigint)::bit(64))';
    const rows = await connection.query<Row>(
      `SELECT document_id AS id, fingerprint::text, ${distance}::int AS distance FROM ${candidates} AS candidate
       WHERE ${distance} <= $2::int ORDER BY 3, 1 LIMIT $3::bigint`,
      [
        BigInt.asIntN(64, value).toString(),
        k,
        limit === undefined ? null : limit + 1,
        ...(keys ?? []).map((list) => (isOne ? list[0] : list)),
      ],
      isOne ? 'simhash-doc near' : undefined,
    );
    const cut = limit === undefined ? undefined : rows[limit]?.distance;
    return {
      by: isProbed ? 'tables' : 'scan',
      completeTo: cut === undefined ? k : cut - 1,
      matches: (cut === undefined ? rows : rows.slice(0, limit)).map(matchOf),
    };
  }

  return createSearch(answer);
}

function matchOf({ id, fingerprint, distance }: Row): Match {
  return {
    id: id.toString('utf8'),
    fingerprint: BigInt.asUintN(64, BigInt(fingerprint)),
    distance,
    similarity: similarityOfDistance(distance),
  };
}
