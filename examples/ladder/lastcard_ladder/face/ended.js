// Ladder's table as a round ended.

import { ofRound, shownHands, stilled } from '../../../web/lib/ended.js';

/** @typedef {import('./view').View} View */

/**
 * @param {View} before
 * @param {import('./view').Happening[]} all
 * @returns {View | null}
 */
export function ended(before, all) {
  const events = ofRound(all);
  if (!events.some(({ kind }) => kind === 'scored')) return null;
  const view = { ...stilled(before, events), hands: shownHands(before, events), fits: '' };
  for (const { kind, card } of events) if (kind === 'played') view.top = card;
  return view;
}
