// Builds dist/: compiles the WebAssembly kernels, then the TypeScript sources. Files whose content stays the same are
// left alone and the others are replaced in one step, so that programs and tests that use dist/ are not disturbed.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleForBrowsers } from './browser.mjs';
import { bundleCommand } from './cli/build.mjs';
import { digestOfSources, noteBuilt } from './sources.mjs';
import { buildKernels, embedPdfium } from './wasm/build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** Lists the files below a folder, as paths relative to it; none if there is no such folder. */
function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Moves a file to another place, unless that has the same content already. */
function replace(target, file) {
  if (existsSync(target) && readFileSync(target).equals(readFileSync(file))) return;
  mkdirSync(dirname(target), { recursive: true });
  renameSync(file, target);
}

/** Writes the manual page from the commands that were compiled. */
async function writeManPage(output) {
  const [{ manPage }, { loadCommands }] = await Promise.all(
    ['cli/help/man.js', 'cli/commands/index.js'].map((file) => import(pathToFileURL(join(output, file)).href)),
  );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  mkdirSync(join(output, 'man'));
  writeFileSync(join(output, 'man/simhash-doc.1'), manPage(await loadCommands(), version));
}

/** Packages of which a small part is used: who imports them, what of them, and the file that takes their place in dist/. */
const BUNDLED = [
  ['extract/archive/zip-directory.js', '@zip.js/zip.js/lib/zip-core-native.js', 'Reader, ZipReader', 'zip.bundle.js'],
  [
    'extract/archive/zlib.js',
    'pako',
    'Z_BUF_ERROR, Z_NO_FLUSH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2',
    'pako.bundle.js',
  ],
  ['extract/pdf/file/deflate.js', 'pako', 'deflate', 'pako-deflate.bundle.js'],
];

/** Puts the parts of other packages that are used into dist/, so that these need not be installed: they are many times as large. */
async function bundleParts(output) {
  for (const [importer, name, parts, file] of BUNDLED) {
    const path = join(output, importer);
    const code = readFileSync(path, 'utf8');
    if (!code.includes(`'${name}'`)) throw new Error(`${importer} does not import ${name}`);
    writeFileSync(path, code.replace(`'${name}'`, `'./${file}'`));
    const [, folder] = /^((?:@[^/]+\/)?[^/]+)/.exec(name);
    const licence = readFileSync(join(root, 'node_modules', folder, 'LICENSE'), 'utf8');
    await build({
      stdin: { contents: `export { ${parts} } from '${name}';`, resolveDir: root },
      outfile: join(dirname(path), file),
      banner: { js: `/*! Part of ${folder}, under this licence:\n${licence.replaceAll('*/', '* /')}*/` },
      ...{ bundle: true, format: 'esm', platform: 'neutral', mainFields: ['module', 'main'], target: 'es2022' },
      ...{ minifySyntax: true, minifyWhitespace: true, logLevel: 'warning' },
    });
  }
}

/** Copies the licences of PDFium and of its build, which ask for that. */
function copyLicences(output) {
  const folder = dirname(dirname(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))));
  copyFileSync(join(folder, 'LICENSE.pdfium'), join(output, 'extract/pdf/LICENSE.pdfium'));
  copyFileSync(join(folder, 'LICENSE'), join(output, 'extract/pdf/LICENSE.embedpdf'));
}

/** Compiles src/ into a folder of its own, then brings dist/ up to date with it. */
async function compile() {
  mkdirSync(join(root, 'build'), { recursive: true });
  const output = mkdtempSync(join(root, 'build', 'dist-'));
  try {
    const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
    const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', output];
    execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
    await writeManPage(output);
    copyLicences(output);
    await bundleParts(output);
    await Promise.all([bundleCommand(root, output), bundleForBrowsers(output)]);
    const built = listFiles(output);
    for (const file of built) replace(join(dist, file), join(output, file));
    for (const file of listFiles(dist)) if (!built.includes(file)) rmSync(join(dist, file), { force: true });
    // npm does this only when it installs a folder for the first time.
    chmodSync(join(dist, 'cli/main.js'), 0o755);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

// Before, so that what is changed meanwhile is built the next time.
const digest = digestOfSources();
await buildKernels();
await embedPdfium();
try {
  await compile();
  noteBuilt(digest);
} catch (error) {
  // The compiler has printed what is wrong.
  if (typeof error.status !== 'number') throw error;
  process.exitCode = error.status;
}
