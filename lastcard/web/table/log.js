// The log in words: a drawer at the side.

import { h } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { t } from '../lib/words.js';
import { lines } from './words.js';

/**
 * @param {import('../types').Face} face
 * @param {import('../types').Happening[]} events
 * @param {import('../types').Seating} at
 * @param {() => void} close
 */
export function drawer(face, events, at, close) {
  const said = lines(face, events, at).reverse();
  return h('dialog', { class: 'drawer', 'aria-label': t('log.title'), 'data-key': 'log', onclose: close,
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
      said.length ? null : h('li', { class: 'help' }, t('log.empty')),
      said.map(({ text, times, round }) =>
        h('li', { class: round ? 'round-line' : '' }, text,
          times > 1 ? h('span', { class: 'times' }, ` ×${times}`) : null))));
}
