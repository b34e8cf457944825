// How a round, or the match, has ended.

import { h } from '../lib/dom.js';
import { number, t } from '../lib/words.js';
import { avatar } from './avatar.js';
import { counted, lines, winners } from './words.js';

/** @typedef {import('../types').Happening} Happening */

const STILL = { turn: false, seconds: null, clock: null, version: 0 };

/**
 * The end of a round among some events: who has how many points, and which cards were left.
 * @param {import('../types').Face} face
 * @param {Happening[]} all
 * @param {import('../types').Seating} at
 * @param {number} round
 * @param {boolean} lowest whether the fewest points win
 */
export function roundResult(face, all, at, round, lowest) {
  const next = all.findIndex((event) => event.kind === 'dealt'); // what follows is the next round
  const events = next < 0 ? all : all.slice(0, next);
  const scored = events.filter((event) => event.kind === 'scored');
  if (!scored.length) return null;
  const told = events.filter((event) => !['scored', 'showed', 'dealt', 'won'].includes(event.kind));
  /** @param {number} seat */
  const left = (seat) => events.filter((event) => event.kind === 'showed' && event.seat === seat).map((event) => event.card);
  const cards = events.some((event) => event.kind === 'showed');
  return h('div', { class: 'round-result' },
    h('h2', {}, t('result.round', { round: number(round) })),
    h('ul', { class: 'told' }, lines(face, told, at).slice(-6).map((line) => h('li', {}, counted(line)))),
    h('table', { class: `scores game-${face.id}` },
      h('thead', {}, h('tr', {},
        h('th', { scope: 'col' }, t('result.who')),
        cards ? h('th', { scope: 'col' }, t('result.left')) : null,
        h('th', { scope: 'col', class: 'n' }, t('result.points')),
        h('th', { scope: 'col', class: 'n' }, t('result.total')))),
      h('tbody', {}, scored.map((event) =>
        h('tr', {},
          h('th', { scope: 'row' }, h('bdi', {}, at.names[event.seat])),
          cards ? h('td', {}, shown(face, left(event.seat))) : null,
          h('td', { class: 'n' }, h('bdi', { dir: 'ltr' }, `${event.points > 0 ? '+' : ''}${number(event.points)}`)),
          h('td', { class: 'n' }, h('bdi', { dir: 'ltr' }, number(event.score))))))),
    h('p', { class: 'help' }, t(lowest ? 'result.lowest' : 'result.highest')));
}

/**
 * @param {import('../types').Face} face
 * @param {string[]} cards
 */
function shown(face, cards) {
  if (!cards.length) return null;
  return h('span', { class: 'shown-cards', dir: 'ltr', role: 'img', 'aria-label': cards.map((card) => face.cardName(card)).join(', ') },
    cards.map((card) => face.card(card)));
}

/**
 * The final standing, the best first.
 * @param {import('../types').View} view
 * @param {any} table
 * @param {import('../types').Seating} at
 * @param {boolean} lowest whether the fewest points win
 */
export function standing(view, table, at, lowest) {
  const seats = view.scores.map((/** @type {number} */ _, /** @type {number} */ seat) => seat);
  seats.sort((/** @type {number} */ a, /** @type {number} */ b) =>
    Number(view.winners.includes(b)) - Number(view.winners.includes(a)) || (lowest ? 1 : -1) * (view.scores[a] - view.scores[b]));
  return [
    h('h2', {}, t('result.match')),
    h('p', {}, winners(view, at), ' ', h('span', { class: 'help' }, t(lowest ? 'result.lowest' : 'result.highest'))),
    h('table', { class: 'scores' },
      h('tbody', {}, seats.map((/** @type {number} */ seat) =>
        h('tr', { class: view.winners.includes(seat) ? 'first' : '' },
          h('th', { scope: 'row' }, h('span', { class: 'person' },
            avatar({ name: at.names[seat] ?? '', kind: table.seats[seat].kind }, seat, STILL),
            h('bdi', {}, at.names[seat]), view.winners.includes(seat) ? ' ★' : '')),
          h('td', { class: 'n' }, h('bdi', { dir: 'ltr' }, number(view.scores[seat]))))))),
  ];
}
