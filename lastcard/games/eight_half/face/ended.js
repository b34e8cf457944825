// Eight and a Half's table as a round ended.

import { fewer, ofRound, stilled, withCard, without } from '../../../web/lib/ended.js';

/** @typedef {import('./view').View} View */
/** @typedef {import('../../../web/lib/ended.js').Cards} Cards */

/**
 * Three places on the table, one of them empty now.
 * @param {Cards} slots
 * @param {number} slot
 * @returns {Cards}
 */
const emptied = ({ size, cards }, slot) =>
  ({ size: size - 1, cards: cards.map((name, n) => (n === slot ? '-' : name)) });

/**
 * @param {View} before
 * @param {import('./view').Happening[]} all
 * @returns {View | null}
 */
export function ended(before, all) {
  const events = ofRound(all);
  // A round without a winner is not scored.
  if (!events.some(({ kind }) => kind === 'scored' || kind === 'ended')) return null;
  /** @type {View} */
  const view = {
    ...stilled(before, events), fits: '', down: false, policeman: '-', first: false,
    counts: [...before.counts],
  };
  /** @param {'hands' | 'open' | 'blind' | 'banks' | 'burned'} zone @param {number} seat @param {(there: Cards) => Cards} change */
  const change = (zone, seat, change) => {
    view[zone] = view[zone].map((one, n) => (n === seat ? change(one) : one));
  };
  /** @param {string} name @param {string} value */
  const onPot = (name, value) => {
    view.pot = withCard(view.pot, name);
    view.value = value.replace(/^½/, '0½').replace('½', '.5');
  };
  for (const { kind, seat, card, value, cards } of events) {
    switch (kind) {
      case 'played':
        if (before.places[seat] === 'hand') change('hands', seat, (hand) => without(hand, card));
        else change('open', seat, (slots) => emptied(slots, slots.cards.indexOf(card)));
        onPot(card, value);
        break;
      case 'paired':
        for (const name of ['8', 'h']) {
          change('hands', seat, (hand) => without(hand, name));
          onPot(name, '8.5');
        }
        break;
      case 'flipped': case 'missed': // which one it was shows in nothing but the place that is empty
        change('blind', seat, (slots) => emptied(slots, slots.cards.findIndex((name) => name !== '-')));
        onPot(card, value ?? view.value);
        break;
      case 'burned': case 'took':
        change(kind === 'took' ? 'hands' : 'burned', seat, (zone) => withCard(zone, card));
        view.pot = { size: 0, cards: [] };
        view.value = '-';
        break;
      case 'drew':
        change('banks', seat, (bank) => fewer(bank, 1));
        change('hands', seat, (hand) => withCard(hand, card));
        break;
      case 'scored': view.counts[seat] = cards; break;
    }
  }
  return view;
}
