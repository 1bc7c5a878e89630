/** The tests that call each function, and their results for a mutant. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPlaces, type Places } from './places.ts';
import { filesOf, instrument, sourceOf, TREE, writeModule } from './tree.ts';

const HITS = join(TREE, '../hits/');
const MAP = join(TREE, '../tests.json');
const RESULTS = join(TREE, '../results.json');

/** The maximum time for the tests of a mutant, approximately; the nearest run first. */
const MAX_TESTS = 40_000;

/** A test file of the fast suite. */
interface TestFile {
  readonly name: string;
  /** In ms. */
  readonly duration: number;
  /** The functions that it calls, as `file:number`. */
  readonly calls: readonly string[];
}

/** The fate of a mutant. */
export type Fate = 'killed' | 'timed out' | 'survived' | 'not run';

interface VitestResults {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

/** Runs Vitest in the copy. A group of processes of its own lets an endless one be ended with all that it started. */
async function runTests(
  tests: readonly string[],
  setup: boolean,
  args: readonly string[],
  limit: number,
): Promise<Fate> {
  const child = spawn(
    'node',
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.mutate.config.ts', ...args],
    {
      cwd: TREE,
      env: {
        ...process.env,
        SIMHASH_DOC_MUTATE: JSON.stringify({ tests, setup }),
        ...(setup && { SIMHASH_DOC_HITS_FOLDER: HITS }),
      },
      stdio: 'ignore',
      detached: true,
    },
  );
  let isLate = false;
  const end = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All have ended.
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limit);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  end();
  if (isLate) return 'timed out';
  return code === 0 ? 'survived' : 'killed';
}

/**
 * Runs tests once in the copy, and notes which functions of which file each test file calls. Those that fail are left out.
 * @param rooms - whose functions are noted
 * @param tests - the test files; the whole fast suite if there are none
 */
export async function mapTests(rooms: readonly string[], tests: readonly string[]): Promise<void> {
  const ids: string[] = [];
  for (const file of rooms.flatMap(filesOf)) {
    const { bodies } = findPlaces(sourceOf(file));
    writeModule(file, instrument(sourceOf(file), bodies, ids.length));
    ids.push(...bodies.map((_, i) => `${file}:${i}`));
  }
  rmSync(HITS, { recursive: true, force: true });
  mkdirSync(HITS, { recursive: true });
  await runTests(tests, true, ['--reporter=json', `--outputFile=${RESULTS}`], 3_600_000);
  const { testResults } = JSON.parse(readFileSync(RESULTS, 'utf8')) as VitestResults;
  const hits = new Set(readdirSync(HITS));
  const files = testResults.map(({ name: path, status, startTime, endTime }) => {
    const name = path.split('/tree/')[1]!;
    const own = name.replaceAll('/', '+');
    const called = hits.has(own) ? readFileSync(join(HITS, own), 'utf8').trim().split(' ') : [];
    const calls = [...new Set(called)].map((id) => ids[Number(id)]!);
    return { name, status, duration: endTime - startTime, calls };
  });
  const passed = files.filter(({ status }) => status === 'passed').map(({ status: _, ...file }) => file);
  for (const { name } of files.filter(({ status }) => status !== 'passed'))
    console.log(`left out, it fails here: ${name}`);
  const others = tests.length === 0 ? [] : readMap().filter(({ name }) => !tests.includes(name));
  writeFileSync(MAP, JSON.stringify([...others, ...passed]));
  for (const file of rooms.flatMap(filesOf)) writeModule(file, sourceOf(file));
}

export const hasMap = (): boolean => existsSync(MAP);

/** Reads which tests call what. */
export const readMap = (): readonly TestFile[] => JSON.parse(readFileSync(MAP, 'utf8'));

/**
 * Chooses the tests of a place: those that call the innermost function around it, or, outside of functions, any of its file.
 * Those of its room come first, then the quick ones.
 */
export function testsOf(map: readonly TestFile[], file: string, { bodies }: Places, at: number): readonly TestFile[] {
  const around = bodies.map((body, i) => ({ ...body, i })).filter(({ start, end }) => start <= at && at < end);
  const inner = around.sort((x, y) => y.start - x.start)[0];
  const calls = (test: TestFile): boolean =>
    inner === undefined
      ? test.calls.some((call) => call.startsWith(`${file}:`))
      : test.calls.includes(`${file}:${inner.i}`);
  const folder = file.split('/')[1];
  const isNear = ({ name }: TestFile): number => (name.startsWith(`test/${folder}/`) ? 0 : 1);
  const sorted = map.filter(calls).sort((x, y) => isNear(x) - isNear(y) || x.duration - y.duration);
  let sum = 0;
  return sorted.filter(({ duration }, i) => {
    sum += duration;
    return i === 0 || sum <= MAX_TESTS;
  });
}

/** Returns the fate of the source file that the copy now has. */
export function tryMutant(tests: readonly TestFile[]): Promise<Fate> {
  if (tests.length === 0) return Promise.resolve('not run');
  const expected = tests.reduce((sum, { duration }) => sum + duration, 0);
  return runTests(
    tests.map(({ name }) => name),
    false,
    ['--bail', '1'],
    30_000 + 3 * expected,
  );
}
