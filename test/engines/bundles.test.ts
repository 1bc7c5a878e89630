import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, type Platform } from 'esbuild';
import { expect, test } from 'vitest';
import { isThere } from '../adapters/implementations.ts';
import { MEDIA_DOCUMENTS } from '../extract/media.ts';
import { NODE, outputOf } from '../process.ts';
import { installed, root } from './tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-bundles-'));

const PDF = join(folder, 'ferry-en.pdf');
writeFileSync(PDF, MEDIA_DOCUMENTS.get('ferry-en-pdf')!.bytes);

/** Reads text, HTML and a PDF with the library, as a bundle of one file has it. */
const SOURCE = `
import { fingerprint, serialise } from ${JSON.stringify(join(root, 'dist/index.js'))};
import { extract } from ${JSON.stringify(join(root, 'dist/extract/index.js'))};
const encode = (text) => new TextEncoder().encode(text);
export async function read(pdf) {
  const text = await extract(encode('The quick brown fox jumps over the lazy dog.'), { path: 'fox.txt' });
  const html = await extract(encode('<p>The quick brown <b>fox</b> jumps over the <i>lazy</i> dog.'));
  const drawn = await extract(pdf).then(
    ({ text }) => ({ length: text.length }),
    (error) => ({ code: error.code, message: error.message, cause: String(error.cause) }),
  );
  return { text: serialise(fingerprint(text.text)), html: serialise(fingerprint(html.text)), pdf: drawn };
}
`;

async function bundle(platform: Platform, source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root, loader: 'js' },
    bundle: true,
    write: false,
    platform,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}

interface Result {
  readonly text: string;
  readonly html: string;
  readonly pdf: {
    readonly length?: number;
    readonly code?: string;
    readonly message?: string;
    readonly cause?: string;
  };
}

/** Text and HTML are read; a PDF is, or the error has the reason and the cause. */
function expectReading({ text, html, pdf }: Result): void {
  expect([text, html]).toEqual(['4L3UPEMLCUTGM', '4L3UPEMLCUTGM']);
  if (pdf.length !== undefined) expect(pdf.length).toBeGreaterThan(500);
  else {
    expect(pdf.code).toMatch(/^[a-z-]+$/);
    // It was installed, so there is no advice to install it.
    expect(pdf.message).not.toContain('npm install');
    expect(pdf.cause).toMatch(/Error: ./);
  }
}

test('the package runs as a single file in Node', async () => {
  const file = join(folder, 'bundle.mjs');
  const main = `import { readFileSync } from 'node:fs';
    console.log(JSON.stringify(await read(new Uint8Array(readFileSync(${JSON.stringify(PDF)})))));`;
  writeFileSync(file, await bundle('node', `${SOURCE}\n${main}`));
  expectReading(JSON.parse(outputOf([...NODE, file], { cwd: folder })) as Result);
});

// The last version that runs on Node 20.
const MINIFLARE = 'miniflare@4.20260426';
const modules = installed(MINIFLARE);
const miniflare = modules && join(modules, 'miniflare/dist/src/index.js');

test.skipIf(!isThere(`the npm package ${MINIFLARE}`, miniflare !== undefined && existsSync(miniflare)))(
  'the package runs in a worker of workerd',
  async () => {
    const handler = `export default { async fetch(request) {
      return Response.json(await read(new Uint8Array(await request.arrayBuffer())));
    } };`;
    const script = await bundle('browser', `${SOURCE}\n${handler}`);
    const { Miniflare } = (await import(/* @vite-ignore */ pathToFileURL(miniflare!).href)) as {
      Miniflare: new (
        options: object,
      ) => {
        dispatchFetch(url: string, init: object): Promise<{ text(): Promise<string> }>;
        dispose(): Promise<void>;
      };
    };
    const worker = new Miniflare({
      modules: [{ type: 'ESModule', path: 'worker.mjs', contents: script }],
      compatibilityDate: '2026-01-01',
    });
    try {
      const response = await worker.dispatchFetch('http://localhost/', { method: 'POST', body: readFileSync(PDF) });
      expectReading(JSON.parse(await response.text()) as Result);
    } finally {
      await worker.dispose();
    }
  },
);

test('the file for browsers imports nothing, exports what the library does, and has at most 32 kB with Brotli', async () => {
  const code = readFileSync(join(root, 'dist/browser.js'));
  expect(code.toString()).not.toMatch(/\bimport\b\s*["'{*(]|\bfrom\s*["']|\brequire\(/);
  const [browser, library] = await Promise.all(
    ['dist/browser.js', 'dist/index.js'].map((name) => import(join(root, name))),
  );
  expect(Object.keys(browser)).toEqual(Object.keys(library));
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(32_000);
});
