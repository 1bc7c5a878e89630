import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';
import { build as buildWithVite, type Manifest } from 'vite';
import { link, type Page } from '../pages/html.ts';
import { renderAssets, renderPages } from '../pages/index.ts';
import { renderSearchIndex, searchPage } from '../pages/search/entries.ts';
import { renderPlayground } from '../playground/page.ts';
import { type Files, renderDocument } from './layout.ts';

const ROOT = new URL('../../../', import.meta.url);
const SITE = fileURLToPath(new URL('..', import.meta.url));
const STYLES = 'styles/site.css';
const PAGE_STYLES = 'pages/pages.css';
const PLAYGROUND_STYLES = 'styles/playground.css';
const EVERYWHERE = 'pages/everywhere.ts';
const PLAYGROUND = 'playground/main.ts';
const FILTER = 'pages/filter.ts';
const SEARCH = 'pages/search/box.ts';

/** Builds the site: a folder of files that any web server can serve, under any path. The folder is emptied first. */
export async function buildSite(out: string): Promise<void> {
  const [pages, assets] = await Promise.all([renderPages(ROOT), renderAssets(ROOT)]);
  const manifest = await bundlePlayground(out);
  const scripts = await bundleScripts(out);
  const content = [renderPlayground(ROOT), ...pages];
  const all = [...content, searchPage, renderNotFound()];
  for (const page of all) await write(out, page.path, renderDocument(page, all, filesOf(page, manifest, scripts)));
  for (const { path, bytes } of [...assets, ...renderSearchIndex(content)]) await write(out, path, bytes);
  await write(out, 'icon.svg', await readFile(join(SITE, 'styles/icon.svg')));
}

/** Renders the page for any missing address. Its links start from the path of the site that package.json names. */
function renderNotFound(): Page {
  const { homepage } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { homepage: string };
  const base = new URL(homepage).pathname;
  return {
    path: '404.html',
    title: 'Page not found',
    description: 'There is no page at this address.',
    section: 'not found',
    base,
    body: `<h1>Page not found</h1>
<p>There is no page at this address. Try the ${link(`${base}search.html`, 'search')}, or begin at the ${link(`${base}index.html`, 'playground')}.</p>`,
  };
}

/** Bundles the scripts that a browser also runs from a file: it refuses modules there. Returns their files. */
async function bundleScripts(out: string): Promise<ReadonlyMap<string, string>> {
  const { metafile } = await bundle({
    ...{ absWorkingDir: SITE, entryPoints: [EVERYWHERE, FILTER, SEARCH], outdir: join(out, 'assets') },
    ...{ bundle: true, minify: true, format: 'iife', target: 'es2022', entryNames: '[name]-[hash]', metafile: true },
  });
  return new Map(
    Object.entries(metafile.outputs).map(([file, { entryPoint }]) => [entryPoint!, `assets/${basename(file)}`]),
  );
}

async function bundlePlayground(out: string): Promise<Manifest> {
  await buildWithVite({
    configFile: false,
    root: SITE,
    base: './',
    logLevel: 'warn',
    worker: { format: 'es' },
    build: {
      outDir: out,
      emptyOutDir: true,
      manifest: 'manifest.json',
      // The few modules that parts of the playground share are small: the list of them would be part of the first load.
      modulePreload: false,
      target: 'es2022',
      // PDFium is in the module of the PDF parser: pages may fetch nothing. A separate test checks the size of the first load.
      assetsInlineLimit: (path) => path.endsWith('/pdfium.wasm.gz'),
      chunkSizeWarningLimit: 10_000,
      rollupOptions: {
        input: [STYLES, PAGE_STYLES, PLAYGROUND_STYLES, PLAYGROUND].map((file) => join(SITE, file)),
      },
    },
  });
  const file = join(out, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  await rm(file);
  return manifest;
}

function filesOf(page: Page, manifest: Manifest, scripts: ReadonlyMap<string, string>): Files {
  const isPlayground = page.section === 'playground';
  const entries = [
    EVERYWHERE,
    ...(page.section === 'search' ? [SEARCH] : []),
    ...(page.body.includes(' data-filter=') ? [FILTER] : []),
  ];
  const styles = [STYLES, isPlayground ? PLAYGROUND_STYLES : PAGE_STYLES];
  return {
    styles: styles.map((style) => manifest[style]!.file),
    scripts: entries.map((entry) => scripts.get(entry)!),
    modules: isPlayground ? [manifest[PLAYGROUND]!.file] : [],
  };
}

async function write(out: string, path: string, content: string | Uint8Array): Promise<void> {
  const file = join(out, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
