import { DEFAULT_DISTANCE, distance as distanceOf } from '../../../scheme/compare.ts';
import { type Fingerprint, wordsOf } from '../../../scheme/labels/fingerprint.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { permute, probeKeys, TABLES, unpermute } from '../../../scheme/tables.ts';
import type { Entry, QueryResult } from '../../document-index.ts';
import { completeDistance, matchOf, tooMuchWork } from '../../query-results.ts';
import { MAX_PROBED_DISTANCE } from '../../table/table-segment.ts';
import type { NearestQuery } from '../backend.ts';
import { mapLimited, type Row } from './cassandra-connection.ts';
import { entryOf, permutedOf } from './cassandra-documents.ts';
import type { CassandraStore } from './cassandra-schema.ts';

/** Reads of one query that run at the same time: all of those for k up to 3, if there is one bucket. */
const MAX_READS = 64;

const KEYS_PER_READ = 32;
const DOCUMENTS_PER_READ = 32;

const CONFIRMED_AT_ONCE = 1024;

interface Near {
  readonly id: string;
  readonly bytes: Buffer;
  readonly distance: number;
}

interface Candidate extends Near {
  readonly word: number;
  readonly value: bigint;
}

interface Found extends Near {
  readonly fingerprint: Fingerprint;
  readonly losses?: Entry['losses'];
}

interface Read {
  readonly word: number;
  readonly table: number;
  readonly query: string;
  readonly params: unknown[];
}

export function findNearest(store: CassandraStore, query: NearestQuery): Promise<QueryResult> {
  return (query.k <= MAX_PROBED_DISTANCE ? probe : scan)(store, query);
}

async function probe(store: CassandraStore, query: NearestQuery): Promise<QueryResult> {
  const { fingerprint: value, limit } = query;
  const candidates = await findCandidates(store, query);
  const found = new Map<string, Found>();
  // The distance of several words is known only when the document was read.
  const isSorted = schemeOf(store.label).words === 1;
  for (let at = 0; at < candidates.length && !(isSorted && found.size > limit); at += CONFIRMED_AT_ONCE)
    for (const each of await confirm(store, candidates.slice(at, at + CONFIRMED_AT_ONCE)))
      found.set(each.id, { ...each, distance: distanceOf(each.fingerprint, value) });
  return { by: 'tables', ...rank([...found.values()], store, query) };
}

async function scan(store: CassandraStore, query: NearestQuery): Promise<QueryResult> {
  const { fingerprint: value, k, maxWork } = query;
  const { connection, names, label, losses } = store;
  const words = wordsOf('query', value);
  const found: Found[] = [];
  const count = createWorkCounter(maxWork);
  for await (const page of connection.pages(`SELECT document_id, fingerprint${losses} FROM ${names.document}`)) {
    count(schemeOf(label).words * page.length);
    for (const row of page) {
      const entry = entryOf(store, row);
      const { fingerprint } = entry;
      const isNear = wordsOf('fingerprint', fingerprint).some((each, word) => distanceOf(each, words[word]!) <= k);
      if (isNear) found.push({ ...nearOf(row, distanceOf(fingerprint, value)), ...entry });
    }
  }
  return { by: 'scan', ...rank(found, store, query) };
}

/** Returns the documents whose rows are near, each once for every word that its rows have. */
async function findCandidates(store: CassandraStore, { fingerprint, k, maxWork }: NearestQuery): Promise<Candidate[]> {
  const words = wordsOf('query', fingerprint);
  const candidates = new Map<string, Candidate>();
  const count = createWorkCounter(maxWork);
  const reads = words.flatMap((value, word) => [...readsFor(store, value, word, k)]);
  await mapLimited(reads, MAX_READS, async ({ word, table, query, params }) => {
    const wanted = permute(words[word]!, table);
    for await (const page of store.connection.pages(query, params)) {
      count(page.length);
      for (const row of page) {
        const permuted = permutedOf(row);
        if (permuted === undefined) continue;
        const distance = distanceOf(permuted, wanted);
        if (distance > k) continue;
        const candidate = { ...nearOf(row, distance), word, value: unpermute(permuted, table) };
        const key = `${word} ${candidate.value} ${candidate.id}`;
        if (!candidates.has(key)) candidates.set(key, candidate);
      }
    }
  });
  return [...candidates.values()].sort(byDistance);
}

function* readsFor({ names, buckets }: CassandraStore, value: bigint, word: number, k: number): Generator<Read> {
  const numbers = Array.from({ length: buckets }, (_, bucket) => bucket);
  // A partition by itself is read from a node that has it.
  const one = `SELECT table_key, rest, document_id FROM ${names.entry} WHERE table_no = ? AND table_key = ? AND bucket = ?`;
  const many = `SELECT table_key, rest, document_id FROM ${names.entry} WHERE table_no = ? AND table_key IN ? AND bucket IN ?`;
  for (let table = 0; table < TABLES; table++) {
    const number = TABLES * word + table;
    const keys = [...probeKeys(value, table, k)];
    if (k <= DEFAULT_DISTANCE)
      for (const bucket of numbers) yield { word, table, query: one, params: [number, keys[0], bucket] };
    else
      for (let at = 0; at < keys.length; at += KEYS_PER_READ)
        yield { word, table, query: many, params: [number, keys.slice(at, at + KEYS_PER_READ), numbers] };
  }
}

/** Returns the rows whose document still has that word, with its fingerprint: other rows are stale. */
async function confirm(store: CassandraStore, candidates: readonly Candidate[]): Promise<(Candidate & Found)[]> {
  const { connection, names, losses } = store;
  const ids = [...new Set(candidates.map(({ id }) => id))];
  const groups = Array.from({ length: Math.ceil(ids.length / DOCUMENTS_PER_READ) }, (_, i) =>
    ids.slice(i * DOCUMENTS_PER_READ, (i + 1) * DOCUMENTS_PER_READ),
  );
  const stored = new Map<string, Entry>();
  const query = `SELECT document_id, fingerprint${losses} FROM ${names.document} WHERE document_id IN ?`;
  for (const rows of await mapLimited(groups, MAX_READS, (group) => connection.read(query, [group])))
    for (const row of rows) stored.set(String(row['document_id']), entryOf(store, row));
  return candidates.flatMap((candidate) => {
    const entry = stored.get(candidate.id);
    const isStale =
      entry === undefined || wordsOf('fingerprint', entry.fingerprint)[candidate.word] !== candidate.value;
    return isStale ? [] : [{ ...candidate, ...entry }];
  });
}

function createWorkCounter(maxWork: number): (rows: number) => void {
  let work = 0;
  return (rows) => {
    work += rows;
    if (work > maxWork) throw tooMuchWork(work, maxWork);
  };
}

function nearOf({ document_id }: Row, distance: number): Near {
  const id = String(document_id);
  return { id, bytes: Buffer.from(id), distance };
}

function byDistance(a: Near, b: Near): number {
  return a.distance - b.distance || a.bytes.compare(b.bytes);
}

function rank(found: Found[], { label }: CassandraStore, { k, limit }: NearestQuery) {
  found.sort(byDistance);
  return {
    completeTo: completeDistance(schemeOf(label).words, k, found[limit]?.distance),
    matches: found.slice(0, limit).map(({ id, fingerprint, distance, losses }) => ({
      ...matchOf(id, fingerprint, distance),
      ...(losses && { losses }),
    })),
  };
}
