// The middle of the table: the trick, each card near its player's side, and between trump and asked
// colour what holds for it.

import { about } from '../../../web/lib/about.js';
import { h, s } from '../../../web/lib/dom.js';
import { sign } from '../../../web/lib/signs.js';
import { named, t } from '../../../web/lib/words.js';
import { almond, back, card, envelope, parts, power, pupil } from './art.js';

/** @typedef {import('./view').View} View */
/** @typedef {import('../../../web/types').Seating} Seating */

// Where the cards lie, clockwise from the bottom: from -1 (left, top) to 1 (right, bottom).
const SPOTS = /** @type {Record<number, [number, number][]>} */ ({
  2: [[0, 1], [0, -1]],
  3: [[0, 1], [-0.9, -0.6], [0.9, -0.6]],
  4: [[0, 1], [-1, 0], [0, -1], [1, 0]],
  5: [[0, 1], [-1, 0.5], [-0.6, -1], [0.6, -1], [1, 0.5]],
  6: [[0, 1], [-1, 0.74], [-1, -0.74], [0, -1], [1, -0.74], [1, 0.74]],
});

/**
 * @param {string} name
 * @returns {string}
 */
export function cardName(name) {
  if (name === '?') return t('sixth_sense.card.hidden');
  const { card: six, colour, number } = parts(name);
  if (number === '9') return t('sixth_sense.card.nine', { six: cardName(six) });
  return number === '0'
    ? t(`sixth_sense.card.zero.${colour}`)
    : t(`sixth_sense.card.${colour}`, { number });
}

/** Numbers that can do something. */
const POWERS = ['0', '4', '6', '8', '12'];

/**
 * @param {string} name
 * @param {View} view
 */
export function aboutCard(name, view) {
  if (name === '?') return t('sixth_sense.about.hidden');
  const number = parts(name).card.slice(1);
  const does = POWERS.includes(number) ? t(`sixth_sense.about.card.${number}`)
    : t('sixth_sense.about.card.plain');
  if (!view.aims.includes('-') || view.over) return does;
  return `${does} ${number === '6' ? t('sixth_sense.about.predicts.six')
    : t('sixth_sense.about.predicts', { n: number })}`;
}

/** Figures of a prediction in words. @param {string} aim */
const aimed = (aim) => (aim.includes('/') ? t('sixth_sense.sixOrNine') : aim);

/**
 * The envelope of a seat.
 * @param {View} view
 * @param {number} seat
 * @param {Seating} at
 */
export function aboutAim(view, seat, at) {
  const aim = view.aims[seat], mine = seat === at.seat;
  const values = { name: named(at, seat), aim: aimed(aim) };
  if (aim === '-') return mine ? t('sixth_sense.about.aim.none.you') : t('sixth_sense.about.aim.none', values);
  if (aim === '?') return t('sixth_sense.about.aim.sealed', values);
  const points = view.options.beginner
    ? t('sixth_sense.about.points.beginner') : t('sixth_sense.about.points');
  return mine ? `${t('sixth_sense.about.aim.you', values)} ${points}`
    : t('sixth_sense.about.aim.known', values);
}

/**
 * The tricks of a seat.
 * @param {View} view
 * @param {number} seat
 * @param {Seating} at
 */
export function aboutTricks(view, seat, at) {
  const aim = view.aims[seat], n = view.tricks[seat];
  const values = { name: named(at, seat), n, aim: aimed(aim) };
  if (aim === '-' || aim === '?') return t('sixth_sense.about.tricks.is', values);
  return seat === at.seat ? t('sixth_sense.about.tricks.you', values)
    : t('sixth_sense.about.tricks.of', values);
}

/**
 * What lies at a seat's place of the trick.
 * @param {View} view
 * @param {number} seat
 * @param {Seating} at
 * @param {Laid[]} lies
 */
function aboutSpot(view, seat, at, lies) {
  const name = named(at, seat), mine = lies.find((one) => one.seat === seat);
  if (!mine && !lies.length && (view.aims.includes('-') || view.over))
    return about(t('sixth_sense.about.aim'), aboutAim(view, seat, at));
  const covered = lies.some((one) => one.blocks === seat);
  const words = [
    !mine ? t('sixth_sense.about.spot.empty', { name })
      : mine.blocks !== null ? t('sixth_sense.about.spot.gone', { name })
        : covered ? t('sixth_sense.about.spot.covered') : aboutCard(mine.name, view),
    view.winning === seat && t('sixth_sense.about.spot.winning'),
    view.leader === seat && !view.over && t('sixth_sense.about.spot.leads', { name }),
  ];
  const what = mine && mine.blocks === null ? cardName(mine.name) : t('sixth_sense.about.spot', { name });
  return about(what, words.filter(Boolean).join(' '));
}

/**
 * The same as what is played: Russian has another form for it.
 * @param {string} name
 * @returns {string}
 */
export function laidName(name) {
  const { card: six, colour, number } = parts(name);
  if (number === '9') return t('sixth_sense.card.nine', { six: laidName(six) });
  return number === '0'
    ? t(`sixth_sense.laid.zero.${colour}`)
    : t(`sixth_sense.laid.${colour}`, { number });
}

/**
 * Who has seen a seat's prediction.
 * @param {View} view
 * @param {number} seat
 * @returns {number[]}
 */
export function peekers(view, seat) {
  return view.seen.map((pair) => pair.split(' ').map(Number))
    .filter((/** @type {number[]} */ [, whom]) => whom === seat)
    .map((/** @type {number[]} */ [who]) => who);
}

/**
 * What a seat has laid, and whom it blocks with it.
 * @typedef {{ seat: number, name: string, blocks: number | null }} Laid
 */

/**
 * @param {View} view
 * @returns {Laid[]}
 */
function laid(view) {
  return view.trick.map((entry) => {
    const [seat, what] = entry.split(' ');
    const [name, whom] = what.split('>');
    return { seat: Number(seat), name, blocks: whom === undefined ? null : Number(whom) };
  });
}

/**
 * @param {View} view
 * @param {Seating} at
 * @returns {HTMLElement}
 */
export function middle(view, at) {
  const lies = laid(view);
  const spots = Array.from({ length: view.players }, (_, n) => {
    const seat = (at.bottom + n) % view.players;
    const [x, y] = (SPOTS[view.players] ?? SPOTS[6])[n];
    return h('div', {
      class: `ss-spot${classes(view, seat, lies)}`,
      'data-place': `spot:${seat}`, 'data-key': `spot-${seat}`, style: { '--x': x, '--y': y },
      ...aboutSpot(view, seat, at, lies),
    }, spot(view, seat, lies), nameTag(view, seat, at));
  });
  return h('div', { class: `ss-middle${view.reversed ? ' reversed' : ''}` },
    h('p', { class: 'unseen' }, describe(view, at, lies)),
    backdrop(view.reversed),
    h('div', { class: 'ss-side ss-left', 'aria-hidden': 'true' }, trump(view), rounds(view)),
    h('div', { class: 'ss-side ss-right', 'aria-hidden': 'true' },
      view.over || view.aims.includes('-') ? null : asked(view), chips(view)),
    spots);
}

/**
 * @param {View} view
 * @param {number} seat
 * @param {Laid[]} lies
 */
function classes(view, seat, lies) {
  const mine = lies.find((one) => one.seat === seat);
  const covered = lies.some((one) => one.blocks === seat);
  return [
    view.winning === seat && ' winning',
    covered && ' covered',
    mine && mine.blocks !== null && ' gone',
    view.waiting.includes(seat) && !mine && ' awaited',
  ].filter(Boolean).join('');
}

/**
 * @param {View} view
 * @param {number} seat
 * @param {Laid[]} lies
 * @returns {Element[]}
 */
function spot(view, seat, lies) {
  const mine = lies.find((one) => one.seat === seat);
  const zero = lies.find((one) => one.blocks === seat);
  if (mine && mine.blocks === null)
    return [card(mine.name), zero && cover(zero.name)].filter((one) => one !== undefined);
  if (!mine && !lies.length && (view.aims.includes('-') || view.over))
    return [envelope(view.aims[seat], view.predictions[seat], peekers(view, seat).length > 0)];
  return [s('svg', { viewBox: '0 0 100 140', class: 'ss-empty', 'aria-hidden': 'true' },
    s('rect', { x: 3, y: 3, width: 94, height: 134, rx: 9 }),
    mine && s('g', { transform: 'translate(50 62) scale(1.7)' },
      power('block', 0, 0, 'currentColor')))];
}

/** The zero that lies on a blocked card. @param {string} name */
function cover(name) {
  const zero = card(name);
  zero.classList.add('ss-cover');
  return zero;
}

/**
 * @param {View} view
 * @param {number} seat
 * @param {Seating} at
 */
function nameTag(view, seat, at) {
  return h('span', { class: 'ss-name', dir: 'auto', 'aria-hidden': 'true' },
    view.leader === seat && !view.over
      ? s('svg', { viewBox: '0 0 10 12', class: 'ss-flag' },
        s('path', { d: 'M1 0v12M1 1l8 2.8-8 2.8', fill: 'currentColor', stroke: 'currentColor',
          'stroke-width': 1.6 }))
      : null,
    h('span', {}, seat === at.seat ? t('sixth_sense.you') : at.names[seat]));
}

/**
 * A great eye on the ground, that changes its mood when the lowest wins.
 * @param {boolean} turned
 */
function backdrop(turned) {
  return s('svg', { viewBox: '0 0 200 100', class: 'ss-backdrop', 'aria-hidden': 'true' },
    s('path', { d: almond(100, 50, 98, 48), class: 'ss-lid' }),
    s('circle', { cx: 100, cy: 50, r: 25, class: 'ss-iris' }),
    turned
      ? s('g', { class: 'ss-turned' }, power('turn', 100, 50, 'currentColor'))
      : s('g', { class: 'ss-pupil' }, pupil(100, 50, 1)));
}

/**
 * A colour's sign and its word under a heading.
 * @param {string} heading
 * @param {string} colour
 * @param {string} otherwise what is said where there is none
 * @param {Record<string, string>} [props]
 * @param {Element | null} [extra]
 */
function badge(heading, colour, otherwise, props = {}, extra = null) {
  const none = colour === '-';
  return h('div', { class: 'ss-badge', ...props },
    h('span', { class: 'ss-heading' }, heading),
    h('span', { class: 'ss-colour' },
      none ? null : s('svg', { viewBox: '0 0 24 24', class: 'ss-sign' }, sign(colour, 12, 12, 21)),
      extra),
    h('span', { class: `ss-word ss-${none ? 'none' : colour}` },
      none ? otherwise : t(`sixth_sense.colour.${colour}`)));
}

/** @param {View} view */
function trump(view) {
  const top = view.stock.cards[0];
  const late = view.options.late_trump && view.aims.includes('-');
  const otherwise = late ? t('sixth_sense.trump.later') : t('sixth_sense.trump.none');
  const turnedUp = view.trump !== '-' && top ? card(top) : late ? back() : null;
  turnedUp?.classList.add('ss-up');
  const is = view.trump !== '-'
    ? t('sixth_sense.about.trump', { colour: t(`sixth_sense.colour.${view.trump}`) })
    : late ? t('sixth_sense.about.trump.later') : t('sixth_sense.about.trump.none');
  return badge(t('sixth_sense.trump'), view.trump, otherwise,
    { 'data-place': 'stock', ...about(t('sixth_sense.trump'), is) }, turnedUp);
}

/** @param {View} view */
const asked = (view) => badge(t('sixth_sense.asked'), view.asked, t('sixth_sense.asked.any'),
  about(t('sixth_sense.asked'), view.asked === '-' ? t('sixth_sense.about.asked.any')
    : t('sixth_sense.about.asked', { colour: t(`sixth_sense.colour.${view.asked}`) })));

/** @param {View} view */
function rounds(view) {
  const { target } = view.options;
  const words = target ? t('sixth_sense.round.target', { round: view.round, target })
    : t('sixth_sense.round', { round: view.round, rounds: view.rounds });
  const is = target ? t('sixth_sense.about.score.target', { target })
    : t('sixth_sense.about.score', { n: view.rounds });
  return h('span', { class: 'ss-rounds', ...about(words, is) }, words);
}

/** What holds for this trick. @param {View} view */
function chips(view) {
  /** @param {string} kind @param {string} words @param {string} is */
  const chip = (kind, words, is) => h('span', { class: `ss-chip ss-chip-${kind}`, ...about(words, is) },
    s('svg', { viewBox: '-16 -16 32 32' }, power(kind, 0, 0, 'currentColor')), words);
  return [
    view.reversed && chip('turn', t('sixth_sense.lowest'), t('sixth_sense.about.lowest')),
    view.reversed && order(view),
    view.double && chip('double', t('sixth_sense.twice'), t('sixth_sense.about.card.12')),
  ];
}

/**
 * Which colour wins before which while the order is turned: all others, then what is asked for, then trump.
 * @param {View} view
 */
function order(view) {
  const { asked: wanted, trump: best } = view;
  const single = [wanted, best].filter((one, n, both) => one !== '-' && both.indexOf(one) === n);
  const others = ['r', 'y', 'g'].map((shape, n) => sign(shape, 5 + 9 * n, 10, 8, 'currentColor'));
  const rest = single.flatMap((colour, n) => [
    s('path', { d: `M${31 + 27 * n} 5l5 5-5 5`, class: 'ss-then' }),
    sign(colour, 47 + 27 * n, 10, 14),
  ]);
  return h('span', { class: 'ss-order', dir: 'ltr',
      ...about(t('sixth_sense.about.order'), t('sixth_sense.about.lowest')) },
    s('svg', { viewBox: `0 0 ${29 + 27 * single.length} 20` }, others, rest));
}

/**
 * The middle in a few sentences.
 * @param {View} view
 * @param {Seating} at
 * @param {Laid[]} lies
 */
function describe(view, at, lies) {
  const words = [
    view.trump === '-'
      ? `${t('sixth_sense.trump.none')}.`
      : `${t('sixth_sense.trump')}: ${t(`sixth_sense.colour.${view.trump}`)}.`,
    ...lies.map(({ seat, name, blocks }) => (blocks === null
      ? t('sixth_sense.tell.laid', { name: named(at, seat), card: cardName(name) })
      : t('sixth_sense.tell.block',
        { name: named(at, seat), card: cardName(name), whom: named(at, blocks) }))),
  ];
  const any = view.asked === '-';
  const colour = any ? t('sixth_sense.asked.any') : t(`sixth_sense.colour.${view.asked}`);
  if (lies.length) words.push(`${t('sixth_sense.asked')}: ${colour}.`);
  else if (!view.over) words.push(t('sixth_sense.tell.leads', { name: named(at, view.leader) }));
  if (view.reversed) words.push(`${t('sixth_sense.lowest')}.`);
  if (view.double) words.push(`${t('sixth_sense.twice')}.`);
  if (view.winning !== '-')
    words.push(t('sixth_sense.tell.winning', { name: named(at, view.winning) }));
  return words.join(' ');
}
