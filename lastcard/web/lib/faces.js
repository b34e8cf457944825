// A game's face, loaded when it is needed: its drawings, its words and its style.

import { h } from './dom.js';
import { learn } from './words.js';

export const GAMES = /** @type {const} */ (['chiko', 'eight_half', 'sixth_sense', 'taki', 'chichiko']);

/** @param {string} game @returns {Promise<any>} the module: its default is the Face */
export async function load(game) {
  if (!GAMES.some((one) => one === game)) throw new Error(`no game ${game}`);
  const [module] = await Promise.all([import(`../games/${game}/game.js`), learn(game), dressed(game)]);
  return module;
}

/** @param {string} game @returns {Promise<SVGElement>} */
export async function emblem(game) {
  const { default: draw } = await import(`../games/${game}/emblem.js`);
  const picture = draw();
  picture.classList.add('emblem');
  picture.setAttribute('aria-hidden', 'true');
  return picture;
}

/** Its style sheet, once. @param {string} game */
export async function dressed(game) {
  const href = `/web/games/${game}/style.css`;
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = /** @type {HTMLLinkElement} */ (h('link', { rel: 'stylesheet', href }));
  const loaded = new Promise((resolve) => {
    link.onload = link.onerror = resolve;
  });
  document.head.append(link);
  await loaded;
}
