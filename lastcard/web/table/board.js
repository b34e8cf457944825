// The table itself: seats around, the game's middle, what is expected, and one's own hand.

import { h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { choices, pictured, told } from './choices.js';
import { hand } from './hand.js';
import { plate, plates } from './plates.js';

/**
 * What people can do with the board.
 * @typedef {object} Acts
 * @property {(place: string, card?: string) => void} tap a card or a place of the middle
 * @property {(offer: import('../types').Offer) => void} take an offer
 * @property {(event: PointerEvent, place: string, card: string) => void} grab a card to drag it
 * @property {() => void} dismiss the open choice
 */

/**
 * What the board has of the screen, in pixels.
 * @typedef {{width: number, height: number}} Room
 */

/**
 * Everything that is drawn, at one moment.
 * @typedef {object} Scene
 * @property {import('../types').Face} face
 * @property {import('../types').View} view
 * @property {any} table as the server tells it
 * @property {import('../types').Seating} at
 * @property {import('../types').Offer[]} offers
 * @property {string | null} chosen the place whose choices are open
 * @property {string | null} hint the action that was recommended
 * @property {string} line what is expected now, or what has just been refused
 * @property {boolean} warning whether the line says why something cannot be done
 * @property {number} version
 * @property {number | null} seconds left on the clock
 * @property {Set<number>} thinking seats that are waited for
 * @property {Map<number, string>} said what the plates say: reactions, and what happened there
 * @property {number | null} moved the seat that made the last move
 * @property {string | null} gone the place of a card that is on its way, and no longer in the hand
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
  return h('button', { type: 'button', class: classes.join(' '), 'data-action': offer.action, ...told(offer),
      onclick: () => scene.act.take(offer) },
    offer.picture ? pictured(offer.picture()) : null, offer.label);
}

/**
 * Makes the places tappable at which something is offered, or to which the chosen card may go.
 * @param {Element} part
 * @param {Scene} scene
 */
function wire(part, scene) {
  const { offers, chosen, act, hint } = scene;
  for (const element of part.querySelectorAll('[data-place]')) {
    const place = element.getAttribute('data-place') ?? '';
    const here = offers.filter((offer) => offer.on === place);
    const target = offers.filter((offer) => offer.on === chosen && offer.to === place);
    const one = here[0] ?? target[0];
    if (!one) {
      if (element instanceof HTMLButtonElement) {
        element.setAttribute('aria-disabled', 'true');
        element.onclick = () => act.tap(place, place.split(':')[1]);
      }
      continue;
    }
    element.classList.add('tappable');
    if (target.length) element.classList.add('target');
    if (chosen === place) element.classList.add('chosen');
    if (hint !== null && here.some((offer) => offer.action === hint)) element.classList.add('hinted');
    const native = element instanceof HTMLButtonElement;
    if (!native) {
      element.setAttribute('role', 'button');
      element.setAttribute('tabindex', '0');
      if (!element.hasAttribute('aria-label') || here.length === 1) element.setAttribute('aria-label', one.label);
    }
    if (here.length > 1) element.setAttribute('aria-expanded', String(chosen === place));
    if (here.length === 1 || target.length === 1) element.setAttribute('data-action', one.action);
    const go = () => (target.length === 1 && target[0] ? act.take(target[0]) : act.tap(target.length ? (chosen ?? '') : place));
    /** @type {any} */ (element).onclick = go;
    if (!native) {
      /** @type {any} */ (element).onkeydown = (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        go();
      };
    }
  }
}
