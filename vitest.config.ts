import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectConfiguration, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Measures time: nothing runs beside it. */
const ALONE = 'test/extract/pdf/linear.slow.test.ts';

/** Starts the file first that takes longest in its suite: six engines. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => Number(!/runtimes\.test/.test(moduleId));
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** Tests with a small size for the fast suite, by what they import: the slow suite runs them at full size. */
const SIZED = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name}`)
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) =>
    /\b(?:IS_SLOW|runs|firstRows|slowTest)\b[^;]* from '[^']*\/suite\.ts'/.test(readFileSync(name, 'utf8')),
  );

/** A part of a suite. What it has of its own is written out: Vitest reads this file again for each part, without the mode. */
function part(
  name: string,
  isSlow: boolean,
  options: TestProjectInlineConfiguration['test'],
): TestProjectConfiguration {
  // The command names itself as it was started; tests start it by its name.
  const env = { SIMHASH_DOC_SLOW: isSlow ? '1' : '', npm_lifecycle_event: '' };
  // More than the cores: tests often wait.
  const maxWorkers = '150%';
  // Five times what the slowest test takes on a quiet machine with all its random cases, or more, so that another load makes none
  // fail: 4 s in the fast suite, 10 s in other engines, 110 s in the slow one (Spark; the adapter in Python). A test that takes
  // longer is divided.
  const timeout = isSlow ? 600_000 : 240_000;
  return { extends: true, test: { name, env, testTimeout: timeout, hookTimeout: timeout, maxWorkers, ...options } };
}

const [ALL, SLOW, ENGINES] = ['test/**/*.test.ts', 'test/**/*.slow.test.ts', 'test/engines/**/*.test.ts'];

/** Files share the modules of their process: loading them anew takes a third of the time. */
const isolate = false;

/** The suites, by the mode that runs them: `vitest run`, `vitest run --mode slow` and so on; `rest` is `test` without what `slow` runs. */
const SUITES: Readonly<Record<string, TestProjectConfiguration[]>> = {
  test: [part('test', false, { include: [ALL], exclude: [SLOW, ENGINES], isolate })],
  rest: [part('rest', false, { include: [ALL], exclude: [SLOW, ENGINES, ...SIZED], isolate })],
  slow: [
    part('slow', true, { include: [SLOW, ...SIZED], exclude: [ALONE], isolate }),
    part('alone', true, { include: [ALONE], maxWorkers: 1 }),
  ],
  engines: [part('engines', false, { include: [ENGINES] })],
};

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export.
export default defineConfig(({ mode }) => ({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: SUITES[mode] ?? SUITES['test']!,
    globalSetup: ['test/temporary.ts', 'test/kernels.ts'],
    // What is built runs as it is.
    server: { deps: { external: [/\/dist\//] } },
  },
}));
