import { distance as distanceOf, similarityOfDistance } from '../../../../scheme/compare.ts';
import { IS_LITTLE_ENDIAN } from '../../../lanes.ts';
import { createHits, type Hits } from '../../../segment/hits.ts';
import { createFingerprintTable, type FingerprintTable } from '../../../segment/table.ts';
import { MAX_PROBED_DISTANCE } from '../../../segment/types.ts';
import type { Match, NearestOptions, QueryOptions, QueryResult } from '../../../types.ts';
import { tooMuchWork } from '../../work.ts';
import { readNearestOptions, readQueryOptions } from '../search.ts';
import { damaged, type Environment, readState } from './environment.ts';
import { CHECKSUM_OCTETS, CHUNK_ROWS, encodeNumber, isSealed, type State } from './format.ts';
import { createScan } from './scan.ts';

/** Answers queries of a store. */
export interface Search {
  query(fingerprint: bigint, options: QueryOptions): QueryResult;
  nearest(fingerprint: bigint, options: NearestOptions): QueryResult;
}

/** Scans that cost as much as making the tables. */
export const SCANS_BEFORE_TABLES = 32;

/** Fewer rows than this are not worth making new tables for, when most of those in memory are gone. */
const MIN_STALE = 1 << 16;

/**
 * Makes a {@link Search}. The first queries compare all fingerprints; when that has taken as long as making tables in memory
 * takes, these are made. Each query sees one transaction: the tables get the rows that were added since, and what they find
 * counts only if its document was not removed. Damage that could hide a document is an error.
 * @param scans - how many scans come before the tables
 */
export function createSearch(environment: Environment, scans = SCANS_BEFORE_TABLES): Search {
  const find = createFind(environment, scans);

  /** What is committed now. */
  function begin(): State {
    environment.refresh();
    return readState(environment);
  }

  function answer(state: State, value: bigint, k: number, limit: number, work: number): QueryResult {
    const { by, base, hits } = find(state, value, k, work);
    // Rows that were cleaned up may still be in the tables.
    const rows = rowsByDistance(base, hits, state.first);
    const { matches, cut } = rank(environment, rows, value, limit);
    return { by, completeTo: cut === undefined ? k : cut - 1, matches };
  }

  return {
    query(fingerprint, options) {
      const { k, limit = Number.POSITIVE_INFINITY, maxWork } = readQueryOptions(options);
      return answer(begin(), stored(fingerprint), k, limit, maxWork);
    },
    nearest(fingerprint, options) {
      const { count, distances, maxWork } = readNearestOptions(options);
      const state = begin();
      const value = stored(fingerprint);
      let result: QueryResult;
      for (const k of distances) {
        result = answer(state, value, k, count, maxWork);
        if (result.matches.length >= count) break;
      }
      return result!;
    },
  };
}

/** Rows near a fingerprint, in any order; some may be removed. */
interface NearRows {
  readonly by: QueryResult['by'];
  /** Added to each position of the hits, it gives the row. */
  readonly base: number;
  readonly hits: Hits;
}

/** Finds the rows at distance k or less; throws `too-much-work` rather than compare more than `work`. */
type Find = (state: State, value: bigint, k: number, work: number) => NearRows;

/** Makes a {@link Find}, which scans at first and makes tables when they are worth it. */
function createFind(environment: Environment, scans: number): Find {
  const tablesFor = createMemoryTables(environment, scans);
  const scan = createScan();
  let scanned = 0;
  return (state, value, k, work) => {
    const memory = tablesFor(state, scanned, work);
    if (memory !== undefined) {
      const { base, table } = memory;
      assertWork(table.length * 4 <= work ? 0 : table.work(value, k), work);
      return { by: k <= MAX_PROBED_DISTANCE ? 'tables' : 'scan', base, hits: table.query(value, k) };
    }
    const { first, next } = state;
    assertWork(next - first, work);
    const hits = createHits();
    for (let row = first; row < next; row += CHUNK_ROWS)
      scan(chunkAt(environment, row, next), value, k, hits, row - first);
    scanned += next - first;
    return { by: 'scan', base: first, hits };
  };
}

interface MemoryTables {
  /** The row of the first fingerprint in the table. */
  readonly base: number;
  readonly table: FingerprintTable;
}

/** Makes what gives the tables with all rows, or undefined if a scan costs less. */
function createMemoryTables(environment: Environment, scans: number) {
  let memory: MemoryTables | undefined;

  return function tablesFor(state: State, scanned: number, work: number): MemoryTables | undefined {
    const { first, next, count } = state;
    const isStale = memory !== undefined && memory.table.length - count > Math.max(MIN_STALE, count);
    if (memory === undefined || isStale) {
      const isWorth = isStale || scanned >= scans * (next - first) || next - first > work;
      if (!isWorth) return undefined;
      memory = { base: first, table: createFingerprintTable() };
    }
    const { base, table } = memory;
    const from = base + table.length;
    // Rows that were added and cleaned up before they were seen are not there.
    if (from < first) {
      memory = undefined;
      return tablesFor(state, scanned, 0);
    }
    if (from < next) table.addFrom(next - from, readerFrom(environment, from));
    return memory;
  };
}

/** A fingerprint in the byte order in which packed ones are read, and back: its distances are the same. */
function stored(fingerprint: bigint): bigint {
  if (!IS_LITTLE_ENDIAN) return fingerprint;
  const octets = Buffer.allocUnsafe(8);
  octets.writeBigUInt64BE(fingerprint);
  return octets.readBigUInt64LE();
}

function assertWork(work: number, maxWork: number): void {
  if (work > maxWork) throw tooMuchWork(work, maxWork);
}

/** The packed fingerprints of a chunk, up to row `next`: valid until the next read. */
function chunkAt({ path, tables }: Environment, row: number, next: number): Uint8Array {
  const key = encodeNumber(row / CHUNK_ROWS);
  const octets = tables.fingerprints.getBinaryFast(key);
  const length = 8 * Math.min(CHUNK_ROWS, next - row);
  if (octets === undefined || octets.length < length + CHECKSUM_OCTETS)
    throw damaged(path, `the fingerprints of row ${row} are missing`);
  if (!isSealed(key, octets)) throw damaged(path, `the fingerprints of row ${row} are damaged`);
  return new Uint8Array(octets.buffer, octets.byteOffset, length);
}

/** Reads the fingerprints from a row on, into one array after the other. */
function readerFrom(environment: Environment, from: number): (target: BigUint64Array) => void {
  let row = from;
  return (target) => {
    const octets = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    for (let filled = 0; filled < target.length; ) {
      const start = row - (row % CHUNK_ROWS);
      const end = Math.min(start + CHUNK_ROWS, row + target.length - filled);
      const chunk = chunkAt(environment, start, end);
      octets.set(chunk.subarray(8 * (row - start)), 8 * filled);
      filled += end - row;
      row = end;
    }
  };
}

/** Rows from `first` on, by their distance. */
function rowsByDistance(base: number, hits: Hits, first: number): number[][] {
  const rows: number[][] = [];
  for (let i = 0; i < hits.count; i++) {
    const row = base + hits.positions[i]!;
    if (row < first) continue;
    const distance = hits.distances[i]!;
    rows[distance] ??= [];
    rows[distance].push(row);
  }
  return rows;
}

/**
 * The nearest `limit` documents, by distance and then by id (LKP-4), and the distance of what was cut.
 * @param rowsByDistance - rows by their distance, also those of documents that were removed
 * @param value - the fingerprint asked for, in the byte order of the packed ones
 */
function rank(
  environment: Environment,
  rowsByDistance: readonly (readonly number[])[],
  value: bigint,
  limit: number,
): { matches: Match[]; cut: number | undefined } {
  const matches: Match[] = [];
  const fingerprint = stored(value);
  for (const [distance, rows] of rowsByDistance.entries()) {
    if (rows === undefined) continue;
    const documents = rows.map((row) => documentAt(environment, row)).filter((document) => document.length > 8);
    documents.sort((a, b) => a.compare(b, 8, b.length, 8, a.length));
    for (const document of documents) {
      // The fingerprint is stored twice.
      if (distanceOf(document.readBigUInt64BE(), fingerprint) !== distance)
        throw damaged(environment.path, 'a document and the packed fingerprints disagree');
      matches.push({
        id: document.toString('utf8', 8),
        fingerprint: document.readBigUInt64BE(),
        distance,
        similarity: similarityOfDistance(distance),
      });
    }
    if (matches.length > limit) {
      const cut = matches[limit]!.distance;
      return { matches: matches.slice(0, limit), cut };
    }
  }
  return { matches, cut: undefined };
}

const rowKey = Buffer.allocUnsafe(8);

/** The record of a row, which every row has: its fingerprint alone if the document was removed. */
function documentAt({ path, tables }: Environment, row: number): Buffer {
  const key = encodeNumber(row, rowKey);
  const document = tables.documents.getBinary(key);
  if (document === undefined || document.length < 8) throw damaged(path, `the document of row ${row} is missing`);
  if (document.length > 8 && tables.ids.getBinary(document.subarray(8))?.equals(key) !== true)
    throw damaged(path, `the id of the document of row ${row} does not lead to it`);
  return document;
}
