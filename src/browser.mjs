// Builds dist/browser.js: the library as one ES module without imports, for an import map, a <script> or a CDN.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Answers as unicode-properties does where `classify` asks, from the table of classes, which was generated from it. */
const categories = (path) => `import { classOf } from ${JSON.stringify(path)};
export default { getCategory: (codePoint) => ['Zs', 'Mn', 'Lu', 'Zs', 'Cc'][classOf(codePoint)] };`;

/** Writes the kernel compressed: its base64 alone takes a third of the file. */
function kernelModule(base64) {
  const wasm = Buffer.from(base64, 'base64');
  return `import inflate from 'tiny-inflate';
const bytes = new Uint8Array(${wasm.length});
inflate(Uint8Array.from(atob('${deflateRawSync(wasm, { level: 9 }).toString('base64')}'), (c) => c.charCodeAt(0)), bytes);
export const FINGERPRINT_WASM = btoa(String.fromCharCode(...bytes));`;
}

const smaller = {
  name: 'smaller',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^unicode-properties$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, 'unicode.js'),
      namespace: 'smaller',
    }));
    onLoad({ filter: /.*/, namespace: 'smaller' }, ({ path }) => ({ contents: categories(path), resolveDir: root }));
    onLoad({ filter: /[\\/]kernel\.generated\.js$/ }, ({ path }) => {
      const [, base64] = /'([\w+/=]+)'/.exec(readFileSync(path, 'utf8'));
      return { contents: kernelModule(base64), resolveDir: root };
    });
  },
};

const PARTS = `base32-encode, base32-decode, to-data-view: Copyright (c) 2016-2021 Linus Unnebäck
tiny-inflate: Copyright (c) 2015-present Devon Govett`;

/** Bundles dist/index.js; package.json gives the bundle the same types. */
export async function bundleForBrowsers(modules, outfile) {
  const licence = readFileSync(join(root, 'node_modules/tiny-inflate/LICENSE'), 'utf8').replace(
    /^[\s\S]*?(?=Permission)/,
    '',
  );
  await build({
    entryPoints: [join(modules, 'index.js')],
    outfile,
    banner: { js: `/*! simhash-doc, with parts of:\n${PARTS}\n\nLicence (MIT):\n${licence}*/` },
    plugins: [smaller],
    nodePaths: [join(root, 'node_modules')],
    ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', legalComments: 'none', logLevel: 'warning' },
  });
}
