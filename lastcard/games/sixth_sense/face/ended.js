// Sixth Sense's table while a trick is full, and as a round ended.

import { ofRound, stilled, without } from '../../../web/lib/ended.js';

/** @typedef {import('./view').View} View */
/** @typedef {import('./view').Happening} Happening */

/**
 * The last card of a trick as it lay before the trick was taken: the view in between, or null.
 * @param {View} before
 * @param {Happening[]} events
 * @returns {View | null}
 */
export function meanwhile(before, events) {
  const laid = events.find(({ kind }) => kind === 'played' || kind === 'blocked');
  const end = events.find(({ kind }) => kind === 'took' || kind === 'reversed' || kind === 'void');
  if (!laid || !end) return null;
  const { seat, card: name, covered } = laid;
  const under = before.trick.find((/** @type {string} */ one) => one.split(' ')[1] === covered);
  const entry = `${seat} ${name}${under ? `>${under.split(' ')[0]}` : ''}`;
  return {
    ...before, legal: [], waiting: [], trick: [...before.trick, entry],
    winning: end.kind === 'void' ? '-' : end.seat, reversed: end.kind === 'reversed',
    hands: before.hands.map((hand, one) =>
      (one === seat ? without(hand, name.split('=')[0]) : hand)),
  };
}

/**
 * The last trick lies there, and the predictions are open.
 * @param {View} before
 * @param {Happening[]} all
 * @returns {View | null}
 */
export function ended(before, all) {
  const events = ofRound(all);
  if (!events.some(({ kind }) => kind === 'scored')) return null;
  const full = meanwhile(before, events) ?? before;
  /** @type {View} */
  const view = {
    ...stilled(full, events), blockable: [], double: false,
    predictions: [...before.predictions], aims: [...before.aims], tricks: [...before.tricks],
  };
  for (const { kind, seat, card, aim, tricks } of events) {
    if (kind !== 'revealed') continue;
    view.predictions[seat] = card;
    view.aims[seat] = aim.replace(' or ', '/');
    view.tricks[seat] = tricks;
  }
  return view;
}
