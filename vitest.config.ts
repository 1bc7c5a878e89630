import { defineConfig } from 'vitest/config';

/** The suites, by the mode that runs them: `vitest run`, `vitest run --mode slow`, `vitest run --mode engines`. */
const SUITES: Readonly<Record<string, { readonly include: string[]; readonly exclude: string[] }>> = {
  test: { include: ['test/**/*.test.ts'], exclude: ['test/**/*.slow.test.ts', 'test/engines/**'] },
  slow: { include: ['test/**/*.slow.test.ts'], exclude: [] },
  engines: { include: ['test/engines/**/*.test.ts'], exclude: [] },
};

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export.
export default defineConfig(({ mode }) => ({
  test: {
    ...(SUITES[mode] ?? SUITES['test']),
    // The command names itself as it was started; tests start it by its name.
    env: { SIMHASH_DOC_SLOW: mode === 'slow' ? '1' : '', npm_lifecycle_event: '' },
    // More than the cores for the fast suite, whose tests often wait; two files at a time for the others, which start servers.
    maxWorkers: mode === 'test' ? '150%' : 2,
    // The files of the fast suite share the modules of their process: loading them anew takes a third of the time.
    isolate: mode !== 'test',
    // What is built runs as it is.
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
}));
