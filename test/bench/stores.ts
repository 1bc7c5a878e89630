import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryIndex, type DocumentIndex, type NewEntry } from 'simhash-doc/lookup';
import { openLmdbIndex } from 'simhash-doc/lookup/lmdb';
import { openPostgresIndex } from 'simhash-doc/lookup/postgres';
import { hasPostgres, startPostgres } from '../lookup/index/stores/postgres-server.ts';
import { createRandom } from './corpus.ts';
import { printTable } from './measure.ts';

/** How many documents: --documents=N. */
const COUNT = Number(process.argv.find((each) => each.startsWith('--documents='))?.split('=')[1] ?? 1_000_000);
const QUERIES = 20_000;

/** Documents with random fingerprints and with ids of 14 octets in random order. */
function* documents(): Generator<NewEntry> {
  const random = createRandom(1);
  for (let i = 0; i < COUNT; i++) {
    const fingerprint = (BigInt(random()) << 32n) | BigInt(random());
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

/** Loads and queries an index; returns a row of the table. */
async function measure(name: string, index: DocumentIndex, octets: () => Promise<number>): Promise<string[]> {
  const load = await timed(() => index.addAll(documents()));
  const stored = await octets();
  const fingerprints = Array.from({ length: 1000 }, () => 0n);
  let filled = 0;
  for (const { fingerprint } of documents()) if (filled < 1000) fingerprints[filled++] = fingerprint as bigint;
  const times: number[] = [];
  const query = async (i: number): Promise<void> => {
    const start = performance.now();
    await index.query(fingerprints[i % 1000]! ^ 5n);
    times.push(performance.now() - start);
  };
  const first = await timed(() => query(0));
  for (let i = 0; i < 100; i++) await query(i);
  times.length = 0;
  const count = name.startsWith('PostgreSQL') ? QUERIES / 10 : QUERIES;
  const warm = await timed(async () => {
    for (let i = 0; i < count; i++) await query(i);
  });
  times.sort((a, b) => a - b);
  return [
    name,
    Math.round(COUNT / load.wall).toLocaleString('en-US'),
    Math.round(COUNT / load.cpu).toLocaleString('en-US'),
    (stored / COUNT).toFixed(0),
    (1000 * first.wall).toFixed(1),
    Math.round(count / warm.wall).toLocaleString('en-US'),
    (1000 * times[times.length >> 1]!).toFixed(1),
  ];
}

/** Wall-clock seconds of a whole `index query`, the best of some. */
function coldCommand(folder: string): string {
  const main = new URL('../../dist/cli/main.js', import.meta.url).pathname;
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    spawnSync(process.execPath, [main, 'index', 'query', folder, 'simhash-doc:GAQM5KRDOWTU4']);
    return (performance.now() - start) / 1000;
  });
  return Math.min(...times).toFixed(2);
}

/** Indexes that last, beside the one in memory: how fast they load and answer at k = 3, and the room they take. */
export async function benchStores(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-bench-'));
  const rows: string[][] = [];
  try {
    const memory = createMemoryIndex({ label: 'simhash-doc' });
    const octetsOf = async (index: DocumentIndex): Promise<number> => {
      const { octets } = await index.stats();
      return octets.fingerprints + octets.ids;
    };
    rows.push(await measure('memory', memory, () => octetsOf(memory)));
    memory.close();
    const lmdb = await openLmdbIndex(join(folder, 'lmdb'), { label: 'simhash-doc' });
    rows.push(await measure('LMDB', lmdb, async () => statSync(join(folder, 'lmdb', 'data.mdb')).size));
    await lmdb.close();
    if (hasPostgres) {
      const server = await startPostgres();
      const postgres = await openPostgresIndex(server.url, { label: 'simhash-doc', create: true });
      rows.push(await measure('PostgreSQL', postgres, () => octetsOf(postgres)));
      await postgres.close();
      await server.stop();
    }
    const head = ['store', 'documents/s', 'by CPU', 'octets each', 'first query, ms', 'queries/s', 'median, µs'];
    console.log(`${COUNT.toLocaleString('en-US')} documents, k = 3\n`);
    printTable([head, ...rows]);
    console.log(`A whole \`index query\` of a folder: ${coldCommand(join(folder, 'lmdb'))} s\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
