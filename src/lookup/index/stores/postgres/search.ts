import { DEFAULT_DISTANCE, similarityOfDistance } from '../../../../scheme/compare.ts';
import { probeKeys } from '../../../../scheme/tables.ts';
import { MAX_PROBED_DISTANCE } from '../../../segment/types.ts';
import type { Match } from '../../../types.ts';
import { tooMuchWork } from '../../work.ts';
import { createSearch, type Search } from '../search.ts';
import type { Connection } from './connection.ts';
import type { DocumentCounter } from './counter.ts';
import { KEYS, type Names } from './schema.ts';

interface Row {
  readonly id: Buffer;
  readonly fingerprint: string;
  readonly distance: number;
}

/**
 * Makes a {@link Search}: one statement for each query.
 * @param counter - tells which queries are too much work
 */
export function createSqlSearch(connection: Connection, { document }: Names, counter: DocumentCounter): Search {
  /** Throws `too-much-work` if a query compares more than `maxWork` fingerprints. */
  async function assertWork(keys: readonly Keys[] | undefined, maxWork: number): Promise<void> {
    if ((await counter.estimate()) <= maxWork) return;
    const all = await counter.count();
    const work = keys === undefined ? all : Math.min(all, await countProbed(connection, document, keys, maxWork));
    if (work > maxWork) throw tooMuchWork(work, maxWork);
  }

  return createSearch(async (value, k, limit, maxWork) => {
    const isProbed = k <= MAX_PROBED_DISTANCE;
    const keys = isProbed ? KEYS.map((_, table) => [...probeKeys(value, table, k)]) : undefined;
    await assertWork(keys, maxWork);
    const isOne = k <= DEFAULT_DISTANCE;
    const rows = await connection.query<Row>(
      nearStatement(isProbed ? probed(document, isOne) : document),
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
  });
}

/** The keys of a query in one table. */
type Keys = readonly number[];

/** How many documents have the keys of a query in any table; each table is counted up to one more than `maxWork`. */
async function countProbed(
  connection: Connection,
  document: string,
  keys: readonly Keys[],
  maxWork: number,
): Promise<number> {
  const parts = KEYS.map(
    (key, table) =>
      `(SELECT count(*) FROM (SELECT 1 FROM ${document} WHERE ${key} = ANY ($${table + 1}::int[]) LIMIT ${maxWork + 1}) AS few)`,
  );
  const [row] = await connection.query<{ work: string }>(`SELECT ${parts.join(' + ')} AS work`, keys);
  return Number(row!.work);
}

/** The statement that finds what is near among candidates. Values: fingerprint, k, limit, and the keys of each table. */
function nearStatement(candidates: string): string {
  const distance = 'bit_count((fingerprint # $1::bigint)::bit(64))';
  return `SELECT document_id AS id, fingerprint::text, ${distance}::int AS distance FROM ${candidates} AS candidate
       WHERE ${distance} <= $2::int ORDER BY 3, 1 LIMIT $3::bigint`;
}

/**
 * The documents that have the keys of a query. Not one condition with OR: without statistics, that would be estimated to select
 * so much that all rows are read.
 */
function probed(document: string, isOne: boolean): string {
  const selections = KEYS.map((key, table) => {
    const condition = isOne ? `${key} = $${table + 4}::int` : `${key} = ANY ($${table + 4}::int[])`;
    return `SELECT document_id, fingerprint FROM ${document} WHERE ${condition}`;
  });
  return `(${selections.join(' UNION ')})`;
}

function matchOf({ id, fingerprint, distance }: Row): Match {
  return {
    id: id.toString('utf8'),
    fingerprint: BigInt.asUintN(64, BigInt(fingerprint)),
    distance,
    similarity: similarityOfDistance(distance),
  };
}
