// Before a match: who is there, how others find the table, and bots for the seats that stay free.

import { h } from '../lib/dom.js';
import { copy } from '../lib/invite.js';
import { t } from '../lib/words.js';
import { nameField } from '../screens/parts.js';
import { avatar } from './avatar.js';
import { nameOf } from './words.js';

const SERVE = 'make play ARGS="--host 0.0.0.0"'; // how others come to the server
const LEVELS = ['easy', 'normal', 'hard', 'expert'];

/**
 * @param {{table: any, seat: number | null, id: string, invitation: import('../lib/invite.js').Invitation, name: string, pronoun: string, level: string,
 *   join: (name: string, pronoun: '' | 'he' | 'she') => void, fill: (level: string) => void, seed: (seed: string) => void,
 *   leave: () => void, told: (text: string) => void, picture: Node}} room
 */
export function waitingRoom({ table, seat, id, invitation, name, pronoun, level, join, fill, seed, leave, told, picture }) {
  const { link, others } = invitation;
  const free = table.seats.filter((/** @type {any} */ chair) => chair.kind === 'free').length;
  const still = { turn: false, seconds: null, clock: null, version: 0 };
  const seats = h('ul', { class: 'seats' }, table.seats.map((/** @type {any} */ chair, /** @type {number} */ n) =>
    h('li', {}, avatar({ name: nameOf(chair, n), kind: chair.kind }, n, still), h('bdi', {}, nameOf(chair, n)),
      chair.level ? h('small', {}, t(`level.${chair.level}`)) : null)));
  return h('div', { class: 'waiting-room' },
    seat === null ? h('section', { class: `sheet what-game game-${table.game}` }, picture, h('p', {}, t(`${table.game}.tagline`))) : null,
    h('section', { class: 'sheet' }, h('h2', {}, t('room.waiting', { n: free })), seats,
      seat === null ? joining(name, pronoun, join) : null),
    seat === null ? null : h('section', { class: 'sheet' }, h('h2', {}, t('room.invite')),
      h('p', {}, t(others ? 'room.send' : 'room.alone')),
      others ? null : h('p', {}, t('room.serve'), h('code', { dir: 'ltr' }, SERVE)),
      h('div', { class: 'link-row' },
        h('input', { type: 'text', readonly: true, value: link, dir: 'ltr', 'aria-label': t('room.link') }),
        h('button', { type: 'button', class: 'button', onclick: (/** @type {Event} */ event) => copyLink(event, link, told) }, t('menu.copy')),
        'share' in navigator ? h('button', { type: 'button', class: 'button quiet', onclick: () => share(link) }, t('room.share')) : null),
      others ? h('img', { class: 'qr', src: `/api/tables/${id}/qr.svg`, alt: t('room.qr'), width: 200, height: 200 }) : null),
    seat !== null ? h('section', { class: 'sheet' },
      h('h2', {}, t('room.fill')),
      h('div', { class: 'actions' }, LEVELS.map((one) =>
        h('button', { type: 'button', class: one === level ? 'button' : 'button quiet', 'data-fill': one, onclick: () => fill(one) }, t(`level.${one}`)))),
      h('details', {}, h('summary', {}, t('fair.title')),
        h('p', {}, t('fair.before')),
        h('p', { dir: 'ltr', class: 'hash' }, table.commitment),
        seeding(seed)),
      h('div', { class: 'actions' }, h('button', { type: 'button', class: 'button quiet', onclick: leave }, t('menu.leave')))) : null);
}

/** @param {string} name @param {string} pronoun @param {(name: string, pronoun: '' | 'he' | 'she') => void} join */
function joining(name, pronoun, join) {
  return h('form', { class: 'actions', onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
    join(String(data.get('name')).trim() || t('seat.guest'), /** @type {any} */ (data.get('pronoun')));
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
 * @param {(text: string) => void} told
 */
async function copyLink(event, link, told) {
  const field = /** @type {Element} */ (event.currentTarget).parentElement?.querySelector('input');
  if (await copy(link)) told(t('room.copied'));
  else {
    field?.select(); // one key, or one tap, is left to do
    told(t('room.copy'));
  }
}

/** @param {string} link */
async function share(link) {
  await navigator.share({ title: t('app.name'), url: link }).catch(() => null); // who thinks better of it is told nothing
}
