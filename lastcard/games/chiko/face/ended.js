// Chiko's table as a round ended.

import { ofRound, shownHands, stilled } from '../../../web/lib/ended.js';

/**
 * @param {import('./view').View} before
 * @param {import('./view').Happening[]} all
 * @returns {import('./view').View | null}
 */
export function ended(before, all) {
  const events = ofRound(all);
  if (!events.some(({ kind }) => kind === 'scored')) return null;
  /** @type {import('./view').View} */
  const view = { ...stilled(before, events), hands: shownHands(before, events), fits: '' };
  for (const { kind, seat, card, value } of events) {
    if (kind === 'quit') view.quit = [...view.quit, seat].sort((a, b) => a - b);
    if (kind === 'played' || kind === 'hatched') {
      view.top = card ?? value; // the egg shows what it counts as
      view.gone = `${view.gone} ${card ?? 'e'}`;
      view.last = seat;
    }
  }
  return view;
}
