// Chiko on the page: what lies in the middle, what may be done, and what is told.

import { h } from '../../lib/dom.js';
import { list, named, t } from '../../lib/words.js';
import { deal } from '../../table/deal.js';
import { back, card, die, onlooker, ring, sleeper } from './art.js';

/**
 * @typedef {import('../../types').View} View
 * @typedef {import('../../types').Seating} Seating
 * @typedef {import('../../types').Offer} Offer
 * @typedef {import('../../types').Happening} Happening
 * @typedef {import('../../types').Flight} Flight
 */

/** @type {import('../../types').Face} */
const face = {
  id: 'chiko', size: [100, 140], card, back, cardName, middle, plate, offers, expects, whyNot, say,
  flights, sound,
};
export default face;
export { ended } from './ended.js';

// --- Names -----------------------------------------------------------------------------------

/** @param {string} name */
function cardName(name) {
  return t(`chiko.card.${name === '?' ? 'hidden' : name}`);
}

/** A card as something that is played or drawn. @param {string} name */
const taken = (name) => t(`chiko.take.${name}`);

/**
 * The cards that may be put on the pile, as the server says.
 * @param {View} view
 * @returns {string[]}
 */
const fitting = (view) => String(view.fits ?? '').split(' ').filter((name) => name && name !== '-');

/** @param {View} view */
const rolling = (view) => view.waiting[0] === 'chance';

// --- The middle ------------------------------------------------------------------------------

/** @param {View} view @param {Seating} at */
function middle(view, at) {
  const dice = rolling(view);
  return h('div', { class: dice ? 'chiko-middle chiko-rolling' : 'chiko-middle' },
    h('p', { class: 'unseen' }, described(view, at)),
    stock(view),
    h('div', { class: 'chiko-nest' },
      ring(view.top, fitting(view)),
      pile(view),
      dice && tumbling()),
    h('div', { class: 'chiko-side', 'aria-hidden': 'true' },
      onlooker(dice),
      !dice && h('div', { class: 'chiko-rest' }, die(10), die(3))));
}

/** @param {View} view */
function stock(view) {
  const { size } = view.stock;
  const sheets = size === 0 ? 0 : size > 12 ? 3 : size > 4 ? 2 : 1;
  return h('div', { class: 'chiko-stock' },
    h('div', { class: size ? 'chiko-deck' : 'chiko-deck chiko-bare', 'data-place': 'stock' },
      Array.from({ length: sheets }, back)),
    h('span', { class: 'chiko-count', 'aria-hidden': 'true' }, size));
}

/** The top card, on as many sheets as show that there are more. @param {View} view */
function pile(view) {
  const below = Math.min(2, String(view.gone ?? '').split(' ').length - 1);
  return h('div', { class: 'chiko-pile', 'data-place': 'pile' },
    Array.from({ length: below }, () => h('div', { class: 'chiko-under', 'aria-hidden': 'true' })),
    h('div', { class: 'chiko-top', 'data-place': 'top' }, card(view.top))); // it travels, the pile stays
}

const tumbling = () =>
  h('div', { class: 'chiko-dice chiko-tumble', 'aria-hidden': 'true' }, die(4), die(10));

/** @param {View} view @param {Seating} at */
function described(view, at) {
  const fits = fitting(view);
  return [
    t('chiko.seen.pile', { card: cardName(view.top) }),
    fits.length > 0 && t('chiko.seen.fits', { cards: list(fits.map(cardName), 'or') }),
    view.stock.size ? t('chiko.seen.stock', { n: view.stock.size }) : t('chiko.seen.empty'),
    view.quit.length > 0 && t('chiko.seen.quit', { names: named(at, ...view.quit) }),
    rolling(view) && t('chiko.seen.dice', { name: named(at, view.turn) }),
  ].filter(Boolean).join(' ');
}

/** @param {View} view @param {number} seat @param {Seating} at */
function plate(view, seat, at) {
  const name = named(at, seat);
  if (view.quit.includes(seat)) return [signed(sleeper(), t('chiko.plate.quit', { name }))];
  if (rolling(view) && view.turn === seat) return [signed(die(10), t('chiko.plate.rolls', { name }))];
  return [];
}

/** @param {SVGElement} drawing @param {string} words */
const signed = (drawing, words) =>
  h('span', { class: 'chiko-sign' }, drawing, h('span', { dir: 'auto' }, words));

/**
 * What lies over the middle for a moment when something has happened: the dice, as they fell.
 * @param {Happening} event
 * @returns {Element | null}
 */
export function toast(event) {
  if (event.kind !== 'rolled') return null;
  const { a, b, score } = event;
  const seen = t('chiko.toast.seen', { a: pips(a), b: pips(b), score });
  return h('div', { class: 'chiko-toast', role: 'img', 'aria-label': seen },
    h('div', { class: 'chiko-dice chiko-landed' }, die(Number(a)), die(Number(b))),
    h('p', { class: 'chiko-sum' },
      h('b', { dir: 'ltr' }, `\u2212${Number(a) + Number(b)}`),
      h('span', {}, t('chiko.toast.score', { score }))));
}

// --- What may be done ------------------------------------------------------------------------

/** @param {View} view @returns {Offer[]} */
function offers(view) {
  return view.legal.map((/** @type {string} */ action) => {
    const [verb, name] = action.split(' ');
    if (verb === 'play') {
      const label = t('chiko.offer.play', { take: taken(name) });
      return { action, on: `hand:${name}`, to: 'pile', label };
    }
    if (verb === 'draw') return { action, on: 'stock', label: t('chiko.offer.draw') };
    if (verb === 'quit') {
      const weight = view.legal.length > 1 ? 'quiet' : undefined;
      return { action, on: '', label: t('chiko.offer.quit'), picture: sleeper, weight };
    }
    return { action, on: '', label: action };
  });
}

/** @param {View} view */
function expects(view) {
  if (!view.legal.includes('quit')) return '';
  const takes = list(playable(view).map(taken), 'or');
  if (view.legal.includes('draw'))
    return takes ? t('chiko.expects.play', { takes }) : t('chiko.expects.draw');
  if (view.stock.size === 0)
    return takes ? t('chiko.expects.play.empty', { takes }) : t('chiko.expects.quit.empty');
  return takes ? t('chiko.expects.play.alone', { takes }) : t('chiko.expects.quit.alone');
}

/** @param {View} view @returns {string[]} */
const playable = (view) => view.legal
  .filter((/** @type {string} */ action) => action.startsWith('play '))
  .map((/** @type {string} */ action) => action.slice(5));

/** @param {View} view @param {string} name @param {Seating} at */
function whyNot(view, name, at) {
  if (view.over) return t('chiko.why.over');
  if (view.quit.includes(at.seat)) return t('chiko.why.quit');
  if (rolling(view)) return t('chiko.why.dice');
  if (view.turn !== at.seat) return t('chiko.why.turn', { name: named(at, view.turn) });
  const fits = fitting(view);
  return t('chiko.why.fits', {
    card: cardName(name),
    top: cardName(view.top),
    shown: taken(view.top),
    cards: list(fits.map(cardName), 'or'),
    takes: list(fits.map(taken), 'or'),
  });
}

// --- What happened ---------------------------------------------------------------------------

/** @param {string | number} value */
const pips = (value) => (Number(value) === 10 ? t('chiko.rooster') : String(value));

const TOLD = [
  'dealt', 'played', 'hatched', 'drew', 'quit', 'rolled', 'showed', 'scored', 'won',
];

/** @param {Happening} event @param {Seating} at @returns {string | null} */
function say(event, at, times = 1) {
  const { kind, seat } = event;
  if (!TOLD.includes(kind)) return null;
  const who = seat === at.seat ? '.you' : '';
  const how = kind === 'drew' && event.card === '?' ? '.hidden' : who;
  return t(`chiko.say.${kind}${how}`, { name: named(at, seat), times, ...told(event) });
}

/** What an event's sentence may mention. @param {Happening} event */
function told({ round, card: name, value, a, b, score, points }) {
  /** @type {Record<string, string | number>} */
  const values = { round, score, n: points ?? score };
  const named = name ?? value;
  if (named && named !== '?') Object.assign(values, { card: cardName(named), take: taken(named) });
  if (a !== undefined) Object.assign(values, { a: pips(a), b: pips(b) });
  return values;
}

/** @param {Happening} event @param {View} view @param {Seating} at @returns {Flight[]} */
function flights(event, view, at) {
  const own = event.seat === at.seat, seat = `seat:${event.seat}`;
  switch (event.kind) {
    case 'dealt': return [...deal(view, at, 'stock'), { from: 'stock', to: 'top' }];
    case 'played': return [{ from: own ? `hand:${event.card}` : seat, to: 'top' }];
    case 'hatched': return [{ from: own ? 'hand:e' : seat, to: 'top' }];
    case 'drew':
      return [{ from: 'stock', to: own && event.card !== '?' ? `hand:${event.card}` : seat }];
    default: return [];
  }
}

/** Who has stopped waits for the end of the round. @param {View} view @param {number} seat */
export const out = (view, seat) => view.quit.includes(seat);

/** @param {Happening} event @returns {import('../../types').Sound | null} */
function sound(event) {
  switch (event.kind) {
    case 'dealt': return 'deal';
    case 'drew': return 'draw';
    case 'played': case 'hatched': return 'card';
    case 'quit': return 'knock';
    case 'rolled': return 'dice';
    case 'won': return 'win';
    default: return null;
  }
}
