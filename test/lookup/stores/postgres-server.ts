import { execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder where Debian has the programs of the server. */
function findPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, 'bin')).find((path) => existsSync(join(path, 'initdb')));
}

const programs = findPrograms();

/** The client of the server's version. */
export const psql = join(programs ?? '', 'psql');

/** True if there is a server to test with. */
export const hasPostgres = programs !== undefined;

/** The server does not run as root. */
function account(): Pick<SpawnOptions, 'uid' | 'gid'> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A port of 127.0.0.1 that nothing listens to now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a server on a free port of 127.0.0.1, with a folder of its own. */
export async function startPostgres() {
  const who = account();
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'simhash-doc-postgres-'));
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid!);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(programs!, 'initdb'),
    ['-D', data, '-U', 'tester', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    { ...who, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const port = await freePort();
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'max_connections=50',
  ];
  const server = spawn(join(programs!, 'postgres'), args, { ...who, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = once(server, 'exit');
  await new Promise<void>((resolve, reject) => {
    let log = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('database system is ready to accept connections')) resolve();
    });
    void exit.then(() => reject(new Error(`postgres: ${log}`)));
  });
  return {
    /** It belongs to the account of the server. */
    folder,
    url: `postgres://tester:secret@127.0.0.1:${port}/postgres`,
    async stop(): Promise<void> {
      server.kill('SIGQUIT');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
