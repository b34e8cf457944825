// The results of a round, and of the match.

import { h } from '../lib/dom.js';
import { ofRound } from '../lib/ended.js';
import { reducedMotion } from '../lib/settings.js';
import { number, t } from '../lib/words.js';
import { avatar } from './avatar.js';
import { counted, lines, winners } from './words.js';

/** @typedef {import('../types').Happening} Happening */

const STEP = 380; // milliseconds between two lines of a tally
const SHOWN = ['scored', 'counted', 'showed', 'revealed', 'lowest', 'trailed', 'won']; // events that the tallies show themselves

/**
 * The result of the round that ended within some events: each player's points, line by line, and who is ahead;
 * null if none ended.
 * @param {import('../types').Face} face
 * @param {Happening[]} all
 * @param {import('../types').Seating} at
 * @param {import('../types').View} before the last move
 * @param {boolean} lowest whether the lowest score wins
 */
export function roundResult(face, all, at, before, lowest) {
  const events = ofRound(all);
  const scored = events.filter((event) => event.kind === 'scored');
  if (!scored.length) return null;
  const told = events.filter((event) => !SHOWN.includes(event.kind));
  const best = Math[lowest ? 'min' : 'max'](...scored.map(({ score }) => score));
  scored.sort((one, other) => (lowest ? 1 : -1) * (one.score - other.score));
  return h('div', { class: 'round-result', tabindex: 0, role: 'region', 'aria-label': t('result.counts') },
    h('h2', {}, t('result.round', { round: number(before.round) })),
    h('ul', { class: 'told' }, lines(face, told, at).slice(-4).map((line) => h('li', { dir: 'auto' }, counted(line)))),
    h('ol', { class: 'tallies' }, scored.map(({ seat, score }) =>
      tally(face, at.names[seat] ?? '', face.counts(events, seat, before), before.scores[seat], score, score === best))),
    h('p', { class: 'help' }, t(lowest ? 'result.lowest' : 'result.highest')));
}

/**
 * One player's points. The text is final from the start, for screen readers and for people who do not wait; the
 * running sums for the animation are in data attributes.
 * @param {import('../types').Face} face
 * @param {string} name
 * @param {import('../types').Count[]} parts
 * @param {number} had the score before the round
 * @param {number} score
 * @param {boolean} first whether nobody is better
 */
function tally(face, name, parts, had, score, first) {
  let sum = 0;
  const list = parts.map(({ cards, text, points }) => {
    sum += points ?? 0;
    return h('li', { 'data-sum': signed(sum) },
      cards.length ? h('span', { class: `shown-cards game-${face.id}`, dir: 'ltr', 'aria-hidden': 'true' }, cards.map((card) => face.card(card))) : null,
      h('span', { class: 'words', dir: 'auto' }, text),
      points === null ? null : h('bdi', { class: 'n', dir: 'ltr' }, signed(points)));
  });
  return h('li', { class: first ? 'tally first' : 'tally', 'data-had': number(had) },
    h('h3', {}, h('bdi', {}, name)),
    first ? h('span', { class: 'leads' }, t('result.leads')) : null,
    h('p', { class: 'sums' },
      h('span', {}, t('result.points'), ' ', h('bdi', { class: 'n of-round', dir: 'ltr' }, signed(sum))),
      h('span', {}, t('result.total'), ' ', h('bdi', { class: 'n in-total', dir: 'ltr' }, number(score)))),
    h('ul', {}, list));
}

/** @param {number} points */
const signed = (points) => (points > 0 ? `+${number(points)}` : number(points));

/**
 * Animates the adding up, line by line for all players at once. A tap skips it.
 * @param {HTMLElement} result
 * @returns {() => void} skips it
 */
export function addUp(result) {
  if (reducedMotion() || document.hidden) return () => {};
  const players = [...result.querySelectorAll('.tally')].map((player) => ({
    lines: [...player.querySelectorAll('li')],
    sum: /** @type {HTMLElement} */ (player.querySelector('.of-round')),
    total: /** @type {HTMLElement} */ (player.querySelector('.in-total')),
    had: player.getAttribute('data-had') ?? '',
  }));
  const ends = players.map(({ sum, total }) => [sum.textContent, total.textContent]);
  const most = Math.max(...players.map(({ lines }) => lines.length));
  let step = 0;
  const show = () => {
    for (const { lines, sum, total, had } of players) {
      lines.forEach((line, n) => line.classList.toggle('seen', n < step));
      sum.textContent = lines[Math.min(step, lines.length) - 1]?.getAttribute('data-sum') ?? '0';
      total.textContent = had;
    }
  };
  const end = () => {
    clearInterval(timer);
    result.classList.remove('adding');
    players.forEach(({ sum, total }, n) => [sum.textContent, total.textContent] = ends[n] ?? ['', '']);
  };
  const timer = setInterval(() => (++step > most ? end() : show()), STEP);
  result.classList.add('adding');
  show();
  return end;
}

/**
 * The final standings, winners first.
 * @param {import('../types').View} view
 * @param {import('../types').Surroundings} table
 * @param {import('../types').Seating} at
 * @param {boolean} lowest whether the lowest score wins
 */
export function standings(view, table, at, lowest) {
  const seats = view.scores.map((/** @type {number} */ _, /** @type {number} */ seat) => seat);
  seats.sort((/** @type {number} */ a, /** @type {number} */ b) =>
    Number(view.winners.includes(b)) - Number(view.winners.includes(a)) || (lowest ? 1 : -1) * (view.scores[a] - view.scores[b]));
  /** @param {number} one @param {number} other */
  const ahead = (one, other) => (lowest ? view.scores[one] < view.scores[other] : view.scores[one] > view.scores[other]);
  return [
    h('h2', {}, t('result.match')),
    h('p', {}, winners(view, at), ' ', h('span', { class: 'help' }, t(lowest ? 'result.lowest' : 'result.highest'))),
    h('table', { class: 'scores' },
      h('tbody', {}, seats.map((/** @type {number} */ seat) =>
        h('tr', { class: view.winners.includes(seat) ? 'first' : '' },
          h('td', { class: 'n' }, number(1 + seats.filter((/** @type {number} */ one) => ahead(one, seat)).length)),
          h('th', { scope: 'row' }, h('span', { class: 'person' },
            avatar({ name: at.names[seat] ?? '', kind: table.seats[seat].kind }, seat),
            h('bdi', {}, at.names[seat]), view.winners.includes(seat) ? ' ★' : '')),
          h('td', { class: 'n' }, h('bdi', { dir: 'ltr' }, number(view.scores[seat]))))))),
  ];
}
