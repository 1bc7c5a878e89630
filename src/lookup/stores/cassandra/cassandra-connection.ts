import { setTimeout as delay } from 'node:timers/promises';
import type { Client, QueryOptions } from 'cassandra-driver';
import { hasCode } from '../../../errors.ts';
import { loadPackage, storeError } from '../store-errors.ts';
import type { Target } from './cassandra-url.ts';

export interface Statement {
  readonly query: string;
  readonly params: unknown[];
}

export type Row = Readonly<Record<string, unknown>>;

/** Connections to a cluster. A statement that may succeed later is retried: running it twice has the same effect as once. */
export type Connection = ReturnType<typeof createConnection>;

const PAGE_ROWS = 4096;

/** The waits before a statement is tried again, in milliseconds. */
const FIRST_DELAY = 100;
const MAX_DELAY = 1000;

/** The time during which a statement is retried, in milliseconds: it takes nodes some 20 seconds to agree which of them are gone. */
const MAX_TIME = 30_000;
/** The time during which a cluster of which no node answers is retried. */
const MAX_CONNECTING = 3000;

/** The timeout for the answer of a node in milliseconds: more than its own limits. */
const READ_TIMEOUT = 12_000;
/** Changes of the schema wait until all nodes agree: one that does not have a table yet refuses writes to it. */
const DEFINE_TIMEOUT = 60_000;

export async function connect(target: Target): Promise<Connection> {
  const { place } = target;
  const { default: driver } = await loadPackage(place, ['cassandra-driver'], () => import('cassandra-driver'));
  const { types, policies } = driver;
  const client = new driver.Client({
    contactPoints: [...target.contactPoints],
    protocolOptions: { port: target.port, maxSchemaAgreementWaitSeconds: DEFINE_TIMEOUT / 1000 },
    ...(target.datacenter !== undefined && { localDataCenter: target.datacenter }),
    ...(target.credentials !== undefined && { credentials: target.credentials }),
    ...(target.tls && { sslOptions: { rejectUnauthorized: true } }),
    policies: {
      // The only data centre, if none is named.
      ...(target.datacenter === undefined && {
        loadBalancing: new policies.loadBalancing.TokenAwarePolicy(new policies.loadBalancing.RoundRobinPolicy()),
      }),
      reconnection: new policies.reconnection.ExponentialReconnectionPolicy(500, 10_000),
    },
    encoding: { useBigIntAsLong: true },
    socketOptions: { readTimeout: READ_TIMEOUT },
    queryOptions: { prepare: true, isIdempotent: true },
  });
  try {
    await client.connect().catch((error: unknown) => {
      throw explain(place, error);
    });
    const datacenters = new Map<string, number>();
    for (const { datacenter } of client.hosts.values())
      datacenters.set(datacenter, (datacenters.get(datacenter) ?? 0) + 1);
    if (target.datacenter === undefined && datacenters.size > 1)
      throw storeError(
        'unavailable',
        place,
        `the cluster has the data centres ${[...datacenters.keys()].join(', ')}: expected ?datacenter=NAME`,
      );
    return createConnection(place, client, datacenters, {
      read: { consistency: types.consistencies[levelOf(target.read)] },
      write: { consistency: types.consistencies[levelOf(target.write)] },
    });
  } catch (error) {
    await client.shutdown();
    throw error;
  }
}

function levelOf(name: Target['read']) {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as 'localQuorum';
}

function createConnection(
  place: string,
  client: Client,
  datacenters: ReadonlyMap<string, number>,
  levels: Readonly<Record<'read' | 'write', QueryOptions>>,
) {
  const execute = (query: string, params: unknown[], options: QueryOptions, effect?: string) =>
    attempt(place, () => client.execute(query, params, options), effect);

  async function* pages(query: string, params: unknown[] = []): AsyncGenerator<readonly Row[], void> {
    let pageState: string | undefined;
    do {
      const more = pageState === undefined ? {} : { pageState };
      const result = await execute(query, params, { ...levels.read, fetchSize: PAGE_ROWS, ...more });
      yield result.rows as unknown as Row[];
      pageState = result.pageState ?? undefined;
    } while (pageState !== undefined);
  }

  return {
    place,
    /** The number of nodes in each data centre. */
    datacenters,
    pages,
    async read(query: string, params?: unknown[]): Promise<Row[]> {
      const rows: Row[] = [];
      for await (const page of pages(query, params)) for (const row of page) rows.push(row);
      return rows;
    },
    async write(query: string, params: unknown[]): Promise<void> {
      await execute(query, params, levels.write, UNKNOWN);
    },
    /** Writes all or nothing with one timestamp, in microseconds. */
    async batch(statements: readonly Statement[], timestamp: number): Promise<void> {
      await attempt(place, () => client.batch([...statements], { ...levels.write, logged: true, timestamp }), UNKNOWN);
    },
    async define(query: string): Promise<void> {
      await execute(query, [], { ...levels.write, prepare: false, readTimeout: DEFINE_TIMEOUT });
    },
    close: () => client.shutdown(),
  };
}

const UNKNOWN = '; outcome unknown: some of these changes may be written';

async function attempt<T>(place: string, action: () => Promise<T>, effect?: string): Promise<T> {
  const start = performance.now();
  for (let tries = 1; ; tries++)
    try {
      return await action();
    } catch (error) {
      if (performance.now() - start > patienceFor(error)) throw explain(place, error, effect);
      await delay(Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (tries - 1)));
    }
}

/** Codes of the protocol: unavailable, overloaded, starting, write and read timeouts, read and write failures. */
const TRANSIENT = new Set([0x1000, 0x1001, 0x1002, 0x1100, 0x1200, 0x1300, 0x1500]);
const AUTHENTICATION = new Set([0x0100, 0x2100]);

interface DriverError {
  readonly name?: string;
  readonly code?: unknown;
  readonly innerErrors?: Readonly<Record<string, Error | undefined>>;
}

function patienceFor(error: unknown): number {
  const { name, code, innerErrors } = error as DriverError;
  if (name === 'OperationTimedOutError' || TRANSIENT.has(Number(code))) return MAX_TIME;
  if (name !== 'NoHostAvailableError') return -1;
  const inner = Object.values(innerErrors ?? {}).map((each = new Error()) => each);
  return inner.some((each) => isRefused(each)) ? -1 : Math.max(MAX_CONNECTING, ...inner.map(patienceFor));
}

function isRefused({ name, code }: DriverError): boolean {
  return name === 'AuthenticationError' || AUTHENTICATION.has(Number(code));
}

function explain(place: string, error: unknown, effect = ''): unknown {
  if (!(error instanceof Error) || hasCode(error)) return error;
  const { name, code, innerErrors } = error as DriverError;
  const inner = Object.entries(innerErrors ?? {}).map(([host, each]) => [host, each ?? new Error()] as const);
  if (isRefused({ name: name!, code }) || inner.some(([, each]) => isRefused(each)))
    return storeError('no-permission', place, inner[0]?.[1].message ?? error.message, error);
  const reasons = inner.map(([host, { message }]) => `${host}: ${message || 'not connected'}`).join('; ');
  const message =
    name === 'NoHostAvailableError' ? `no node can be reached${reasons && ` (${reasons})`}` : error.message;
  return storeError('unavailable', place, message.trim() + effect, error);
}

/**
 * Runs an action for each item, a limited number at a time; returns the results in their order. If one fails, it starts
 * no more and awaits the running ones.
 */
export async function mapLimited<T, R>(
  items: readonly T[],
  max: number,
  action: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failures: unknown[] = [];
  let next = 0;
  async function work(): Promise<void> {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await action(items[index]!, index);
      } catch (error) {
        failures.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
