// A game's face, loaded when it is needed: its drawings and its words.

import { learn } from './words.js';

export const GAMES = /** @type {const} */ (['chiko', 'eight_half', 'sixth_sense', 'taki', 'chichiko']);

/** @param {string} game @returns {Promise<any>} the module: its default is the Face */
export async function load(game) {
  if (!GAMES.some((one) => one === game)) throw new Error(`no game ${game}`);
  const [module] = await Promise.all([import(`../games/${game}/game.js`), learn(game)]);
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
