// The board: seats around it, the game's middle, what is expected, and the player's own hand.

import { h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { aboutOffer, choices, pictured } from './choices.js';
import { hand } from './hand.js';
import { plate, plates } from './plates.js';

/**
 * What players can do with the board.
 * @typedef {object} Acts
 * @property {(place: string, card?: string, twins?: number) => void} tap a card, with how many of the same come before it, or a place in the middle
 * @property {(offer: import('../types').Offer) => void} accept an offer
 * @property {(event: PointerEvent, place: string, card: string) => void} grab start dragging a card
 * @property {() => void} dismiss the open choices
 */

/**
 * The board's size, in pixels.
 * @typedef {{width: number, height: number}} Room
 */

/**
 * Everything that the board shows at one moment.
 * @typedef {object} Scene
 * @property {import('../types').Face} face
 * @property {import('../types').View} view
 * @property {import('../types').Surroundings} table
 * @property {import('../types').Seating} at
 * @property {import('../types').Offer[]} offers
 * @property {string | null} chosen the place whose choices are open
 * @property {string | null} hint the recommended action
 * @property {string} line what is expected now, or why something was refused
 * @property {boolean} warning whether the line says why something was refused
 * @property {number} version
 * @property {number | null} seconds left on the clock
 * @property {Set<number>} thinking seats whose turn it is
 * @property {Map<number, string>} bubbles what is said at the plates: reactions, and what happened there
 * @property {number | null} moved the seat that moved last
 * @property {number} twin which of several equal cards was tapped
 * @property {string | null} gone the place of a card that has left the hand but not arrived yet
 * @property {{possible: boolean, place: string | null}} advance the card that is chosen before one's turn, and whether one may be
 * @property {{all: string[], open: boolean, toggle: () => void, send: (reaction: string) => void} | null} react
 * @property {Room} room
 * @property {Acts} act
 */

/**
 * @param {Scene} scene
 * @returns {HTMLElement}
 */
export function board(scene) {
  const { face, view, at, offers } = scene;
  const middle = h('div', { class: 'middle' }, face.middle(view, at));
  const own = h('div', { class: 'own' }, face.own?.(view, at) ?? []);
  for (const part of [middle, own]) wire(part, scene);
  const buttons = offers.filter((offer) => offer.on === '');
  return h('div', { class: `board game-${face.id}${view.legal.length ? ' mine-to-act' : ''}`, 'data-version': scene.version,
      tabindex: -1 },
    h('div', { class: 'cloth' },
      plates(scene),
      middle,
      h('div', { class: 'ask' },
        h('p', { class: `expects${scene.warning ? ' warning' : ''}`, role: 'status' }, scene.line),
        buttons.length ? h('div', { class: 'buttons' }, buttons.map((offer) => button(scene, offer))) : null),
      h('div', { class: 'mine-area' },
        h('div', { class: 'mine-plate', role: 'list', dir: 'ltr', 'aria-label': t('table.mine') }, plate(scene, at.bottom)),
        own),
      choices(scene),
      hand(scene)));
}

/**
 * @param {Scene} scene
 * @param {import('../types').Offer} offer
 */
function button(scene, offer) {
  const classes = ['offer', offer.weight, scene.hint === offer.action && 'hinted'].filter(Boolean);
  return h('button', { type: 'button', class: classes.join(' '), 'data-action': offer.action, ...aboutOffer(offer),
      onclick: () => scene.act.accept(offer) },
    offer.picture ? pictured(offer.picture()) : null, offer.label);
}

/**
 * Makes places tappable where something is offered, or where the chosen card may go.
 * @param {Element} part
 * @param {Scene} scene
 */
function wire(part, scene) {
  for (const element of part.querySelectorAll('[data-place]')) {
    const place = element.getAttribute('data-place') ?? '';
    const here = scene.offers.filter((offer) => offer.on === place);
    const target = scene.offers.filter((offer) => offer.on === scene.chosen && offer.to === place);
    if (here.length || target.length) wirePlace(element, place, scene, here, target);
    else if (element instanceof HTMLButtonElement) {
      element.setAttribute('aria-disabled', 'true');
      element.onclick = () => scene.act.tap(place, place.split(':')[1]);
    }
  }
}

/**
 * @param {Element} element
 * @param {string} place
 * @param {Scene} scene
 * @param {import('../types').Offer[]} here offers to tap here
 * @param {import('../types').Offer[]} target offers of the chosen card that end here
 */
function wirePlace(element, place, { chosen, act, hint }, here, target) {
  const one = /** @type {import('../types').Offer} */ (here[0] ?? target[0]);
  element.classList.add('tappable');
  if (target.length) element.classList.add('target');
  if (chosen === place) element.classList.add('chosen');
  if (hint !== null && here.some((offer) => offer.action === hint)) element.classList.add('hinted');
  if (here.length > 1) element.setAttribute('aria-expanded', String(chosen === place));
  if (here.length === 1 || target.length === 1) element.setAttribute('data-action', one.action);
  const go = () => (target.length === 1 && target[0] ? act.accept(target[0]) : act.tap(target.length ? (chosen ?? '') : place));
  /** @type {HTMLElement} */ (element).onclick = go;
  if (element instanceof HTMLButtonElement) return;
  if (here.length === 1 || !element.hasAttribute('aria-label')) element.setAttribute('aria-label', one.label);
  actAsButton(element, go);
}

/** @param {Element} element @param {() => void} go */
function actAsButton(element, go) {
  element.setAttribute('role', 'button');
  element.setAttribute('tabindex', '0');
  /** @type {HTMLElement} */ (element).onkeydown = (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    go();
  };
}
