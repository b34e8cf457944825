// A game's face, loaded when it is needed: its drawings and its words.

import { Refused, offered } from './api.js';
import { learn } from './words.js';

/** The games that the page can show: those that have a face. */
export async function shown() {
  const { games } = await offered();
  return games.filter(({ face }) => face);
}

/** @param {string} game @returns {Promise<import('../types').GameModule>} */
export async function load(game) {
  if (!(await shown()).some(({ id }) => id === game)) throw new Refused('no_face', game);
  const [module] = await Promise.all([import(`../../games/${game}/face/game.js`), learn(game)]);
  return module;
}

/** @param {string} game @returns {Promise<SVGElement>} */
export async function emblem(game) {
  const { default: draw } = await import(`../../games/${game}/face/emblem.js`);
  const picture = draw();
  picture.classList.add('emblem');
  picture.setAttribute('aria-hidden', 'true');
  return picture;
}
