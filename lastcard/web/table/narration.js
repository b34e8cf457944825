// What others did, said at their plates for a moment.

import { counted, lines } from './words.js';

/** Kinds of events that are shown elsewhere: the deal, and the scoring of a round. */
const ELSEWHERE = ['dealt', 'showed', 'counted', 'scored', 'won'];
const MOST = 2; // sentences per plate

/**
 * A short text for every seat where something happened.
 * @param {import('../types').Face} face
 * @param {import('../types').Happening[]} events
 * @param {import('../types').Seating} at
 * @returns {Map<number, string>}
 */
export function narration(face, events, at) {
  /** @type {Map<number, import('../types').Happening[]>} */
  const bySeat = new Map();
  const done = events[0]?.seat === at.seat ? events[0]?.kind : null; // players know what they have just done
  for (const event of events) {
    const { kind, seat } = event;
    if ((seat === at.seat && kind === done) || ELSEWHERE.includes(kind) || !at.names[seat]) continue;
    bySeat.set(seat, [...(bySeat.get(seat) ?? []), event]);
  }
  const texts = new Map();
  for (const [seat, some] of bySeat) {
    const text = lines(face, some, at).slice(-MOST).map(counted).join(' ');
    if (text) texts.set(seat, text);
  }
  return texts;
}
