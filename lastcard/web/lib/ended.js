// The table at the end of a round, before the next deal. The server's view is already that of the next round, so
// this one is built from the view before the last move and the events since.

/** @typedef {import('../types').View} View */
/** @typedef {import('../types').Happening} Happening */
/** @typedef {import('../types').Zone} Cards */

/**
 * The events of the round that ended: all up to the next deal.
 * @template {Happening} E
 * @param {E[]} events
 */
export function ofRound(events) {
  const next = events.findIndex(({ kind }) => kind === 'dealt');
  return next < 0 ? events : events.slice(0, next);
}

/**
 * What holds in every game: it is nobody's turn, and the points are counted.
 * @template {View} V
 * @param {V} before
 * @param {Happening[]} events of the round
 * @returns {V}
 */
export function stilled(before, events) {
  const scores = [...before.scores];
  for (const { kind, seat, score } of events) if (kind === 'scored') scores[seat] = score;
  return { ...before, waiting: [], legal: [], scores };
}

/**
 * Hands as they were revealed.
 * @param {View} before
 * @param {Happening[]} events
 * @returns {Cards[]}
 */
export const shownHands = (before, events) =>
  before.hands.map((_, seat) => {
    const cards = events.filter((event) => event.kind === 'showed' && event.seat === seat).map(({ card }) => card);
    return { size: cards.length, cards };
  });

/**
 * The zone without one card, which may be unknown.
 * @param {Cards} zone
 * @param {string} name
 * @returns {Cards}
 */
export function without({ size, cards }, name) {
  const place = cards.indexOf(name);
  return { size: size - 1, cards: place < 0 ? cards : cards.filter((_, n) => n !== place) };
}

/**
 * The zone with one more card, which may be unknown.
 * @param {Cards} zone
 * @param {string} name
 * @returns {Cards}
 */
export const withCard = ({ size, cards }, name) =>
  ({ size: size + 1, cards: name === '?' ? cards : [...cards, name] });

/**
 * A face-down stack with fewer cards.
 * @param {Cards} stack
 * @param {number} n
 * @returns {Cards}
 */
export const fewer = ({ size, cards }, n) => ({ size: Math.max(0, size - n), cards });
