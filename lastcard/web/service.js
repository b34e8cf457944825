// The service worker: after the first visit everything but live tables works without a network.
//
// A plain script, not a module, since not every browser takes one here. The server puts `RELEASE` before it, so
// that each version is another script. Each has a cache of its own, which is used once it is complete; files
// have the version in their addresses, so that versions never mix.

'use strict';

/** @typedef {Event & {waitUntil(work: Promise<unknown>): void}} Lasting */
/** @typedef {Lasting & {request: Request, respondWith(answer: Promise<Response>): void}} Asked */
/**
 * What TypeScript's DOM does not know of a service worker.
 * @typedef {object} Service
 * @property {{scope: string}} registration
 * @property {{claim(): Promise<void>, matchAll(which: {type: string, includeUncontrolled: boolean}): Promise<{postMessage(message: unknown): void}[]>}} clients
 * @property {() => Promise<void>} skipWaiting
 * @property {(kind: string, work: (event: any) => void) => void} addEventListener
 */

const service = /** @type {Service} */ (/** @type {unknown} */ (self));
const { scope } = service.registration; // where the page lies, and its address
const CACHE = `lastcard ${scope} `; // several pages may share an origin
const AT_ONCE = 4; // files: the page comes first
const PATIENCE = 3000; // milliseconds for the network to bring the page

service.addEventListener('install', (/** @type {Lasting} */ event) => event.waitUntil(install()));
service.addEventListener('activate', (/** @type {Lasting} */ event) => event.waitUntil(activate()));
service.addEventListener('message', (/** @type {Lasting} */ event) => event.waitUntil(tidy())); // a page has begun
service.addEventListener('fetch', (/** @type {Asked} */ event) => {
  const { request } = event;
  const path = request.url.startsWith(scope) ? request.url.slice(scope.length) : null;
  if (request.method !== 'GET' || path === null || path.startsWith('api/')) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else event.respondWith(/^web\/[0-9a-f]{16}\//.test(path) ? file(request) : newest(request));
});

/** The cache of this version. */
const own = () => caches.open(CACHE + RELEASE);

/** Fetches this version; what has been fetched before stays. The page comes last: with it the cache is complete. */
async function install() {
  const cache = await own(), list = await fetched(new URL(`web/${RELEASE}/files.json`, scope).href);
  /** @type {string[]} */
  const left = await list.json();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let name; (name = left.shift()) !== undefined; ) {
      const url = new URL(name, scope).href;
      if (!(await cache.match(url))) await cache.put(url, await fetched(url));
    }
  }));
  const answer = await fetched(scope, 'reload');
  if (!(await answer.clone().text()).includes(`web/${RELEASE}/`)) throw new Error('the page has changed meanwhile');
  await cache.put(scope, answer);
  await service.skipWaiting(); // pages of an older version get their own files from this one, too
}

/** @param {string} url @param {RequestCache} [cache] */
async function fetched(url, cache = 'default') {
  const answer = await fetch(url, { cache });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer;
}

/** Serves the pages that are open as well, and tells them which version is ready. */
async function activate() {
  await service.clients.claim();
  await tidy();
  for (const client of await service.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    client.postMessage({ ready: RELEASE });
}

/** Removes older versions, but none that has a page open: such a page holds a lock (lib/offline.js). */
async function tidy() {
  for (const name of await caches.keys())
    if (name.startsWith(CACHE) && name !== CACHE + RELEASE)
      await navigator.locks.request(name, { ifAvailable: true }, (free) => free && caches.delete(name));
}

/** The page as the network has it, or if that fails or takes long, as it is kept. @param {Request} request */
async function page(request) {
  const kept = await (await own()).match(scope);
  if (!kept) return fetch(request); // somebody has cleared the caches
  const answer = fetch(request).catch(() => null);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
  const first = /** @type {Response | null} */ (await Promise.race([answer, late]));
  return first && first.status < 500 ? first : kept;
}

/** A file with a version in its address never changes. @param {Request} request */
const file = async (request) => (await caches.match(request.url)) ?? fetch(request);

/** Whatever else, such as the manifest. @param {Request} request */
async function newest(request) {
  try {
    return await fetch(request);
  } catch (problem) {
    const kept = await (await own()).match(request.url);
    if (kept) return kept;
    throw problem;
  }
}
