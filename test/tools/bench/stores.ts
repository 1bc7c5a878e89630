import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMemoryIndex, type DocumentIndex, type NewEntry } from 'simhash-doc/lookup';
import { openFolderIndex } from 'simhash-doc/lookup/folder';
import { openPostgresIndex } from 'simhash-doc/lookup/postgres';
import { type Fingerprint, fingerprintOfWords, wordsOf } from '../../../src/scheme/labels/fingerprint.ts';
import { hasPostgres, startPostgres } from '../../lookup/stores/postgres-server.ts';
import { createRandom } from './corpus.ts';
import { cost, inFolder, MAIN, optionOf, printTable } from './measure.ts';

/** The number of documents: --documents=N. */
const COUNT = Number(optionOf('documents') ?? 1_000_000);
const QUERIES = 20_000;
/** The label of the fingerprints: --label=minhash-doc-256 for 256 bits. */
const LABEL = optionOf('label') ?? 'simhash-doc';
const WORDS = LABEL === 'minhash-doc-256' ? 4 : 1;

/** Documents with random fingerprints and with ids of 14 bytes in random order. */
function* documents(count = COUNT): Generator<NewEntry & { readonly fingerprint: Fingerprint }> {
  const random = createRandom(1);
  for (let i = 0; i < count; i++) {
    const words = Array.from({ length: WORDS }, () => (BigInt(random()) << 32n) | BigInt(random()));
    const id = `${random().toString(16).padStart(8, '0')}/${i.toString(36).padStart(5, '0')}`;
    yield { id, fingerprint: fingerprintOfWords(words) };
  }
}

/** Wall-clock and CPU seconds of an action. */
async function timed(action: () => unknown): Promise<{ wall: number; cpu: number }> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await action();
  const { user, system } = process.cpuUsage(before);
  return { wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 };
}

/** The store to measure, and the number of queries with it. */
interface Subject {
  readonly name: string;
  readonly index: Pick<DocumentIndex, 'query' | 'stats'> & { addAll(entries: Iterable<NewEntry>): unknown };
  readonly bytes?: () => number;
  readonly queries?: number;
}

/** Loads and queries an index at k = 3; returns a row of the table. */
async function measure({ name, index, bytes, queries = QUERIES }: Subject): Promise<string[]> {
  const load = await timed(() => index.addAll(documents(COUNT)));
  const { bytes: known } = await index.stats();
  const stored = bytes?.() ?? known.fingerprints + known.ids;
  // At distance 2, or with each word at distance 2.
  const near = Array.from(documents(1000), ({ fingerprint }) =>
    fingerprintOfWords(wordsOf('fingerprint', fingerprint).map((word) => word ^ 5n)),
  );
  const first = await timed(() => index.query(near[0]!));
  for (const fingerprint of near.slice(0, 100)) await index.query(fingerprint);
  const times: number[] = [];
  for (let i = 0; i < queries; i++) times.push((await timed(() => index.query(near[i % 1000]!))).wall);
  const total = times.reduce((sum, time) => sum + time, 0);
  times.sort((a, b) => a - b);
  return [
    name,
    ...[COUNT, COUNT / load.wall, COUNT / load.cpu].map((value) => Math.round(value).toLocaleString('en-US')),
    (stored / COUNT).toFixed(0),
    (1000 * first.wall).toFixed(1),
    Math.round(queries / total).toLocaleString('en-US'),
    (1e6 * times[times.length >> 1]!).toFixed(1),
  ];
}

const STORES: Readonly<Record<string, (folder: string) => Promise<string[][]>>> = {
  memory: async () => [await measure({ name: 'memory', index: createMemoryIndex({ label: LABEL }) })],
  async folder(root) {
    const folder = join(root, 'index');
    const index = await openFolderIndex(folder, { label: LABEL, create: true });
    const bytes = () => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const row = await measure({ name: 'folder', index, bytes });
    await index.close();
    return [row];
  },
  async postgres() {
    if (!hasPostgres) return [];
    const server = await startPostgres();
    const index = await openPostgresIndex(server.url, { label: LABEL, create: true });
    const row = await measure({ name: 'PostgreSQL', index, queries: QUERIES / 10 });
    await index.close();
    await server.stop();
    return [row];
  },
};

/** Measures the indexes, and the work on one in a folder as whole commands (`--only=folder,postgres` and `--only=upkeep`). */
export async function benchStores(): Promise<void> {
  const only = optionOf('only')?.split(',') ?? [...Object.keys(STORES), 'upkeep'];
  await inFolder(async (folder) => {
    const rows: string[][] = [];
    for (const [name, run] of Object.entries(STORES)) if (only.includes(name)) rows.push(...(await run(folder)));
    const head = ['documents', 'documents/s', 'by CPU', 'bytes each', 'first query, ms', 'queries/s', 'median, µs'];
    if (rows.length > 0) printTable([[`${LABEL}, k = 3`, ...head], ...rows]);
    if (only.includes('upkeep')) await benchUpkeep(folder);
  });
}

/** Documents in a WARC file. */
const PER_FILE = 10_000;

/** Writes WARC files of short texts for a share of the documents. */
function writeFiles(folder: string, version: number, share: number): void {
  for (let file = 0; file * PER_FILE < COUNT * share; file++) {
    const random = createRandom(1 + file + 1_000_003 * version);
    const inside = join(folder, String(file % 1000));
    mkdirSync(inside, { recursive: true });
    const records = Array.from({ length: Math.min(PER_FILE, COUNT - file * PER_FILE) }, (_, i) => {
      const text = Array.from({ length: 20 }, () => (random() % 50_000).toString(36)).join(' ');
      const target = `WARC-Target-URI: https://example.org/${file}/${i}`;
      const head = `WARC/1.0\r\nWARC-Type: resource\r\n${target}\r\nContent-Type: text/plain`;
      return `${head}\r\nContent-Length: ${text.length}\r\n\r\n${text}\r\n\r\n`;
    });
    writeFileSync(join(inside, `${file}.warc`), records.join(''));
  }
}

/** The work on an index in a folder from its documents to its export. */
async function benchUpkeep(root: string): Promise<void> {
  const path = (name: string): string => join(root, name);
  const [files, store, lines] = [path('files'), path('store'), path('lines.jsonl')];
  const rows: string[][] = [];
  const run = async (name: string, args: readonly string[]): Promise<void> => {
    const output = name === 'export' ? lines : '/dev/null';
    const command = ['-c', 'exec "$@" > "$0"', output, process.execPath, MAIN, 'index', ...args];
    const { seconds, cpu, peak } = await cost('sh', command);
    rows.push([name, seconds.toFixed(2), cpu.toFixed(2), peak.toFixed()]);
  };
  writeFiles(files, 0, 1);
  await run('sync, all new', ['sync', '-q', store, files]);
  await run('sync, nothing changed', ['sync', '-q', store, files]);
  writeFiles(files, 1, 0.01);
  await run('sync, 1 % changed', ['sync', '-q', store, files]);
  await run('query, one fingerprint', ['query', store, 'Y4IDL27C3F2V3B4KQFXMBJS3D72R4YDG5GIWW5U5BXGNYSDXTIFA']);
  await run('stats', ['stats', store]);
  await run('verify', ['verify', store]);
  await run('export', ['export', store]);
  await run('import of what was exported', ['import', path('copy'), lines]);
  printTable([[`whole command, ${COUNT.toLocaleString('en-US')} documents`, 's', 'CPU s', 'peak, MB'], ...rows]);
}
