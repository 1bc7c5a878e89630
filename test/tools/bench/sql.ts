import { execFileSync } from 'node:child_process';
import { DuckDBInstance } from '@duckdb/node-api';
import { findAll } from 'simhash-doc/lookup';
import { MAIN } from './command.ts';
import { skewed, uniform } from './lookup.ts';
import { optionOf, printTable } from './measure.ts';

/** The number of fingerprints: --fingerprints=N. */
const COUNT = Number(optionOf('fingerprints') ?? 1_000_000);

/** The statements of `simhash-doc sql` in DuckDB on one thread, beside `findAll`, which must find the same pairs. */
export async function benchSql(): Promise<void> {
  const printed = execFileSync(process.execPath, [MAIN, 'sql', '--dialect', 'duckdb', '--task', 'pairs'], {
    encoding: 'utf8',
  });
  const [pairs] = printed.split(/;\n/);
  const rows: (string | number)[][] = [['fingerprints', 'pairs', 'DuckDB, s', 'findAll, s']];
  for (const [name, fingerprints] of [
    ['uniform', uniform(COUNT)],
    ['skewed', skewed(COUNT)],
  ] as const) {
    const start = performance.now();
    const expected = Array.from(findAll(fingerprints, { k: 3 })).length;
    const own = (performance.now() - start) / 1000;
    const { seconds, count } = await runInDuckDb(pairs!, fingerprints);
    // One pair for each copy: SQL pairs a document with the first that has the same fingerprint.
    rows.push([`${COUNT} ${name}`, `${count} (${expected})`, seconds.toFixed(1), own.toFixed(2)]);
  }
  printTable(rows);
}

async function runInDuckDb(statement: string, fingerprints: BigUint64Array) {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await connection.run('CREATE TABLE fingerprints (id INTEGER, fingerprint BIGINT)');
  const appender = await connection.createAppender('fingerprints');
  for (const [id, fingerprint] of fingerprints.entries()) {
    appender.appendInteger(id);
    appender.appendBigInt(BigInt.asIntN(64, fingerprint));
    appender.endRow();
  }
  appender.closeSync();
  const start = performance.now();
  const count = (await connection.runAndReadAll(statement)).getRows().length;
  const seconds = (performance.now() - start) / 1000;
  connection.closeSync();
  return { seconds, count };
}
