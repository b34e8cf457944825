// How a table is set up: everything chosen when it is opened.

import { BadOption, readOptions, readPlayers, writeOptions } from './options.js';
import { Refused } from './refusals.js';

/**
 * What stays the same as long as the table exists.
 * @typedef {object} Setup
 * @property {string} game
 * @property {number} players
 * @property {Record<string, import('../types').OptionValue>} options
 * @property {string[]} bots their levels, for the last seats
 * @property {boolean} public
 * @property {boolean} watch
 * @property {number | null} clock
 * @property {number | null} grace
 * @property {boolean} undo
 */

export const LEVELS = ['easy', 'normal', 'hard', 'expert', 'master'];
export const BOTS = [...LEVELS, 'learned']; // that files may name
const NAME_LENGTH = 24;
const SEED_LENGTH = 64;
const MOST_MARKS = 4; // on one letter, as in pointed Hebrew
const JOINERS = '\u200c\u200d'; // needed by emoji and by some languages
const BLANK = '\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0';
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const SHORTEST_WAIT = 5, LONGEST_WAIT = 7 * 24 * 3600; // seconds

/** @param {string} why @returns {never} */
function bad(why) {
  throw new Refused('bad_setup', why);
}

/** @param {string} why @returns {never} */
function malformed(why) {
  throw new Refused('malformed', why);
}

/** @param {unknown} value @param {string} name @param {boolean} otherwise */
function truth(value, name, otherwise) {
  if (value === undefined) return otherwise;
  return typeof value === 'boolean' ? value : malformed(`${name} is true or false.`);
}

/** @param {unknown} value @param {string} name @param {number | null} otherwise */
function seconds(value, name, otherwise) {
  if (value === undefined || value === null) return value === null ? null : otherwise;
  const count = Number.isInteger(value) ? Number(value) : malformed(`${name} is a number of seconds.`);
  if (count < SHORTEST_WAIT || count > LONGEST_WAIT) bad(`${name} must be from ${SHORTEST_WAIT} to ${LONGEST_WAIT} seconds.`);
  return count;
}

/**
 * A setup with all defaults filled in; refused if a table cannot be like that.
 * @param {Record<string, unknown>} wanted
 * @param {import('./types').Facts} facts of the game
 * @returns {Setup}
 */
export function checkedSetup(wanted, facts) {
  const { game, players: count, options: given = {}, bots = [], clock, grace, public: listed, watch, undo, ...rest } = wanted;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) malformed(`A table has no ${unknown}.`);
  if (!Array.isArray(bots) || bots.some((one) => typeof one !== 'string')) malformed('bots is a list of levels.');
  if (typeof given !== 'object' || given === null || Array.isArray(given)) malformed('options are an object.');
  if (count !== undefined && count !== null && !Number.isInteger(count)) malformed('players is a number.');
  const flags = { watch: truth(watch, 'watch', true), undo: truth(undo, 'undo', false) };
  if (truth(listed, 'public', false)) bad('A table on a device is not listed: nobody else can reach it.');
  let players, options;
  try {
    players = readPlayers(facts, count ?? facts.players[0]);
    options = writeOptions(facts, readOptions(facts, given, players));
  } catch (problem) {
    throw problem instanceof BadOption ? new Refused('bad_setup', problem.message) : problem;
  }
  bots.forEach(checkLevel);
  if (bots.length >= players) bad(`${bots.length} bots leave no free seat of ${players}.`);
  return {
    game: String(game), players, options, bots, public: false, ...flags,
    clock: seconds(clock, 'clock', null), grace: seconds(grace, 'grace', 60),
  };
}

/** @param {unknown} level */
export function checkLevel(level) {
  if (!LEVELS.includes(/** @type {string} */ (level))) bad(`There is no such level of bots, only ${LEVELS.join(', ')}.`);
}

/** A name as it is displayed; refused if it cannot be. @param {unknown} name */
export function readName(name) {
  if (typeof name !== 'string') return malformed('A name is a text.');
  const text = name.normalize('NFC').split(SPACES).filter(Boolean).join(' '), { length } = [...text];
  if (length < 1 || length > NAME_LENGTH) throw new Refused('bad_name', `A name has 1 to ${NAME_LENGTH} characters.`);
  if (!canBeShown(text)) throw new Refused('bad_name', 'A name has visible characters only.');
  return text;
}

/** @param {unknown} seed @returns {string | null} */
export function readSeed(seed) {
  if (seed === null || seed === undefined) return null;
  const text = typeof seed === 'string' ? seed : malformed('A seed is a text.'), { length } = [...text];
  if (length < 1 || length > SEED_LENGTH || !canBeShown(text) || text === '-') {
    bad(`A seed has 1 to ${SEED_LENGTH} visible characters, and is not -.`);
  }
  return text;
}

/** @param {unknown} pronoun */
export function readPronoun(pronoun) {
  if (pronoun === undefined || pronoun === null) return null;
  if (pronoun === 'he' || pronoun === 'she') return pronoun;
  return malformed('A pronoun is he or she.');
}

/**
 * Whether a text has only visible characters, with no more marks than any language puts on a letter: no line feeds,
 * no direction overrides, no blanks that pass for letters.
 * @param {string} text
 */
function canBeShown(text) {
  let marks = MOST_MARKS; // none may come before the first letter
  let joined = false; // whether the last character is a joiner
  for (const one of text) {
    joined = JOINERS.includes(one);
    if (joined || /\p{M}/u.test(one)) {
      marks += 1;
      if (marks > MOST_MARKS || BLANK.includes(one)) return false;
    } else if (/\p{C}/u.test(one) || BLANK.includes(one)) return false;
    else marks = /\p{Z}/u.test(one) ? MOST_MARKS : 0;
  }
  return !joined;
}
