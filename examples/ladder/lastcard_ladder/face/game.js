// Ladder on the page: the middle of the table, the offers, and the sentences.

import { about } from '../../../web/lib/about.js';
import { h } from '../../../web/lib/dom.js';
import { list, named, t } from '../../../web/lib/words.js';
import { deal } from '../../../web/table/deal.js';
import { back, card } from './art.js';

/**
 * @typedef {import('./view').View} View
 * @typedef {import('./view').Happening} Happening
 * @typedef {import('../../../web/types').Seating} Seating
 */

/** @type {import('../../../web/types').Face<View, Happening>} */
const face = {
  id: 'ladder', size: [100, 140], card, back, cardName, about: aboutCard, aboutScore, middle, plate: () => [],
  offers, expects, whyNot, say, flights, sound, counts,
};
export default face;
export { ended } from './ended.js';

/** @param {string} name */
function cardName(name) {
  return name === '?' ? t('ladder.card.hidden') : t('ladder.card', { n: name });
}

/** @param {string} name */
function aboutCard(name) {
  return name === '?' ? t('ladder.about.hidden') : t('ladder.about.card', { n: name });
}

/** @param {View} view */
function aboutScore(view) {
  return t('ladder.about.score', { rounds: view.options.rounds });
}

/** @param {View} view */
const fitting = (view) => view.fits.split(' ').filter(Boolean);

/** @param {View} view */
function middle(view) {
  const cards = list(fitting(view).map(cardName), 'or');
  const top = { card: cardName(view.top), cards };
  return h('div', { class: 'ladder-middle' },
    h('p', { class: 'unseen' }, t('ladder.seen', { ...top, n: view.stock.size })),
    h('div', { class: 'ladder-pile', 'data-place': 'stock', ...about(t('ladder.stock'), t('ladder.stock.is', { n: view.stock.size })) },
      view.stock.size > 0 && back()),
    h('div', { class: 'ladder-pile', 'data-place': 'pile', ...about(t('ladder.pile'), t('ladder.pile.is', top)) },
      h('div', { 'data-place': 'top' }, card(view.top))));
}

/** @param {View} view */
function offers(view) {
  return view.legal.map((action) => {
    const [verb, name] = action.split(' ');
    if (verb === 'play') return { action, on: `hand:${name}`, to: 'pile', label: t('ladder.offer.play', { card: cardName(name) }) };
    if (verb === 'draw') return { action, on: 'stock', to: 'hand', label: t('ladder.offer.draw') };
    return { action, on: '', label: t(`ladder.offer.${verb}`) };
  });
}

/** @param {View} view */
function expects(view) {
  const [first] = view.legal;
  if (!first) return '';
  return first.startsWith('play') ? t('ladder.expects.play', { cards: list(fitting(view).map(cardName), 'or') }) : t(`ladder.expects.${first}`);
}

/** @param {View} view @param {string} name @param {Seating} at */
function whyNot(view, name, at) {
  if (view.over) return t('ladder.why.over');
  if (view.turn !== at.seat) return t('ladder.why.turn', { name: named(at, view.turn) });
  return t('ladder.why.fits', { cards: list(fitting(view).map(cardName), 'or') });
}

const TOLD = ['dealt', 'played', 'drew', 'passed', 'showed', 'scored', 'won'];

/** @param {Happening} event @param {Seating} at */
function say(event, at, times = 1) {
  const { kind, seat, card: name, round, points, score } = event;
  if (!TOLD.includes(kind)) return null;
  const how = kind === 'drew' && name === '?' ? '.hidden' : seat === at.seat && kind !== 'dealt' ? '.you' : '';
  return t(`ladder.say.${kind}${how}`, { name: named(at, seat), times, round, n: points ?? score, card: name ? cardName(name) : '' });
}

/** @param {Happening} event @param {View} view @param {Seating} at */
function flights(event, view, at) {
  const own = event.seat === at.seat, hand = own && event.card !== '?' ? `hand:${event.card}` : `seat:${event.seat}`;
  if (event.kind === 'dealt') return [...deal(view, at, 'stock'), { from: 'stock', to: 'top' }];
  if (event.kind === 'played') return [{ from: hand, to: 'top' }];
  return event.kind === 'drew' ? [{ from: 'stock', to: hand }] : [];
}

/** @type {Record<string, import('../../../web/types').Sound>} */
const SOUNDS = { dealt: 'deal', played: 'card', drew: 'draw', passed: 'knock', won: 'win' };

/** @param {Happening} event */
function sound({ kind }) {
  return SOUNDS[kind] ?? null;
}

/** @param {Happening[]} events @param {number} seat */
function counts(events, seat) {
  const mine = events.filter((event) => event.kind === 'counted' && event.seat === seat);
  if (!mine.length) return [{ cards: [], text: t('ladder.count.none'), points: 0 }];
  return mine.map(({ points }) => ({ cards: [], text: t('ladder.count', { n: points }), points }));
}
