import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** The headers that a page cannot set for itself; `src/site/README.md` describes how to send them. */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

export type FileServer = Awaited<ReturnType<typeof serve>>;

/** Serves a folder to this machine under the path `base`, like a web server, with {@link HEADERS}. Port 0 takes a free one. */
export async function serve(folder: string, { port = 0, base = '/' } = {}) {
  const server: Server = createServer(async (request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname.startsWith(base) ? normalize(decodeURIComponent(pathname.slice(base.length - 1))) : '/404';
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    try {
      const content = await readFile(file);
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream').end(content);
    } catch {
      const page = await readFile(join(folder, '404.html')).catch(() => 'not found');
      response.writeHead(404, { 'content-type': TYPES['.html'] }).end(page);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  const address = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${address.port}${base}`, close };
}
