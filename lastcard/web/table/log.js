// The log in words, the latest first: beside the table where there is room, else a drawer over it.

import { h } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { t } from '../lib/words.js';
import { lines } from './words.js';

const MOST_LINES = 200;

/**
 * @param {import('../types').Face} face
 * @param {import('../types').Happening[]} events
 * @param {import('../types').Seating} at
 * @param {{docked: boolean, busy: boolean, close: () => void}} how busy: while what happened before is still asked for
 */
export function log(face, events, at, { docked, busy, close }) {
  const all = lines(face, events, at);
  const said = all.map((line, n) => ({ ...line, n })).slice(-MOST_LINES).reverse();
  return h(docked ? 'aside' : 'dialog', { class: `drawer${docked ? ' docked' : ''}`, 'aria-label': t('log.title'), 'data-key': 'log',
      'aria-busy': busy ? 'true' : null, onclose: docked ? null : close,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      } },
    h('header', {},
      h('h2', {}, t('log.title')),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': t('close'), onclick: close }, icon('close'))),
    h('ol', { tabindex: 0, 'aria-label': t('log.title') },
      said.length || busy ? null : h('li', { class: 'help' }, t('log.empty')),
      said.map(({ text, times, round, n }) =>
        h('li', { class: round ? 'round-line' : '', 'data-key': n }, text,
          times > 1 ? h('span', { class: 'times' }, ` ×${times}`) : null))));
}
