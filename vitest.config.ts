import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

/** Slow files that measure time, or that start three nodes of Apache Cassandra: nothing runs beside them. */
const ALONE = ['adapters/agree', 'extract/pdf/linear', 'lookup/index/stores/cassandra'].map(
  (name) => `test/${name}.slow.test.ts`,
);

/** The suites, by the mode that runs them: `vitest run`, `vitest run --mode slow`, `vitest run --mode engines`. */
const SUITES: Readonly<Record<string, TestProjectConfiguration[]>> = {
  test: [
    {
      extends: true,
      test: {
        name: 'test',
        include: ['test/**/*.test.ts'],
        exclude: ['test/**/*.slow.test.ts', 'test/engines/**'],
        // More than the cores: these tests often wait. They share the modules of their process: loading them anew takes a
        // third of the time.
        maxWorkers: '150%',
        isolate: false,
      },
    },
  ],
  slow: [
    {
      extends: true,
      test: { name: 'slow', include: ['test/**/*.slow.test.ts'], exclude: ALONE, maxWorkers: 2 },
    },
    { extends: true, test: { name: 'alone', include: ALONE, maxWorkers: 1 } },
  ],
  engines: [{ extends: true, test: { name: 'engines', include: ['test/engines/**/*.test.ts'], maxWorkers: 2 } }],
};

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export.
export default defineConfig(({ mode }) => ({
  test: {
    projects: SUITES[mode] ?? SUITES['test']!,
    // The command names itself as it was started; tests start it by its name.
    env: { SIMHASH_DOC_SLOW: mode === 'slow' ? '1' : '', npm_lifecycle_event: '' },
    // What is built runs as it is.
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
}));
