// Bundles what is compiled into few modules: Node takes about a millisecond to load one, and a small document needed sixty.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build, transform } from 'esbuild';
import { rollup } from 'rollup';

/** The programs, what threads and tests start, beside the entry points of package.json. */
const PROGRAMS = [
  ...['cli/main', 'cli/start', 'cli/dispatch', 'conformance/adapter/reference', 'extract/worker-thread'],
  ...['documents/workers/worker', 'documents/workers/queue'],
];

/** The modules of `hash`. */
const HASH = ['cli/commands/hash/hash-command', 'cli/commands/hash/run-hash', 'documents/workers/texts'];

/**
 * One chunk for each of these sets of modules, with their imports that are in no chunk above. The first four run in browsers, so they have only
 * modules of such entry points: what all need, the library, texts and archives, indexes in memory. The next three have only modules of
 * the library, for Node: errors and names, documents, indexes in folders. The last three have what the command alone needs: for every
 * subcommand, for `hash`, for a query to an index.
 */
const CHUNKS = [
  {
    common: ['common/text', 'common/lines', 'common/system-error', 'common/search'],
    core: ['index', 'fingerprint/pool'],
    extract: ['extract/index', 'extract/text/text'],
    lookup: ['lookup/index'],
  },
  { system: ['cli/dispatch', 'common/temporary'], documents: HASH, folder: ['lookup/indexes/stores/folder'] },
  {
    dispatch: ['cli/dispatch'],
    hash: HASH,
    index: ['index-command', 'run-index', 'store', 'query'].map((name) => `cli/commands/index-store/${name}`),
  },
];

/**
 * Packages of which a part takes their place: the module that imports them, and that part. So these need not be installed, where
 * they are many times as large, and do not take longer to find and load than a command.
 */
const PARTS = [
  ['base32-encode', '', "export { default } from 'base32-encode';"],
  ['base32-decode', '', "export { default } from 'base32-decode';"],
  // It inflates its tables when it is loaded, and only rare characters need it.
  [
    'unicode-properties',
    '',
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
    "export { Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';",
  ],
  [
    'pako',
    'extract/archive/zlib',
    "export { Z_BUF_ERROR, Z_NO_FLUSH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';",
  ],
  ['pako', 'extract/pdf/file/deflate', "export { deflate } from 'pako';"],
];

/** Makes a module of a part of packages, with their licences. */
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

/** Reads the licence of a package; some have it in their manifest alone. */
function licenceOf(root, name) {
  const folder = join(root, 'node_modules', name);
  const file = ['LICENSE', 'LICENSE.md', 'LICENCE', 'license'].map((each) => join(folder, each)).find(existsSync);
  if (file !== undefined) return readFileSync(file, 'utf8');
  const { license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${license}, by ${author?.name ?? author}\n`;
}

/** Finds some modules and those that they import, also those that they import when they need them if `isLazy`. */
function closureOf(ids, getModuleInfo, isLazy) {
  const found = new Set(ids);
  for (const id of found) {
    const info = getModuleInfo(id);
    for (const each of info?.importedIds ?? []) found.add(each);
    if (isLazy) for (const each of info?.dynamicallyImportedIds ?? []) found.add(each);
  }
  return found;
}

/** The names of files, relative to the module; then to `dist/`, since the module moves; then to its chunk. */
const OWN_FILE = /new URL\('(\.[^']*)', import\.meta\.url\)/g;
const FILE_OF_DIST = /new URL\((['"])dist:([^'"]*)\1, import\.meta\.url\)/g;

/**
 * Bundles the entry points of the package and its programs; each keeps the place of its module.
 * @param root - the folder of the package
 * @param modules - the folder of the compiled modules
 * @param output - the folder for the bundles
 */
export async function bundleModules(root, modules, output) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const published = Object.values(exports)
    .flatMap(({ default: path }) => /^\.\/dist\/(.*)\.js$/.exec(path)?.[1] ?? [])
    .filter((name) => name !== 'browser');
  const entries = [...published, ...PROGRAMS];
  const pathOf = (name) => join(modules, `${name}.js`);
  for (const name of CHUNKS.flatMap((chunks) => Object.values(chunks).flat()))
    if (!existsSync(pathOf(name))) throw new Error(`${name}: expected a module`);
  const parts = new Map();
  for (const [name, importer, contents] of PARTS) parts.set(`\0${name}${importer}`, await bundlePart(root, contents));
  const used = new Set();
  const plugin = {
    name: 'simhash-doc',
    resolveId(name, importer) {
      if (name.startsWith('.') || importer === undefined) return null;
      const id = [`\0${name}`, `\0${name}${relative(modules, importer).slice(0, -3)}`].find((each) => parts.has(each));
      if (id !== undefined) used.add(id);
      return { id: id ?? name, external: id === undefined };
    },
    load: (id) => parts.get(id) ?? null,
    transform(code, id) {
      const folder = relative(modules, dirname(id));
      return code.replaceAll(OWN_FILE, (_, path) => {
        return `new URL('dist:${join(folder, path).split(sep).join('/')}', import.meta.url)`;
      });
    },
    async renderChunk(code, { fileName }) {
      const placed = code.replaceAll(FILE_OF_DIST, (_, _quote, path) => {
        const fromChunk = relative(dirname(fileName), path).split(sep).join('/');
        const slash = path.endsWith('/') ? '/' : '';
        return `new URL('${fromChunk.startsWith('.') ? '' : './'}${fromChunk}${slash}', import.meta.url)`;
      });
      // Without comments, which would be read at every start.
      return (await transform(placed, { target: 'es2022', legalComments: 'inline' })).code;
    },
  };
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((name) => [name, pathOf(name)])),
    plugins: [plugin],
  });
  const { output: written } = await bundle.write({
    dir: output,
    chunkFileNames: ({ name, facadeModuleId }) =>
      `chunks/${facadeModuleId?.startsWith(modules) ? relative(modules, facadeModuleId).slice(0, -3).split(sep).join('-') : name}.js`,
    ...{ minifyInternalExports: false, onlyExplicitManualChunks: true },
    manualChunks(id, { getModuleInfo }) {
      const closure = (names, isLazy = false) => closureOf(names.map(pathOf), getModuleInfo, isLazy);
      const isOfNode = (name) => [...closure([name], true)].some((each) => each.startsWith('node:'));
      const scopes = [published.filter((name) => !isOfNode(name)), published, PROGRAMS];
      const chunks = CHUNKS[scopes.findIndex((names) => closure(names, true).has(id))];
      return Object.keys(chunks).find((name) => closure(chunks[name]).has(id));
    },
  });
  await bundle.close();
  for (const id of parts.keys()) if (!used.has(id)) throw new Error(`${id.slice(1)}: expected to be imported`);
  if (written.some(({ code }) => code?.includes('dist:'))) throw new Error('a file has no place');
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
