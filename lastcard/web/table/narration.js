// What the others did, said at their plates for a moment.

import { counted, lines } from './words.js';

/** Kinds of events that have a place of their own: the deal, and the counting at a round's end. */
const ELSEWHERE = ['dealt', 'showed', 'counted', 'scored', 'won'];
const MOST = 2; // sentences at one plate

/**
 * A short text for every seat to which something has happened.
 * @param {import('../types').Face} face
 * @param {import('../types').Happening[]} events
 * @param {import('../types').Seating} at
 * @returns {Map<number, string>}
 */
export function narration(face, events, at) {
  /** @type {Map<number, import('../types').Happening[]>} */
  const bySeat = new Map();
  const done = events[0]?.seat === at.seat ? events[0]?.kind : null; // one knows what one has just done
  for (const event of events) {
    const { kind, seat } = event;
    if ((seat === at.seat && kind === done) || ELSEWHERE.includes(kind) || !at.names[seat]) continue;
    bySeat.set(seat, [...(bySeat.get(seat) ?? []), event]);
  }
  const told = new Map();
  for (const [seat, some] of bySeat) {
    const said = lines(face, some, at).slice(-MOST).map(counted).join(' ');
    if (said) told.set(seat, said);
  }
  return told;
}
