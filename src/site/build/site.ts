import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';
import { build as buildWithVite, type Manifest } from 'vite';
import { renderNotFound } from '../pages/edition/not-found.ts';
import { renderAssets, renderPages } from '../pages/index.ts';
import { renderSearchIndex, searchPage } from '../pages/search/index.ts';
import type { Page } from '../pages/types.ts';
import { PLAYGROUND_PATH, renderPlayground } from '../playground/page.ts';
import { type Files, POLICY, renderDocument } from './layout.ts';

const ROOT = new URL('../../../', import.meta.url);
const SITE = fileURLToPath(new URL('..', import.meta.url));

/** The entries of the bundle, relative to src/site. */
const STYLES = 'styles/site.css';
const PAGE_STYLES = 'pages/pages.css';
const PLAYGROUND_STYLES = 'styles/playground.css';
const EVERYWHERE = 'offline/register.ts';
const PLAYGROUND = 'playground/main.ts';
const FILTER = 'pages/filter.ts';
const SEARCH = 'pages/search/search.ts';

/** Builds the site: a folder of files that any web server can serve, under any path. The folder is emptied first. */
export async function buildSite(out: string): Promise<void> {
  const [pages, assets] = await Promise.all([renderPages(ROOT), renderAssets(ROOT)]);
  const manifest = await bundleScripts(out);
  const content = [renderPlayground(ROOT), ...pages];
  const all = [...content, searchPage, renderNotFound(ROOT)];
  for (const page of all) await write(out, page.path, renderDocument(page, all, filesOf(page, manifest)));
  for (const { path, bytes } of [...assets, renderSearchIndex(content)]) await write(out, path, bytes);
  await write(out, 'icon.svg', await readFile(join(SITE, 'styles/icon.svg')));
  await writeServiceWorker(out, manifest);
}

async function bundleScripts(out: string): Promise<Manifest> {
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
      assetsInlineLimit: 0,
      // The PDF parser is one file; a separate test checks the size of the first load.
      chunkSizeWarningLimit: 10_000,
      rollupOptions: {
        input: [STYLES, PAGE_STYLES, PLAYGROUND_STYLES, EVERYWHERE, PLAYGROUND, FILTER, SEARCH].map((file) =>
          join(SITE, file),
        ),
      },
    },
  });
  const file = join(out, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  await rm(file);
  return manifest;
}

function filesOf(page: Page, manifest: Manifest): Files {
  const entries = [
    EVERYWHERE,
    ...(page.section === 'playground' ? [PLAYGROUND] : []),
    ...(page.section === 'search' ? [SEARCH] : []),
    ...(page.body.includes(' data-filter=') ? [FILTER] : []),
  ];
  const chunks = entries.map((entry) => manifest[entry]!);
  const imports = new Set<string>();
  const follow = (names: readonly string[] = []): void => {
    for (const name of names) {
      if (imports.has(manifest[name]!.file)) continue;
      imports.add(manifest[name]!.file);
      follow(manifest[name]!.imports);
    }
  };
  for (const { imports: names } of chunks) follow(names);
  const styles = [STYLES, page.section === 'playground' ? PLAYGROUND_STYLES : PAGE_STYLES];
  return {
    styles: styles.map((style) => manifest[style]!.file),
    scripts: chunks.map(({ file }) => file),
    preloads: [...imports],
  };
}

/** Writes the service worker, which has a list of all files of the site and a version made of their contents. */
async function writeServiceWorker(out: string, manifest: Manifest): Promise<void> {
  const files = await listFiles(out);
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(join(out, file)));
  const vectors = new Set(
    Object.values(manifest).flatMap(({ src, file }) => (src?.includes('vectors/') ? [file] : [])),
  );
  const isFirst = (file: string): boolean =>
    file === PLAYGROUND_PATH || (file.startsWith('assets/') && !vectors.has(file));
  await bundle({
    entryPoints: [join(SITE, 'offline/service-worker.ts')],
    outfile: join(out, 'service-worker.js'),
    ...{ bundle: true, minify: true, format: 'iife', target: 'es2022', logLevel: 'warning' },
    define: {
      FIRST: JSON.stringify(files.filter(isFirst)),
      REST: JSON.stringify(files.filter((file) => !isFirst(file))),
      POLICY: JSON.stringify(POLICY),
      VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)),
    },
  });
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

async function write(out: string, path: string, content: string | Uint8Array): Promise<void> {
  const file = join(out, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
