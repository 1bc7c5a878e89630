import { defineConfig } from 'vitest/config';

// The runs under other engines need them installed or downloaded: `npm run test:engines`.
const engines = process.env['SIMHASH_DOC_ENGINES'] === '1';

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export.
export default defineConfig({
  test: {
    include: [engines ? 'test/engines/**/*.test.ts' : 'test/**/*.test.ts'],
    exclude: engines ? [] : ['test/engines/**'],
    testTimeout: 240_000,
  },
});
