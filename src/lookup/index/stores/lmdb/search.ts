import { ones, similarityOfDistance } from '../../../../scheme/compare.ts';
import { type Fingerprint, WIDE_BYTES } from '../../../../scheme/labels/fingerprint.ts';
import { IS_LITTLE_ENDIAN } from '../../../lanes.ts';
import { MAX_ID_OCTETS } from '../../../options.ts';
import { createHits, type Hits } from '../../../segment/hits.ts';
import { type Fill, spread } from '../../../segment/segment-list.ts';
import { createTable, type FingerprintTable } from '../../../segment/table.ts';
import { MAX_PROBED_DISTANCE } from '../../../segment/types.ts';
import type { Match, NearestOptions, QueryOptions, QueryResult } from '../../../types.ts';
import { areNearest, completeDistance } from '../../../widths.ts';
import { tooMuchWork } from '../../work.ts';
import { readNearestOptions, readQueryOptions } from '../search.ts';
import { damaged, readState, type Store } from './environment.ts';
import { CHECKSUM_OCTETS, CHUNK_ROWS, encodeNumber, isSealed, META, readFingerprint, type State } from './format.ts';
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
  const readKnownState = createStateReader(environment);

  /** What is committed now. */
  function begin(): State {
    environment.refresh();
    return readKnownState();
  }

  function answer(state: State, fingerprint: Fingerprint, k: number, limit: number, work: number): QueryResult {
    const near = find(state, stored(fingerprint), k, work);
    const { matches, cut } = rank(environment, near, state.first, fingerprint, limit);
    const whole = completeDistance(environment.words, k);
    return { by: near.by, completeTo: cut === undefined ? whole : Math.min(whole, cut - 1), matches };
  }

  return {
    query(fingerprint, options) {
      const { k, limit = Number.POSITIVE_INFINITY, maxWork } = readQueryOptions(options);
      return answer(begin(), fingerprint, k, limit, maxWork);
    },
    nearest(fingerprint, options) {
      const { count, distances, maxWork } = readNearestOptions(options);
      const state = begin();
      let result: QueryResult;
      for (const k of distances) {
        result = answer(state, fingerprint, k, count, maxWork);
        if (areNearest(result.matches, count, environment.words, k)) break;
      }
      return result!;
    },
  };
}

/** Makes a function that reads the state, and decodes the record only if it changed. */
function createStateReader(environment: Store): () => State {
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
type Find = (state: State, value: Fingerprint, k: number, work: number) => NearRows;

/** Makes a {@link Find}, which scans at first and makes tables when they are worth it. */
function createFind(environment: Store, scans: number): Find {
  const { words } = environment;
  const tablesFor = createMemoryTables(environment, scans);
  const scan = createScan(words);
  const chunkAt = createChunkReader(environment);
  const hits = createHits();
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
    hits.count = 0;
    for (let row = first; row < next; row += CHUNK_ROWS) scan(chunkAt(row, next), value, k, hits, row - first);
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

const exchange = new DataView(new ArrayBuffer(8));

/** A fingerprint in the byte order in which packed ones are read, and back: its distances are the same. */
function stored(fingerprint: Fingerprint): Fingerprint {
  if (!IS_LITTLE_ENDIAN) return fingerprint;
  if (fingerprint instanceof Uint8Array) return new Uint8Array(Buffer.from(fingerprint).swap64());
  exchange.setBigUint64(0, fingerprint);
  return exchange.getBigUint64(0, true);
}

function assertWork(work: number, maxWork: number): void {
  if (work > maxWork) throw tooMuchWork(work, maxWork);
}

/** Returns the packed fingerprints of a chunk, up to row `next`: valid until the next read. */
type ChunkReader = (row: number, next: number) => Uint8Array;

/** Makes a {@link ChunkReader}, which makes no objects: a scan of 64 bits leaves no garbage. */
function createChunkReader({ path, tables, width }: Store): ChunkReader {
  const key = Buffer.allocUnsafe(8);
  const view = createView();
  return (row, next) => {
    const octets = tables.fingerprints.getBinaryFast(encodeNumber(row / CHUNK_ROWS, key));
    const length = width * Math.min(CHUNK_ROWS, next - row);
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

/** Reads the fingerprints from a row on, into one array after the other for each word. */
function readerFrom(environment: Store, from: number): Fill {
  const { width } = environment;
  const chunkAt = createChunkReader(environment);
  let row = from;
  return (...targets) => {
    const { length } = targets[0]!;
    for (let filled = 0; filled < length; ) {
      const start = row - (row % CHUNK_ROWS);
      const end = Math.min(start + CHUNK_ROWS, row + length - filled);
      const octets = chunkAt(start, end).slice(width * (row - start));
      const parts = targets.map((target) => target.subarray(filled, filled + end - row));
      spread(new BigUint64Array(octets.buffer), parts);
      filled += end - row;
      row = end;
    }
  };
}

/**
 * The nearest `limit` documents, by distance and then by id (LKP-4), and the distance of what was cut.
 * @param near - some rows may be of documents that were removed
 * @param first - rows below were cleaned up, but may still be in the tables
 */
function rank(
  environment: Store,
  { base, hits }: NearRows,
  first: number,
  fingerprint: Fingerprint,
  limit: number,
): { matches: Match[]; cut: number | undefined } {
  // Most queries find nothing or one document, and leave less garbage here.
  if (hits.count === 0) return { matches: [], cut: undefined };
  const asked = octetsOf(fingerprint);
  if (hits.count === 1) {
    const row = base + hits.positions[0]!;
    const document = row < first ? undefined : documentAt(environment, row);
    const isThere = document !== undefined && document.length > environment.width;
    return { matches: isThere ? [matchOf(environment, document, asked, hits.distances[0]!)] : [], cut: undefined };
  }
  const matches: Match[] = [];
  const rows = rowsByDistance(base, hits, first);
  for (let distance = 0; distance < rows.length; distance++) {
    for (const document of documentsAt(environment, rows[distance] ?? []))
      matches.push(matchOf(environment, document, asked, distance));
    if (matches.length > limit) {
      const cut = matches[limit]!.distance;
      return { matches: matches.slice(0, limit), cut };
    }
  }
  return { matches, cut: undefined };
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

/** The match of a document at a distance from what was asked for. */
function matchOf({ path, width, words }: Store, document: Buffer, asked: Uint8Array, distance: number): Match {
  // The fingerprint is stored twice.
  if (distanceOf(document, asked) !== distance) throw damaged(path, 'a document and the packed fingerprints disagree');
  return {
    id: document.toString('utf8', width),
    fingerprint: fingerprintOf(document, width),
    distance,
    similarity: similarityOfDistance(distance, words === 1 ? 64 : 256),
  };
}

const octets = new Uint8Array(8);
const octetsView = new DataView(octets.buffer);

/** The octets of a fingerprint, in network byte order: valid until the next call. */
function octetsOf(fingerprint: Fingerprint): Uint8Array {
  if (fingerprint instanceof Uint8Array) return fingerprint;
  octetsView.setBigUint64(0, fingerprint);
  return octets;
}

/** The distance of the fingerprint at the beginning of a record from another one. */
function distanceOf(document: Buffer, asked: Uint8Array): number {
  let distance = 0;
  for (let i = 0; i < asked.length; i++) distance += ones(document[i]! ^ asked[i]!);
  return distance;
}

/** The fingerprint of a document. `readBigUInt64BE` makes five numbers for one. */
function fingerprintOf(document: Buffer, width: number): Fingerprint {
  if (width !== 8) return readFingerprint(document, width);
  exchange.setUint32(0, document.readUInt32BE(0));
  exchange.setUint32(4, document.readUInt32BE(4));
  return exchange.getBigUint64(0);
}

/** The documents of some rows that were not removed, sorted by id. */
function documentsAt(environment: Store, rows: readonly number[]): Buffer[] {
  const { width } = environment;
  const documents: Buffer[] = [];
  for (const row of rows) {
    const document = documentAt(environment, row);
    if (document.length > width) documents.push(Buffer.from(document));
  }
  return documents.sort((a, b) => a.compare(b, width, b.length, width, a.length));
}

const rowKey = Buffer.allocUnsafe(8);
const record = Buffer.allocUnsafe(WIDE_BYTES + MAX_ID_OCTETS);
/** The record by its length, and the id in it by width and length: made once, since every match needs them. */
const records: Buffer[] = [];
const ids = new Map<number, Buffer[]>();

function idIn(width: number, length: number): Buffer {
  const known = ids.get(width) ?? [];
  if (known.length === 0) ids.set(width, known);
  known[length] ??= record.subarray(width, length);
  return known[length];
}

/**
 * The record of a row, which every row has: its fingerprint alone if the document was removed. The next call overwrites it.
 */
function documentAt({ path, tables, width }: Store, row: number): Buffer {
  const key = encodeNumber(row, rowKey);
  const octets = tables.documents.getBinaryFast(key);
  if (octets === undefined || octets.length < width || octets.length > width + MAX_ID_OCTETS)
    throw damaged(path, `the document of row ${row} is missing`);
  const { length } = octets;
  for (let i = 0; i < length; i++) record[i] = octets[i]!;
  records[length] ??= record.subarray(0, length);
  if (length === width) return records[length];
  const found = tables.ids.getBinaryFast(idIn(width, length));
  if (found === undefined || !isSame(found, key))
    throw damaged(path, `the id of the document of row ${row} does not lead to it`);
  return records[length];
}
