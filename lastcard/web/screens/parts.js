// What several screens share.

import { h } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { LANGUAGES, LANGUAGE_NAMES, current, t } from '../lib/words.js';
import { set } from '../lib/settings.js';
import { again, back } from '../lib/router.js';

const SLOW = 1000; // milliseconds before we say that it takes a while

/**
 * A bar with a way back.
 * @param {string} title
 * @param {...(Node | null)} more
 */
export function bar(title, ...more) {
  document.title = `${title} · ${t('app.name')}`;
  return h('header', { class: 'bar' },
    h('a', { class: 'icon-button', href: '/', 'aria-label': t('nav.back'), onclick: back }, icon('back')),
    h('h1', {}, title), more);
}

/** The languages, each by its own name. */
export function languages() {
  return h('nav', { class: 'languages', 'aria-label': t('settings.language') },
    LANGUAGES.map((one) =>
      h('button', {
        type: 'button', class: 'button quiet small', lang: one, 'data-language': one,
        'aria-pressed': one === current() ? 'true' : 'false',
        onclick: () => {
          set({ language: one });
          again();
        },
      }, LANGUAGE_NAMES[one])));
}

/**
 * A choice of one, as buttons.
 * @param {string} legend
 * @param {string} name
 * @param {[string, string][]} values with their labels
 * @param {string} chosen
 * @param {(value: string) => void} [change]
 */
export function choose(legend, name, values, chosen, change) {
  return h('fieldset', { class: 'choose' }, h('legend', {}, legend),
    values.map(([value, words]) =>
      h('label', {}, h('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => change?.(value) }),
        h('span', {}, words))));
}

/**
 * A player's name, and beside it their pronoun: Hebrew sentences need it.
 * @param {string} label
 * @param {Record<string, unknown>} input attributes
 * @param {Record<string, unknown>} select attributes of the pronoun's; `value` is "he", "she" or "" for neither
 */
export function nameField(label, input, { value: chosen = '', ...select }) {
  return h('div', { class: 'name-field' },
    h('label', { class: 'field' }, h('span', {}, label), h('input', { type: 'text', maxlength: 24, ...input })),
    h('label', { class: 'field' }, h('span', {}, t('pronoun')),
      h('select', select, ['', 'he', 'she'].map((value) =>
        h('option', { value, selected: value === chosen }, t(`pronoun.${value || 'neither'}`))))));
}

/** Where to play with friends, on a site without a server. @param {import('../types').Offered} offered */
export function elsewhere({ live }) {
  return h('p', { class: 'help' }, t('live.none'), ' ', live && h('a', { href: live }, t('live.there')));
}

/** @param {string} text */
export const alert = (text) => h('p', { class: 'alert', role: 'alert' }, text);

/**
 * Waits for something, and says so if it takes long.
 * @template T
 * @param {HTMLElement} place
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export async function patiently(place, work) {
  const timer = setTimeout(() => place.replaceChildren(h('p', { class: 'sheet', role: 'status' }, t('lobby.preparing'))), SLOW);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    place.replaceChildren();
  }
}

/** A text with its **bold** parts. @param {string} text */
export const bold = (text) => h('span', {}, text.split('**').map((part, n) => (n % 2 ? h('strong', {}, part) : part)));
