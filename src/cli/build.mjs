// Bundles the command: Node takes about a millisecond to load a module, and a small document needed sixty of them.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { build, transform } from 'esbuild';
import { rollup } from 'rollup';

/** The programs, and what tests use of the command: each keeps its file. */
const ENTRIES = ['main', 'start', 'dispatch', 'worker'];

/** The worker of documents: the library starts the bundled one also. */
const WORKER = 'documents/workers/worker';

/** Modules of the library that are too large to be in the package twice. They have no state. */
const SHARED = /(?:pdfium\.generated|\.bundle)\.js$/;

/** Makes a module of a small package, with its licence: to find and load it takes as long as to load the command. */
async function inlineEncoder(root) {
  const { outputFiles } = await build({
    stdin: { contents: "export { default } from 'base32-encode';", resolveDir: root },
    ...{ bundle: true, write: false, format: 'esm', platform: 'neutral', target: 'node20', logLevel: 'warning' },
  });
  const licence = readFileSync(join(root, 'node_modules/base32-encode/LICENSE'), 'utf8').replaceAll('*/', '* /');
  return `/*! base32-encode and to-data-view, under this licence:\n${licence}*/\n${outputFiles[0].text}`;
}

/** This one is of CommonJS, which Node parses twice, and few commands need it. */
const LAZY_DECODER = `import { createRequire } from 'node:module';
let decode;
export default (...args) => (decode ??= createRequire(import.meta.url)('base32-decode'))(...args);
`;

/** This one inflates its tables when it is loaded, and only rare characters need it. */
const LAZY_UNICODE = `import { createRequire } from 'node:module';
let unicode;
const load = () => (unicode ??= createRequire(import.meta.url)('unicode-properties').default);
export default {
  getCategory: (point) => load().getCategory(point),
  getCombiningClass: (point) => load().getCombiningClass(point),
};
`;

/** Whether a module is one of some modules, or one that these import. */
function isWithin(id, ids, getModuleInfo, seen = new Set()) {
  return ids.some((each) => {
    if (each === id) return true;
    if (seen.has(each)) return false;
    seen.add(each);
    return isWithin(id, getModuleInfo(each)?.importedIds ?? [], getModuleInfo, seen);
  });
}

/**
 * Puts a bundle of the command in the place of its modules. The library's modules stay as they are.
 * @param root - the folder of the package
 * @param output - the folder of the compiled modules
 */
export async function bundleCommand(root, output) {
  const [modules, folder] = [join(output, 'cli'), join(output, 'cli.bundle')];
  const paths = (...names) => names.map((name) => join(output, `${name}.js`));
  // One file for each of these sets of modules, with their imports that are in no file above: the modules of every command,
  // those of a small text, those of a document of any size, and those of a query to an embedded index.
  const whole = {
    dispatch: paths('cli/dispatch'),
    hash: paths('cli/commands/hash/hash-command', 'cli/commands/hash/run-hash', 'documents/workers/texts'),
    fingerprint: paths('fingerprint/fingerprint', 'fingerprint/pool'),
    index: paths(
      ...['index-command', 'run-index', 'store', 'query'].map((name) => `cli/commands/index-store/${name}`),
      'lookup/indexes/stores/folder',
    ),
  };
  for (const path of Object.values(whole).flat()) if (!existsSync(path)) throw new Error(`${path}: expected a module`);
  const packages = {
    'base32-encode': await inlineEncoder(root),
    'base32-decode': LAZY_DECODER,
    'unicode-properties': LAZY_UNICODE,
  };
  const plugin = {
    name: 'simhash-doc',
    resolveId(name, importer) {
      if (name in packages) return name;
      if (!name.startsWith('.') && importer !== undefined) return { id: name, external: true };
      return SHARED.test(name) ? { id: join(dirname(importer), name), external: 'relative' } : null;
    },
    load: (id) => packages[id] ?? null,
    // A chunk may be in another folder than the module.
    resolveImportMeta(property, { chunkId, moduleId }) {
      if (property !== 'url' || !isAbsolute(moduleId)) return null;
      const path = relative(dirname(join(folder, chunkId)), moduleId);
      return `new URL(${JSON.stringify(path)}, import.meta.url).href`;
    },
    async renderChunk(code) {
      // Without comments, which Node would read at every start.
      return (await transform(code, { target: 'node20', legalComments: 'inline' })).code;
    },
  };
  writeFileSync(join(modules, 'worker.js'), `import '../${WORKER}.js';\n`);
  const bundle = await rollup({
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(modules, `${name}.js`)])),
    plugins: [plugin],
  });
  await bundle.write({
    dir: folder,
    chunkFileNames: ({ name, facadeModuleId }) =>
      `chunks/${facadeModuleId ? relative(output, facadeModuleId).slice(0, -3).split(sep).join('-') : name}.js`,
    minifyInternalExports: false,
    manualChunks: (id, { getModuleInfo }) =>
      Object.keys(whole).find((name) => isWithin(id, whole[name], getModuleInfo)),
  });
  await bundle.close();
  rmSync(modules, { recursive: true });
  renameSync(folder, modules);
  writeFileSync(join(output, `${WORKER}.js`), "import '../../cli/worker.js';\n");
}
