import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { hasCode } from '../../../../errors.ts';
import { type StoreError, storeError, withoutPassword } from '../errors.ts';

/** Runs statements: the pool, or a client in a transaction. */
export interface Runner {
  query<R extends QueryResultRow>(text: string, values?: readonly unknown[], name?: string): Promise<R[]>;
}

/** A pool of connections whose errors have codes. */
export interface Connection extends Runner {
  /** The URL without its password, for messages. */
  readonly place: string;
  /** Runs an action in a transaction, which is rolled back if the action fails. */
  transaction<T>(action: (client: Runner & { readonly client: PoolClient }) => Promise<T>): Promise<T>;
  /** Runs a query and yields its rows, some at a time, as they were when it began. Holds a connection meanwhile. */
  read<R extends QueryResultRow>(text: string): AsyncGenerator<R[], void>;
  close(): Promise<void>;
}

const READ_BATCH = 4096;

/**
 * The settings of each connection. Queries use 16 or 64 indexes and find little: compiling a query, or planning it for each
 * value, takes longer than running it.
 */
const SETTINGS = "SET jit = off; SET plan_cache_mode = 'force_generic_plan'";

/** Makes a pool. Nothing is connected before the first statement. */
export async function createConnection(url: string, size: number): Promise<Connection> {
  const place = withoutPassword(url);
  const { Pool } = (await load(place, () => import('pg'))).default;
  const pool: Pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 30_000,
    // The pool waits for what this returns.
    onConnect: (client) => client.query(SETTINGS),
  });
  // A connection that is lost while nobody uses it: the next statement opens another one.
  pool.on('error', () => {});
  // Each idle connection may be lost.
  const begin = (statement: string) => beginTransaction(pool, place, statement, size);

  return {
    place,
    query: queryOnPool(pool, place, size),
    async transaction(action) {
      const { client, query, end } = await begin('BEGIN');
      let result: Awaited<ReturnType<typeof action>>;
      try {
        result = await action({ query, client });
      } catch (error) {
        await end('ROLLBACK');
        throw explain(place, error);
      }
      await end('COMMIT');
      return result;
    },
    async *read<R extends QueryResultRow>(text: string) {
      const { query, end } = await begin('BEGIN READ ONLY');
      try {
        await query(`DECLARE simhash_doc_rows NO SCROLL CURSOR FOR ${text}`);
        for (;;) {
          const rows = await query<R>(`FETCH ${READ_BATCH} FROM simhash_doc_rows`);
          if (rows.length === 0) return;
          yield rows;
        }
      } finally {
        await end('ROLLBACK');
      }
    },
    close: () => pool.end(),
  };
}

/**
 * Makes a function that runs statements on a pool. A connection that was lost while idle fails only now: a statement that
 * reads is then run on another one, up to `retries` times.
 */
function queryOnPool(pool: Pool, place: string, retries: number): Runner['query'] {
  return async (text, values, name) => {
    for (let left = text.startsWith('SELECT') ? retries : 0; ; left--) {
      const taken = await takeClient(pool, place);
      try {
        const rows = await taken.query(text, values, name);
        taken.release();
        return rows as never;
      } catch (error) {
        const { cause } = error as Error;
        taken.release(isLost(cause) ? (cause as Error) : undefined);
        if (left === 0 || !isLost(cause)) throw error;
      }
    }
  };
}

/** Makes a function that runs statements on a client and translates its errors. */
function queryOn(client: PoolClient, place: string): Runner['query'] {
  return async (text, values = [], name) => {
    try {
      const { rows } = await client.query({ text, values: [...values], ...(name !== undefined && { name }) });
      return rows;
    } catch (error) {
      throw explain(place, error);
    }
  };
}

/**
 * Takes a client and begins a transaction, which `end` ends. If the idle connection was lost, nothing was done yet, so
 * another one is taken, up to `retries` times.
 */
async function beginTransaction(pool: Pool, place: string, statement: string, retries: number) {
  const taken = await takeClient(pool, place);
  try {
    await taken.query(statement);
    return taken;
  } catch (error) {
    await taken.end('ROLLBACK');
    if (retries === 0 || !isLost((error as Error).cause)) throw error;
    return beginTransaction(pool, place, statement, retries - 1);
  }
}

/** Tests whether a statement failed because its connection is gone: reported by the server, the system or, without a code, the package. */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'code' in error
    ? ['57P01', 'ECONNRESET', 'EPIPE'].includes(String(error.code))
    : /^(?:Connection terminated|Client has encountered a connection error)/.test(error.message);
}

async function connect(pool: Pool, place: string): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw explain(place, error);
  }
}

/** Takes a client from the pool; `release` returns it, and a broken one is not used again. */
async function takeClient(pool: Pool, place: string) {
  const client = await connect(pool, place);
  // Without a listener, the loss of the connection would end the process.
  const onError = (): void => {};
  client.on('error', onError);
  const release = (failure?: Error): void => {
    client.off('error', onError);
    client.release(failure);
  };
  const end = async (statement: 'COMMIT' | 'ROLLBACK'): Promise<void> => {
    let failure: Error | undefined;
    try {
      await client.query(statement);
    } catch (error) {
      failure = error as Error;
      if (statement === 'COMMIT') throw explain(place, error);
    } finally {
      release(failure);
    }
  };
  return { client, query: queryOn(client, place), end, release };
}

/** Loads a package that is an optional peer. */
export async function load<T>(place: string, loader: () => Promise<T>): Promise<T> {
  try {
    return await loader();
  } catch (error) {
    throw storeError(
      'missing-package',
      place,
      'the packages pg and pg-copy-streams cannot be loaded: npm install pg pg-copy-streams',
      error,
    );
  }
}

/** Translates an error of the server or of the connection to a `StoreError`. */
function explain(place: string, error: unknown): unknown {
  if (!(error instanceof Error) || hasCode(error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  // It has the URL with the password, so it must not be shown as the cause.
  if (code === 'ERR_INVALID_URL')
    return storeError('unavailable', place, 'not a valid URL: in a password, write / as %2F, # as %23 and ? as %3F');
  if (code === 'ECONNREFUSED') {
    // Node tries all addresses of a host, and joins their errors.
    const [first = error] = error instanceof AggregateError ? error.errors : [];
    const { address, port } = first as { readonly address?: string; readonly port?: number };
    return storeError(
      'unavailable',
      place,
      `no server answers at ${address ?? 'the host'}${port === undefined ? '' : `:${port}`}`,
      error,
    );
  }
  return storeError(CODES[code] ?? CODES[code.slice(0, 2)] ?? 'unavailable', place, error.message || code, error);
}

/** The codes of store errors, by the SQLSTATE of the server or by its class, the first two characters. */
const CODES: Readonly<Record<string, StoreError['code']>> = {
  '28': 'no-permission',
  '42501': 'no-permission',
  '3D000': 'not-found',
  '3F000': 'not-found',
  '42P01': 'not-an-index',
  '25006': 'read-only',
  '53100': 'no-space',
};
