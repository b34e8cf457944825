// Whom a match waits for.

/** @typedef {Pick<import('../types').View, 'waiting'>} Waiting */

/**
 * Whether the match waits for a seat; for a spectator it never does.
 * @param {Waiting | null} view
 * @param {number | null | undefined} seat
 */
export const waitsFor = (view, seat) => typeof seat === 'number' && (view?.waiting.includes(seat) ?? false);

/** The players that the match waits for: not the dice. @param {Waiting} view */
export const waitingSeats = ({ waiting }) => waiting.filter((one) => one !== 'chance');
