// The table as a round ended, before the next is dealt. The server's view is already that of the next
// round, so it is put together from the view before the last move and what has happened since.

/** @typedef {import('../types').View} View */
/** @typedef {import('../types').Happening} Happening */
/** @typedef {{size: number, cards: string[]}} Cards */

/** What belongs to the round that ends: all up to the next deal. @param {Happening[]} events */
export function ofRound(events) {
  const next = events.findIndex(({ kind }) => kind === 'dealt');
  return next < 0 ? events : events.slice(0, next);
}

/**
 * What holds in every game: nobody is waited for, points are written down, and where hands are shown they
 * lie open.
 * @param {View} before
 * @param {Happening[]} events of that round
 * @returns {View}
 */
export function stilled(before, events) {
  const scores = [...before.scores];
  for (const { kind, seat, score } of events) if (kind === 'scored') scores[seat] = score;
  return { ...before, waiting: [], legal: [], scores };
}

/**
 * Hands as they were shown.
 * @param {View} before
 * @param {Happening[]} events
 * @returns {Cards[]}
 */
export const shownHands = (before, events) =>
  before.hands.map((/** @type {Cards} */ _, /** @type {number} */ seat) => {
    const cards = events.filter((event) => event.kind === 'showed' && event.seat === seat).map(({ card }) => card);
    return { size: cards.length, cards };
  });

/**
 * Without one of its cards, which need not be known.
 * @param {Cards} zone
 * @param {string} name
 * @returns {Cards}
 */
export function without({ size, cards }, name) {
  const place = cards.indexOf(name);
  return { size: size - 1, cards: place < 0 ? cards : cards.filter((_, n) => n !== place) };
}

/**
 * With one more card, which need not be known.
 * @param {Cards} zone
 * @param {string} name
 * @returns {Cards}
 */
export const withCard = ({ size, cards }, name) =>
  ({ size: size + 1, cards: name === '?' ? cards : [...cards, name] });

/**
 * With fewer cards, from the top of a stack that nobody sees.
 * @param {Cards} stack
 * @param {number} n
 * @returns {Cards}
 */
export const fewer = ({ size, cards }, n) => ({ size: Math.max(0, size - n), cards });
