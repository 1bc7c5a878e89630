/** Keeps the files of the site, so that it works offline. It requests nothing else. */

/** The playground and its parsers, relative to the site. */
declare const FIRST: readonly string[];
/** The other pages and the test vectors. */
declare const REST: readonly string[];
declare const VERSION: string;
declare const POLICY: string;

/** The part of a service worker's scope that is used; the library set of pages has no types for it. */
interface Scope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchLike) => void): void;
}
interface Extendable {
  waitUntil(promise: Promise<unknown>): void;
}
interface FetchLike extends Extendable {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const scope = self as unknown as Scope;
const PREFIX = 'simhash-doc ';
const CACHE = `${PREFIX}${VERSION} ${scope.registration.scope}`;

scope.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FIRST.map(urlOf)))
      .then(() => scope.skipWaiting()),
  );
});

function urlOf(file: string): string {
  return new URL(file, scope.registration.scope).href;
}

/** Keeps the rest, one file at a time, so that it does not delay the reader's requests. */
async function keepRest(): Promise<void> {
  const cache = await caches.open(CACHE);
  for (const file of REST) if ((await cache.match(urlOf(file))) === undefined) await cache.add(urlOf(file));
}

scope.addEventListener('activate', (event) => {
  const isOld = (name: string): boolean =>
    name.startsWith(PREFIX) && name.endsWith(` ${scope.registration.scope}`) && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
      .then(() => scope.clients.claim()),
  );
  // Files that cannot be fetched now are kept when they are read.
  keepRest().catch(() => undefined);
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(scope.registration.scope)) return;
  event.respondWith(answer(event));
});

/**
 * Answers with a page from the network if possible, so that a new version appears at once; its files, whose names change,
 * come from the cache.
 */
async function answer(event: FetchLike): Promise<Response> {
  const { request } = event;
  const url = request.url.replace(/[?#].*$/, '').replace(/\/$/, '/index.html');
  const cache = await caches.open(CACHE);
  const kept = await cache.match(url);
  if (request.destination === 'worker' && kept !== undefined) return withPolicy(kept);
  if (request.mode !== 'navigate' && kept !== undefined) return kept;
  try {
    const response = await fetch(request);
    // On a full disk, the page is still shown.
    if (response.ok) event.waitUntil(cache.put(url, response.clone()).catch(() => undefined));
    return response;
  } catch (error) {
    if (kept !== undefined) return kept;
    throw error;
  }
}

/** The file of a worker with the policy of the pages, which a worker does not inherit from its page. */
function withPolicy(file: Response): Response {
  const headers = new Headers(file.headers);
  headers.set('content-security-policy', POLICY);
  return new Response(file.body, { headers });
}
