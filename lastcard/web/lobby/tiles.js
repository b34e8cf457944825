// The games to play, and against whom "Play now" plays.

import { codeOf, openTable } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { load } from '../lib/faces.js';
import { go } from '../lib/router.js';
import { get, keep, keepToken, levelOf, set } from '../lib/settings.js';
import { number, t } from '../lib/words.js';
import { alert, choose, patiently } from '../screens/parts.js';
import { refusal } from '../table/words.js';

const BOTS = ['1', '2', '3', '4'];

/**
 * How many bots of which level; this device remembers it.
 * @param {string[]} levels
 * @param {() => void} changed
 */
export function opponents(levels, changed) {
  const help = h('p', { class: 'help', role: 'status' }, t(`level.${levelOf(levels)}.help`));
  /** @param {Partial<import('../lib/settings.js').Settings>} changes */
  const change = (changes) => {
    set(changes);
    help.textContent = t(`level.${levelOf(levels)}.help`);
    changed();
  };
  return h('div', { class: 'against' },
    choose(t('lobby.bots'), 'bots', BOTS.map((n) => [n, number(Number(n))]), String(get().bots), (value) => change({ bots: Number(value) })),
    choose(t('new.level'), 'level', levels.map((level) => [level, t(`level.${level}`)]), levelOf(levels), (level) => change({ level })),
    help);
}

/** How many bots "Play now" plays against: as many as chosen, if the game is for so many. @param {import('../types').GameInfo} game */
const botsFor = ({ players: [fewest, most] }) => Math.min(Math.max(get().bots, fewest - 1), most - 1);

/**
 * @typedef {object} Tile
 * @property {HTMLElement} element
 * @property {() => void} update the opponents it names
 */

/**
 * @param {import('../types').GameInfo} game
 * @param {SVGElement | null} picture
 * @param {HTMLElement} problem where to say what went wrong
 * @param {import('../types').Offered} known
 * @returns {Tile}
 */
export function tile(game, picture, problem, known) {
  const [fewest, most] = game.players;
  const title = t(`${game.id}.title`);
  const against = h('small', { id: `about-${game.id}` });
  const update = () => {
    against.textContent = t('lobby.against', { n: botsFor(game), level: t(`level.${levelOf(game.levels)}`) });
  };
  update();
  const now = playButton(game, title, against, problem);
  const element = h('article', { class: `game-tile game-${game.id}`, 'data-game': game.id,
      onclick: (/** @type {MouseEvent} */ event) => {
        if (!/** @type {Element} */ (event.target).closest('a, button')) now.click();
      } },
    picture,
    h('h3', {}, title),
    h('div', {}, h('p', {}, t(`${game.id}.tagline`)),
      h('p', { class: 'players' }, t('lobby.players', { fewest, most })),
      game.minutes !== null && h('p', { class: 'players' }, t('lobby.minutes', { n: game.minutes }))),
    h('div', { class: 'go' },
      now,
      newTable(game, title, known),
      h('a', { class: 'button quiet', href: `/rules/${game.id}`, 'aria-label': t('lobby.rulesOf', { game: title }) }, t('lobby.rules'))));
  return { element, update };
}

/**
 * The way to a table as one likes it.
 * @param {import('../types').GameInfo} game
 * @param {string} title
 * @param {import('../types').Offered} known
 */
function newTable({ id }, title, { invite }) {
  const [words, label] = invite ? [t('lobby.new'), t('lobby.newOf', { game: title })] : [t('lobby.newHere'), t('lobby.newHereOf', { game: title })];
  return h('a', { class: 'button quiet', href: `/new/${id}`, 'aria-label': label }, words);
}

/**
 * @param {import('../types').GameInfo} game
 * @param {string} title
 * @param {HTMLElement} against
 * @param {HTMLElement} problem
 */
function playButton(game, title, against, problem) {
  return h('button', { type: 'button', class: 'button', 'data-play': game.id,
    'aria-label': `${t('lobby.now')}: ${title}`, 'aria-describedby': against.id,
    onclick: (/** @type {MouseEvent} */ event) => playNow(game, /** @type {HTMLButtonElement} */ (event.currentTarget), problem) },
    h('span', {}, t('lobby.now')), against);
}

/**
 * Opens a table with bots and goes there.
 * @param {import('../types').GameInfo} game
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} problem
 */
async function playNow(game, button, problem) {
  button.disabled = true;
  const { pronoun } = get(), level = levelOf(game.levels), name = get().name || t('seat.guest'), bots = botsFor(game);
  load(game.id).catch(() => null); // meanwhile; if the server is down, the request below says so
  try {
    const seated = await patiently(problem, openTable({
      game: game.id, players: bots + 1, bots: Array(bots).fill(level), name, pronoun: pronoun || null, undo: true, watch: false, grace: null,
    }, { here: game.engine }));
    keep(seated.table, { game: game.id, names: [name] });
    keepToken(seated.table, seated.seat, seated.token);
    await go(`/t/${seated.table}`);
  } catch (refused) {
    problem.replaceChildren(alert(refusal(codeOf(refused))));
    button.disabled = false;
  }
}
