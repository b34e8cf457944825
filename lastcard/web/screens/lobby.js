// The first screen: the games, a table at once, and tables to join.

import { h } from '../lib/dom.js';
import { offered } from '../lib/api.js';
import { GAMES, emblem } from '../lib/faces.js';
import { icon } from '../lib/icons.js';
import { learn, t } from '../lib/words.js';
import { OpenTables, OwnTables } from '../lobby/tables.js';
import { opponents, tile } from '../lobby/tiles.js';
import { refusal } from '../table/words.js';
import { alert, languages } from './parts.js';

const ICON = new URL('../icons/icon.svg', import.meta.url).href;
const REFRESH = 5000; // milliseconds between updates of the open tables

/** @type {import('../lib/router.js').Screen} */
export default async function lobby(root) {
  document.title = t('app.name');
  let known;
  try {
    known = await offered();
  } catch (problem) {
    root.append(h('main', { class: 'page' }, alert(refusal(/** @type {any} */ (problem).code)),
      h('button', { class: 'button', onclick: () => location.reload() }, t('error.again'))));
    return;
  }
  const games = known.games.filter((/** @type {any} */ game) => GAMES.includes(game.id)); // those with a face
  const emblems = await drawEmblems(games);
  /** @param {string} game */
  const small = (game) => emblems.get(game)?.cloneNode(true) ?? null;
  const open = new OpenTables(small), own = new OwnTables(small), problem = h('div', {});
  const tiles = games.map((/** @type {any} */ game) => tile(game, emblems.get(game.id) ?? null, problem));
  root.append(
    header(),
    h('main', { class: 'page' },
      h('p', { class: 'lead' }, t('lobby.lead')),
      problem,
      own.element,
      h('section', { class: 'now', 'aria-label': t('lobby.now') },
        opponents(known.levels, () => tiles.forEach((/** @type {import('../lobby/tiles.js').Tile} */ one) => one.update())),
        h('div', { class: 'games' }, tiles.map((/** @type {import('../lobby/tiles.js').Tile} */ one) => one.element))),
      open.element, own.replays,
      h('footer', { class: 'foot' }, t('app.trademarks'))));
  own.draw();
  await Promise.all([open.refresh(), own.refresh()]);
  const timer = setInterval(() => open.refresh(), REFRESH);
  return () => clearInterval(timer);
}

/** The emblem of each game; its title is learnt on the way. @param {any[]} games */
async function drawEmblems(games) {
  return new Map(await Promise.all(games.map(async ({ id }) => {
    const [picture] = await Promise.all([emblem(id), learn(id)]);
    return /** @type {[string, SVGElement]} */ ([id, picture]);
  })));
}

function header() {
  return h('header', { class: 'bar lobby-bar' },
    h('a', { class: 'brand', href: '/', 'aria-current': 'page' }, h('img', { src: ICON, alt: '', width: 40, height: 40 }),
      h('h1', {}, t('app.name'))),
    languages(),
    h('a', { class: 'icon-button', href: '/settings', 'aria-label': t('settings.title') }, icon('settings')));
}
