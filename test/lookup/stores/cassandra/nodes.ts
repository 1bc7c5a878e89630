import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import cassandra from 'cassandra-driver';
import { freePort } from '../free-port.ts';

/** From the root of the repository, where tests and benchmarks are started. */
const POM = resolve('test/lookup/stores/cassandra/pom.xml');
/** The folder where Maven puts what a node needs: 64 MB. */
const LIBRARIES = resolve('build/cassandra');

/** The time that a node may take to start, and until the others detect it, in milliseconds. */
const START_TIME = 180_000;

/** Java 17: Cassandra 5.0 runs on nothing later. */
function findJava(): string | undefined {
  const root = '/usr/lib/jvm';
  const names = existsSync(root) ? readdirSync(root).filter((name) => /(?:^|\D)17(?:\D|$)/.test(name)) : [];
  return names.map((name) => join(root, name, 'bin', 'java')).find((path) => existsSync(path));
}

const java = findJava();

/** True if there is what nodes need. Only Linux has all addresses of 127.0.0.0/8. */
export const hasCassandra =
  process.platform === 'linux' && java !== undefined && spawnSync('mvn', ['--version']).status === 0;

function fetchLibraries(): void {
  if (existsSync(LIBRARIES)) return;
  const folder = `${LIBRARIES}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  execFileSync('mvn', ['-B', '-q', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  renameSync(folder, LIBRARIES);
}

const EXPORTS = [
  ...['java.base/java.lang.ref', 'java.base/jdk.internal.misc', 'java.base/jdk.internal.ref', 'java.base/sun.nio.ch'],
  ...['java.management.rmi/com.sun.jmx.remote.internal.rmi', 'java.rmi/sun.rmi.registry', 'java.rmi/sun.rmi.server'],
  ...['java.rmi/sun.rmi.transport.tcp', 'java.sql/java.sql'],
];
const OPENS = [
  ...['java.base/java.io', 'java.base/java.lang', 'java.base/java.lang.module', 'java.base/java.lang.reflect'],
  ...['java.base/java.net', 'java.base/java.nio', 'java.base/java.util', 'java.base/java.util.concurrent'],
  ...['java.base/java.util.concurrent.atomic', 'java.base/jdk.internal.loader', 'java.base/jdk.internal.math'],
  ...['java.base/jdk.internal.module', 'java.base/jdk.internal.ref', 'java.base/jdk.internal.reflect'],
  ...['java.base/jdk.internal.util.jar', 'java.base/sun.nio.ch', 'jdk.management/com.sun.management.internal'],
];

interface Cluster {
  readonly folder: string;
  readonly addresses: readonly string[];
  readonly port: number;
  readonly storagePort: number;
}

function configurationOf({ folder, addresses, port, storagePort }: Cluster, index: number): string {
  const data = join(folder, String(index));
  // One token for each node, at the same distances.
  const token = BigInt(index) * (2n ** 64n / BigInt(addresses.length)) - 2n ** 63n;
  return `cluster_name: simhash-doc
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
num_tokens: 1
initial_token: ${token}
endpoint_snitch: SimpleSnitch
listen_address: ${addresses[index]}
rpc_address: ${addresses[index]}
native_transport_port: ${port}
storage_port: ${storagePort}
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: "${addresses.map((address) => `${address}:${storagePort}`).join(',')}"
data_file_directories: [${data}/data]
commitlog_directory: ${data}/commitlog
saved_caches_directory: ${data}/caches
hints_directory: ${data}/hints
commitlog_sync: periodic
commitlog_sync_period: 1000ms
commitlog_segment_size: 8MiB
commitlog_total_space: 256MiB
hints_flush_period: 1000ms
auto_snapshot: false
memtable_heap_space: 96MiB
memtable_offheap_space: 32MiB
file_cache_size: 32MiB
networking_cache_size: 16MiB
concurrent_reads: 8
concurrent_writes: 16
`;
}

const LOGGING =
  '<configuration><appender name="out" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>%level %msg%n</pattern></encoder></appender><root level="INFO"><appender-ref ref="out"/></root></configuration>';

/** The node ends with this process, whatever happens to it: then the standard input of the shell ends. */
const SUPERVISOR = 'exec 3<&0; "$@" </dev/null 2>&1 3<&- & node=$!; echo "PID $node"; read -r _ <&3; kill -9 $node';

interface Node {
  readonly pid: number;
  until(text: string, times?: number): Promise<void>;
  count(text: string): number;
  kill(): Promise<void>;
}

async function startNode(cluster: Cluster, index: number): Promise<Node> {
  const data = join(cluster.folder, String(index));
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'cassandra.yaml'), configurationOf(cluster, index));
  writeFileSync(join(data, 'logback.xml'), LOGGING);
  const agent = readdirSync(LIBRARIES).find((name) => /^jamm-.*\.jar$/.test(name))!;
  const args = [
    ...['-Xms512m', '-Xmx512m', '-Xss512k', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
    ...EXPORTS.map((name) => `--add-exports=${name}=ALL-UNNAMED`),
    ...OPENS.map((name) => `--add-opens=${name}=ALL-UNNAMED`),
    '-Djdk.attach.allowAttachSelf=true',
    `-javaagent:${join(LIBRARIES, agent)}`,
    `-Dcassandra.config=file://${data}/cassandra.yaml`,
    `-Dcassandra.storagedir=${data}`,
    `-Dlogback.configurationFile=${data}/logback.xml`,
    '-Dcassandra-foreground=yes',
    '-Dcassandra.skip_wait_for_gossip_to_settle=0',
    '-Dcassandra.ring_delay_ms=1000',
    '-cp',
    `${LIBRARIES}/*`,
    'org.apache.cassandra.service.CassandraDaemon',
  ];
  const shell = spawn('sh', ['-c', SUPERVISOR, 'sh', java!, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  let log = '';
  const waiting = new Set<() => void>();
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    log += text;
    for (const check of waiting) check();
  });
  const count = (text: string): number => log.split(text).length - 1;
  function until(text: string, times = 1): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        clearTimeout(timer);
        waiting.delete(check);
        shell.off('exit', onExit);
        if (error === undefined) resolve();
        else reject(error);
      };
      const check = (): void => {
        if (count(text) >= times) end();
      };
      const tail = (): string => `node ${index + 1}: no ${JSON.stringify(text)} in:\n${log.slice(-4000)}`;
      const onExit = (): void => end(new Error(tail()));
      const timer = setTimeout(() => end(new Error(tail())), START_TIME);
      shell.once('exit', onExit);
      waiting.add(check);
      check();
    });
  }
  await until('PID ');
  const pid = Number(/^PID ([0-9]+)$/m.exec(log)![1]);
  return {
    pid,
    until,
    count,
    async kill() {
      if (shell.exitCode !== null || shell.signalCode !== null) return;
      const exit = once(shell, 'exit');
      shell.stdin.end();
      await exit;
    },
  };
}

/** Waits until a node can report all others to a client: on a busy machine, that is long after they are up. */
async function settle(contactPoint: string, size: number): Promise<void> {
  const until = performance.now() + START_TIME;
  for (;;) {
    const client = new cassandra.Client({
      contactPoints: [contactPoint],
      localDataCenter: 'datacenter1',
      protocolOptions: { port: Number(contactPoint.split(':')[1]) },
    });
    try {
      await client.connect();
      if (client.hosts.length === size) return;
    } catch (error) {
      if (performance.now() > until) throw error;
    } finally {
      await client.shutdown();
    }
    if (performance.now() > until) throw new Error(`${contactPoint}: does not know all ${size} nodes`);
    await delay(250);
  }
}

const STARTED = 'Starting listening for CQL clients';

/**
 * Starts nodes on 127.0.0.1 and the addresses after it, with folders and ports of their own, and waits until they see each
 * other.
 */
export async function startCassandra(size = 3) {
  fetchLibraries();
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'simhash-doc-cassandra-'));
  const addresses = Array.from({ length: size }, (_, index) => `127.0.0.${index + 1}`);
  const cluster = { folder, addresses, port: await freePort(), storagePort: await freePort() };
  const contactPoints = addresses.map((address) => `${address}:${cluster.port}`);
  const nodes: Node[] = [];
  async function stop(): Promise<void> {
    await Promise.all(nodes.map((node) => node.kill()));
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  const upLine = (index: number): string => `${addresses[index]}:${cluster.storagePort} is now UP`;
  try {
    for (let index = 0; index < size; index++) nodes.push(await startNode(cluster, index));
    await Promise.all(nodes.map((node) => node.until(STARTED)));
    await Promise.all(
      nodes.flatMap((node, index) =>
        addresses.flatMap((_, other) => (other === index ? [] : [node.until(upLine(other))])),
      ),
    );
    await Promise.all(contactPoints.map((contactPoint) => settle(contactPoint, size)));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    contactPoints,
    stop,
    kill: (index: number): Promise<void> => nodes[index]!.kill(),
    /** Starts a node that was killed, and waits until those that run detect it. */
    async restart(index: number, running: readonly number[]): Promise<void> {
      const before = running.map((other) => nodes[other]!.count(upLine(index)));
      nodes[index] = await startNode(cluster, index);
      await nodes[index].until(STARTED);
      await Promise.all(running.map((other, i) => nodes[other]!.until(upLine(index), before[i]! + 1)));
    },
  };
}
