// Sentences about a table: names of seats, lines of the log.

import { has, named, t } from '../lib/words.js';

/**
 * Who sits where, as seen from a seat.
 * @param {Pick<import('../types').Table, 'seats'>} table
 * @param {number | null} seat
 * @param {number} [bottom]
 * @returns {import('../types').Seating}
 */
export function seating(table, seat, bottom = seat ?? 0) {
  return {
    seat, bottom,
    names: table.seats.map((chair, n) => nameOf(chair, n)),
    pronouns: table.seats.map((chair, n) => pronounOf(chair, n)),
  };
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
 * Bots alternate, as their names do.
 * @param {{kind: string, pronoun?: import('../lib/words.js').Pronoun}} chair
 * @param {number} seat
 * @returns {import('../lib/words.js').Pronoun}
 */
export function pronounOf(chair, seat) {
  if (chair.kind === 'bot') return seat % 2 ? 'she' : 'he';
  return chair.pronoun ?? null;
}

/**
 * The lines of a log, with repeated ones merged. `times` counts repetitions that the sentence itself does not
 * mention.
 * @param {import('../types').Face} face
 * @param {import('../types').Happening[]} events
 * @param {import('../types').Seating} at
 * @returns {{text: string, times: number, round: boolean}[]}
 */
export function lines(face, events, at) {
  /** @type {{event: import('../types').Happening, text: string, times: number}[]} */
  const said = [];
  for (const event of events) {
    const text = face.say(event, at);
    if (!text) continue;
    const last = said.at(-1);
    if (last?.text === text) last.times += 1;
    else said.push({ event, text, times: 1 });
  }
  return said.map(({ event, text, times }) => {
    const together = times > 1 ? (face.say(event, at, times) ?? text) : text;
    return { text: together, times: together === text ? times : 1, round: event.kind === 'dealt' };
  });
}

/**
 * A line with its count.
 * @param {{text: string, times: number}} line
 */
export const counted = ({ text, times }) => (times > 1 ? `${text} ×${times}` : text);

/**
 * Who has won, in a sentence.
 * @param {import('../types').View} view
 * @param {import('../types').Seating} at
 */
export function winners(view, at) {
  if (view.winners.length === 1 && view.winners[0] === at.seat) return t('result.youWin');
  return t('table.over', { names: named(at, ...view.winners), n: view.winners.length });
}

/**
 * An error code of the server, or of the device, in the reader's language.
 * @param {string} code
 * @param {import('../lib/words.js').Values} [values]
 */
export function refusal(code, values = {}) {
  const otherwise = code.startsWith('file.') ? 'file.wrong' : 'unavailable';
  return t(has(`error.${code}`) ? `error.${code}` : `error.${otherwise}`, values);
}
