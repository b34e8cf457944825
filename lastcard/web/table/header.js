// The bar above a table.

import { h } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { number, t } from '../lib/words.js';

/**
 * What is null cannot be done now.
 * @param {{title: string, round: number | null, clock: string, undo: (() => void) | null,
 *   hint: (() => void) | null, thinking: boolean, log: (() => void) | null, logOpen: boolean,
 *   rules: () => void, menu: () => void}} bar
 */
export function header({ title, round, clock, undo, hint, thinking, log, logOpen, rules, menu }) {
  return h('header', { class: 'bar' },
    h('a', { class: 'icon-button', href: '/', 'aria-label': t('nav.lobby') }, icon('back')),
    h('h1', {}, title, round === null ? null : h('small', {}, t('table.round', { n: number(round) }))),
    h('span', { class: 'clock', 'aria-hidden': 'true' }, clock),
    undo ? button('undo', t('table.undo'), undo, { 'data-undo': true }) : null,
    hint ? button('hint', t('hint.ask'), hint, { 'data-hint': true, disabled: thinking }) : null,
    log ? button('log', t('log.title'), log, { 'data-log': true, 'aria-expanded': String(logOpen) }) : null,
    button('rules', t('lobby.rules'), rules, { 'data-rules': true }),
    button('more', t('menu.title'), menu, { 'data-menu': true }));
}

/**
 * @param {Parameters<typeof icon>[0]} sign
 * @param {string} words
 * @param {() => void} work
 * @param {Record<string, unknown>} more
 */
function button(sign, words, work, more) {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': words, title: words, 'data-key': sign, onclick: work, ...more },
    icon(sign));
}
