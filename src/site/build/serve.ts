import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
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

/** Serves a folder to this machine under the path `base`, with {@link HEADERS}. Port 0 takes a free one. */
export async function serve(folder: string, { port = 0, base = '/' } = {}) {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const refuse = (status: number, text: string | Buffer): void => {
      response.writeHead(status, { 'content-type': TYPES['.html'] }).end(text);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return refuse(405, 'expected GET or HEAD');
    }
    const path = pathIn(request.url ?? '/');
    if (path === undefined) return refuse(400, 'malformed path');
    const inFolder = path.startsWith(base) ? path.slice(base.length - 1) : '/404';
    const file = join(folder, normalize(inFolder.endsWith('/') ? `${inFolder}index.html` : inFolder));
    try {
      const content = await readFile(file);
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream').end(content);
    } catch {
      refuse(404, await readFile(join(folder, '404.html')).catch(() => 'not found'));
    }
  }
  const server: Server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
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

function pathIn(target: string): string | undefined {
  try {
    const { pathname } = new URL(target.startsWith('/') ? `http://localhost${target}` : target);
    const path = decodeURIComponent(pathname);
    return path.startsWith('/') && !path.includes('\0') ? path : undefined;
  } catch {
    return undefined;
  }
}
