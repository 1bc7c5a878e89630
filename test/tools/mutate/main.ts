/**
 * Changes src/scheme/ by machine, one place at a time, and runs the vectors as the only tests: `npm run mutate`, or
 * `npm run mutate -- src/scheme/decode.ts` for some files. Of other folders, files or ranges of lines
 * (`npm run mutate -- src/cli/terminal src/common/text.ts:10-40`) it runs the fast tests beside them in test/, and prints what survives. It installs StrykerJS in build/mutate/ (65 MB), so that `npm ci`
 * stays small, keeps a report of each file there (delete build/mutate/reports/ to begin anew), and writes the score of all
 * reports into vectors/README.md. Exit code 1 if a mutant survives without a reason in survivors.ts, or if a reason there
 * has no survivor.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Survivor, survivors } from './survivors.ts';

/** The last version for Node 20. */
const STRYKER = '9.6.1';

const CONFIG = 'test/tools/mutate/vitest.config.ts';

const root = new URL('../../../', import.meta.url);
const folder = new URL('build/mutate/', root);
const stryker = new URL('node_modules/@stryker-mutator/core/', folder);

interface Mutant {
  readonly replacement?: string;
  readonly status: string;
  readonly testsCompleted?: number;
  readonly location: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>>;
}

/** The findings of StrykerJS in one file. */
interface FileReport {
  readonly source: string;
  readonly mutants: readonly Mutant[];
}

/** A mutant that no vector fails. */
interface Found extends Required<Pick<Survivor, 'file' | 'within' | 'code' | 'replacement'>> {
  readonly line: number;
}

function run(command: string, args: readonly string[], cwd: URL): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

/** Installs StrykerJS once, without peer dependencies: its runner uses the vitest of this package. */
function install(): void {
  mkdirSync(new URL('reports/', folder), { recursive: true });
  const manifest = new URL('package.json', stryker);
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === STRYKER) return;
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${STRYKER}`);
  run('npm', ['install', '--prefix', '.', '--no-save', '--legacy-peer-deps', '--ignore-scripts', ...packages], folder);
}

const reportOf = (file: string): URL => new URL(`reports/${basename(file)}.json`, folder);

/** Runs StrykerJS. */
function runStryker(options: object): void {
  const config = {
    plugins: [
      new URL('node_modules/@stryker-mutator/vitest-runner/dist/src/index.js', folder).pathname,
      new URL('test/tools/mutate/messages.mjs', root).pathname,
    ],
    ignorers: ['messages'],
    disableTypeChecks: false,
    testRunner: 'vitest',
    // Shorter times count mutants as endless that a busy machine is slow with.
    timeoutMS: 20_000,
    tempDirName: 'build/mutate/sandbox',
    ignorePatterns: ['/dist', '/build', '/test/fixtures'],
    concurrency: 1,
    // Stryker rewrites this file with an interface that TypeScript 7 does not have. None is needed.
    tsconfigFile: 'none',
    ...options,
  };
  const path = new URL('stryker.config.json', folder);
  writeFileSync(path, JSON.stringify(config, null, 2));
  run('node', [new URL('bin/stryker.js', stryker).pathname, 'run', path.pathname], root);
}

/** Mutates one file, with the vectors as its tests: instrumented code is slow, and the code of the other files need not be. */
function mutateByVectors(file: string): void {
  runStryker({
    mutate: [file],
    vitest: { configFile: CONFIG, related: false },
    reporters: ['progress-append-only'],
    // Only mutants that the last run did not kill, or that changed, are run again.
    incremental: true,
    incrementalFile: reportOf(file).pathname,
  });
}

/** Mutates a folder, a file or a range of its lines, with the fast tests of the nearest folder of test/; prints survivors. */
function mutateByTests(path: string): void {
  const exists = (each: string): boolean => existsSync(new URL(each, root));
  let tests = path.replace(/^src\//, 'test/');
  while (!exists(tests) || tests.endsWith('.ts')) tests = dirname(tests);
  process.env['SIMHASH_DOC_TESTS'] = tests;
  runStryker({
    mutate: [exists(path) && !path.endsWith('.ts') ? `${path.replace(/\/$/, '')}/**/*.ts` : path],
    vitest: { configFile: CONFIG, related: true },
    reporters: ['progress-append-only', 'clear-text'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  });
}

/** Reads the report of a file; undefined if there is none of the file as it is now. */
function readReport(file: string): FileReport | undefined {
  if (!existsSync(reportOf(file))) return undefined;
  const { files } = JSON.parse(readFileSync(reportOf(file), 'utf8')) as { files: Record<string, FileReport> };
  return files[file]?.source === readFileSync(new URL(file, root), 'utf8') ? files[file] : undefined;
}

const onOneLine = (code: string): string => code.replace(/\s+/g, ' ').trim();

/** The code that a mutant replaces. */
function codeOf(lines: readonly string[], { start, end }: Mutant['location']): string {
  const replaced = lines.slice(start.line - 1, end.line);
  replaced.push(replaced.pop()!.slice(0, end.column - 1));
  replaced[0] = replaced[0]!.slice(start.column - 1);
  return onOneLine(replaced.join('\n'));
}

/** The name of the declaration at the top of the file that a line belongs to. */
function declarationAt(lines: readonly string[], line: number): string {
  const above = lines.slice(0, line).reverse();
  const names = above.map((text) => /^(?:export )?(?:const|function\*?) (\w+)/.exec(text)?.[1]);
  return names.find((name) => name !== undefined) ?? '';
}

/** Tests whether the vectors cannot even be loaded with a mutant; StrykerJS calls that a survivor. */
const breaksLoading = ({ status, testsCompleted }: Mutant): boolean => status === 'Survived' && testsCompleted === 0;

function findSurvivors(file: string, { source, mutants }: FileReport): Found[] {
  const lines = source.split('\n');
  return mutants
    .filter((mutant) => ['Survived', 'NoCoverage'].includes(mutant.status) && !breaksLoading(mutant))
    .map(({ location, replacement = '' }) => ({
      file: basename(file),
      line: location.start.line,
      within: declarationAt(lines, location.start.line),
      code: codeOf(lines, location),
      replacement: onOneLine(replacement),
    }));
}

/** Tests whether a reason is about a mutant: all that it names is equal. */
const isAbout = (survivor: Survivor, found: Found): boolean =>
  (['file', 'within', 'code', 'replacement'] as const).every(
    (key) => survivor[key] === undefined || survivor[key] === found[key],
  );

function writeScore(text: string): void {
  const file = new URL('vectors/README.md', root);
  const readme = readFileSync(file, 'utf8');
  const markers = /(<!-- mutate -->\n\n).*?(\n\n<!-- \/mutate -->)/s;
  if (!markers.test(readme)) throw new Error('vectors/README.md: expected the markers of mutate');
  writeFileSync(
    file,
    readme.replace(markers, (_, open: string, close: string) => open + text + close),
  );
}

const given = process.argv.slice(2);
const missing = given.filter((path) => !existsSync(new URL(path.replace(/:[\d:-]+$/, ''), root)));
if (missing.length > 0) {
  console.error(`mutate: no such file or folder: ${missing.join(', ')}; expected paths such as src/cli/terminal`);
  process.exit(2);
}
install();
const others = given.filter((path) => !path.startsWith('src/scheme/'));
if (others.length > 0) {
  for (const path of given) mutateByTests(path);
  process.exit();
}
const files = readdirSync(new URL('src/scheme/', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.generated.ts'))
  .map((name) => `src/scheme/${name}`);
for (const file of given.length > 0 ? given : files) mutateByVectors(file);

const reports = files.flatMap((file): [string, FileReport][] => {
  const report = readReport(file);
  return report === undefined ? [] : [[file, report]];
});
const found = reports.flatMap(([file, report]) => findSurvivors(file, report));
const unexplained = found.filter((each) => !survivors.some((survivor) => isAbout(survivor, each)));
const seen = new Set(reports.map(([file]) => basename(file)));
const unused = survivors.filter(
  (survivor) => seen.has(survivor.file) && !found.some((each) => isAbout(survivor, each)),
);
for (const { file, within, line, code, replacement } of unexplained)
  console.log(`No reason: ${file}:${line} (${within}): ${code} -> ${replacement}`);
for (const { file, code, within } of unused) console.log(`No survivor: ${file}: ${code ?? within}`);

const all = reports.flatMap(([, { mutants }]) => mutants);
const countStatus = (wanted: string): number => all.filter(({ status }) => status === wanted).length;
const killed = countStatus('Killed') + all.filter(breaksLoading).length;
const endless = countStatus('Timeout');
const unmeasured = files.map((file) => basename(file)).filter((file) => !seen.has(file));
writeScore(
  [
    `On ${new Date().toISOString().slice(0, 10)}, \`npm run mutate\` (StrykerJS ${STRYKER}) made ${(killed + endless + found.length).toLocaleString('en')} mutants of \`src/scheme/\`.`,
    `The vectors killed ${killed.toLocaleString('en')}, and ${endless} more exceeded the time limit. For ${found.length - unexplained.length} others,`,
    `\`test/tools/mutate/survivors.ts\` says why no vector can; ${unexplained.length} have no reason yet.`,
    ...(unmeasured.length > 0 ? [`Not measured: ${unmeasured.join(', ')}.`] : []),
  ].join('\n'),
);
process.exitCode = unexplained.length + unused.length === 0 ? 0 : 1;
