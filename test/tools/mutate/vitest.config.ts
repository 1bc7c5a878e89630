import { defineConfig } from 'vitest/config';

/** The folder of tests that main.ts chose; without it, the vectors are the tests. */
const folder = process.env['SIMHASH_DOC_TESTS'];

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export.
export default defineConfig({
  test:
    folder === undefined
      ? {
          include: ['test/tools/mutate/vectors.ts'],
          setupFiles: ['test/tools/mutate/portable.ts'],
          testTimeout: 60_000,
        }
      : {
          include: [`${folder}/**/*.test.ts`],
          exclude: ['**/*.slow.test.ts'],
          globalSetup: ['test/temporary.ts'],
          testTimeout: 60_000,
        },
});
