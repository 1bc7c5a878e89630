import { distance as distanceOf, similarityOfDistance } from '../../../../scheme/compare.ts';
import type { Fingerprint } from '../../../../scheme/fingerprint.ts';
import { IS_LITTLE_ENDIAN } from '../../../lanes.ts';
import { createHits, type Hits } from '../../../segment/hits.ts';
import { type Fill, spread } from '../../../segment/segment-list.ts';
import { createTable, type FingerprintTable } from '../../../segment/table.ts';
import { MAX_PROBED_DISTANCE } from '../../../segment/types.ts';
import type { Match, NearestOptions, QueryOptions, QueryResult } from '../../../types.ts';
import { areNearest, completeDistance } from '../../../widths.ts';
import { tooMuchWork } from '../../work.ts';
import { readNearestOptions, readQueryOptions } from '../search.ts';
import { damaged, readState, type Store } from './environment.ts';
import { CHECKSUM_OCTETS, CHUNK_ROWS, encodeNumber, isSealed, readFingerprint, type State } from './format.ts';
import { createScan } from './scan.ts';

/** Answers queries of a store. */
export interface Search {
  query(fingerprint: Fingerprint, options: QueryOptions): QueryResult;
  nearest(fingerprint: Fingerprint, options: NearestOptions): QueryResult;
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
export function createSearch(environment: Store, scans = SCANS_BEFORE_TABLES): Search {
  const find = createFind(environment, scans);

  /** What is committed now. */
  function begin(): State {
    environment.refresh();
    return readState(environment);
  }

  function answer(state: State, value: Fingerprint, k: number, limit: number, work: number): QueryResult {
    const { by, base, hits } = find(state, value, k, work);
    // Rows that were cleaned up may still be in the tables.
    const rows = rowsByDistance(base, hits, state.first);
    const { matches, cut } = rank(environment, rows, value, limit);
    const whole = completeDistance(environment.words, k);
    return { by, completeTo: cut === undefined ? whole : Math.min(whole, cut - 1), matches };
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
        if (areNearest(result.matches, count, environment.words, k)) break;
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
type Find = (state: State, value: Fingerprint, k: number, work: number) => NearRows;

/** Makes a {@link Find}, which scans at first and makes tables when they are worth it. */
function createFind(environment: Store, scans: number): Find {
  const { words } = environment;
  const tablesFor = createMemoryTables(environment, scans);
  const scan = createScan(words);
  let scanned = 0;
  return (state, value, k, work) => {
    const memory = tablesFor(state, scanned, work);
    if (memory !== undefined) {
      const { base, table } = memory;
      assertWork(4 * words * table.length <= work ? 0 : table.work(value, k), work);
      return { by: k <= MAX_PROBED_DISTANCE ? 'tables' : 'scan', base, hits: table.query(value, k) };
    }
    const { first, next } = state;
    assertWork(words * (next - first), work);
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
  readonly table: FingerprintTable<Fingerprint>;
}

/** Makes what gives the tables with all rows, or undefined if a scan costs less. */
function createMemoryTables(environment: Store, scans: number) {
  let memory: MemoryTables | undefined;

  return function tablesFor(state: State, scanned: number, work: number): MemoryTables | undefined {
    const { first, next, count } = state;
    const isStale = memory !== undefined && memory.table.length - count > Math.max(MIN_STALE, count);
    if (memory === undefined || isStale) {
      const isWorth = isStale || scanned >= scans * (next - first) || environment.words * (next - first) > work;
      if (!isWorth) return undefined;
      memory = { base: first, table: createTable(environment.words) };
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
function stored(fingerprint: Fingerprint): Fingerprint {
  if (!IS_LITTLE_ENDIAN) return fingerprint;
  if (fingerprint instanceof Uint8Array) return new Uint8Array(Buffer.from(fingerprint).swap64());
  const octets = Buffer.allocUnsafe(8);
  octets.writeBigUInt64BE(fingerprint);
  return octets.readBigUInt64LE();
}

function assertWork(work: number, maxWork: number): void {
  if (work > maxWork) throw tooMuchWork(work, maxWork);
}

/** The packed fingerprints of a chunk, up to row `next`: valid until the next read. */
function chunkAt({ path, tables, width }: Store, row: number, next: number): Uint8Array {
  const key = encodeNumber(row / CHUNK_ROWS);
  const octets = tables.fingerprints.getBinaryFast(key);
  const length = width * Math.min(CHUNK_ROWS, next - row);
  if (octets === undefined || octets.length < length + CHECKSUM_OCTETS)
    throw damaged(path, `the fingerprints of row ${row} are missing`);
  if (!isSealed(key, octets)) throw damaged(path, `the fingerprints of row ${row} are damaged`);
  return new Uint8Array(octets.buffer, octets.byteOffset, length);
}

/** Reads the fingerprints from a row on, into one array after the other for each word. */
function readerFrom(environment: Store, from: number): Fill {
  const { width } = environment;
  let row = from;
  return (...targets) => {
    const { length } = targets[0]!;
    for (let filled = 0; filled < length; ) {
      const start = row - (row % CHUNK_ROWS);
      const end = Math.min(start + CHUNK_ROWS, row + length - filled);
      const octets = chunkAt(environment, start, end).slice(width * (row - start));
      const parts = targets.map((target) => target.subarray(filled, filled + end - row));
      spread(new BigUint64Array(octets.buffer), parts);
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
  environment: Store,
  rowsByDistance: readonly (readonly number[])[],
  value: Fingerprint,
  limit: number,
): { matches: Match[]; cut: number | undefined } {
  const { width, words } = environment;
  const matches: Match[] = [];
  const query = stored(value);
  for (const [distance, rows] of rowsByDistance.entries()) {
    if (rows === undefined) continue;
    const documents = rows.map((row) => documentAt(environment, row)).filter((document) => document.length > width);
    documents.sort((a, b) => a.compare(b, width, b.length, width, a.length));
    for (const document of documents) {
      // The fingerprint is stored twice.
      const fingerprint = readFingerprint(document, width);
      if (distanceOf(fingerprint, query) !== distance)
        throw damaged(environment.path, 'a document and the packed fingerprints disagree');
      matches.push({
        id: document.toString('utf8', width),
        fingerprint,
        distance,
        similarity: similarityOfDistance(distance, words === 1 ? 64 : 256),
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
function documentAt({ path, tables, width }: Store, row: number): Buffer {
  const key = encodeNumber(row, rowKey);
  const document = tables.documents.getBinary(key);
  if (document === undefined || document.length < width) throw damaged(path, `the document of row ${row} is missing`);
  if (document.length > width && tables.ids.getBinary(document.subarray(width))?.equals(key) !== true)
    throw damaged(path, `the id of the document of row ${row} does not lead to it`);
  return document;
}
