// The bar above a table.

import { h } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { number, t } from '../lib/words.js';

/**
 * A handler that is null is not possible now; what `has` rules out is never possible at this table.
 * @param {{title: string, round: number | null, watching: boolean, clock: string, has: {undo: boolean, hint: boolean},
 *   undo: (() => void) | null, hint: (() => void) | null, log: (() => void) | null, logOpen: boolean,
 *   rules: () => void, sound: boolean, mute: () => void, menu: () => void}} bar
 */
export function header({ title, round, watching, clock, has, undo, hint, log, logOpen, rules, sound, mute, menu }) {
  return h('header', { class: 'bar' },
    h('a', { class: 'icon-button', href: '/', 'aria-label': t('nav.lobby') }, icon('back')),
    h('h1', {}, title, round === null ? null : h('small', {}, t('table.round', { n: number(round) }), watching ? ` · ${t('table.watcher')}` : '')),
    h('span', { class: 'clock', 'aria-hidden': 'true' }, clock),
    has.undo ? button('undo', t('table.undo'), undo, { 'data-undo': true }) : null,
    has.hint ? button('hint', t('hint.ask'), hint, { 'data-hint': true }) : null,
    log ? button('log', t('log.title'), log, { 'data-log': true, 'aria-expanded': String(logOpen) }) : null,
    button('rules', t('lobby.rules'), rules, { 'data-rules': true }),
    button(sound ? 'sound' : 'mute', t('menu.sound'), mute, { 'data-key': 'mute', 'aria-pressed': String(sound) }),
    button('more', t('menu.title'), menu, { 'data-menu': true }));
}

/**
 * @param {Parameters<typeof icon>[0]} sign
 * @param {string} words
 * @param {(() => void) | null} work
 * @param {Record<string, unknown>} more
 */
function button(sign, words, work, more) {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': words, title: words, 'data-key': sign, onclick: work,
    'aria-disabled': work === null ? 'true' : null, ...more }, // not `disabled`, which would lose the focus
    icon(sign), h('span', { class: 'label', 'aria-hidden': 'true' }, words));
}
