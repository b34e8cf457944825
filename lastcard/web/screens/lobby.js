// The first screen: the games, a table at once, and tables to join.

import { h } from '../lib/dom.js';
import { codeOf, offered } from '../lib/api.js';
import { emblem, shown } from '../lib/faces.js';
import { icon } from '../lib/icons.js';
import { whenNewer } from '../lib/offline.js';
import { learn, t } from '../lib/words.js';
import { Importing } from '../lobby/importing.js';
import { OpenTables, OwnTables } from '../lobby/tables.js';
import { opponents, tile } from '../lobby/tiles.js';
import { refusal } from '../table/words.js';
import { alert, elsewhere, languages } from './parts.js';

const ICON = new URL('../icons/icon.svg', import.meta.url).href;
const REFRESH = 5000; // milliseconds between updates of the open tables

/** @type {import('../lib/router.js').Screen} */
export default async function lobby(root) {
  document.title = t('app.name');
  let known, games;
  try {
    [known, games] = await Promise.all([offered(), shown()]);
  } catch (problem) {
    root.append(h('main', { class: 'page' }, alert(refusal(codeOf(problem))),
      h('button', { class: 'button', onclick: () => location.reload() }, t('error.again'))));
    return;
  }
  const emblems = await drawEmblems(games);
  /** @param {string} game */
  const small = (game) => emblems.get(game)?.cloneNode(true) ?? null;
  const open = known.invite && new OpenTables(small), own = new OwnTables(small), problem = h('div', {}), newer = h('div', {});
  const tiles = games.map((game) => tile(game, emblems.get(game.id) ?? null, problem, known));
  root.append(
    header(),
    h('main', { class: 'page' },
      h('p', { class: 'lead' }, t('lobby.lead')),
      newer,
      problem,
      own.element,
      h('section', { class: 'now', 'aria-label': t('lobby.now') },
        opponents(known.levels, () => tiles.forEach((one) => one.update())),
        h('div', { class: 'games' }, tiles.map((one) => one.element))),
      open ? open.element : elsewhere(known), own.replays, new Importing(root).element,
      h('footer', { class: 'foot' }, t('app.trademarks'))));
  own.draw();
  const stop = whenNewer(() => newer.replaceChildren(newVersion()));
  await Promise.all([open?.refresh(), own.refresh()]);
  const timer = setInterval(() => open?.refresh(), REFRESH);
  return () => {
    clearInterval(timer);
    stop();
  };
}

/** Nobody plays in the lobby: here is the place to change to it. */
function newVersion() {
  return h('div', { class: 'sheet', role: 'status' }, h('p', {}, t('lobby.newer')),
    h('button', { type: 'button', class: 'button small', onclick: () => location.reload() }, t('lobby.reload')));
}

/** The emblem of each game; its title is learnt on the way. @param {import('../types').GameInfo[]} games */
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
