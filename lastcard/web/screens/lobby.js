// The first page: five games, a table at once, and the tables of others.

import { h } from '../lib/dom.js';
import { ask, offered, open } from '../lib/api.js';
import { GAMES, emblem, load } from '../lib/faces.js';
import { icon } from '../lib/icons.js';
import { forget, get, keep, keepToken, set, tables } from '../lib/settings.js';
import { learn, list, number, t } from '../lib/words.js';
import { go } from '../lib/router.js';
import { askDialog } from '../table/dialogs.js';
import { refusal, seating } from '../table/words.js';
import { alert, choose, languages, patiently } from './parts.js';

const BOTS = ['1', '2', '3', '4']; // as many as every game takes
const ICON = new URL('../icons/icon.svg', import.meta.url).href;
const MOST_MINE = 8;
const FIRST_MINE = 2;
const REFRESH = 5000; // milliseconds between looks at the list of tables

/** @type {import('../lib/router.js').Screen} */
export default async function lobby(root) {
  document.title = t('app.name');
  let games, levels;
  try {
    const known = await offered();
    levels = known.levels;
    games = known.games.filter((/** @type {any} */ game) => GAMES.includes(game.id)); // those with a face
  } catch (problem) {
    root.append(h('main', { class: 'page' }, alert(refusal(/** @type {any} */ (problem).code)),
      h('button', { class: 'button', onclick: () => location.reload() }, t('error.again'))));
    return;
  }
  const emblems = new Map(await Promise.all(games.map(async (/** @type {any} */ game) => {
    const [picture] = await Promise.all([emblem(game.id), learn(game.id)]);
    return /** @type {[string, SVGElement]} */ ([game.id, picture]);
  })));
  /** @param {string} game */
  const small = (game) => emblems.get(game)?.cloneNode(true) ?? null;

  const mine = h('section', { 'aria-label': t('lobby.mine') });
  const others = h('section', { 'aria-label': t('lobby.open') });
  const again = h('section', { 'aria-label': t('lobby.again') });
  const problem = h('div', {});
  const tiles = games.map((/** @type {any} */ game) => tile(game, emblems.get(game.id) ?? null, problem));
  /** @type {Map<string, any>} */
  const states = new Map(); // of one's own tables, as the server tells them
  root.append(
    h('header', { class: 'bar lobby-bar' },
      h('a', { class: 'brand', href: '/', 'aria-current': 'page' }, h('img', { src: ICON, alt: '', width: 40, height: 40 }),
        h('h1', {}, t('app.name'))),
      languages(),
      h('a', { class: 'icon-button', href: '/settings', 'aria-label': t('settings.title') }, icon('settings'))),
    h('main', { class: 'page' },
      h('p', { class: 'lead' }, t('lobby.lead')),
      problem,
      mine,
      h('section', { class: 'now', 'aria-label': t('lobby.now') },
        opponents(levels, () => tiles.forEach((/** @type {Tile} */ one) => one.tell())),
        h('div', { class: 'games' }, tiles.map((/** @type {Tile} */ one) => one.element))),
      others, again,
      h('footer', { class: 'foot' }, t('app.trademarks'))));

  drawMine();
  await Promise.all([refresh(), lookUp()]);
  const timer = setInterval(refresh, REFRESH);
  return () => clearInterval(timer);

  async function refresh() {
    if (document.hidden) return;
    const answer = await ask('/api/tables').catch(() => null);
    const own = new Set(tables().map((one) => one.id));
    const there = (answer?.tables ?? []).filter((/** @type {any} */ one) => !own.has(one.id));
    others.replaceChildren(h('h2', {}, t('lobby.open')),
      there.length
        ? h('ul', { class: 'list' }, there.map(line))
        : h('p', { class: 'help' }, t('lobby.noneOpen')));
  }

  /** @param {any} one */
  function line(one) {
    return h('li', {}, small(one.game),
      h('div', { class: 'what' }, h('strong', {}, t(`${one.game}.title`)), ' ', h('bdi', {}, list(one.names)),
        h('small', {}, one.free ? t('lobby.free', { n: one.free }) : t('lobby.playing'))),
      h('a', { class: 'button small', href: `/t/${one.id}` }, one.free ? t('lobby.join') : t('lobby.watch')));
  }

  /** How it stands at one's own tables. */
  async function lookUp() {
    await Promise.all(tables().slice(0, MOST_MINE).map(async ({ id }) => {
      const answer = await ask(`/api/tables/${id}`).catch(({ code }) => (code === 'not_found' ? null : undefined));
      if (answer === null) forget(id);
      else if (answer) states.set(id, answer);
    }));
    drawMine();
  }

  /** @param {import('../lib/settings.js').Kept} one */
  function described(one) {
    const state = states.get(one.id);
    const names = state ? seating(state, null).names : one.names;
    return h('div', { class: 'what' }, h('strong', {}, t(`${one.game}.title`)), ' ', h('bdi', {}, list(names)),
      h('small', {}, [state ? t(`status.${state.status}`) : '', when(one.at)].filter(Boolean).join(' · ')));
  }

  function drawMine() {
    const kept = tables().filter((one) => Object.keys(one.tokens).length);
    /** @param {import('../lib/settings.js').Kept} one */
    const isOver = (one) => (states.has(one.id) ? states.get(one.id).status === 'over' : false);
    const running = kept.filter((one) => !isOver(one)).slice(0, MOST_MINE);
    /** @param {import('../lib/settings.js').Kept} one */
    const entry = (one) => h('li', {}, small(one.game), described(one),
      h('a', { class: 'button small', href: `/t/${one.id}` }, t('lobby.back')),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': t('lobby.forget'), onclick: () => askDialog(t('lobby.forgetAsk'), t('lobby.forget'), () => { forget(one.id); drawMine(); }) },
        icon('close')));
    const rest = running.slice(FIRST_MINE);
    mine.replaceChildren(...(running.length ? [h('h2', {}, t('lobby.mine')),
      h('ul', { class: 'list' }, running.slice(0, FIRST_MINE).map(entry)),
      rest.length ? h('details', {}, h('summary', {}, t('lobby.more', { n: rest.length })), h('ul', { class: 'list' }, rest.map(entry))) : h('span', {})] : []));
    const over = kept.filter((one) => one.matches > 0).slice(0, MOST_MINE);
    again.replaceChildren(...(over.length ? [h('h2', {}, t('lobby.again')),
      h('ul', { class: 'list' }, over.map((one) =>
        h('li', {}, small(one.game), described(one),
          Array.from({ length: Math.min(one.matches, 3) }, (_, n) => one.matches - n).map((match) =>
            h('a', { class: 'button quiet small', href: `/t/${one.id}/matches/${match}` }, t('lobby.match', { n: number(match) }))),
          isOver(one) ? h('a', { class: 'button small', href: `/t/${one.id}` }, t('result.rematch')) : null)))] : []));
  }
}

/** @param {number} at */
const when = (at) => new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(at);

/**
 * Against whom "Play now" plays: one tap each, and this device remembers it.
 * @param {string[]} levels
 * @param {() => void} changed
 */
function opponents(levels, changed) {
  const help = h('p', { class: 'help', role: 'status' }, t(`level.${get().level}.help`));
  /** @param {Partial<import('../lib/settings.js').Settings>} wanted */
  const want = (wanted) => {
    set(wanted);
    help.textContent = t(`level.${get().level}.help`);
    changed();
  };
  return h('div', { class: 'against' },
    choose(t('lobby.bots'), 'bots', BOTS.map((n) => [n, number(Number(n))]), String(get().bots), (value) => want({ bots: Number(value) })),
    choose(t('new.level'), 'level', levels.map((level) => [level, t(`level.${level}`)]), get().level, (level) => want({ level })),
    help);
}

/**
 * @typedef {object} Tile
 * @property {HTMLElement} element
 * @property {() => void} tell says anew against whom one plays
 */

/**
 * @param {any} game
 * @param {SVGElement | null} picture
 * @param {HTMLElement} problem
 * @returns {Tile}
 */
function tile(game, picture, problem) {
  const [fewest, most] = game.players;
  const title = t(`${game.id}.title`);
  const about = `about-${game.id}`;
  const against = h('small', { id: about });
  const tell = () => {
    against.textContent = t('lobby.against', { n: get().bots, level: t(`level.${get().level}`) });
  };
  tell();
  const now = h('button', { type: 'button', class: 'button', 'data-play': game.id, 'aria-label': `${t('lobby.now')}: ${title}`, 'aria-describedby': about,
    onclick: (/** @type {MouseEvent} */ event) => play(game, /** @type {HTMLButtonElement} */ (event.currentTarget), problem) }, h('span', {}, t('lobby.now')), against);
  const element = h('article', { class: `game-tile game-${game.id}`, 'data-game': game.id,
      onclick: (/** @type {MouseEvent} */ event) => {
        if (!/** @type {Element} */ (event.target).closest('a, button')) now.click();
      } },
    picture,
    h('h3', {}, title),
    h('div', {}, h('p', {}, t(`${game.id}.tagline`)),
      h('p', { class: 'players' }, t('lobby.players', { fewest, most })),
      h('p', { class: 'players' }, t('lobby.minutes', { n: game.minutes }))),
    h('div', { class: 'go' },
      now,
      h('a', { class: 'button quiet', href: `/new/${game.id}`, 'aria-label': t('lobby.newOf', { game: title }) }, t('lobby.new')),
      h('a', { class: 'button quiet', href: `/rules/${game.id}`, 'aria-label': t('lobby.rulesOf', { game: title }) }, t('lobby.rules'))));
  return { element, tell };
}

/**
 * A table with bots, at once.
 * @param {any} game
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} problem
 */
async function play(game, button, problem) {
  button.disabled = true;
  const { name, pronoun, level, bots } = get();
  load(game.id).catch(() => null); // meanwhile; who cannot be reached is told below
  try {
    const seated = await patiently(problem, open({
      game: game.id, players: bots + 1, bots: Array(bots).fill(level), name: name || t('seat.guest'), pronoun: pronoun || null, undo: true, watch: false, grace: null,
    }));
    keep(seated.table, { game: game.id, names: [name || t('seat.guest')] });
    keepToken(seated.table, seated.seat, seated.token);
    await go(`/t/${seated.table}`);
  } catch (refused) {
    problem.replaceChildren(alert(refusal(/** @type {any} */ (refused).code)));
    button.disabled = false;
  }
}
