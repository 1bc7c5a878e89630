import { afterAll, expect, test, vi } from 'vitest';

// As where none of them is installed. Other test files of this process have loaded the modules with them.
const PACKAGES = ['postal-mime', 'pg', 'hyparquet'];
vi.resetModules();
for (const name of PACKAGES)
  vi.doMock(name, () => {
    throw new Error(`Cannot find package '${name}'`);
  });
const [{ extract }, { readParquet }, { openPostgresIndex }] = await Promise.all([
  import('../../src/extract/extract.ts'),
  import('../../src/extract/rows/parquet.ts'),
  import('../../src/lookup/stores/postgres/postgres-index.ts'),
]);
afterAll(() => {
  for (const name of PACKAGES) vi.doUnmock(name);
  vi.resetModules();
});

const empty = { size: 0, read: async () => new Uint8Array() };

test.each([
  ['e-mail', 'npm install postal-mime', () => extract(new TextEncoder().encode('Hi'), { type: 'mail' })],
  ['Parquet', 'npm install hyparquet', () => readParquet(empty, { textField: 'text' }).next()],
  ['PostgreSQL', 'npm install pg pg-copy-streams', () => openPostgresIndex('postgres://localhost/none')],
])('%s without its package is an error that suggests %s', async (_, command, use) => {
  await expect(use()).rejects.toMatchObject({ code: 'missing-package', message: expect.stringContaining(command) });
});
