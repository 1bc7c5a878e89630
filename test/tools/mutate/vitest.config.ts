import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export.
export default defineConfig({
  test: {
    include: ['test/tools/mutate/vectors.ts'],
    setupFiles: ['test/tools/mutate/portable.ts'],
    testTimeout: 60_000,
  },
});
