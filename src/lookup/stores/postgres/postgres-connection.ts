import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { hasCode } from '../../../errors.ts';
import { type StoreError, storeError, withoutPassword } from '../store-errors.ts';

export interface Runner {
  query<R extends QueryResultRow>(text: string, values?: readonly unknown[], name?: string): Promise<R[]>;
}

/** A pool of connections. Nothing is connected before the first statement. */
export type Connection = Awaited<ReturnType<typeof createConnection>>;

const READ_BATCH = 4096;

/**
 * The settings of each connection. Queries use 16 or 64 indexes and find little: compiling a query, or planning it for each
 * value, takes longer than running it.
 */
const SETTINGS = "SET jit = off; SET plan_cache_mode = 'force_generic_plan'";

const NOTHING = '; nothing of this transaction was written';
const UNKNOWN = '; outcome unknown: this transaction was written as a whole or not at all';

export async function createConnection(url: string, size: number) {
  const place = withoutPassword(url);
  const { Pool } = (await loadPackage(place, () => import('pg'))).default;
  const pool: Pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    // The pool waits for what this returns.
    onConnect: (client) => client.query(SETTINGS),
  });
  // A connection that is lost while nobody uses it: the next statement opens another one.
  pool.on('error', () => {});

  /**
   * Runs a first statement on a client. If its connection was lost, which may have been while it was idle, a statement that
   * changes nothing is run on another one, as often as there are connections.
   */
  async function start(text: string, values?: readonly unknown[], name?: string) {
    const changesNothing = /^(?:SELECT|BEGIN)/.test(text);
    for (let left = changesNothing ? size : 0; ; left--) {
      const taken = await takeClient(pool, place);
      try {
        return { ...taken, rows: await taken.query(text, values, name) };
      } catch (error) {
        const isLost = await taken.releaseAfter(error);
        if (left > 0 && isLost) continue;
        throw explain(place, error, changesNothing ? '' : isLost ? UNKNOWN : NOTHING);
      }
    }
  }

  return {
    place,
    async query<R extends QueryResultRow>(text: string, values?: readonly unknown[], name?: string): Promise<R[]> {
      const { rows, release } = await start(text, values, name);
      release();
      return rows as never;
    },
    /**
     * Runs an action in a transaction, which is rolled back if the action fails. An error says that nothing was written, or, if
     * the answer to COMMIT was lost, that the outcome is unknown.
     */
    async transaction<T>(action: (client: Runner & { readonly client: PoolClient }) => Promise<T>): Promise<T> {
      const { client, query, end } = await start('BEGIN');
      let result: T;
      try {
        result = await action({ query, client });
      } catch (error) {
        await end('ROLLBACK');
        throw explain(place, error, NOTHING);
      }
      const failure = await end('COMMIT');
      if (failure === undefined) return result;
      throw explain(place, failure.error, failure.isLost ? UNKNOWN : NOTHING);
    },
    /** Runs an action that reads, with one state of the database for all its statements. */
    async snapshot<T>(action: (runner: Runner) => Promise<T>): Promise<T> {
      const { query, end } = await start('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      try {
        return await action({ query });
      } catch (error) {
        throw explain(place, error);
      } finally {
        await end('ROLLBACK');
      }
    },
    /** Yields the rows of a query, some at a time, as they were when it began. Holds a connection meanwhile. */
    async *read<R extends QueryResultRow>(text: string): AsyncGenerator<R[], void> {
      const { query, end } = await start('BEGIN READ ONLY');
      try {
        await query(`DECLARE simhash_doc_rows NO SCROLL CURSOR FOR ${text}`);
        for (;;) {
          const rows = await query<R>(`FETCH ${READ_BATCH} FROM simhash_doc_rows`);
          if (rows.length === 0) return;
          yield rows;
        }
      } catch (error) {
        throw explain(place, error);
      } finally {
        await end('ROLLBACK');
      }
    },
    close: () => pool.end(),
  };
}

/** Takes a client from the pool. Errors of its statements are errors of the package. */
async function takeClient(pool: Pool, place: string) {
  // In a call of its own, as it throws at once for an invalid URL.
  const client = await (async () => pool.connect())().catch((error: unknown) => {
    throw explain(place, error);
  });
  // Without a listener, the loss of the connection would end the process.
  const onError = (): void => {};
  client.on('error', onError);
  const query: Runner['query'] = async (text, values = [], name) =>
    (await client.query({ text, values: [...values], ...(name !== undefined && { name }) })).rows;

  function release(failure?: Error): void {
    client.off('error', onError);
    client.release(failure);
  }

  /** Releases the client after a statement failed; returns whether the connection is lost, and not only the statement. */
  async function releaseAfter(error: unknown): Promise<boolean> {
    const isLost = await client.query('SELECT 1').then(
      () => false,
      () => true,
    );
    release(isLost ? (error as Error) : undefined);
    return isLost;
  }

  return {
    client,
    query,
    release,
    releaseAfter,
    /** Ends a transaction and releases the client; returns the error if that failed. */
    async end(statement: 'COMMIT' | 'ROLLBACK') {
      try {
        await client.query(statement);
      } catch (error) {
        return { error, isLost: await releaseAfter(error) };
      }
      release();
      return undefined;
    },
  };
}

/** Loads one of the packages. Throws `missing-package`. */
export async function loadPackage<T>(place: string, loader: () => Promise<T>): Promise<T> {
  try {
    return await loader();
  } catch (error) {
    const message = 'the packages pg and pg-copy-streams cannot be loaded: npm install pg pg-copy-streams';
    throw storeError('missing-package', place, message, error);
  }
}

function explain(place: string, error: unknown, effect = ''): unknown {
  if (!(error instanceof Error) || hasCode(error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  // It has the URL with the password, so it must not be shown as the cause.
  if (code === 'ERR_INVALID_URL')
    return storeError('unavailable', place, 'not a valid URL: in a password, write / as %2F, # as %23 and ? as %3F');
  const known = effect === UNKNOWN ? undefined : (CODES[code] ?? CODES[code.slice(0, 2)]);
  return storeError(known ?? 'unavailable', place, describe(error, code) + effect, error);
}

function describe(error: Error, code: string): string {
  if (code === 'ECONNREFUSED') {
    // Node tries all addresses of a host, and joins their errors.
    const [first = error] = error instanceof AggregateError ? error.errors : [];
    const { address, port } = first as { readonly address?: string; readonly port?: number };
    return `no server answers at ${address ?? 'the host'}${port === undefined ? '' : `:${port}`}`;
  }
  if (
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    /^(?:Connection terminated unexp|Client has enc)/.test(error.message)
  )
    return 'the connection to the server was lost';
  const message = error.message.trim() || code;
  const mayBeFull = MAY_BE_FULL.has(code) && /could not (?:write|extend|flush|fsync|create)\b/.test(message);
  return mayBeFull ? `${message} (the disk of the server may be full)` : message;
}

/** SQLSTATE of files that cannot be written: 58030 is `io_error`; the server has XX000 where it does not say why. */
const MAY_BE_FULL: ReadonlySet<string> = new Set(['58030', 'XX000']);

/** The codes of store errors, by the SQLSTATE of the server or by its class, the first two characters. */
const CODES: Readonly<Record<string, StoreError['code']>> = {
  '28': 'no-permission',
  '42501': 'no-permission',
  '3D000': 'not-found',
  '3F000': 'not-found',
  // undefined_table and undefined_column.
  '42P01': 'not-an-index',
  '42703': 'damaged',
  '25006': 'read-only',
  // disk_full, and configuration_limit_exceeded: a limit on the size of temporary files.
  '53100': 'no-space',
  '53400': 'no-space',
};
