import { DEFAULT_DISTANCE, distance as distanceOf } from '../../../../scheme/compare.ts';
import { permute, probeKeys, TABLES, unpermute } from '../../../../scheme/tables.ts';
import { MAX_PROBED_DISTANCE } from '../../../segment/types.ts';
import type { Match, QueryResult } from '../../../types.ts';
import { tooMuchWork } from '../../work.ts';
import type { Answer } from '../search.ts';
import type { Connection, Row } from './connection.ts';
import { fingerprintOf, matchOf, permutedOf } from './entries.ts';
import { mapLimited } from './limited.ts';
import type { Names } from './schema.ts';

/** Reads of one query that run at the same time: all of those for k up to 3, if there is one bucket. */
const MAX_READS = 64;

/** Keys that one read has, where there are many, and documents that one read confirms. */
const KEYS_PER_READ = 32;
const DOCUMENTS_PER_READ = 32;

/** Documents that are confirmed before it is seen whether there are enough. */
const CONFIRMED_AT_ONCE = 1024;

/** A document that may be near. */
interface Candidate {
  readonly id: string;
  readonly octets: Buffer;
  readonly fingerprint: bigint;
  readonly distance: number;
}

interface Read {
  readonly table: number;
  readonly query: string;
  readonly params: unknown[];
}

/** Makes an {@link Answer}: for k up to 7 it reads the partitions of all probes, beyond it compares all documents. */
export function createAnswer(connection: Connection, names: Names, buckets: number): Answer {
  const { place } = connection;

  function* readsFor(value: bigint, k: number): Generator<Read> {
    const numbers = Array.from({ length: buckets }, (_, bucket) => bucket);
    for (let table = 0; table < TABLES; table++) {
      const keys = [...probeKeys(value, table, k)];
      // A partition by itself is read from a node that has it.
      const one = `SELECT table_key, rest, document_id FROM ${names.entry} WHERE table_no = ? AND table_key = ? AND bucket = ?`;
      const many = `SELECT table_key, rest, document_id FROM ${names.entry} WHERE table_no = ? AND table_key IN ? AND bucket IN ?`;
      if (k <= DEFAULT_DISTANCE)
        for (const bucket of numbers) yield { table, query: one, params: [table, keys[0], bucket] };
      else
        for (let at = 0; at < keys.length; at += KEYS_PER_READ)
          yield { table, query: many, params: [table, keys.slice(at, at + KEYS_PER_READ), numbers] };
    }
  }

  /** The documents whose rows are near, each once for every fingerprint that its rows have. */
  async function findNear(value: bigint, k: number, maxWork: number): Promise<Candidate[]> {
    const candidates = new Map<string, Candidate>();
    let work = 0;
    await mapLimited([...readsFor(value, k)], MAX_READS, async ({ table, query, params }) => {
      const wanted = permute(value, table);
      for await (const page of connection.pages(query, params)) {
        work += page.length;
        if (work > maxWork) throw tooMuchWork(work, maxWork);
        for (const row of page) {
          const permuted = permutedOf(row);
          if (permuted === undefined) continue;
          const distance = distanceOf(permuted, wanted);
          if (distance > k) continue;
          const id = String(row['document_id']);
          const fingerprint = unpermute(permuted, table);
          const key = `${fingerprint} ${id}`;
          if (!candidates.has(key)) candidates.set(key, { id, octets: Buffer.from(id), fingerprint, distance });
        }
      }
    });
    return [...candidates.values()].sort((a, b) => a.distance - b.distance || a.octets.compare(b.octets));
  }

  /** Those whose document has that fingerprint: other rows are stale. */
  async function confirm(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const ids = [...new Set(candidates.map(({ id }) => id))];
    const groups = Array.from({ length: Math.ceil(ids.length / DOCUMENTS_PER_READ) }, (_, i) =>
      ids.slice(i * DOCUMENTS_PER_READ, (i + 1) * DOCUMENTS_PER_READ),
    );
    const stored = new Map<string, bigint>();
    const query = `SELECT document_id, fingerprint FROM ${names.document} WHERE document_id IN ?`;
    for (const rows of await mapLimited(groups, MAX_READS, (group) => connection.read(query, [group])))
      for (const row of rows) stored.set(String(row['document_id']), fingerprintOf(place, row));
    return candidates.filter(({ id, fingerprint }) => stored.get(id) === fingerprint);
  }

  async function probe(value: bigint, k: number, limit: number, maxWork: number): Promise<QueryResult> {
    const candidates = await findNear(value, k, maxWork);
    const matches: Match[] = [];
    for (let at = 0; at < candidates.length && matches.length <= limit; at += CONFIRMED_AT_ONCE)
      for (const { id, fingerprint, distance } of await confirm(candidates.slice(at, at + CONFIRMED_AT_ONCE)))
        matches.push(matchOf(id, fingerprint, distance));
    return { by: 'tables', ...cutOff(matches, k, limit) };
  }

  async function scan(value: bigint, k: number, limit: number, maxWork: number): Promise<QueryResult> {
    const near: Candidate[] = [];
    let work = 0;
    for await (const page of connection.pages(`SELECT document_id, fingerprint FROM ${names.document}`)) {
      work += page.length;
      if (work > maxWork) throw tooMuchWork(work, maxWork);
      for (const row of page) addNear(near, row, value, k);
    }
    near.sort((a, b) => a.distance - b.distance || a.octets.compare(b.octets));
    const matches = near.map(({ id, fingerprint, distance }) => matchOf(id, fingerprint, distance));
    return { by: 'scan', ...cutOff(matches, k, limit) };
  }

  function addNear(near: Candidate[], row: Row, value: bigint, k: number): void {
    const fingerprint = fingerprintOf(place, row);
    const distance = distanceOf(fingerprint, value);
    if (distance > k) return;
    const id = String(row['document_id']);
    near.push({ id, octets: Buffer.from(id), fingerprint, distance });
  }

  return (value, k, limit = Number.POSITIVE_INFINITY, maxWork) =>
    k <= MAX_PROBED_DISTANCE ? probe(value, k, limit, maxWork) : scan(value, k, limit, maxWork);
}

/** The first `limit` matches, and up to where they are all. */
function cutOff(matches: readonly Match[], k: number, limit: number): Pick<QueryResult, 'completeTo' | 'matches'> {
  const cut = matches[limit]?.distance;
  return cut === undefined ? { completeTo: k, matches } : { completeTo: cut - 1, matches: matches.slice(0, limit) };
}
