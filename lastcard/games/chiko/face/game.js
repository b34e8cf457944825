// Chiko on the page: what lies in the middle, what may be done, and what is told.

import { about } from '../../../web/lib/about.js';
import { h } from '../../../web/lib/dom.js';
import { list, named, t } from '../../../web/lib/words.js';
import { deal } from '../../../web/table/deal.js';
import { back, card, die, onlooker, ring, sleeper } from './art.js';

/**
 * @typedef {import('./view').View} View
 * @typedef {import('../../../web/types').Seating} Seating
 * @typedef {import('../../../web/types').Offer} Offer
 * @typedef {import('./view').Happening} Happening
 * @typedef {import('../../../web/types').Flight} Flight
 */

/** @type {import('../../../web/types').Face<View, Happening>} */
const face = {
  id: 'chiko', size: [100, 140], card, back, cardName, about: aboutCard, aboutScore, middle, plate,
  offers, expects, whyNot, say, flights, sound, counts,
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

/** @param {string} name */
function aboutCard(name) {
  if (name === '?') return t('chiko.about.hidden');
  if (name === 'c' || name === 'e') return t(`chiko.about.${name}`);
  return t('chiko.about.number', { n: name });
}

/** @param {View} view */
function aboutScore(view) {
  return t('chiko.about.score', { target: view.options.target });
}

/**
 * The cards that may be put on the pile, as the server says.
 * @param {View} view
 * @returns {string[]}
 */
const fitting = (view) => view.fits.split(' ').filter(Boolean);

/** @param {View} view */
const rolling = (view) => view.waiting[0] === 'chance';

// --- The middle ------------------------------------------------------------------------------

/** @param {View} view @param {Seating} at */
function middle(view, at) {
  const dice = rolling(view);
  return h('div', { class: dice ? 'chiko-middle chiko-rolling' : 'chiko-middle' },
    h('p', { class: 'unseen' }, described(view, at)),
    stock(view),
    h('div', { class: 'chiko-nest', ...about(t('chiko.about.ring'), t('chiko.about.ring.is')) },
      ring(view.top, fitting(view)),
      pile(view),
      dice && tumbling()),
    h('div', { class: 'chiko-side', 'aria-hidden': 'true',
        ...about(t('chiko.about.dice'), t('chiko.about.dice.is')) },
      onlooker(dice),
      !dice && h('div', { class: 'chiko-rest' }, die(10), die(3))));
}

/** @param {View} view */
function stock(view) {
  const { size } = view.stock;
  const sheets = size === 0 ? 0 : size > 12 ? 3 : size > 4 ? 2 : 1;
  const is = size ? t('chiko.about.stock.is', { n: size }) : t('chiko.about.stock.empty');
  return h('div', { class: 'chiko-stock', ...about(t('chiko.about.stock'), is) },
    h('div', { class: size ? 'chiko-deck' : 'chiko-deck chiko-bare', 'data-place': 'stock' },
      Array.from({ length: sheets }, back)),
    h('span', { class: 'chiko-count', 'aria-hidden': 'true' }, size));
}

/** The top card, on as many sheets as show that there are more. @param {View} view */
function pile(view) {
  const below = Math.min(2, view.gone.split(' ').length - 1);
  const is = t('chiko.about.pile.is', {
    card: cardName(view.top), shown: taken(view.top), cards: list(fitting(view).map(cardName), 'or'),
    takes: list(fitting(view).map(taken), 'or'),
  });
  return h('div', { class: 'chiko-pile', 'data-place': 'pile', ...about(t('chiko.about.pile'), is) },
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
  const values = { name: named(at, seat) };
  if (view.quit.includes(seat)) {
    const is = seat === at.seat ? t('chiko.about.quit.you') : t('chiko.about.quit', values);
    return [signed(sleeper(), t('chiko.plate.quit', values), is)];
  }
  if (rolling(view) && view.turn === seat) {
    const is = seat === at.seat ? t('chiko.about.rolls.you') : t('chiko.about.rolls', values);
    return [signed(die(10), t('chiko.plate.rolls', values), is)];
  }
  return [];
}

/** @param {SVGElement} drawing @param {string} words @param {string} is */
const signed = (drawing, words, is) =>
  h('span', { class: 'chiko-sign', ...about(words, is) }, drawing, h('span', { dir: 'auto' }, words));

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
      h('span', {}, t('chiko.toast.score', { score }))),
    h('p', { class: 'chiko-reason' }, t('chiko.toast.why')));
}

// --- What may be done ------------------------------------------------------------------------

/** @param {View} view @returns {Offer[]} */
function offers(view) {
  return view.legal.map((action) => {
    const [verb, name] = action.split(' ');
    if (verb === 'play') {
      const label = t('chiko.offer.play', { take: taken(name) });
      return { action, on: `hand:${name}`, to: 'pile', label };
    }
    if (verb === 'draw') return { action, on: 'stock', to: 'hand', label: t('chiko.offer.draw') };
    if (verb === 'quit') return stop(view, action);
    return { action, on: '', label: action };
  });
}

/**
 * To stop, and what it costs. An egg counts as much as the pile shows when the round ends, which is
 * known only if that is now.
 * @param {View} view @param {string} action @returns {Offer}
 */
function stop(view, action) {
  const seat = Number(view.seat), hand = view.hands[seat].cards, last = view.quit.length === view.players - 1;
  const values = { n: view.points[seat] };
  const open = hand.includes('e') && !last;
  return {
    action, on: '', picture: sleeper, weight: view.legal.length > 1 ? 'quiet' : undefined,
    label: open ? t('chiko.offer.quit.egg', values) : t('chiko.offer.quit', values),
    about: open ? t('chiko.about.stop.egg', values) : t('chiko.about.stop', values),
  };
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
  .filter((action) => action.startsWith('play '))
  .map((action) => action.slice(5));

/** @param {View} view @param {string} name @param {Seating} at */
function whyNot(view, name, at) {
  if (view.over) return t('chiko.why.over');
  if (at.seat !== null && view.quit.includes(at.seat)) return t('chiko.why.quit');
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

/**
 * Each different card once, the egg as the pile; and the dice.
 * @param {Happening[]} events
 * @param {number} seat
 * @param {View} before
 * @returns {import('../../../web/types').Count[]}
 */
function counts(events, seat, before) {
  const mine = events.filter((event) => event.seat === seat);
  const held = mine.filter(({ kind }) => kind === 'counted').map(({ what, count, points }) => ({
    cards: Array(count).fill(what),
    text: what === 'e' ? t('chiko.count.egg') : count === 1 ? cardName(what)
      : t('chiko.count.once', { cards: Array(count).fill(cardName(what)).join(', ') }),
    points,
  }));
  const dice = mine.filter(({ kind }) => kind === 'rolled').map(({ a, b, score }) =>
    ({ cards: [], text: t('chiko.count.dice', { a, b }), points: score - before.scores[seat] }));
  return [...(held.length ? held : [{ cards: [], text: t('chiko.count.none'), points: 0 }]), ...dice];
}

/** @param {Happening} event @returns {import('../../../web/types').Sound | null} */
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
