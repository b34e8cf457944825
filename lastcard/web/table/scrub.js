// The controls of a replay: step by step, playing by itself, from whose point of view.

import { h } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { number, t } from '../lib/words.js';

/**
 * @typedef {object} Scrub
 * @property {number} step that is shown
 * @property {number} steps how many there are
 * @property {boolean} playing
 * @property {string} text what happened in this step
 * @property {string} viewer one of `viewers`
 * @property {[string, string][]} viewers with their labels
 * @property {(step: number) => void} goTo
 * @property {() => void} toggle
 * @property {(viewer: string) => void} lookAs
 * @property {(() => void) | null} file saves the match
 */

/** @param {Scrub} scrub */
export function scrubber(scrub) {
  const { step, steps, playing, goTo, toggle } = scrub;
  return h('div', { class: 'scrub', dir: 'ltr' },
    button('previous', t('replay.previous'), () => goTo(step - 1), step === 0),
    button(playing ? 'stop' : 'play', t(playing ? 'replay.stop' : 'replay.play'), toggle),
    h('input', { type: 'range', min: 0, max: steps - 1, value: step, 'aria-label': t('replay.step'), 'data-scrub': true,
      'aria-valuetext': t('replay.at', { n: number(step + 1), of: number(steps) }),
      oninput: (/** @type {Event} */ event) => goTo(Number(/** @type {HTMLInputElement} */ (event.target).value)) }),
    button('next', t('replay.next'), () => goTo(step + 1), step === steps - 1),
    h('span', { class: 'count' }, `${step + 1}/${steps}`),
    where(scrub));
}

/** @param {Scrub} scrub */
function where({ text, viewer, viewers, lookAs, file }) {
  return h('div', { class: 'where', dir: document.documentElement.dir },
    h('span', { class: 'said', role: 'status' }, text),
    h('select', { 'aria-label': t('replay.who'),
      onchange: (/** @type {Event} */ event) => lookAs(/** @type {HTMLSelectElement} */ (event.target).value) },
      viewers.map(([value, label]) => h('option', { value, selected: value === viewer }, label))),
    file ? h('button', { type: 'button', class: 'button quiet small', 'data-download': true, onclick: file }, t('result.file')) : null);
}

/**
 * @param {Parameters<typeof icon>[0]} sign
 * @param {string} words
 * @param {() => void} work
 * @param {boolean} [atEnd] whether there is nothing further that way
 */
function button(sign, words, work, atEnd = false) {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': words, title: words, 'data-key': words, onclick: work,
    'aria-disabled': atEnd ? 'true' : null }, icon(sign));
}
