import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { loadGroups } from '../src/conformance/suite/load-suite.ts';
import { NODE, outputOf, runToEnd } from './process.ts';

const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-package-'));
const entries = Object.keys(packageJson.exports)
  .filter((name) => name !== './package.json')
  .map((name) => name.replace('.', 'simhash-doc'));
let warnings: string[] = [];
let contents: { readonly unpackedSize: number; readonly files: readonly { readonly path: string }[] };

/** Leaves out lines about the configuration of this machine. */
const isOwn = (line: string): boolean =>
  line.startsWith('npm warn') && !/Unknown (?:user|env|global) config/.test(line);

// The packed tarball, installed into a project of its own.
beforeAll(() => {
  const packed = outputOf(['npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const [{ filename, ...rest }] = JSON.parse(packed) as [typeof contents & { filename: string }];
  contents = rest;
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "version": "1.0.0", "private": true }');
  const { end, stderr } = runToEnd(['npm', 'install', '--prefer-offline', join(folder, filename)], { cwd: folder });
  expect(end, stderr).toBe('exit 0');
  warnings = stderr.split('\n').filter(isOwn);
});

/** Writes a file into the project. */
function write(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

test('the package installs without a warning', () => {
  expect(warnings).toEqual([]);
});

test('the package has the vectors without implementations, reports and known mistakes', () => {
  const paths = contents.files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['dist/vectors.json.br', 'vectors/README.md']));
  expect(paths.filter((path) => /^vectors\/(?:adapters|claims|reports|[a-z-]+\.json|KILLS)/.test(path))).toEqual([]);
  expect(contents.unpackedSize).toBeLessThan(6e6);
});

test('the package has the vectors, to run and to validate', () => {
  const run = (...args: string[]): string => outputOf(['npx', '--no-install', 'simhash-doc', ...args], { cwd: folder });
  expect(run('vectors', 'validate')).toMatch(/^(?:vectors\/[a-z-]+\.json: \d+ vectors?, valid\n)+$/);
  const count = loadGroups().flatMap(({ vectors }) => vectors).length;
  expect(run('vectors', 'list').match(/\n/g)).toHaveLength(count);
  expect(run('conformance', 'init', '--lang', 'go', '--out', 'port')).toContain('adapter.go');
  expect(run('conformance', '--group', 'label')).toContain(' 0 failed');
});

test('npx finds the command', () => {
  const stdout = outputOf(['npx', '--no-install', 'simhash-doc', '--version'], { cwd: folder });
  expect(stdout).toBe(`${packageJson.version}\n`);
});

describe('CommonJS', () => {
  test('loads every entry point by require()', () => {
    const file = write('require.cjs', entries.map((name) => `require(${JSON.stringify(name)});`).join('\n'));
    expect(outputOf([...NODE, '--no-warnings', file])).toBe('');
  });

  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  test.each([
    ['nodenext', ''],
    ['node20', ''],
    // As CONTRIBUTING.md says, "Packaging".
    ['node16', 'TS1479'],
  ])('compiles in TypeScript with "module": "%s"', (module, code) => {
    const imports = entries.map((name, i) => `import * as _${i} from ${JSON.stringify(name)};`).join('\n');
    const file = write(`types-${module}/user.cts`, `${imports}\nexport {};\n`);
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--types', '', '--module', module, '--target', 'es2022'];
    const { stdout, end } = runToEnd([...NODE, tsc, ...options, file], { cwd: folder });
    expect(end, stdout).toMatch(/^exit/);
    const codes = new Set(stdout.match(/TS\d+/g) ?? []);
    expect([...codes], stdout).toEqual(code === '' ? [] : [code]);
  });
});

describe('a bundler bundles the package without a warning', () => {
  const exportAll = (names: readonly string[]): string =>
    names.map((name, i) => `export * as _${i} from ${JSON.stringify(name)};`).join('\n');
  // Those that use Node's modules have nothing to do in a browser.
  const inBrowsers = entries.filter((name) => !/conformance|duplicates|file|worker|folder|postgres/.test(name));

  test.each([
    ['browser', inBrowsers],
    ['node', entries],
  ] as const)('esbuild, for the platform "%s"', async (platform, names) => {
    const { warnings: heard } = await esbuild({
      entryPoints: [write(`esbuild-${platform}.js`, exportAll(names))],
      bundle: true,
      write: false,
      sourcemap: true,
      outdir: join(folder, 'esbuild'),
      platform,
      // Optional, so not installed with the package.
      external: Object.keys(packageJson.peerDependencies),
      format: 'esm',
      logLevel: 'silent',
    });
    expect(heard).toEqual([]);
  });

  test('a program has only what it uses of the package', async () => {
    const contents = "import { distance } from 'simhash-doc';\nconsole.log(distance);";
    const { outputFiles } = await esbuild({
      stdin: { contents, resolveDir: folder },
      ...{ bundle: true, minify: true, write: false, format: 'esm' },
    });
    // One that computes fingerprints has 80,000.
    expect(outputFiles[0]!.contents.length).toBeLessThan(3000);
  });

  test('vite, with rollup', async () => {
    const heard: string[] = [];
    write('index.html', '<script type="module" src="./vite.js"></script>');
    write('vite.js', `${exportAll(inBrowsers).replaceAll('export', 'import')}\nconsole.log(_0, _1, _2, _3);`);
    const logger = {
      ...{ hasWarned: false, info() {}, clearScreen() {}, hasErrorLogged: () => false },
      ...{ warn: (message: string) => heard.push(message), warnOnce: (message: string) => heard.push(message) },
      error: (message: string) => heard.push(message),
    };
    await vite({
      root: folder,
      configFile: false,
      customLogger: logger,
      // The size of a chunk is the user's affair.
      build: { sourcemap: true, outDir: 'vite', chunkSizeWarningLimit: 100_000 },
    });
    expect(heard).toEqual([]);
    const pdfium = readdirSync(join(folder, 'vite/assets')).filter((name) => /^pdfium\.wasm.*\.gz$/.test(name));
    expect(pdfium, 'PDFium, which a page fetches').toHaveLength(1);
  });
});
