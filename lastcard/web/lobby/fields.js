// Form fields for the options of a game.

import { h } from '../lib/dom.js';
import { barred, isLimit, settled } from '../lib/options.js';
import { has, list, number, t } from '../lib/words.js';

const PREFIX = 'option.'; // before the names of fields that are options

/** @param {number} low @param {number} high */
export const range = (low, high) => Array.from({ length: high - low + 1 }, (_, n) => low + n);

/**
 * @param {string} name
 * @param {string} words
 * @param {string} help
 * @param {boolean} checked
 */
export function tick(name, words, help, checked) {
  return h('label', { class: 'tick' }, h('input', { type: 'checkbox', name, checked }), h('span', {}, words),
    help ? h('span', { class: 'help' }, help) : null);
}

/**
 * @param {string} game
 * @param {import('../types').Option} option
 */
export function optionField(game, option) {
  const key = `${game}.options.${option.name}`, name = PREFIX + option.name;
  const words = t(key), help = has(`${key}.help`) ? t(`${key}.help`) : '';
  if (option.kind === 'flag') return tick(name, words, help, option.default === true);
  const input = option.kind === 'choice'
    ? h('select', { name }, (option.choices ?? []).map((value) =>
      h('option', { value, selected: value === option.default }, t(`${key}.${value}`))))
    : h('input', { type: 'number', name, min: option.low, max: option.high, value: option.default ?? '',
      required: option.kind === 'number', placeholder: option.kind === 'limit' ? t('new.noLimit') : null });
  return h('label', { class: 'field' }, h('span', {}, words), input, help ? h('span', { class: 'help' }, help) : null);
}

/**
 * Who opens: by lot, or a seat.
 * @param {import('../types').Option} option
 * @param {number} players
 */
export function openerField(option, players) {
  return h('label', { class: 'field' }, h('span', {}, t('new.opener')),
    h('select', { name: PREFIX + option.name }, h('option', { value: '' }, t('new.lot')),
      range(0, players - 1).map((seat) => h('option', { value: seat }, t('seat.nth', { n: number(seat + 1) })))));
}

/** The options as they are filled in. @param {import('../types').GameInfo} game @param {FormData} data @returns {import('../lib/options.js').Values} */
export function readOptions(game, data) {
  return Object.fromEntries(game.options.map(({ name, kind }) => {
    const value = data.get(PREFIX + name);
    if (kind === 'flag') return [name, data.has(PREFIX + name)];
    if (kind === 'choice') return [name, String(value)];
    return [name, value === '' || value === null ? null : Number(value)];
  }));
}

/** The name of the option behind a field, or null if it is none. @param {string} field */
export const optionOf = (field) => (field.startsWith(PREFIX) ? field.slice(PREFIX.length) : null);

/**
 * Resets options that clash with the one just changed, and marks what cannot be chosen now.
 * @param {import('../types').GameInfo} game
 * @param {number} players
 * @param {HTMLFormElement} form
 * @param {string} [changed]
 */
export function fitOptions(game, players, form, changed) {
  const values = readOptions(game, new FormData(form));
  const now = settled(game, players, values, changed);
  const bars = barred(game, players, now);
  for (const option of game.options) {
    const input = /** @type {HTMLInputElement | null} */ (form.elements.namedItem(PREFIX + option.name));
    if (!input || option.kind === 'seat') continue;
    if (now[option.name] !== values[option.name]) setValue(input, option, now[option.name]);
    const here = bars.filter(({ name }) => name === option.name);
    restrict(input, option, here.map(({ refused }) => refused));
    const label = input.closest('label');
    label?.querySelector('.barred')?.remove();
    if (here.length) label?.append(h('span', { class: 'help barred' }, here.map((one) => reason(game, players, one)).join(' ')));
  }
}

/** @param {HTMLInputElement} input @param {import('../types').Option} option @param {import('../types').OptionValue} value */
function setValue(input, option, value) {
  if (option.kind === 'flag') input.checked = value === true;
  else input.value = String(value ?? '');
}

/** @param {HTMLInputElement} input @param {import('../types').Option} option @param {import('../lib/options.js').Barred['refused'][]} refused values */
function restrict(input, option, refused) {
  if (option.kind === 'flag') input.disabled = refused.length > 0;
  else if (option.kind === 'choice')
    for (const one of input.querySelectorAll('option')) one.disabled = refused.some((value) => value === one.value);
  else input.max = String(Math.min(option.high ?? Infinity, ...refused.filter(isLimit).map(({ above }) => above)));
}

/**
 * Why a value cannot be chosen.
 * @param {import('../types').GameInfo} game
 * @param {number} players
 * @param {import('../lib/options.js').Barred} barred
 */
function reason(game, players, { name, refused, clash }) {
  const others = Object.entries(clash.when).filter(([one]) => one !== name);
  /** @param {boolean} on */
  const quoted = (on) => list(others.filter(([, wanted]) => (wanted === false) !== on)
    .map(([one]) => t('new.quoted', { what: t(`${game.id}.options.${one}`) })));
  const on = quoted(true), off = quoted(false);
  if (isLimit(refused)) return t('new.most', { other: on, n: players, most: number(refused.above) });
  return [on && t('new.not', { other: on }), off && t('new.needs', { other: off })].filter(Boolean).join(' ');
}
