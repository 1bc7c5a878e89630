import { afterAll, expect, test, vi } from 'vitest';
import { openCassandraIndex } from '../../src/lookup/index/stores/cassandra.ts';
import { openPostgresIndex } from '../../src/lookup/index/stores/postgres.ts';

// As where none of them is installed. Other test files of this process have loaded the modules with them.
const PACKAGES = ['postal-mime', 'pg', 'cassandra-driver', 'hyparquet'];
vi.resetModules();
for (const name of PACKAGES)
  vi.doMock(name, () => {
    throw new Error(`Cannot find package '${name}'`);
  });
const { extract } = await import('../../src/extract/extract.ts');
const { openParquet } = await import('../../src/extract/table/parquet.ts').then((m) => m as never as Record<string, never>);
afterAll(() => {
  for (const name of PACKAGES) vi.doUnmock(name);
  vi.resetModules();
});
