// Makes dist/ of the compiled modules: those of the library one by one, and the command as a few chunks, since Node takes about a
// millisecond to load a module, and a small document needed sixty.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { build, transform } from 'esbuild';
import { rollup } from 'rollup';

/** Modules of the library that are started, or imported by tests, beside the entry points of package.json. */
const STARTED = ['conformance/adapter/reference-adapter', 'extract/worker-thread', 'documents/workers/task-queue'];

const PROGRAMS = ['cli/main', 'cli/start', 'cli/dispatch', 'cli/worker'];

/** The worker of documents: the library also starts the one of the command. */
const WORKER = 'documents/workers/document-worker';

/** Modules of the library that are too large to be in the package twice. They have no state. */
const SHARED = /(?:zip|pako[-a-z]*)\.bundle\.js$/;

/** A chunk for each set, with their imports that are in no chunk above: every subcommand, a small text, any document, a query. */
const CHUNKS = {
  dispatch: ['cli/dispatch'],
  hash: ['cli/commands/hash/hash-command', 'cli/commands/hash/run-hash', 'documents/small-texts'],
  fingerprint: ['fingerprint/fingerprint', 'fingerprint/pool'],
  index: [
    ...['index-command', 'run-index', 'run-query'].map((name) => `cli/commands/index/${name}`),
    'cli/stores/open-store',
    'lookup/stores/folder/folder-index',
  ],
};

/**
 * The package, the module that imports it if that has a part of its own, the module of the part, and the part: packages that are
 * many times as large, or take longer to load than a command, need not be installed.
 */
const PARTS = [
  ['base32-encode', '', 'scheme/base32-encode.bundle', "export { default } from 'base32-encode';"],
  ['base32-decode', '', 'scheme/base32-decode.bundle', "export { default } from 'base32-decode';"],
  // It inflates its tables when it is loaded, and only rare characters need it.
  [
    'unicode-properties',
    '',
    'scheme/unicode-properties.bundle',
    `let unicode;
const load = () => (unicode ??= require('unicode-properties').default);
export default {
  getCategory: (point) => load().getCategory(point),
  getCombiningClass: (point) => load().getCombiningClass(point),
};`,
  ],
  [
    '@zip.js/zip.js/lib/zip-core-native.js',
    '',
    'extract/archive/zip.bundle',
    "export { Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';",
  ],
  [
    'pako',
    'extract/archive/zlib',
    'extract/archive/pako.bundle',
    "export { Z_BUF_ERROR, Z_NO_FLUSH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';",
  ],
  ['pako', 'extract/pdf/file/deflate', 'extract/pdf/file/pako-deflate.bundle', "export { deflate } from 'pako';"],
];

async function bundlePart(root, contents) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
    ...{
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
    },
    ...{ target: 'es2022', minify: true, legalComments: 'none', logLevel: 'warning', absWorkingDir: root },
  });
  const names = Object.keys(metafile.inputs).flatMap(
    (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  const licences = [...new Set(names)].map((name) => `${name}, under this licence:\n${licenceOf(root, name)}`);
  return `/*! Parts of ${licences.join('\n').replaceAll('*/', '* /')}*/\n${outputFiles[0].text}`;
}

/** Reads the licence of a package. Two have no file; they are of the author of `base32-encode`, under the same licence. */
function licenceOf(root, name) {
  const owner = ['base32-decode', 'to-data-view'].includes(name) ? 'base32-encode' : name;
  const files = ['LICENSE', 'LICENSE.md'].map((file) => join(root, 'node_modules', owner, file));
  const file = files.find((each) => existsSync(each));
  if (file === undefined) throw new Error(`${name}: expected a licence`);
  return readFileSync(file, 'utf8');
}

function isWithin(id, ids, getModuleInfo, seen = new Set()) {
  return ids.some((each) => {
    if (each === id) return true;
    if (seen.has(each)) return false;
    seen.add(each);
    return isWithin(id, getModuleInfo(each)?.importedIds ?? [], getModuleInfo, seen);
  });
}

/** References to files: relative to the module as it is compiled, and, until its chunk is known, to `dist/`. */
const OWN_FILE = /new URL\('(\.[^']*)', import\.meta\.url\)/g;
const FILE_OF_DIST = /new URL\((['"])dist:([^'"]*)\1, import\.meta\.url\)/g;

function pathFrom(file, path) {
  const found = relative(dirname(file), path).split(sep).join('/');
  return `${found.startsWith('.') ? '' : './'}${found}${path.endsWith('/') ? '/' : ''}`;
}

/** Writes `modules`, which are compiled, to `output`: bundlers leave out what they do not use, and Node loads few files. */
export async function bundleModules(root, modules, output) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const published = Object.values(exports)
    .flatMap(({ default: path }) => /^\.\/dist\/(.*)\.js$/.exec(path)?.[1] ?? [])
    .filter((name) => name !== 'browser');
  const pathOf = (name) => join(modules, `${name}.js`);
  const parts = new Map();
  for (const [name, importer, file, contents] of PARTS)
    parts.set(`${name}${importer}`, [pathOf(file), await bundlePart(root, contents)]);
  for (const [path, code] of parts.values()) writeFileSync(path, code);
  writeFileSync(pathOf('cli/worker'), `import '../${WORKER}.js';\n`);
  const used = new Set();
  const plugin = (isLibrary) => ({
    name: 'simhash-doc',
    resolveId(name, importer) {
      if (importer === undefined) return null;
      if (name.startsWith('.')) {
        const id = join(dirname(importer), name);
        return isLibrary || !SHARED.test(name) ? null : { id, external: 'relative' };
      }
      const at = relative(modules, importer).slice(0, -3);
      const [id] = parts.get(name) ?? parts.get(`${name}${at}`) ?? [];
      if (id === undefined) return { id: name, external: true };
      used.add(id);
      return isLibrary || !SHARED.test(id) ? { id } : { id, external: 'relative' };
    },
    transform(code, id) {
      const folder = relative(modules, dirname(id));
      return code.replaceAll(OWN_FILE, (_, path) => {
        return `new URL('dist:${join(folder, path).split(sep).join('/')}', import.meta.url)`;
      });
    },
    async renderChunk(code, { fileName }) {
      const placed = code.replaceAll(FILE_OF_DIST, (_, _quote, path) => {
        return `new URL('${pathFrom(isLibrary ? fileName : `cli/${fileName}`, path)}', import.meta.url)`;
      });
      // Without comments and spaces, which would be a third of the package; the command also with short names.
      const options = {
        target: 'es2022',
        legalComments: 'inline',
        minifyWhitespace: true,
        minifySyntax: !isLibrary,
        minifyIdentifiers: !isLibrary,
      };
      return (await transform(placed, options)).code;
    },
  });
  const run = async (names, isLibrary, options) => {
    const input = Object.fromEntries(names.map((name) => [isLibrary ? name : basename(name), pathOf(name)]));
    const bundle = await rollup({ input, plugins: [plugin(isLibrary)] });
    // Rollup names files that are not bundled relative to the folder that all programs are in.
    await bundle.write({ dir: isLibrary ? output : join(output, 'cli'), minifyInternalExports: false, ...options });
    await bundle.close();
  };
  await run([...published, ...STARTED], true, { preserveModules: true, preserveModulesRoot: modules });
  for (const name of Object.values(CHUNKS).flat())
    if (!existsSync(pathOf(name))) throw new Error(`${name}: expected a module`);
  const sets = Object.entries(CHUNKS).map(([name, members]) => [name, members.map(pathOf)]);
  await run(PROGRAMS, false, {
    chunkFileNames: ({ name, facadeModuleId }) =>
      `chunks/${facadeModuleId?.startsWith(modules) ? relative(modules, facadeModuleId).slice(0, -3).split(sep).join('-') : name}.js`,
    manualChunks: (id, { getModuleInfo }) => sets.find(([, ids]) => isWithin(id, ids, getModuleInfo))?.[0],
  });
  writeFileSync(join(output, `${WORKER}.js`), `import '${pathFrom(`${WORKER}.js`, 'cli/worker.js')}';\n`);
  for (const [id] of parts.values()) if (!used.has(id)) throw new Error(`${id}: expected to be imported`);
}

/** Copies the declarations of the entry points, and all that they refer to. */
export function copyDeclarations(root, modules, output) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const paths = new Set(Object.values(exports).flatMap(({ types }) => types?.replace(/^\.\/dist\//, '') ?? []));
  for (const path of paths) {
    const text = readFileSync(join(modules, path), 'utf8');
    for (const [, name] of text.matchAll(/(?:from|import\()\s*["'](\.[^"']+)["']/g))
      paths.add(join(dirname(path), name.replace(/\.[jt]s$/, '.d.ts')));
    mkdirSync(dirname(join(output, path)), { recursive: true });
    writeFileSync(join(output, path), text);
  }
}
