import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { isLarge } from '../../src/conformance/suite/accumulate.ts';
import { loadGroups } from '../../src/conformance/suite/load-suite.ts';
import '../built.ts';
import { isThere } from '../adapters/implementations.ts';
import { PROCESS_TIMEOUT } from '../process.ts';
import { PDFS, textsOfPdfs } from './pdfs.ts';
import { root } from './tools.ts';

const groups = loadGroups();
const all = groups
  .flatMap(({ vectors }) => vectors)
  .filter((vector) => vector.status !== 'retired' && !isLarge(vector)).length;

const pdfs = Array.from(PDFS, ([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);

const PAGE = `<!doctype html><meta charset="utf-8"><title>vectors</title>
<script type="importmap">{ "imports": { "simhash-doc": "/browser.js" } }</script>
<script type="module" src="/page.js"></script>`;

/** The adapter gets the library from the page: its one file for browsers, by the import map. */
const fromPage: Plugin = {
  name: 'from-page',
  setup({ onResolve }) {
    onResolve({ filter: /\/index\.ts$/ }, ({ path, importer }) =>
      path === '../../index.ts' && importer.includes('/conformance/') ? { path: 'simhash-doc', external: true } : null,
    );
  },
};

/** Opens a page that runs the vectors, in a browser without a window, and waits for its results. */
async function runInBrowser(command: (url: string, profile: string) => readonly string[]): Promise<unknown> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/engines/page.ts')],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
    plugins: [fromPage],
  });
  const profile = mkdtempSync(join(tmpdir(), 'simhash-doc-browser-'));
  let finish: (result: unknown) => void = () => undefined;
  const result = new Promise((resolve) => {
    finish = resolve;
  });
  const server = createServer((request, response) => {
    if (request.url === '/result') {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      request.on('end', () => {
        response.end();
        finish(JSON.parse(body));
      });
      return;
    }
    const [type, body] =
      request.url === '/page.js'
        ? ['text/javascript', outputFiles[0]!.text]
        : request.url === '/browser.js'
          ? ['text/javascript', readFileSync(join(root, 'dist/browser.js'))]
          : request.url === '/vectors'
            ? ['application/json', JSON.stringify(groups)]
            : request.url === '/pdfs'
              ? ['application/json', JSON.stringify(pdfs)]
              : request.url === '/pdfium.wasm.gz'
                ? ['application/gzip', readFileSync(join(root, 'dist/extract/pdf/pdfium.wasm.gz'))]
                : ['text/html', PAGE];
    response.setHeader('content-type', `${type}; charset=utf-8`).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const [program, ...args] = command(`http://127.0.0.1:${port}/`, profile);
  const browser = spawn(program!, args, { stdio: 'ignore', detached: true, env: { ...process.env, HOME: profile } });
  browser.once('exit', (code, signal) => finish(`the browser ended: ${signal ?? code}`));
  const timer = setTimeout(() => finish('no result in time'), PROCESS_TIMEOUT);
  try {
    return await result;
  } finally {
    clearTimeout(timer);
    if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('browsers', () => {
  test.each([
    [
      'chromium',
      (url: string, profile: string) => [
        ...['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
        ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
        ...[`--user-data-dir=${profile}`, url],
      ],
    ],
    [
      'firefox-esr',
      (url: string, profile: string) => ['firefox-esr', '--headless', '--no-remote', '--profile', profile, url],
    ],
  ] as const)('compute every vector and the exact text of every PDF from the bundle: %s', async (program, command) => {
    if (!isThere(program, isInstalled(program))) return;
    const { reports, kernel, texts } = (await runInBrowser(command)) as {
      reports: { group: string; passed: number; failed: number; failures: unknown[] }[];
      kernel: boolean;
      texts: Record<string, string>;
    };
    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    expect(reports.reduce((sum, { passed }) => sum + passed, 0)).toBe(all);
    expect(kernel).toBe(true);
    expect(texts).toEqual(await textsOfPdfs());
  });
});
