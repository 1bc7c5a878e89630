// Builds dist/: compiles the WebAssembly kernels, then the TypeScript sources, and bundles these. Files whose content stays the same are
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
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { bundleForBrowsers } from './browser.mjs';
import { bundleModules, copyDeclarations } from './bundle.mjs';
import { digestOfSources, noteBuilt } from './sources.mjs';
import { buildKernels, preparePdfium } from './wasm/build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function replace(target, file) {
  if (existsSync(target) && readFileSync(target).equals(readFileSync(file))) return;
  mkdirSync(dirname(target), { recursive: true });
  renameSync(file, target);
}

/** Copies PDFium and the licences of it and its build, which ask for that. */
function copyPdfium(output) {
  const folder = dirname(dirname(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))));
  const target = join(output, 'extract/pdf');
  mkdirSync(target, { recursive: true });
  copyFileSync(join(root, 'src/extract/pdf/pdfium.wasm.gz'), join(target, 'pdfium.wasm.gz'));
  copyFileSync(join(folder, 'LICENSE.pdfium'), join(target, 'LICENSE.pdfium'));
  copyFileSync(join(folder, 'LICENSE'), join(target, 'LICENSE.embedpdf'));
}

/** Writes the vectors into one compressed file: as they are, they would be half of the package. */
function packVectors(output) {
  const folder = join(root, 'vectors');
  const names = listFiles(folder).filter((name) =>
    /^(?:[a-z-]+\.json|(?:schema|skeletons)\/.*)$/.test(name.split(sep).join('/')),
  );
  const vectors = names
    .filter((name) => name !== 'mutants.json')
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return [name.split(sep).join('/'), name.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text];
    });
  const json = Buffer.from(JSON.stringify(Object.fromEntries(vectors)));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 10,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  writeFileSync(join(output, 'vectors.json.br'), brotliCompressSync(json, { params }));
}

async function compile() {
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build', 'dist-'));
  const [modules, output] = ['modules', 'output'].map((name) => join(folder, name));
  try {
    const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
    const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', modules];
    execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
    await Promise.all([bundleModules(root, modules, output), bundleForBrowsers(modules, join(output, 'browser.js'))]);
    copyDeclarations(root, modules, output);
    copyPdfium(output);
    packVectors(output);
    const built = listFiles(output);
    for (const file of built) replace(join(dist, file), join(output, file));
    for (const file of listFiles(dist)) if (!built.includes(file)) rmSync(join(dist, file), { force: true });
    // npm does this only when it installs a folder for the first time.
    chmodSync(join(dist, 'cli/main.js'), 0o755);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Before, so that what is changed meanwhile is built the next time.
const digest = digestOfSources();
await buildKernels();
await preparePdfium();
try {
  await compile();
  noteBuilt(digest);
} catch (error) {
  // The compiler has printed what is wrong.
  if (typeof error.status !== 'number') throw error;
  process.exitCode = error.status;
}
