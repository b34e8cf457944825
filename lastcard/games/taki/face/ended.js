// TAKI's table as a round ended.

import { fewer, ofRound, shownHands, stilled, withCard } from '../../../web/lib/ended.js';

/** @typedef {import('./view').View} View */

/**
 * @param {View} before
 * @param {import('./view').Happening[]} all
 * @returns {View | null}
 */
export function ended(before, all) {
  const events = ofRound(all);
  if (!events.some(({ kind }) => kind === 'scored')) return null;
  /** @type {View} */
  const view = {
    ...stilled(before, events), hands: shownHands(before, events),
    fits: '', debt: 0, open: '-', run: false, plus: false, asked: '-', exposed: '-',
  };
  /** @param {string} name @param {string} [colour] */
  const lead = (name, colour = '-') => {
    view.pile = withCard(view.pile, view.top);
    view.top = name;
    view.colour = colour;
  };
  for (const { kind, card, colour, direction, plus, three } of events) {
    switch (kind) {
      case 'played': lead(card); break;
      case 'named': lead(card, colour); break;
      case 'broke': lead(plus); lead(three); break;
      case 'crazed': view.pile = withCard(view.pile, 'cz'); break; // under the leading card
      case 'turned': view.direction = direction; break;
      case 'drew': view.stock = fewer(view.stock, 1); break;
      case 'remade':
        view.stock = { size: view.stock.size + view.pile.size, cards: [] };
        view.pile = { size: 0, cards: [] };
        break;
    }
  }
  return view;
}
