import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export.
export default defineConfig({
  test: { include: ['test/mutate/vectors.ts'], setupFiles: ['test/mutate/portable.ts'], testTimeout: 60_000 },
});
