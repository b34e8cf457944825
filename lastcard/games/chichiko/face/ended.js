// Chi-Chi-Ko's table as a round ended.

import { fewer, ofRound, shownHands, stilled } from '../../../web/lib/ended.js';

/** @typedef {import('./view').View} View */

/** The two lines of a side of the sausage. @type {Record<string, number>} */
const LINES = { left: 0, right: 2 };

/**
 * @param {View} before
 * @param {import('./view').Happening[]} all
 * @returns {View | null}
 */
export function ended(before, all) {
  const events = ofRound(all);
  if (!events.some(({ kind }) => kind === 'scored')) return null;
  const { phone, sausage } = before.options;
  const ends = before.ends.split(' ').filter(Boolean);
  /** @type {View} */
  const view = {
    ...stilled(before, events), hands: shownHands(before, events), laid: [...before.laid],
    points: [...before.points], accepts: ends.map(() => '-'), free: [], interruptible: false,
  };
  for (const { kind, seat, card = '', end = '', side = '', direction, points } of events) {
    const [first = '', second = ''] = card.split('-');
    switch (kind) {
      case 'started':
        view.laid.push(card);
        ends.push(...Array(phone || sausage ? 4 : 2).fill(first));
        break;
      case 'put': case 'closed': case 'interrupted':
        view.laid.push(`${card}${end}`);
        ends[Number(end.slice(1))] = kind === 'closed' ? '-' : second;
        break;
      case 'across':
        view.laid.push(`${card}@${side}`);
        ends.splice(LINES[side] ?? 0, 2, first, second);
        break;
      case 'drew': case 'took': view.bazaar = fewer(view.bazaar, 1); break;
      case 'turned': view.direction = direction; break;
      case 'scored': view.points[seat] = points; break;
    }
  }
  view.ends = ends.join(' ');
  return view;
}
