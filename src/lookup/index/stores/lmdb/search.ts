import { ones, similarityOfDistance } from '../../../../scheme/compare.ts';
import { IS_LITTLE_ENDIAN } from '../../../lanes.ts';
import { MAX_ID_OCTETS } from '../../../options.ts';
import { createHits, type Hits } from '../../../segment/hits.ts';
import { createFingerprintTable, type FingerprintTable } from '../../../segment/table.ts';
import { MAX_PROBED_DISTANCE } from '../../../segment/types.ts';
import type { Match, NearestOptions, QueryOptions, QueryResult } from '../../../types.ts';
import { tooMuchWork } from '../../work.ts';
import { readNearestOptions, readQueryOptions } from '../search.ts';
import { damaged, type Environment, readState } from './environment.ts';
import { CHECKSUM_OCTETS, CHUNK_ROWS, encodeNumber, isSealed, META, type State } from './format.ts';
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
  const readKnownState = createStateReader(environment);

  /** What is committed now. */
  function begin(): State {
    environment.refresh();
    return readKnownState();
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

/** Makes a function that reads the state, and decodes the record only if it changed. */
function createStateReader(environment: Environment): () => State {
  let known: Uint8Array = new Uint8Array(0);
  let state: State | undefined;
  return () => {
    const octets = environment.tables.meta.getBinaryFast(META.state);
    if (state !== undefined && octets !== undefined && isSame(octets, known)) return state;
    // The next read overwrites the octets.
    known = Uint8Array.prototype.slice.call(octets ?? known, 0, octets?.length ?? 0);
    state = undefined;
    state = readState(environment);
    return state;
  };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false;
  return true;
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
  const chunkAt = createChunkReader(environment);
  const hits = createHits();
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
    hits.count = 0;
    for (let row = first; row < next; row += CHUNK_ROWS) scan(chunkAt(row, next), value, k, hits, row - first);
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

const exchange = new DataView(new ArrayBuffer(8));

/** A fingerprint in the byte order in which packed ones are read, and back: its distances are the same. */
function stored(fingerprint: bigint): bigint {
  if (!IS_LITTLE_ENDIAN) return fingerprint;
  exchange.setBigUint64(0, fingerprint);
  return exchange.getBigUint64(0, true);
}

function assertWork(work: number, maxWork: number): void {
  if (work > maxWork) throw tooMuchWork(work, maxWork);
}

/** Returns the packed fingerprints of a chunk, up to row `next`: valid until the next read. */
type ChunkReader = (row: number, next: number) => Uint8Array;

/** Makes a {@link ChunkReader}, which makes no objects: a scan of all chunks leaves no garbage. */
function createChunkReader({ path, tables }: Environment): ChunkReader {
  const key = Buffer.allocUnsafe(8);
  const view = createView();
  return (row, next) => {
    const octets = tables.fingerprints.getBinaryFast(encodeNumber(row / CHUNK_ROWS, key));
    const length = 8 * Math.min(CHUNK_ROWS, next - row);
    if (octets === undefined || octets.length < length + CHECKSUM_OCTETS)
      throw damaged(path, `the fingerprints of row ${row} are missing`);
    const value = view(octets, octets.length - CHECKSUM_OCTETS);
    if (!isSealed(key, octets, value)) throw damaged(path, `the fingerprints of row ${row} are damaged`);
    return value.length === length ? value : value.subarray(0, length);
  };
}

/** Makes a function that returns the first `length` octets, and the view that it made last if that is the same. */
function createView(): (octets: Uint8Array, length: number) => Uint8Array {
  let last = new Uint8Array(0);
  return ({ buffer, byteOffset }, length) => {
    if (last.buffer !== buffer || last.byteOffset !== byteOffset || last.length !== length)
      last = new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
    return last;
  };
}

/** Reads the fingerprints from a row on, into one array after the other. */
function readerFrom(environment: Environment, from: number): (target: BigUint64Array) => void {
  const chunkAt = createChunkReader(environment);
  let row = from;
  return (target) => {
    const octets = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    for (let filled = 0; filled < target.length; ) {
      const start = row - (row % CHUNK_ROWS);
      const end = Math.min(start + CHUNK_ROWS, row + target.length - filled);
      const chunk = chunkAt(start, end);
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
  const [high, low] = halvesOf(stored(value));
  for (let distance = 0; distance < rowsByDistance.length; distance++) {
    const rows = rowsByDistance[distance];
    if (rows === undefined) continue;
    for (const document of documentsAt(environment, rows)) {
      // The fingerprint is stored twice.
      if (ones(document.readUInt32BE(0) ^ high) + ones(document.readUInt32BE(4) ^ low) !== distance)
        throw damaged(environment.path, 'a document and the packed fingerprints disagree');
      matches.push({
        id: document.toString('utf8', 8),
        fingerprint: fingerprintOf(document),
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

function halvesOf(fingerprint: bigint): readonly [number, number] {
  exchange.setBigUint64(0, fingerprint);
  return [exchange.getUint32(0), exchange.getUint32(4)];
}

/** The fingerprint of a document. `readBigUInt64BE` makes five numbers for one. */
function fingerprintOf(document: Buffer): bigint {
  exchange.setUint32(0, document.readUInt32BE(0));
  exchange.setUint32(4, document.readUInt32BE(4));
  return exchange.getBigUint64(0);
}

/** The documents of some rows that were not removed, sorted by id. A single one is valid until the next read. */
function documentsAt(environment: Environment, rows: readonly number[]): Buffer[] {
  if (rows.length === 1) {
    const document = documentAt(environment, rows[0]!);
    return document.length > 8 ? [document] : [];
  }
  const documents: Buffer[] = [];
  for (const row of rows) {
    const document = documentAt(environment, row);
    if (document.length > 8) documents.push(Buffer.from(document));
  }
  return documents.sort((a, b) => a.compare(b, 8, b.length, 8, a.length));
}

const rowKey = Buffer.allocUnsafe(8);
const record = Buffer.allocUnsafe(8 + MAX_ID_OCTETS);
/** The record and the id in it, by the length of the record: made once, since every match needs them. */
const records: Buffer[] = [];
const ids: Buffer[] = [];

/**
 * The record of a row, which every row has: its fingerprint alone if the document was removed. The next call overwrites it.
 */
function documentAt({ path, tables }: Environment, row: number): Buffer {
  const key = encodeNumber(row, rowKey);
  const octets = tables.documents.getBinaryFast(key);
  if (octets === undefined || octets.length < 8 || octets.length > record.length)
    throw damaged(path, `the document of row ${row} is missing`);
  const { length } = octets;
  for (let i = 0; i < length; i++) record[i] = octets[i]!;
  records[length] ??= record.subarray(0, length);
  if (length === 8) return records[length];
  ids[length] ??= record.subarray(8, length);
  const found = tables.ids.getBinaryFast(ids[length]);
  if (found === undefined || !isSame(found, key))
    throw damaged(path, `the id of the document of row ${row} does not lead to it`);
  return records[length];
}
