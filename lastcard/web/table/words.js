// What is said about a table: names of seats, lines of the log.

import { has, list, t } from '../lib/words.js';

/**
 * Who sits where, seen from a seat.
 * @param {any} table
 * @param {number | null} seat
 * @param {number} [bottom]
 * @returns {import('../types').Seating}
 */
export function seating(table, seat, bottom = seat ?? 0) {
  return { seat, bottom, names: table.seats.map((/** @type {any} */ chair, /** @type {number} */ n) => nameOf(chair, n)) };
}

/**
 * @param {{kind: string, name: string, level: string | null}} chair
 * @param {number} seat
 */
export function nameOf(chair, seat) {
  if (chair.kind === 'bot') return t(`bot.${seat % 10}`);
  return chair.kind === 'free' ? t('seat.free') : chair.name;
}

/**
 * The lines of a log: what needs words, equal ones joined.
 * @param {import('../types').Face} face
 * @param {import('../types').Happening[]} events
 * @param {import('../types').Seating} at
 * @returns {{text: string, times: number, round: boolean}[]}
 */
export function lines(face, events, at) {
  /** @type {{text: string, times: number, round: boolean}[]} */
  const said = [];
  for (const event of events) {
    const text = face.say(event, at);
    if (!text) continue;
    const last = said.at(-1);
    if (last?.text === text) last.times += 1;
    else said.push({ text, times: 1, round: event.kind === 'dealt' });
  }
  return said;
}

/**
 * A line with how often it was said.
 * @param {{text: string, times: number}} line
 */
export const counted = ({ text, times }) => (times > 1 ? `${text} ×${times}` : text);

/**
 * Who has won.
 * @param {import('../types').View} view
 * @param {import('../types').Seating} at
 */
export function winners(view, at) {
  if (view.winners.length === 1 && view.winners[0] === at.seat) return t('result.youWin');
  const names = view.winners.map((/** @type {number} */ one) => at.names[one]);
  return t('table.over', { names: list(names), n: names.length });
}

/** A refusal of the server, in the reader's language. @param {string} code */
export const refusal = (code) => t(has(`error.${code}`) ? `error.${code}` : 'error.unavailable');
