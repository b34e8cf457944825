// Before a match: who is here, how to invite others, and bots for the free seats.

import { h } from '../lib/dom.js';
import { copy } from '../lib/invite.js';
import { t } from '../lib/words.js';
import { nameField } from '../screens/parts.js';
import { avatar } from './avatar.js';
import { nameOf } from './words.js';

const SERVE = 'make play ARGS="--host 0.0.0.0"'; // opens the server to other devices

/**
 * @typedef {object} Room
 * @property {import('../types').Table} table
 * @property {number | null} seat null for somebody who has not joined yet
 * @property {string} id of the table
 * @property {import('../lib/invite.js').Invitation} invitation
 * @property {string} name as this device knows it, like the next two
 * @property {string} pronoun
 * @property {string} level
 * @property {string[]} levels of bots that play the game
 * @property {(name: string, pronoun: '' | 'he' | 'she') => void} join
 * @property {(level: string) => void} fill the free seats with bots
 * @property {(seed: string) => void} seed the shuffle
 * @property {() => void} leave
 * @property {(text: string) => void} tell shows a notice
 * @property {Node} picture the game's emblem
 */

/** @param {Room} room */
export function waitingRoom(room) {
  const { table, picture } = room;
  return h('div', { class: 'waiting-room' }, room.seat === null
    ? [h('section', { class: `sheet what-game game-${table.game}` }, picture, h('p', {}, t(`${table.game}.tagline`))), people(room, joining(room))]
    : [people(room), inviting(room), filling(room)]);
}

/** Who is here, and how many are missing. @param {Room} room @param {Node} [more] */
function people({ table }, more) {
  const free = table.seats.filter((chair) => chair.kind === 'free').length;
  return h('section', { class: 'sheet' }, h('h2', {}, t('room.waiting', { n: free })),
    h('ul', { class: 'seats' }, table.seats.map((chair, n) =>
      h('li', {}, avatar({ name: nameOf(chair, n), kind: chair.kind }, n), h('bdi', {}, nameOf(chair, n)),
        chair.level ? h('small', {}, t(`level.${chair.level}`)) : null))),
    more);
}

/** @param {Room} room */
function inviting({ id, invitation: { link, others }, tell }) {
  return h('section', { class: 'sheet' }, h('h2', {}, t('room.invite')),
    h('p', {}, t(others ? 'room.send' : 'room.alone')),
    others ? null : h('p', {}, t('room.serve'), h('code', { dir: 'ltr' }, SERVE)),
    h('div', { class: 'link-row' },
      h('input', { type: 'text', readonly: true, value: link, dir: 'ltr', 'aria-label': t('room.link') }),
      h('button', { type: 'button', class: 'button', onclick: (/** @type {Event} */ event) => copyLink(event, link, tell) }, t('menu.copy')),
      'share' in navigator ? h('button', { type: 'button', class: 'button quiet', onclick: () => share(link) }, t('room.share')) : null),
    others ? h('img', { class: 'qr', src: `/api/tables/${id}/qr.svg`, alt: t('room.qr'), width: 200, height: 200 }) : null);
}

/** Bots, the shuffle, and the way out. @param {Room} room */
function filling({ table, level, levels, fill, seed, leave }) {
  return h('section', { class: 'sheet' },
    h('h2', {}, t('room.fill')),
    h('div', { class: 'actions' }, levels.map((one) =>
      h('button', { type: 'button', class: one === level ? 'button' : 'button quiet', 'data-fill': one, onclick: () => fill(one) }, t(`level.${one}`)))),
    h('details', {}, h('summary', {}, t('fair.title')),
      h('p', {}, t('fair.before')),
      h('p', { dir: 'ltr', class: 'hash' }, table.commitment),
      seeding(seed)),
    h('div', { class: 'actions' }, h('button', { type: 'button', class: 'button quiet', onclick: leave }, t('menu.leave'))));
}

/** @param {Room} room */
function joining({ name, pronoun, join }) {
  return h('form', { class: 'actions', onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
    join(String(data.get('name')).trim() || t('seat.guest'), /** @type {import('../lib/settings.js').Settings['pronoun']} */ (data.get('pronoun')));
  } },
    nameField(t('new.name'), { name: 'name', value: name, placeholder: t('seat.guest'), autocomplete: 'nickname' },
      { name: 'pronoun', value: pronoun }),
    h('button', { class: 'button', 'data-join': true }, t('room.sit')));
}

/** @param {(seed: string) => void} seed */
function seeding(seed) {
  return h('form', { class: 'actions', onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    seed(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('seed')));
  } },
    h('label', { class: 'field' }, h('span', {}, t('fair.seed')),
      h('input', { type: 'text', name: 'seed', maxlength: 64, required: true, autocomplete: 'off' })),
    h('button', { class: 'button quiet' }, t('fair.give')));
}

/**
 * @param {Event} event
 * @param {string} link
 * @param {(text: string) => void} tell
 */
async function copyLink(event, link, tell) {
  const field = /** @type {Element} */ (event.currentTarget).parentElement?.querySelector('input');
  if (await copy(link)) tell(t('room.copied'));
  else {
    field?.select(); // ready to be copied by hand
    tell(t('room.copy'));
  }
}

/** @param {string} link */
async function share(link) {
  await navigator.share({ title: t('app.name'), url: link }).catch(() => null); // cancelling is no error
}
