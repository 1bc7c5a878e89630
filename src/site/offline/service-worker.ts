/** Keeps every file of the site, so that it works offline. Nothing else is ever requested. */

declare const FILES: readonly string[];
declare const VERSION: string;

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
      .then((cache) => cache.addAll(FILES.map((file) => new URL(file, scope.registration.scope).href)))
      .then(() => scope.skipWaiting()),
  );
});

scope.addEventListener('activate', (event) => {
  const isOld = (name: string): boolean =>
    name.startsWith(PREFIX) && name.endsWith(` ${scope.registration.scope}`) && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
      .then(() => scope.clients.claim()),
  );
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(scope.registration.scope)) return;
  event.respondWith(answer(request));
});

/** A page from the network if possible, so that a new version is seen at once; its files, whose names change, from the cache. */
async function answer(request: Request): Promise<Response> {
  const url = request.url.replace(/[?#].*$/, '').replace(/\/$/, '/index.html');
  const cache = await caches.open(CACHE);
  const kept = await cache.match(url);
  if (request.mode !== 'navigate' && kept !== undefined) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (kept !== undefined) return kept;
    throw error;
  }
}
