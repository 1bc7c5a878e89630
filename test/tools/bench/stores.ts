import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createMemoryIndex, type DocumentIndex, type NewEntry } from 'simhash-doc/lookup';
import { openCassandraIndex } from 'simhash-doc/lookup/cassandra';
import { openFolderIndex } from 'simhash-doc/lookup/folder';
import { openPostgresIndex } from 'simhash-doc/lookup/postgres';
import { type Fingerprint, fingerprintOfWords, wordsOf } from '../../../src/scheme/labels/fingerprint.ts';
import { hasCassandra, startCassandra } from '../../lookup/indexes/stores/cassandra/nodes.ts';
import { hasPostgres, startPostgres } from '../../lookup/indexes/stores/postgres-server.ts';
import { MAIN } from './command.ts';
import { createRandom } from './corpus.ts';
import { inFolder, optionOf, printTable } from './measure.ts';
import { benchUpkeep } from './upkeep.ts';

/** The number of documents: --documents=N. */
const COUNT = Number(optionOf('documents') ?? 1_000_000);
const QUERIES = 20_000;

/** The label of the fingerprints: --label=minhash-doc-256 for 256 bits. */
const LABEL = optionOf('label') ?? 'simhash-doc';
const WORDS = LABEL === 'minhash-doc-256' ? 4 : 1;

/** The stores: all, or those of --only=folder,postgres. */
const ONLY = optionOf('only')?.split(',');

function isWanted(name: string): boolean {
  return ONLY === undefined || ONLY.includes(name);
}

/** The maximum number of documents for Cassandra, whose load is slow on two cores. */
const CASSANDRA_COUNT = 5000;

/** Documents with random fingerprints and with ids of 14 bytes in random order. */
function* documents(count = COUNT): Generator<NewEntry> {
  const random = createRandom(1);
  for (let i = 0; i < count; i++) {
    const words = Array.from({ length: WORDS }, () => (BigInt(random()) << 32n) | BigInt(random()));
    const fingerprint = fingerprintOfWords(words);
    yield { id: `${random().toString(16).padStart(8, '0')}/${i.toString(36).padStart(5, '0')}`, fingerprint };
  }
}

/** Wall-clock and CPU seconds of an action. */
async function timed(action: () => unknown): Promise<{ wall: number; cpu: number }> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await action();
  const { user, system } = process.cpuUsage(before);
  return { wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 };
}

/** The store to measure, and the numbers of documents and queries with it. */
interface Subject {
  readonly name: string;
  readonly index: Pick<DocumentIndex, 'query'> & { addAll(entries: Iterable<NewEntry>): unknown };
  readonly bytes: () => Promise<number>;
  readonly count?: number;
  readonly queries?: number;
}

/** A fingerprint at distance 2, or with each word at distance 2. */
function near(fingerprint: Fingerprint): Fingerprint {
  return fingerprintOfWords(wordsOf('fingerprint', fingerprint).map((word) => word ^ 5n));
}

/** Loads and queries an index; returns a row of the table. */
async function measure({ name, index, bytes, count = COUNT, queries = QUERIES }: Subject): Promise<string[]> {
  const load = await timed(() => index.addAll(documents(count)));
  const stored = await bytes();
  const fingerprints = Array.from(documents(1000), ({ fingerprint }) => near(fingerprint as Fingerprint));
  const times: number[] = [];
  const query = async (i: number): Promise<void> => {
    const start = performance.now();
    await index.query(fingerprints[i % 1000]!);
    times.push(performance.now() - start);
  };
  const first = await timed(() => query(0));
  for (let i = 0; i < Math.min(100, queries); i++) await query(i);
  times.length = 0;
  const warm = await timed(async () => {
    for (let i = 0; i < queries; i++) await query(i);
  });
  times.sort((a, b) => a - b);
  return [
    name,
    count.toLocaleString('en-US'),
    Math.round(count / load.wall).toLocaleString('en-US'),
    Math.round(count / load.cpu).toLocaleString('en-US'),
    (stored / count).toFixed(0),
    (1000 * first.wall).toFixed(1),
    Math.round(queries / warm.wall).toLocaleString('en-US'),
    (1000 * times[times.length >> 1]!).toFixed(1),
  ];
}

/** Wall-clock seconds of a whole `index query`, the best of some. */
function coldCommand(folder: string): string {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [
      MAIN,
      'index',
      'query',
      folder,
      'simhash-doc:GAQM5KRDOWTU4',
    ]);
    if (status !== 0) throw new Error(`index query ended with ${status}: ${stderr}`);
    return (performance.now() - start) / 1000;
  });
  return Math.min(...times).toFixed(2);
}

/** Compares every fingerprint, like a reader without an index. */
function createBruteForce(): Subject['index'] {
  let lanes = new Uint32Array(0);
  const ids: string[] = [];
  return {
    addAll(entries) {
      const fingerprints = Array.from(entries, ({ id, fingerprint }) => {
        ids.push(id);
        return fingerprint as bigint;
      });
      lanes = new Uint32Array(BigUint64Array.from(fingerprints).buffer);
    },
    query(fingerprint) {
      const [a, b] = new Uint32Array(BigUint64Array.of(fingerprint as bigint).buffer) as unknown as [number, number];
      const matches = [];
      for (let i = 0; i < lanes.length; i += 2) {
        const distance = onesIn(lanes[i]! ^ a) + onesIn(lanes[i + 1]! ^ b);
        if (distance > 3) continue;
        matches.push({ id: ids[i / 2]!, fingerprint: 0n, distance, similarity: 1 - distance / 64 });
      }
      return { by: 'scan', completeTo: 3, matches };
    },
  };
}

function onesIn(bits: number): number {
  let x = bits - ((bits >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return (((x + (x >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

async function measureFolder(folder: string): Promise<string[]> {
  const index = await openFolderIndex(folder, { label: LABEL });
  const bytes = async (): Promise<number> =>
    readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const row = await measure({ name: 'folder', index, bytes });
  await index.close();
  return row;
}

async function measurePostgres(): Promise<string[]> {
  const server = await startPostgres();
  try {
    const index = await openPostgresIndex(server.url, { label: LABEL, create: true });
    const row = await measure({ name: 'PostgreSQL', index, bytes: () => bytesOf(index), queries: QUERIES / 10 });
    await index.close();
    return row;
  } finally {
    await server.stop();
  }
}

/** The rows of one node, and of three with three replicas. */
async function measureCassandra(): Promise<string[][]> {
  const rows: string[][] = [];
  for (const size of [1, 3]) {
    const cluster = await startCassandra(size);
    try {
      const url = `cassandra://${cluster.contactPoints.join(',')}/bench`;
      const index = await openCassandraIndex(url, { label: LABEL, create: true });
      const count = Math.min(COUNT, CASSANDRA_COUNT);
      const bytes = async (): Promise<number> => bytesOf(index);
      rows.push(await measure({ name: `Cassandra, ${size} node(s)`, index, bytes, count, queries: 500 }));
      await index.close();
    } finally {
      await cluster.stop();
    }
  }
  return rows;
}

async function bytesOf(index: DocumentIndex): Promise<number> {
  const { bytes } = await index.stats();
  return bytes.fingerprints + bytes.ids;
}

/** Measures persistent indexes and the one in memory: the rates of loads and queries at k = 3, and their size. */
export async function benchStores(): Promise<void> {
  const rows: string[][] = [];
  await inFolder(async (folder) => {
    const memory = createMemoryIndex({ label: LABEL });
    if (isWanted('brute-force') && WORDS === 1) {
      const index = createBruteForce();
      rows.push(await measure({ name: 'brute force', index, bytes: async () => 8 * COUNT, queries: 200 }));
    }
    if (isWanted('memory')) rows.push(await measure({ name: 'memory', index: memory, bytes: () => bytesOf(memory) }));
    memory.close();
    if (isWanted('folder')) rows.push(await measureFolder(join(folder, 'index')));
    if (isWanted('postgres') && hasPostgres) rows.push(await measurePostgres());
    if (isWanted('cassandra') && hasCassandra) rows.push(...(await measureCassandra()));
    if (!hasCassandra) console.log('Cassandra is skipped: Java 17 and Maven are needed\n');
    const head = [
      'store',
      'documents',
      'documents/s',
      'by CPU',
      'bytes each',
      'first query, ms',
      'queries/s',
      'median, µs',
    ];
    if (rows.length > 0) console.log(`${LABEL}, k = 3\n`);
    if (rows.length > 0) printTable([head, ...rows]);
    if (isWanted('folder') && WORDS === 1)
      console.log(`A whole \`index query\` of a folder: ${coldCommand(join(folder, 'index'))} s\n`);
    if (isWanted('upkeep')) await benchUpkeep(folder, COUNT);
  });
}
