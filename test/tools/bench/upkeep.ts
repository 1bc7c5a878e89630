import { closeSync, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { cost, MAIN } from './command.ts';
import { createRandom } from './corpus.ts';
import { optionOf, printTable } from './measure.ts';

const PER_FILE = Number(optionOf('per-file') ?? 10_000);

/** Writes a WARC file of short texts, some of its own. */
function writeFile(path: string, file: number, count: number, version: number): void {
  const random = createRandom(1 + file + 1_000_003 * version);
  const fd = openSync(path, 'w');
  let buffer = '';
  for (let i = 0; i < count; i++) {
    const text = Array.from({ length: 20 }, () => (random() % 50_000).toString(36)).join(' ');
    const head = `WARC-Type: resource\r\nWARC-Target-URI: https://example.org/${file}/${i}\r\nContent-Type: text/plain\r\n`;
    buffer += `WARC/1.0\r\n${head}Content-Length: ${text.length}\r\n\r\n${text}\r\n\r\n`;
    if (buffer.length < 1 << 20 && i < count - 1) continue;
    writeSync(fd, buffer);
    buffer = '';
  }
  closeSync(fd);
}

function writeFiles(folder: string, count: number, version: number, share: number): void {
  const files = Math.ceil(count / PER_FILE);
  for (let file = 0; file < files * share; file++) {
    const inside = join(folder, String(file % 1000));
    if (file < 1000) mkdirSync(inside, { recursive: true });
    writeFile(join(inside, `${file}.warc`), file, Math.min(PER_FILE, count - file * PER_FILE), version);
  }
}

/** Zeroes a page in the middle of the largest file of an index. */
function damage(store: string): void {
  const files = readdirSync(store).map((name) => join(store, name));
  const largest = files.sort((a, b) => statSync(b).size - statSync(a).size)[0]!;
  const fd = openSync(largest, 'r+');
  writeSync(fd, new Uint8Array(4096), 0, 4096, Math.floor(statSync(largest).size / 8));
  closeSync(fd);
}

/** The work on an index in a folder from its documents to its repair, as whole commands; `--per-file=N` documents to a file. */
export async function benchUpkeep(root: string, count: number): Promise<void> {
  const [files, store, copy, lines] = ['files', 'store', 'copy', 'lines.jsonl'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  const rows: string[][] = [];
  const run = async (name: string, args: readonly string[], mayFail = false): Promise<void> => {
    const command = [
      'exec "$@" > "$0"',
      name === 'export' ? lines : '/dev/null',
      process.execPath,
      MAIN,
      'index',
      ...args,
    ];
    const { seconds, cpu, peak } = await cost('sh', ['-c', ...command], mayFail);
    rows.push([name, seconds.toFixed(2), cpu?.toFixed(2) ?? '', peak === null ? '' : String(Math.round(peak / 1e6))]);
    console.error(rows.at(-1)!.join('  '));
  };
  writeFiles(files, count, 0, 1);
  await run('sync, all new', ['sync', '-q', store, files]);
  await run('sync, nothing changed', ['sync', '-q', store, files]);
  writeFiles(files, count, 1, 0.01);
  await run('sync, 1 % changed', ['sync', '-q', store, files]);
  await run('query, one fingerprint', ['query', store, 'Y4IDL27C3F2V3B4KQFXMBJS3D72R4YDG5GIWW5U5BXGNYSDXTIFA']);
  await run('stats', ['stats', store]);
  await run('verify', ['verify', store]);
  await run('export', ['export', store]);
  await run('import of what was exported', ['import', copy, lines]);
  damage(store);
  await run('verify, one page damaged', ['verify', store], true);
  await run('export, one page damaged', ['export', store], true);
  console.log(`${count.toLocaleString('en-US')} documents in files of ${PER_FILE}\n`);
  printTable([['whole command', 's', 'CPU s', 'peak, MB'], ...rows]);
}
