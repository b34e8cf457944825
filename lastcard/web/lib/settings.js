// What this device remembers: who plays here, how the page looks and sounds, and its seats at tables.

import { isHere } from './device.js';
import { preferred, readBy } from './words.js';

/**
 * @typedef {object} Settings
 * @property {import('./words.js').Language | ''} language "" for the browser's
 * @property {'' | 'light' | 'dark'} theme "" for the system's
 * @property {boolean} sound
 * @property {boolean} motion
 * @property {string} name
 * @property {'' | 'he' | 'she'} pronoun "" for neither
 * @property {string} level of the bots
 * @property {number} bots how many "Play now" plays against
 * @property {boolean} log whether it is open beside a table
 * @property {boolean} advance whether a card may be chosen before it is one's turn
 */

/** @type {Settings} */
const DEFAULTS = { language: '', theme: '', sound: true, motion: true, name: '', pronoun: '', level: 'normal', bots: 2, log: true,
  advance: false };

/**
 * A table where this device has seats, or which it has watched.
 * @typedef {object} Kept
 * @property {string} id
 * @property {string} game
 * @property {Record<string, string>} tokens by seat
 * @property {string[]} names of the people here
 * @property {number} at when it was last opened, in milliseconds
 * @property {number} matches how many are over
 */

/** @type {Settings} */
let settings = { ...DEFAULTS, ...read('settings', {}) };
const system = window.matchMedia('(prefers-color-scheme: dark)');
const calm = window.matchMedia('(prefers-reduced-motion: reduce)');

export const get = () => settings;
/** The level that was chosen, if there are such bots here: others may be chosen elsewhere, or were once. @param {string[]} levels */
export const levelOf = (levels) => (levels.includes(settings.level) ? settings.level : DEFAULTS.level);
/** @returns {import('./words.js').Language} */
export const language = () => settings.language || preferred();
export const reducedMotion = () => calm.matches || !settings.motion;

/** @param {Partial<Settings>} changes */
export function set(changes) {
  settings = { ...settings, ...changes };
  write('settings', settings);
  dress();
}

/** Applies the settings to the page: theme, motion, and the pronoun it uses for the reader. */
export function dress() {
  const { theme, motion, pronoun } = settings;
  readBy(pronoun || null);
  const root = document.documentElement;
  root.dataset.theme = theme || (system.matches ? 'dark' : 'light');
  root.dataset.motion = motion ? 'some' : 'none';
}

system.addEventListener('change', dress);

// --- Tables ---

const MOST_KEPT = 60; // tables at servers

/** The tables of this device, latest first. @returns {Kept[]} */
export const tables = () => read('tables', /** @type {Kept[]} */ ([])).sort((a, b) => b.at - a.at);

/** @param {string} id @returns {Kept | undefined} */
export const table = (id) => tables().find((one) => one.id === id);

/**
 * @param {string} id
 * @param {Partial<Kept>} changes
 */
export function keep(id, changes) {
  const all = tables();
  const known = all.find((one) => one.id === id);
  const now = { id, game: '', tokens: {}, names: [], matches: 0, ...known, ...changes, at: Date.now() };
  keepTables([now, ...all.filter((one) => one.id !== id)]);
}

/** Takes over the list of the tables on this device from their store, which keeps them. @param {import('../types').KeptTable[]} here */
export function adopt(here) {
  const mine = here.map(({ id, game, tokens, names, at, over }) => ({ id, game, tokens, names, at, matches: over }));
  keepTables([...mine, ...tables().filter(({ id }) => !isHere(id))]);
}

/** Those on this device do not crowd out seats at servers. @param {Kept[]} all */
function keepTables(all) {
  const there = all.filter(({ id }) => !isHere(id)).slice(0, MOST_KEPT);
  write('tables', [...all.filter(({ id }) => isHere(id)), ...there]);
}

/**
 * @param {string} id
 * @param {number} seat
 * @param {string} token
 */
export function keepToken(id, seat, token) {
  keep(id, { tokens: { ...table(id)?.tokens, [seat]: token } });
}

/** @param {string} id */
export function forget(id) {
  write('tables', tables().filter((one) => one.id !== id));
}

/**
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`lastcard.${key}`) ?? 'null') ?? otherwise;
  } catch {
    return otherwise; // private windows may have no storage
  }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(`lastcard.${key}`, JSON.stringify(value));
  } catch {
    // no storage: remembered until the page is closed
  }
}
