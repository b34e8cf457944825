// A deal, as flights: the player's cards one by one, and one card for each other seat.

/**
 * @param {import('../types').View} view
 * @param {import('../types').Seating} at
 * @param {string} from the place of the stock
 * @returns {import('../types').Flight[]}
 */
export function deal(view, at, from) {
  const own = at.seat === null ? [] : view.hands[at.seat].cards;
  const others = at.names.map((_, seat) => seat).filter((seat) => seat !== at.seat);
  const flights = own.map((/** @type {string} */ card) => ({ from, to: `hand:${card}` }));
  others.forEach((seat, n) => flights.splice(Math.min(2 * n + 1, flights.length), 0, { from, to: `seat:${seat}` }));
  return flights;
}
