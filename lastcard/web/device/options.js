// Options by name, as people write them, and as the record keeps them: small whole numbers.

import { clashes } from '../lib/options.js';

/** @typedef {import('./types').Facts} Facts */
/** @typedef {import('./types').OptionFacts} OptionFacts */
/** @typedef {import('../types').OptionValue} OptionValue */

const TOO_LARGE = 10 ** 17;
const WORDS = new Map([['true', 1], ['yes', 1], ['on', 1], ['false', 0], ['no', 0], ['off', 0]]);
const NOTHING = ['-', 'none', 'null'];

/** Options, or a number of players, that a game does not have. */
export class BadOption extends Error {
  /**
   * @param {'players' | 'option' | 'clash'} what
   * @param {string} text in English
   * @param {{name?: string, value?: unknown}} [about] which option, and what it was to be
   */
  constructor(what, text, about = {}) {
    super(text);
    this.what = what;
    this.about = about;
  }
}

/** A value as the text a person would write for it; null if it is not a single value. @param {unknown} value */
function textOf(value) {
  if (typeof value === 'boolean') return String(value);
  if (Number.isInteger(value) && Math.abs(Number(value)) < TOO_LARGE) return String(value);
  return typeof value === 'string' ? value.trim() : null;
}

/** @param {unknown} value */
function numberOf(value) {
  const text = textOf(value);
  return text !== null && /^-?\d{1,17}$/.test(text) ? Number(text) + 0 : null;
}

/** @param {unknown} value */
const isNothing = (value) => value === null || NOTHING.includes(textOf(value) ?? '');

/** @param {number | null} number @param {number} low @param {number} high */
const within = (number, low, high) => (number !== null && low <= number && number <= high ? number : null);

/**
 * How each kind is kept; null for what is no value of it.
 * @type {Record<string, (option: OptionFacts, value: unknown, players: number) => number | null>}
 */
const KEPT = {
  number: ({ low, high }, value) => within(numberOf(value), low, high),
  limit: ({ low, high }, value) => (isNothing(value) ? 0 : within(numberOf(value), low, high)),
  flag: (_, value) => WORDS.get((textOf(value) ?? '').toLowerCase()) ?? null,
  choice({ choices = [] }, value) {
    const place = choices.indexOf((textOf(value) ?? '').toLowerCase());
    return place < 0 ? null : place;
  },
  seat: (_, value, players) => (isNothing(value) ? -1 : within(numberOf(value), 0, players - 1)),
};

/** @type {Record<string, (option: OptionFacts, stored: number) => OptionValue>} */
const WRITTEN = {
  number: (_, stored) => stored,
  limit: (_, stored) => stored || null,
  flag: (_, stored) => stored !== 0,
  choice: ({ choices = [] }, stored) => choices[stored] ?? null,
  seat: (_, stored) => (stored < 0 ? null : stored),
};

/** @param {Facts} facts @param {unknown} players @returns {number} */
export function readPlayers(facts, players) {
  const [fewest, most] = facts.players;
  if (Number.isInteger(players) && fewest <= Number(players) && Number(players) <= most) return Number(players);
  throw new BadOption('players', `${facts.title} is for ${fewest} to ${most}.`, { value: players });
}

/**
 * Options as the record keeps them: defaults where nothing is said.
 * @param {Facts} facts
 * @param {unknown} options by name
 * @param {number} players
 * @returns {number[]}
 */
export function readOptions(facts, options, players) {
  const given = options ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new BadOption('option', 'The options must be a mapping.', { value: given });
  }
  const values = /** @type {Record<string, unknown>} */ (given);
  for (const name of Object.keys(values)) {
    if (!facts.options.some((option) => option.name === name)) {
      throw new BadOption('option', `There is no such option in ${facts.title}.`, { name, value: values[name] });
    }
  }
  const stored = facts.options.map((option) => {
    const { name } = option;
    const value = Object.hasOwn(values, name) ? values[name] : option.default;
    const kept = KEPT[option.kind](option, value, players);
    if (kept === null) throw new BadOption('option', `${name} cannot be that.`, { name, value });
    return kept;
  });
  if (clashes(facts, players, writeOptions(facts, stored)).length) {
    throw new BadOption('clash', 'These options exclude each other.');
  }
  return stored;
}

/** The options by name. @param {Facts} facts @param {number[]} stored @returns {Record<string, OptionValue>} */
export function writeOptions(facts, stored) {
  return Object.fromEntries(facts.options.map((option, place) =>
    [option.name, WRITTEN[option.kind](option, stored[place])]));
}
