import { DEFAULT_DISTANCE, distance as distanceOf } from '../../../../scheme/compare.ts';
import { permute, probeKeys, TABLES, unpermute } from '../../../../scheme/tables.ts';
import { MAX_PROBED_DISTANCE } from '../../../segment/types.ts';
import type { Match, QueryResult } from '../../../types.ts';
import { tooMuchWork } from '../../work.ts';
import type { Answer } from '../search.ts';
import type { Row } from './connection.ts';
import { fingerprintOf, matchOf, permutedOf } from './entries.ts';
import { mapLimited } from './limited.ts';
import type { Store } from './schema.ts';

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
export function createAnswer(store: Store): Answer {
  return (value, k, limit = Number.POSITIVE_INFINITY, maxWork) =>
    k <= MAX_PROBED_DISTANCE ? probe(store, value, k, limit, maxWork) : scan(store, value, k, limit, maxWork);
}

async function probe(store: Store, value: bigint, k: number, limit: number, maxWork: number): Promise<QueryResult> {
  const candidates = await findCandidates(store, value, k, maxWork);
  const matches: Match[] = [];
  for (let at = 0; at < candidates.length && matches.length <= limit; at += CONFIRMED_AT_ONCE)
    for (const { id, fingerprint, distance } of await confirm(store, candidates.slice(at, at + CONFIRMED_AT_ONCE)))
      matches.push(matchOf(id, fingerprint, distance));
  return { by: 'tables', ...cutOff(matches, k, limit) };
}

async function scan(
  { connection, names }: Store,
  value: bigint,
  k: number,
  limit: number,
  maxWork: number,
): Promise<QueryResult> {
  const near: Candidate[] = [];
  const count = createWorkCounter(maxWork);
  for await (const page of connection.pages(`SELECT document_id, fingerprint FROM ${names.document}`)) {
    count(page.length);
    for (const row of page) {
      const fingerprint = fingerprintOf(connection.place, row);
      const distance = distanceOf(fingerprint, value);
      if (distance <= k) near.push(candidateOf(row, fingerprint, distance));
    }
  }
  const matches = near.sort(byDistance).map(({ id, fingerprint, distance }) => matchOf(id, fingerprint, distance));
  return { by: 'scan', ...cutOff(matches, k, limit) };
}

/** The documents whose rows are near, each once for every fingerprint that its rows have. */
async function findCandidates(store: Store, value: bigint, k: number, maxWork: number): Promise<Candidate[]> {
  const candidates = new Map<string, Candidate>();
  const count = createWorkCounter(maxWork);
  await mapLimited([...readsFor(store, value, k)], MAX_READS, async ({ table, query, params }) => {
    const wanted = permute(value, table);
    for await (const page of store.connection.pages(query, params)) {
      count(page.length);
      for (const row of page) {
        const permuted = permutedOf(row);
        if (permuted === undefined) continue;
        const distance = distanceOf(permuted, wanted);
        if (distance > k) continue;
        const candidate = candidateOf(row, unpermute(permuted, table), distance);
        const key = `${candidate.fingerprint} ${candidate.id}`;
        if (!candidates.has(key)) candidates.set(key, candidate);
      }
    }
  });
  return [...candidates.values()].sort(byDistance);
}

/** The reads that find the rows which share a key with a fingerprint. */
function* readsFor({ names, buckets }: Store, value: bigint, k: number): Generator<Read> {
  const numbers = Array.from({ length: buckets }, (_, bucket) => bucket);
  // A partition by itself is read from a node that has it.
  const one = `SELECT table_key, rest, document_id FROM ${names.entry} WHERE table_no = ? AND table_key = ? AND bucket = ?`;
  const many = `SELECT table_key, rest, document_id FROM ${names.entry} WHERE table_no = ? AND table_key IN ? AND bucket IN ?`;
  for (let table = 0; table < TABLES; table++) {
    const keys = [...probeKeys(value, table, k)];
    if (k <= DEFAULT_DISTANCE)
      for (const bucket of numbers) yield { table, query: one, params: [table, keys[0], bucket] };
    else
      for (let at = 0; at < keys.length; at += KEYS_PER_READ)
        yield { table, query: many, params: [table, keys.slice(at, at + KEYS_PER_READ), numbers] };
  }
}

/** Those whose document has that fingerprint: other rows are stale. */
async function confirm({ connection, names }: Store, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const ids = [...new Set(candidates.map(({ id }) => id))];
  const groups = Array.from({ length: Math.ceil(ids.length / DOCUMENTS_PER_READ) }, (_, i) =>
    ids.slice(i * DOCUMENTS_PER_READ, (i + 1) * DOCUMENTS_PER_READ),
  );
  const stored = new Map<string, bigint>();
  const query = `SELECT document_id, fingerprint FROM ${names.document} WHERE document_id IN ?`;
  for (const rows of await mapLimited(groups, MAX_READS, (group) => connection.read(query, [group])))
    for (const row of rows) stored.set(String(row['document_id']), fingerprintOf(connection.place, row));
  return candidates.filter(({ id, fingerprint }) => stored.get(id) === fingerprint);
}

/** Adds up the rows that a query compares; throws `too-much-work` beyond a limit. */
function createWorkCounter(maxWork: number): (rows: number) => void {
  let work = 0;
  return (rows) => {
    work += rows;
    if (work > maxWork) throw tooMuchWork(work, maxWork);
  };
}

function candidateOf({ document_id }: Row, fingerprint: bigint, distance: number): Candidate {
  const id = String(document_id);
  return { id, octets: Buffer.from(id), fingerprint, distance };
}

/** By distance, then by id in the order of its octets (LKP-4). */
function byDistance(a: Candidate, b: Candidate): number {
  return a.distance - b.distance || a.octets.compare(b.octets);
}

/** The first `limit` matches, and up to where they are all. */
function cutOff(matches: readonly Match[], k: number, limit: number): Pick<QueryResult, 'completeTo' | 'matches'> {
  const cut = matches[limit]?.distance;
  return cut === undefined ? { completeTo: k, matches } : { completeTo: cut - 1, matches: matches.slice(0, limit) };
}
