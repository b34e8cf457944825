// A small choice at the card it belongs to: a colour, a direction, 6 or 9, whom, which end.

import { h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { pictured } from './board.js';
import { walk } from './hand.js';

/** @typedef {import('./board.js').Scene} Scene */

/** @param {Scene} scene */
export function choices(scene) {
  const { chosen, offers, act, face } = scene;
  const these = chosen === null ? [] : offers.filter((offer) => offer.on === chosen);
  if (chosen === null || !these.length) return null;
  const card = chosen.startsWith('hand:') ? face.cardName(chosen.slice(5)) : '';
  return h('div', { class: 'choices', role: 'group', 'data-for': chosen, 'data-key': 'choices',
      'aria-label': card ? t('choices.for', { card }) : t('choices.label'),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === 'Escape') act.dismiss();
        else walk(event, '.choice');
      } },
    card ? h('p', { class: 'choices-title' }, t('choices.for', { card })) : null,
    these.map((offer) =>
      h('button', { type: 'button', class: 'choice', 'data-action': offer.action, onclick: () => act.take(offer) },
        offer.picture ? pictured(offer.picture()) : null,
        h('span', {}, offer.label))),
    h('button', { type: 'button', class: 'choice quiet', 'data-action-none': true, onclick: () => act.dismiss() },
      t('choices.none')));
}

/**
 * Puts an open choice above its card, within the screen.
 * @param {HTMLElement} root
 */
export function place(root) {
  const open = /** @type {HTMLElement | null} */ (root.querySelector('.choices'));
  if (!open) return;
  const card = root.querySelector(`[data-place="${CSS.escape(open.dataset.for ?? '')}"].chosen`)
    ?? root.querySelector(`[data-place="${CSS.escape(open.dataset.for ?? '')}"]`);
  const box = card?.getBoundingClientRect() ?? new DOMRect(window.innerWidth / 2, window.innerHeight / 2, 0, 0);
  const mine = open.getBoundingClientRect(), edge = 8;
  const x = Math.max(edge, Math.min(box.left + box.width / 2 - mine.width / 2, window.innerWidth - mine.width - edge));
  const above = box.top - mine.height - 10;
  // The sentence that says what is expected stays to be read, if there is room below it.
  const asked = root.querySelector('.expects')?.getBoundingClientRect().bottom ?? 0;
  const low = window.innerHeight - mine.height - edge;
  const y = above < asked && asked < low ? asked + 4 : above > 50 ? above : Math.min(box.bottom + 10, low);
  open.style.setProperty('left', `${Math.round(x)}px`);
  open.style.setProperty('top', `${Math.round(Math.max(edge, y))}px`);
}
