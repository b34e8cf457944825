// Keeping the page for times without a network: the service worker (service.js) does the work.

import { ROOT } from './address.js';

const CHECK = 3_600_000; // milliseconds between looks for a new version, while the page is open
const VERSION = /\/web\/([0-9a-f]{16})\//.exec(import.meta.url)?.[1] ?? '';

/** @type {Set<() => void>} */
const listeners = new Set();
let ready = false; // a newer version is

/**
 * Calls back when a newer version of the page is ready, or at once if one is; returns how to stop that.
 * @param {() => void} tell
 */
export function whenNewer(tell) {
  if (ready) tell();
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** Begins to keep the page. */
export async function keepPage() {
  const { serviceWorker: workers, locks } = navigator;
  if (!workers || !locks) {
    await fetchAll().catch(() => null); // the network is gone already
    return;
  }
  // As long as this page is open, the files of its version are kept.
  locks.request(`lastcard ${ROOT} ${VERSION}`, { mode: 'shared' }, () => new Promise(() => {}));
  workers.addEventListener('message', ({ data }) => {
    if (!data.ready || data.ready === VERSION || ready) return;
    ready = true;
    listeners.forEach((tell) => tell());
  });
  workers.startMessages();
  const kept = await workers.register(new URL('service.js', ROOT)).catch(() => null); // forbidden: then not
  if (!kept) return;
  kept.active?.postMessage('begun'); // the page that was here before may have been the last of its version
  let checked = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || performance.now() < checked + CHECK) return;
    checked = performance.now();
    kept.update().catch(() => null); // no network
  });
}

/**
 * Over plain HTTP, as in a home network, browsers have no service workers. But they keep files whose address has
 * the version: a page that is open can then go on to every game, even if the server has gone.
 */
async function fetchAll() {
  const list = await fetch(new URL(`web/${VERSION}/files.json`, ROOT));
  for (const name of await list.json()) await (await fetch(new URL(name, ROOT))).arrayBuffer();
}
