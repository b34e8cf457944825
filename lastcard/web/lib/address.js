// Addresses inside the page. A server answers every path with the page; a plain folder of files (`lastcard site`)
// cannot do that, and there the path comes after a "#". Everything else knows paths only.

/** Whether there are only files, and no server to ask. */
export const alone = () => document.documentElement.dataset.server === 'none';

/** Where the page lies: its files are at web/VERSION/. */
export const ROOT = new URL('../../../../', import.meta.url).href;

/** The path that is shown, such as "/rules/chiko". */
export const path = () => (alone() ? location.hash.slice(1) || '/' : location.pathname);

/** The address of a path, for links and for the history. @param {string} path */
export const address = (path) => (alone() ? `#${path}` : path);

/** The path that a link leads to, or null if it leads out of the page. @param {Element} link */
export function pathOf(link) {
  const href = link.getAttribute('href') ?? '';
  if (alone()) return href.startsWith('#/') ? href.slice(1) : null;
  return href.startsWith('/') ? href : null;
}

/** What comes after the path: the token of a seat, in the link to it. */
export const token = () => (alone() ? '' : location.hash.slice(1));
