// Sixth Sense on the page: how its views are drawn, offered and told.

import { about } from '../../../web/lib/about.js';
import { h } from '../../../web/lib/dom.js';
import { named, t } from '../../../web/lib/words.js';
import { deal } from '../../../web/table/deal.js';
import { back, card, envelope, parts, piles } from './art.js';
import { aboutAim, aboutCard, aboutTricks, cardName, laidName, middle, peekers } from './middle.js';

/** @typedef {import('./view').View} View */
/** @typedef {import('../../../web/types').Seating} Seating */
/** @typedef {import('./view').Happening} Happening */
/** @typedef {import('../../../web/types').Offer} Offer */

/**
 * The envelope and the tricks of a seat.
 * @param {View} view
 * @param {number} seat
 * @param {Seating} at
 * @returns {Element[]}
 */
function plate(view, seat, at) {
  const aim = view.aims[seat], tricks = view.tricks[seat];
  const eyes = peekers(view, seat);
  const open = aim !== '-' && aim !== '?';
  const mine = at.seat !== null && eyes.includes(at.seat);
  const met = open && aim.split('/').includes(String(tricks));
  return [
    h('span', { class: 'ss-aim', ...about(t('sixth_sense.about.aim'), aboutAim(view, seat, at)) },
      envelope(aim, view.predictions[seat], open && eyes.length > 0),
      h('span', { class: 'unseen' }, aimWords(aim, mine, eyes, at))),
    h('span', { class: `ss-tricks${met ? ' met' : ''}`,
        ...about(t('sixth_sense.about.tricks'), aboutTricks(view, seat, at)) },
      piles(tricks),
      h('span', { 'aria-hidden': 'true', dir: 'auto' },
        !open ? tricks : seat === at.seat ? t('sixth_sense.plate.of.you', { tricks, aim })
          : t('sixth_sense.plate.of', { tricks, aim })),
      h('span', { class: 'unseen' }, t('sixth_sense.plate.tricks', { n: tricks }))),
  ];
}

/**
 * @param {string} aim
 * @param {boolean} mine whether I know it by way of an 8
 * @param {number[]} eyes who has peeked
 * @param {Seating} at
 */
function aimWords(aim, mine, eyes, at) {
  if (aim === '-') return t('sixth_sense.plate.none');
  if (aim === '?') return t('sixth_sense.plate.sealed');
  const words = mine
    ? t('sixth_sense.plate.peeked', { aim })
    : t('sixth_sense.plate.known', { aim });
  const others = eyes.filter((one) => one !== at.seat);
  return others.length
    ? `${words} ${t('sixth_sense.plate.seenBy', { names: named(at, ...others), n: others.length })}`
    : words;
}

/**
 * @param {View} view
 * @returns {Offer[]}
 */
function offers(view) {
  return view.legal.map((action) => offer(view, action));
}

/**
 * @param {View} view
 * @param {string} action
 * @returns {Offer}
 */
function offer(view, action) {
  const [verb, what = '', whom] = action.split(' ');
  if (verb === 'split')
    return { action, on: '', label: t('sixth_sense.offer.split'), picture: () => counted(2),
      about: t('sixth_sense.about.split') };
  if (verb === 'whole')
    return { action, on: '', label: t('sixth_sense.offer.whole'), picture: () => counted(1),
      about: t('sixth_sense.about.whole') };
  const { card: name, number } = parts(what);
  const on = `hand:${name}`;
  if (verb === 'predict')
    return { action, on, label: t('sixth_sense.offer.predict', { aim: aimOf(name) }),
      about: t('sixth_sense.about.predict', { aim: aimOf(name) }) };
  if (verb === 'block') {
    const seat = Number(whom), covered = laidBy(view, seat);
    const label = t('sixth_sense.offer.block', { card: cardName(covered) });
    return { action, on, to: `spot:${seat}`, label, picture: () => card(covered),
      about: t('sixth_sense.about.block') };
  }
  return { action, on, label: playLabel(what, number), picture: () => card(what) };
}

/**
 * @param {string} what
 * @param {string} number
 */
function playLabel(what, number) {
  if (number === '6' || number === '9') return t('sixth_sense.offer.six', { number });
  if (number === '0') return t('sixth_sense.offer.zero');
  return t('sixth_sense.offer.play', { card: cardName(what) });
}

/** One pile, or two. @param {number} count */
const counted = (count) => {
  const picture = piles(count);
  picture.setAttribute('viewBox', count > 1 ? '0 0 22 20' : '-3 0 22 20');
  return picture;
};

/** What a card predicts, in figures and words. @param {string} name */
function aimOf(name) {
  const number = name.slice(1);
  return number === '6' ? t('sixth_sense.sixOrNine') : number;
}

/**
 * @param {View} view
 * @param {number} seat
 * @returns {string} what it has laid in the trick
 */
function laidBy(view, seat) {
  const entry = view.trick.find((one) => Number(one.split(' ')[0]) === seat);
  return entry?.split(' ')[1].split('>')[0] ?? '';
}

/**
 * @param {View} view
 * @param {Seating} at
 */
function expects(view, at) {
  /** @type {string[]} */
  const legal = view.legal, asked = view.asked;
  if (!legal.length) return '';
  if (legal[0].startsWith('predict'))
    return view.options.late_trump
      ? t('sixth_sense.expects.late')
      : t('sixth_sense.expects.predict');
  if (legal.includes('split')) {
    const seat = at.seat ?? view.turn;
    return t('sixth_sense.expects.choose', { tricks: view.tricks[seat], aim: view.aims[seat] });
  }
  if (!view.trick.length) return t('sixth_sense.expects.lead');
  const words = asked === '-'
    ? t('sixth_sense.expects.free')
    : follows(legal, asked)
      ? t('sixth_sense.expects.follow', { colour: t(`sixth_sense.colour.${asked}`) })
      : t('sixth_sense.expects.any', { colour: t(`sixth_sense.colour.${asked}`) });
  const blocks = legal.some((action) => action.startsWith('block'));
  return blocks ? `${words} ${t('sixth_sense.expects.block')}` : words;
}

/**
 * Whether all that is legal is of a colour.
 * @param {string[]} legal
 * @param {string} colour
 */
const follows = (legal, colour) => legal.every((action) => action.split(' ')[1]?.[0] === colour);

/**
 * @param {View} view
 * @param {string} name
 */
function whyNot(view, name) {
  const asked = view.asked;
  if (view.legal.includes('split')) return t('sixth_sense.why.choose');
  if (view.legal.length && asked !== '-' && name[0] !== asked)
    return t('sixth_sense.why.follow', { colour: t(`sixth_sense.colour.${asked}`) });
  return t('sixth_sense.why.wait');
}

/**
 * @param {Happening} event
 * @param {Seating} at
 * @returns {string | null}
 */
function say(event, at) {
  const { kind, seat } = event, mine = seat === at.seat;
  if (kind === 'counted') return null; // the round's result shows it
  /** @type {import('../../../web/lib/words.js').Values} */
  const values = { ...event, name: named(at, seat) };
  const nameOf = kind === 'played' || kind === 'blocked' ? laidName : cardName;
  for (const key of /** @type {const} */ (['card', 'covered']))
    if (event[key] !== undefined) values[key] = nameOf(event[key]);
  for (const key of /** @type {const} */ (['points', 'score']))
    if (event[key] !== undefined) values[key] = signed(event[key], key);
  if (kind === 'turned') values.colour = t(`sixth_sense.colour.${event.colour}`);
  if (kind === 'revealed') values.aim = aimOf(event.card);
  if (kind === 'predicted') {
    if (event.card === '?') return t('sixth_sense.say.predicted.sealed', values);
    values.aim = aimOf(event.card);
  }
  if (kind === 'peeked') {
    values.whom = named(at, event.whom);
    if (event.whom === at.seat) return t('sixth_sense.say.peeked.mine', values);
    if (event.card === '?') return t('sixth_sense.say.peeked.sealed', values);
    values.aim = aimOf(event.card);
  }
  if (kind === 'turned') return t('sixth_sense.say.turned', values);
  return mine ? t(`sixth_sense.say.${kind}.you`, values) : t(`sixth_sense.say.${kind}`, values);
}

/**
 * Left to right in every language.
 * @param {number} n
 * @param {string} key
 */
function signed(n, key) {
  const plus = key === 'points' && n > 0 ? '+' : '';
  return `\u2066${n < 0 ? '−' : plus}${Math.abs(n)}\u2069`;
}

/** When the match ends and who wins, and what a round gives. @param {View} view */
function aboutScore(view) {
  const { target } = view.options;
  return [
    target ? t('sixth_sense.about.score.target', { target })
      : t('sixth_sense.about.score', { n: view.rounds }),
    view.options.beginner ? t('sixth_sense.about.points.beginner') : t('sixth_sense.about.points'),
  ].join(' ');
}

/**
 * @param {Happening} event
 * @param {View} view
 * @param {Seating} at
 * @returns {import('../../../web/types').Flight[]}
 */
function flights(event, view, at) {
  const { kind, seat } = event;
  const mine = seat === at.seat;
  const from = mine && event.card ? `hand:${parts(event.card).card}` : `seat:${seat}`;
  /** @type {number[]} */
  const seats = Array.from({ length: view.players }, (_, n) => n);
  /** @param {number} winner */
  const taken = (winner) => seats.map((one) => ({ from: `spot:${one}`, to: `seat:${winner}` }));
  switch (kind) {
    case 'dealt': return deal(view, at, 'stock');
    case 'predicted': return [{ from, to: `spot:${seat}` }];
    case 'played': return [{ from, to: `spot:${seat}` }];
    case 'blocked': return [{ from, to: `spot:${blockedBy(view, seat) ?? seat}` }];
    case 'took': case 'reversed': return view.trick.length ? [] : taken(seat);
    case 'doubled': case 'kept': return taken(seat);
    default: return [];
  }
}

/**
 * Whose card a seat has blocked, if the trick still lies there.
 * @param {View} view
 * @param {number} seat
 * @returns {string | undefined}
 */
const blockedBy = (view, seat) =>
  view.trick.find((one) => one.startsWith(`${seat} `))?.split('>')[1];

/**
 * @param {Happening} event
 * @returns {import('../../../web/types').Sound | null}
 */
function sound(event) {
  switch (event.kind) {
    case 'played': case 'blocked': case 'predicted': case 'turned': return 'card';
    case 'dealt': return 'deal';
    case 'took': case 'reversed': return 'sweep';
    case 'void': case 'kept': return 'knock';
    case 'doubled': case 'peeked': return 'rise';
    case 'won': return 'win';
    default: return null;
  }
}

/**
 * What deserves a moment over the middle: a prediction that was peeked at.
 * @param {Happening} event
 * @returns {Element | null}
 */
export function toast(event) {
  if (event.kind !== 'peeked' || event.card === '?') return null;
  const number = parts(event.card).number;
  return h('div', { class: 'ss-toast', 'aria-hidden': 'true' },
    envelope(number === '6' ? '6/9' : number, event.card, true));
}

/**
 * The prediction against the tricks.
 * @param {Happening[]} events
 * @param {number} seat
 * @returns {import('../../../web/types').Count[]}
 */
function counts(events, seat) {
  const shown = events.find((event) => event.kind === 'revealed' && event.seat === seat);
  const counted = events.find((event) => event.kind === 'counted' && event.seat === seat);
  if (!shown || !counted) return [];
  const { what, count, points } = counted;
  return [{
    cards: [shown.card],
    text: t(`sixth_sense.count.${what}`, { aim: aimOf(shown.card), tricks: shown.tricks, n: count }),
    points,
  }];
}

export { ended, meanwhile } from './ended.js';

/** @type {import('../../../web/types').Face<View, Happening>} */
export default {
  id: 'sixth_sense',
  size: [100, 140],
  card, back, cardName, about: aboutCard, aboutScore, middle, plate, offers, expects, whyNot, say, flights, sound, counts,
};
