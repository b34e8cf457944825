// A small menu above a card: which colour, which direction, 6 or 9, whom, which end.

import { about } from '../lib/about.js';
import { h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { walk } from './hand.js';

/** @typedef {import('./board.js').Scene} Scene */

/** The attributes that explain an offer. @param {import('../types').Offer} offer */
export const aboutOffer = (offer) => (offer.about ? about(offer.label, offer.about) : {});

/** @param {SVGElement} picture */
export function pictured(picture) {
  picture.classList.add('picture');
  picture.setAttribute('aria-hidden', 'true');
  return picture;
}

/** @param {Scene} scene */
export function choices(scene) {
  const { chosen, offers, act, face } = scene;
  const these = chosen === null ? [] : offers.filter((offer) => offer.on === chosen);
  if (chosen === null || !these.length) return null;
  const card = chosen.startsWith('hand:') ? face.cardName(chosen.slice(5)) : '';
  return h('div', { class: 'choices', role: 'group', 'data-for': chosen, 'data-key': 'choices',
      'aria-label': card ? t('choices.for', { card }) : t('choices.label'),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Escape') return walk(event, '.choice');
        event.preventDefault();
        act.dismiss();
      } },
    these.map((offer) =>
      h('button', { type: 'button', class: 'choice', 'data-action': offer.action, ...aboutOffer(offer), onclick: () => act.accept(offer) },
        offer.picture ? pictured(offer.picture()) : null,
        h('span', {}, offer.label))),
    h('button', { type: 'button', class: 'choice quiet', 'data-action-none': true, onclick: () => act.dismiss() },
      t('choices.none')));
}

/**
 * Moves open choices next to their card; they have a row of their own, so they cover nothing.
 * @param {HTMLElement} root
 */
export function placeChoices(root) {
  const open = /** @type {HTMLElement | null} */ (root.querySelector('.choices'));
  const board = open?.closest('.board')?.getBoundingClientRect();
  if (!open || !board) return;
  const at = CSS.escape(open.dataset.for ?? '');
  const card = root.querySelector(`[data-place="${at}"].chosen`) ?? root.querySelector(`[data-place="${at}"]`);
  const box = card?.getBoundingClientRect() ?? board, mine = open.getBoundingClientRect(), edge = 6;
  const wanted = box.left + box.width / 2 - (mine.left + mine.width / 2);
  const dx = Math.max(board.left + edge - mine.left, Math.min(board.right - edge - mine.right, wanted));
  open.style.setProperty('--aside', `${Math.round(dx)}px`);
}
