// Which screen belongs to which address.

import { address, path, pathOf } from './address.js';
import { h } from './dom.js';
import { language } from './settings.js';
import { speak, t } from './words.js';

/**
 * A screen draws itself into the root; it may return a function to call when it is left.
 * @typedef {(root: HTMLElement, ...parts: string[]) => Promise<(() => void) | void>} Screen
 */

/** @type {[RegExp, () => Promise<{default: Screen}>][]} */
const SCREENS = [
  [/^\/$/, () => import('../screens/lobby.js')],
  [/^\/new\/(\w+)$/, () => import('../screens/new.js')],
  [/^\/t\/([\w-]+)$/, () => import('../screens/table.js')],
  [/^\/t\/([\w-]+)\/matches\/(\d+)$/, () => import('../screens/replay.js')],
  [/^\/rules(?:\/(\w+))?$/, () => import('../screens/rules.js')],
  [/^\/settings$/, () => import('../screens/settings.js')],
];

/** @type {(() => void) | void} */
let leave;
let turn = 0; // counts navigations: a screen that loads too late is not shown
let begun = false; // there are words to show a screen with

/** Shows the screen for the address. */
export async function show() {
  const mine = ++turn;
  const root = /** @type {HTMLElement} */ (document.getElementById('app'));
  root.setAttribute('aria-busy', 'true');
  leave?.();
  leave = undefined;
  const [screen, ...parts] = await find();
  if (mine !== turn) return;
  const place = h('div', { class: 'screen' });
  root.replaceChildren(place);
  try {
    const left = await screen(place, ...parts);
    if (mine !== turn) left?.();
    else leave = left;
  } finally {
    if (mine === turn) root.removeAttribute('aria-busy');
  }
}

/** @returns {Promise<[Screen, ...string[]]>} */
async function find() {
  for (const [form, load] of SCREENS) {
    const found = form.exec(path());
    if (found) return [(await load()).default, ...found.slice(1).filter((part) => part !== undefined)];
  }
  return [(await import('../screens/missing.js')).default];
}

/** How many screens there are to go back to. */
const gone = () => history.state?.gone ?? 0;

/** Goes back, unless we came from another site: then the link leads to the lobby. @param {Event} event */
export function back(event) {
  if (!gone()) return;
  event.preventDefault();
  history.back();
}

/** @param {string} to a path */
export function go(to) {
  history.pushState({ gone: gone() + 1 }, '', address(to));
  window.scrollTo(0, 0);
  return show();
}

/** Draws everything anew, as in another language. */
export async function again() {
  await speak(language());
  begun = true;
  document.title = t('app.name');
  await show();
}

document.addEventListener('click', (event) => {
  const link = /** @type {Element} */ (event.target).closest?.('a[href]'), to = link && pathOf(link);
  if (!link || to === null || event.defaultPrevented || link.hasAttribute('download') || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(to);
});
window.addEventListener('popstate', () => begun && show());
