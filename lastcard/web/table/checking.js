// After a live match: this device deals and plays it again, and says whether all was as promised.

import { ask, codeOf, onDevice } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { named, number, t } from '../lib/words.js';
import { refusal } from './words.js';

/** @typedef {import('../device/types').Verdict} Verdict */
/** @typedef {import('../device/types').Zone} Zone */

/**
 * A match that this device may check.
 * @typedef {object} Checked
 * @property {string} path of its file
 * @property {string | null} token
 * @property {import('../types').Testimony} told what this seat was promised and shown
 * @property {import('../types').Face} face
 * @property {import('../types').Seating} at
 */

/** What the device says of a match; at first that it is looking into it. @param {Checked} checked */
export function check(checked) {
  const element = h('div', { class: 'check', role: 'status' }, h('p', { class: 'help' }, t('check.running')));
  examine(checked).then(
    (verdict) => element.replaceChildren(...(verdict.ok ? kept(verdict, checked) : broken(verdict, checked))),
    (problem) => element.replaceChildren(h('p', { class: 'help' }, t('check.cannot'), ' ', refusal(codeOf(problem)))),
  );
  return element;
}

/** @param {Checked} checked @returns {Promise<Verdict>} */
async function examine({ path, token, told, face }) {
  const file = JSON.stringify(await ask(path, { token: token ?? undefined }));
  return onDevice('/api/verdicts', { body: { game: face.id, file, ...told } });
}

/** @param {Verdict} verdict @param {Checked} checked */
function kept({ deals }, checked) {
  const cards = deals.flatMap(({ dealt }) => dealt).reduce((sum, zone) => sum + zone.cards.length, 0);
  const words = checked.face.tiles ? 'check.ok.tiles' : 'check.ok';
  return [
    h('p', { class: 'kept' }, h('span', { 'aria-hidden': 'true' }, '✓ '), t(words, { n: cards, number: number(cards) })),
    checked.told.early ? null : h('p', { class: 'help' }, t('check.late')),
    cardByCard(deals, checked),
  ].filter((one) => one !== null);
}

/** @param {Verdict} verdict @param {Checked} checked */
function broken({ problem }, { face }) {
  const { code, told, found, ...values } = problem ?? { code: '' }, [, what = ''] = code.split('verify.');
  return [
    h('p', { class: 'alert', role: 'alert' }, t('check.bad'), ' ', what ? t(`check.${what}`) : refusal(code, /** @type {import('../lib/words.js').Values} */ (values))),
    ...(what === 'view' || what === 'events' ? [
      h('p', {}, t('check.told'), ' ', shown(face, told)),
      h('p', {}, t('check.found'), ' ', shown(face, found)),
    ] : []),
    h('p', { class: 'help' }, t('check.keep')),
  ];
}

/** Something of a view: cards by their names, anything else as it was sent. @param {import('../types').Face} face @param {unknown} value */
function shown(face, value) {
  const zones = [value].flat().filter((one) => one !== null && typeof one === 'object' && 'cards' in one);
  const cards = zones.flatMap(({ cards }) => /** @type {string[]} */ (cards));
  return cards.length ? pictures(face, cards) : h('code', { dir: 'ltr' }, JSON.stringify(value));
}

/** Every card of every round, for who wants to see; drawn when it is opened. @param {Verdict['deals']} deals @param {Checked} checked */
function cardByCard(deals, checked) {
  const inside = h('div', {});
  return h('details', { ontoggle: (/** @type {Event} */ event) => {
    if (/** @type {HTMLDetailsElement} */ (event.target).open) inside.replaceChildren(...deals.map((deal) => round(deal, checked)));
  } }, h('summary', {}, t(checked.face.tiles ? 'check.each.tiles' : 'check.each')), inside);
}

/** @param {Verdict['deals'][number]} deal @param {Checked} checked */
function round({ round, dealt, told }, { face, at }) {
  return h('section', {}, h('h3', {}, t('check.round', { round: number(round) })),
    dealt.map((zone) => {
      const seen = told?.some((one) => one.place === zone.place && one.seat === zone.seat);
      return h('div', { class: 'dealt' },
        h('p', {}, h('strong', {}, placeOf(zone, face, at)), seen ? h('span', { class: 'help' }, ' ✓ ', t('check.seen')) : null),
        pictures(face, zone.cards));
    }));
}

/** @param {Zone} zone @param {import('../types').Face} face @param {import('../types').Seating} at */
function placeOf({ place, seat }, face, at) {
  if (seat === null) return t(face.tiles ? 'check.deck.tiles' : 'check.deck');
  return t(place === 'hands' ? 'check.hand' : 'check.before', { name: named(at, seat) });
}

/** Small cards in a row, for eyes; their names for screen readers. @param {import('../types').Face} face @param {string[]} cards */
function pictures(face, cards) {
  const names = cards.map((card) => (known(card) ? face.cardName(card) : '?'));
  return h('span', { class: `shown-cards game-${face.id}`, dir: 'ltr', role: 'img', 'aria-label': names.join(', ') },
    cards.map((card) => (known(card) ? face.card(card) : face.back())));
}

/** @param {string} card */
const known = (card) => card !== '?' && card !== '-';
