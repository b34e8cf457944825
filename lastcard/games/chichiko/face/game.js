// Chi-Chi-Ko: the chain across the table, what fits its ends, and who beats whom one tap away.

import { about } from '../../../web/lib/about.js';
import { h, s } from '../../../web/lib/dom.js';
import { waitsFor } from '../../../web/lib/views.js';
import { list, named, number, t } from '../../../web/lib/words.js';
import { deal } from '../../../web/table/deal.js';
import { sheetDialog } from '../../../web/table/dialogs.js';
import {
  back, backShapes, card, half, halfBack, halfShapes, ringShapes, tileShapes,
} from './art.js';
import { chainOf, layout } from './chain.js';
import emblem, { RING } from './emblem.js';

/**
 * @typedef {import('./view').View} View
 * @typedef {import('../../../web/types').Seating} Seating
 * @typedef {import('../../../web/types').Offer} Offer
 * @typedef {import('./view').Happening} Happening
 * @typedef {import('../../../web/types').Flight} Flight
 * @typedef {import('./chain.js').Box} Box
 */

const COLOURS = ['r', 'y', 'g', 'b'];
const PICTURES = ['k', 's', 'p', 'n', 'c', '+2', '+4', 'v', 'x'];
const SPECIAL = ['+2', '+4', 'v', 'x'];
/** For boxes of these shapes the chain is laid out: tall, wide and broad ones. */
const SHAPES = /** @type {const} */ ([['t', 1.1], ['w', 1.65], ['b', 2.9]]);

// --- Names ---------------------------------------------------------------------------------------

/** @param {string} name */
const turned = (name) => name.split('-').reverse().join('-');

/** A tile's name in hands, whichever way it is named. @param {string} name */
function inHand(name) {
  const [first = '', second = ''] = name.split('-').map((one) => one.slice(1));
  return PICTURES.indexOf(first) > PICTURES.indexOf(second) ? turned(name) : name;
}

/** @param {string} name */
const halfName = (name) => t(`chichiko.half.${name}`);

/** @param {string} name */
function cardName(name) {
  const [first = '', second = ''] = name.split('-');
  if (!second) return halfName(first);
  if (first === second) return t('chichiko.double', { half: halfName(first) });
  return t('chichiko.tile', { first: halfName(first), second: halfName(second) });
}

/** The special picture of a super tile. @param {string} name */
const special = (name) => name.split('-').map((one) => one.slice(1)).find((one) => SPECIAL.includes(one));

/** @param {string} name */
function aboutCard(name) {
  const [first, second] = name.split('-');
  if (!second) return t('chichiko.about.hidden');
  const power = special(name);
  if (power) return t('chichiko.about.super', { picture: t(`chichiko.power.${power}`), event: t(`chichiko.event.${power}`) });
  return first === second ? t('chichiko.about.double') : t('chichiko.about.mixed');
}

/** @param {View} view */
const aboutScore = (view) => t('chichiko.about.score', { n: view.options.rounds });

/** What an end is called by its place. @param {View} view @param {number} end */
function placeName(view, end) {
  const { phone, sausage } = view.options;
  const names = sausage ? ['left.upper', 'left.lower', 'right.upper', 'right.lower']
    : phone ? ['left', 'right', 'up', 'down'] : ['left', 'right'];
  return t(`chichiko.place.${names[end]}`);
}

/** @param {View} view @returns {string[]} */
const endsOf = (view) => view.ends.split(' ').filter(Boolean);

/**
 * What fits an end: where all of a colour does, or a picture in every other colour, as one.
 * @param {string} accepted
 * @returns {{one: string, words: string}[]}
 */
function fitting(accepted) {
  const names = accepted === '-' ? [] : accepted.split(' ');
  const whole = COLOURS.find((colour) => PICTURES.every((one) => names.includes(colour + one)));
  const found = whole ? [{ one: whole, words: t(`chichiko.any.${whole}`) }] : [];
  for (const name of names) {
    if (name[0] === whole) continue;
    const picture = name.slice(1);
    const alike = names.filter((one) => one.slice(1) === picture && one[0] !== whole);
    const words = picture === '*' ? t(`chichiko.super.${name[0]}`)
      : alike.length === 3 ? t(`chichiko.other.${picture}`) : halfName(name);
    found.push({ one: name, words });
  }
  return found;
}

/** @param {string} accepted */
const inWords = (accepted) => list([...new Set(fitting(accepted).map(({ words }) => words))], 'or');

// --- The middle ----------------------------------------------------------------------------------

/** @param {View} view */
function middle(view) {
  return h('div', { class: 'chichiko-middle' },
    h('p', { class: 'unseen' }, description(view)),
    h('div', { class: 'chain', dir: 'ltr', ...aboutChain(view) }, view.ends ? stage(view) : start()),
    h('div', { class: 'aside' }, bazaar(view), view.ends && !view.over ? legend() : null,
      direction(view), whoBeats()));
}

/** @param {View} view */
const aboutChain = (view) => about(t('chichiko.about.chain'),
  view.ends ? t('chichiko.about.chain.is', { n: view.laid.length }) : t('chichiko.about.chain.none'));

/** What the boxes at the ends are. */
function legend() {
  return h('span', { class: 'legend', 'aria-hidden': 'true',
      ...about(t('chichiko.legend'), t('chichiko.about.legend')) },
    h('span', { class: 'sample' }), h('span', { dir: 'auto' }, t('chichiko.legend')));
}

/** @param {View} view */
function description(view) {
  const ends = endsOf(view).map((shown, end) =>
    `${placeName(view, end)}: ${shown === '-' ? t('chichiko.closed') : halfName(shown)}`);
  return [
    ends.length
      ? t('chichiko.chain.some', { n: view.laid.length, ends: ends.join('; ') })
      : t('chichiko.chain.none'),
    t('chichiko.bazaar', { n: view.bazaar.size }),
    view.left_out ? t('chichiko.left_out', { n: view.left_out }) : '',
    t(`chichiko.direction.${view.direction}`),
  ].filter(Boolean).join(' ');
}

function start() {
  return h('div', { class: 'stage empty' },
    h('div', { class: 'begin', 'aria-hidden': 'true' }, s('svg', { viewBox: '0 0 100 200' },
      s('rect', { x: 4, y: 4, width: 92, height: 192, rx: 14, class: 'begin-edge' }),
      [50, 150].map((y) => s('circle', { cx: 50, cy: y, r: 24, class: 'begin-dot' })))));
}

/**
 * The chain, laid out for several shapes of the box: the style sheet takes what suits.
 * @param {View} view
 */
function stage(view) {
  const chain = chainOf(view);
  const across = ['left', 'right'].map((side) =>
    actions(view, 'across').some((one) => one.endsWith(side)));
  const layouts = SHAPES.map(([, aspect]) => layout(chain, aspect, across));
  const newest = view.laid.at(-1)?.split('@')[0];
  const size = layouts.map(({ width, height }) => ({ x: 0, y: 0, w: width, h: height, flow: '' }));
  return h('div', { class: 'stage', style: where(size) },
    Array.from({ length: Math.max(...layouts.map(({ wraps }) => wraps.length)) }, (_, n) =>
      wrap(layouts.map(({ wraps }) => wraps[n]))),
    chain.pieces.map((piece) =>
      h('div', {
        class: classes('tile', piece.closed && 'closed', piece.tile === newest && 'newest'),
        'data-place': `tile:${piece.tile}`, 'data-key': piece.tile, 'aria-hidden': 'true',
        style: where(layouts.map(({ boxes }) => boxes.get(piece))),
        ...(piece.closed ? about(t('chichiko.closed'), t('chichiko.about.closed'))
          : about(cardName(piece.tile), aboutCard(piece.tile))),
      }, piece.halves.map((one) => (piece.closed ? halfBack() : half(one))))),
    view.over ? [] : endsOf(view).map((shown, end) =>
      (view.accepts[end] ?? '-') !== '-'
      && slot(view, end, shown, where(layouts.map(({ slots }) => slots[end])))),
    ['left', 'right'].map((side, n) => {
      const places = layouts.map(({ sides }) => sides[n] ?? undefined);
      return places[0] && h('div', {
        class: 'side-slot', 'data-place': `side:${side}`, 'data-key': side, style: where(places),
        ...about(t('chichiko.do.across', { where: t(`chichiko.place.${side}`) }), t('chichiko.about.across')),
      });
    }));
}

/** @param {View} view @param {string} verb @returns {string[]} */
const actions = (view, verb) =>
  view.legal.filter((one) => one.startsWith(`${verb} `));

/** @param {...(string | false)} names */
const classes = (...names) => names.filter(Boolean).join(' ');

/**
 * The places of an element, for the style sheet: --wx is its x in a wide box.
 * @param {(Box | undefined)[]} boxes
 */
function where(boxes) {
  /** @type {Record<string, string>} */
  const style = {};
  SHAPES.forEach(([name], n) => {
    const box = boxes[n];
    if (!box) return;
    for (const side of /** @type {const} */ (['x', 'y', 'w', 'h']))
      style[`--${name}${side}`] = box[side].toFixed(2);
    if (box.flow) style[`--${name}f`] = box.flow;
  });
  return style;
}

/** @param {(Box | undefined)[]} boxes */
function wrap(boxes) {
  const seen = SHAPES.map(([name], n) => [`--${name}d`, boxes[n] ? 'block' : 'none']);
  const style = { ...where(boxes), ...Object.fromEntries(seen) };
  return h('div', { class: 'wrap', 'aria-hidden': 'true', style },
    s('svg', { viewBox: '0 0 100 100', preserveAspectRatio: 'none' },
      s('path', { d: 'M96 0 H100 V50 H0 V100 H4', 'vector-effect': 'non-scaling-stroke' })));
}

/**
 * What fits an end, beside it: also where a tile may be dropped.
 * @param {View} view
 * @param {number} end
 * @param {string} shown
 * @param {Record<string, string>} style
 */
function slot(view, end, shown, style) {
  const mine = actions(view, 'put').some((one) => one.split(' ')[2] === `@${end}`);
  const accepted = view.accepts[end], free = view.free.includes(end), fits = fitting(accepted);
  const label = t('chichiko.end', {
    where: placeName(view, end), half: halfName(shown), what: inWords(accepted),
  });
  return h('div', { class: classes('slot', free && 'free', mine && 'mine'),
      'data-place': `end:${end}`, 'data-key': `end:${end}`, style,
      ...about(t('chichiko.legend'), label) },
    h('span', { class: `fits fits-${fits.length}`, role: 'img', 'aria-label': label },
      fits.map(({ one }) => half(one))));
}

/** @param {View} view */
function bazaar(view) {
  const { size } = view.bazaar;
  const is = size ? t('chichiko.about.bazaar.is', { n: size }) : t('chichiko.about.bazaar.none');
  return h('div', { class: `bazaar${size ? '' : ' none'}`, 'data-place': 'bazaar',
      ...about(t('chichiko.about.bazaar'), is) },
    h('span', { class: 'heap', 'aria-hidden': 'true' },
      size ? Array.from({ length: Math.min(3, size) }, back) : h('span', { class: 'gone' })),
    h('b', { 'aria-hidden': 'true' }, number(size)),
    h('span', { class: 'unseen' }, t('chichiko.bazaar', { n: size })));
}

/** @param {View} view */
function direction(view) {
  const flipped = view.direction === 'ccw' ? 'translate(100 0) scale(-1 1)' : null;
  const label = t(`chichiko.direction.${view.direction}`);
  return s('svg', { class: 'direction', viewBox: '0 0 100 100', role: 'img', 'aria-label': label,
      ...about(t('chichiko.about.direction'), label) },
    s('g', { transform: flipped },
      s('path', { d: 'M20 67A34 34 0 1 1 82 62' }), s('polygon', { points: '60,54 98,68 71,92' })));
}

function whoBeats() {
  const title = t('chichiko.beats.title');
  return h('button', { type: 'button', class: 'who-beats', 'aria-label': title,
      ...about(title, t('chichiko.about.beats')), onclick: () => sheetDialog('chichiko', title, beats()) },
    hidden(emblem()));
}

/** @param {SVGElement} picture */
function hidden(picture) {
  picture.setAttribute('aria-hidden', 'true');
  return picture;
}

/** Who beats whom, in full: the ring with all arrows, and in words. @returns {Element} */
function beats() {
  return h('div', { class: 'game-chichiko beats' },
    h('h2', {}, t('chichiko.beats.title')),
    s('svg', { viewBox: '0 0 300 300', role: 'img', 'aria-label': t('chichiko.beats.rule') },
      ringShapes(74, true)),
    h('p', {}, t('chichiko.beats.rule')),
    h('ul', {}, RING.map((picture) => h('li', {},
      s('svg', { viewBox: '0 0 100 100', 'aria-hidden': 'true' }, ringFigure(picture)),
      h('span', {}, t(`chichiko.beats.${picture}`))))));
}

/** @param {string} picture */
function ringFigure(picture) {
  const whole = ringShapes(100, false), one = whole.children[5 + RING.indexOf(picture)];
  one?.removeAttribute('transform');
  return /** @type {SVGElement} */ (one);
}

// --- Plates --------------------------------------------------------------------------------------

/** @param {View} view @param {number} seat @param {Seating} at */
function plate(view, seat, at) {
  const notes = [];
  const n = view.missing[seat];
  const mine = seat === at.seat, name = named(at, seat);
  if (n) {
    const is = mine ? t('chichiko.about.misses.you', { n }) : t('chichiko.about.misses', { n, name });
    notes.push(badge('missing', t('chichiko.plate.misses', { n }), 'M28 72 L72 28', is));
  }
  const smile = 'M35 40 V41 M65 40 V41 M32 62 Q50 80 68 62';
  if (view.owes_face === seat) {
    const is = mine ? t('chichiko.about.face.you') : t('chichiko.about.face', { name });
    notes.push(badge('face', t('chichiko.plate.face', { name: named(at, seat) }), smile, is));
  }
  return notes;
}

/** @param {string} kind @param {string} words @param {string} path @param {string} is */
function badge(kind, words, path, is) {
  return h('span', { class: `note-badge ${kind}`, ...about(words, is) },
    s('svg', { viewBox: '0 0 100 100', 'aria-hidden': 'true' },
      s('circle', { cx: 50, cy: 50, r: 42 }), s('path', { d: path })),
    words);
}

// --- What can be done ----------------------------------------------------------------------------

/** @param {View} view @param {Seating} at @returns {Offer[]} */
function offers(view, at) {
  return view.legal.map((action) => offer(view, at, action));
}

/** @param {View} view @param {Seating} at @param {string} action @returns {Offer} */
function offer(view, at, action) {
  const [verb, name = '', place = '', closed] = action.split(' ');
  switch (verb) {
    case 'draw': return { action, on: 'bazaar', to: 'hand', label: t('chichiko.do.draw') };
    case 'pass': return { action, on: '', label: t('chichiko.do.pass') };
    case 'end':
      return { action, on: '', label: t('chichiko.do.end'), about: t('chichiko.about.endTurn') };
    case 'face':
      return { action, on: '', label: t('chichiko.do.face'), weight: 'big', picture: face,
        about: t('chichiko.about.face.you') };
    case 'start': return { action, on: `hand:${inHand(name)}`, label: t('chichiko.do.start') };
  }
  const on = `hand:${inHand(name)}`, across = verb === 'across', end = Number(place.slice(1));
  const [first = ''] = name.split('-'), other = action.replace(name, turned(name));
  const words = across
    ? [t('chichiko.do.across', { where: t(`chichiko.place.${place}`) })]
    : atEnd(view, end);
  if (other !== action && view.legal.includes(other)) {
    words.push(across
      ? t('chichiko.do.above', { half: halfName(first) })
      : effect(name));
  }
  if (closed) words.push(t('chichiko.do.closed'));
  if (!waitsFor(view, at.seat)) words.push(t('chichiko.do.out_of_turn'));
  return {
    action, on, to: across ? `side:${place}` : `end:${end}`, label: words.join(', '),
    picture: () => (across ? liesAcross(view, name, place) : liesAt(view, name, end, !!closed)),
  };
}

/** What a super tile does, put so that its second half is the new end. @param {string} name */
function effect(name) {
  const picture = (name.split('-')[1] ?? '').slice(1);
  return SPECIAL.includes(picture) ? t('chichiko.do.works', { picture: t(`chichiko.power.${picture}`) })
    : t('chichiko.do.quiet', { picture: t(`chichiko.power.${special(name) ?? '+2'}`) });
}

/** @param {View} view @param {number} end */
function atEnd(view, end) {
  const ends = endsOf(view), shown = ends[end] ?? '';
  const words = [t('chichiko.do.at', { end: t(`chichiko.to.${shown}`) })];
  if (ends.filter((one) => one === shown).length > 1) words.push(placeName(view, end));
  return words;
}

/**
 * A tile as it would lie at an end, with what it touches.
 * @param {View} view
 * @param {string} name
 * @param {number} end
 * @param {boolean} closed
 */
function liesAt(view, name, end, closed) {
  const { phone, sausage } = view.options;
  const upright = phone && end > 1, before = sausage ? end < 2 : end % 2 === 0;
  const [first = '', second = ''] = (before ? turned(name) : name).split('-');
  const tile = closed ? backShapes(!upright) : tileShapes(first, second, !upright);
  /** @param {number} by @param {Node} shapes @param {string} [kind] */
  const moved = (by, shapes, kind = '') =>
    s('g', { transform: `translate(${upright ? `0 ${by}` : `${by} 0`})`, class: kind }, shapes);
  return s('svg', { viewBox: upright ? '0 0 100 320' : '0 0 320 100', class: 'lies' },
    moved(before ? 220 : 0, halfShapes(endsOf(view)[end] ?? ''), 'touched'),
    moved(before ? 0 : 120, tile));
}

/**
 * A tile as it would lie across two lines.
 * @param {View} view
 * @param {string} name
 * @param {string} side
 */
function liesAcross(view, name, side) {
  const left = side === 'left', ends = endsOf(view), [first = '', second = ''] = name.split('-');
  const touched = (left ? ends.slice(0, 2) : ends.slice(2)).map((one, n) =>
    s('g', { transform: `translate(${left ? 120 : 0} ${100 * n})` }, halfShapes(one)));
  return s('svg', { viewBox: '0 0 220 200', class: 'lies' },
    s('g', { class: 'touched' }, touched),
    s('g', { transform: `translate(${left ? 0 : 120} 0)` }, tileShapes(first, second, false)));
}

function face() {
  return s('svg', { viewBox: '0 0 100 100', class: 'face-picture' },
    s('circle', { cx: 50, cy: 50, r: 44, fill: '#EDAE49' }),
    s('path', {
      d: 'M30 36 L42 42 M70 36 L58 42', stroke: '#2B2118', 'stroke-width': 7,
      'stroke-linecap': 'round',
    }),
    s('path', { d: 'M28 58 H72 Q70 80 50 80 Q30 80 28 58Z', fill: '#2B2118' }),
    s('path', { d: 'M42 66 H62 V82 Q62 92 52 92 Q42 92 42 82Z', fill: '#D1495B' }));
}

/** @param {View} view @param {Seating} at */
function expects(view, at) {
  /** @type {string[]} */
  const legal = view.legal;
  if (!legal.length) return '';
  if (at.seat !== null && !waitsFor(view, at.seat)) return t('chichiko.expects.out_of_turn');
  if (legal.includes('face')) return t('chichiko.expects.face');
  if (legal.includes('draw')) return t('chichiko.expects.draw');
  if (legal.includes('pass')) return t('chichiko.expects.pass');
  if (!view.ends) return t('chichiko.expects.start');
  const shown = endsOf(view), puts = legal.filter((one) => one.startsWith('put '));
  const places = [...new Set(puts.map((one) => shown[Number(one.split(' ')[2]?.slice(1))] ?? ''))];
  if (!places.length) return t('chichiko.expects.across');
  const ends = list(places.map((one) => t(`chichiko.to.${one}`)), 'or');
  if (!legal.includes('end')) return t('chichiko.expects.put', { ends });
  return view.wanted === 'double'
    ? t('chichiko.expects.double', { ends })
    : t('chichiko.expects.more', { ends });
}

/** @param {View} view @param {string} name @param {Seating} at */
function whyNot(view, name, at) {
  const [first, second] = name.split('-');
  if (view.over) return t('chichiko.why.over');
  const mine = waitsFor(view, at.seat);
  if (at.seat === null || (!mine && !view.interruptible)) return t('chichiko.why.turn');
  if (!view.ends) return first === second ? t('chichiko.why.turn') : t('chichiko.why.start');
  if (mine && view.wanted === 'double' && first !== second) return t('chichiko.why.double');
  /** @type {Map<string, string>} */
  const ends = new Map();
  endsOf(view).forEach((shown, end) => {
    if (view.free.includes(end)) ends.set(shown, view.accepts[end]);
  });
  const [[shown = '', accepted = '-'] = []] = [...ends];
  if (ends.size === 1)
    return t('chichiko.why.one', { end: t(`chichiko.to.${shown}`), what: inWords(accepted) });
  if (ends.size !== 2) return t('chichiko.why.ends');
  const names = [...ends.keys()].map((one) => t(`chichiko.to.${one}`));
  return t('chichiko.why.two', { ends: list(names, 'or') });
}

// --- What happens --------------------------------------------------------------------------------

/** @param {Happening} event @param {Seating} at */
function say(event, at, times = 1) {
  const { kind, seat } = event, you = seat === at.seat ? '.you' : '';
  const values = { name: named(at, seat), n: 1, times, ...event };
  switch (kind) {
    case 'started': case 'put': case 'closed': case 'interrupted': case 'showed':
      return t(`chichiko.say.${kind}${you}`, { ...values, tile: cardName(event.card) });
    case 'across':
      return t(`chichiko.say.across${you}`, {
        ...values, tile: cardName(event.card), where: t(`chichiko.place.${event.side}`),
      });
    case 'drew': case 'took':
      if (event.card === '?') return t(`chichiko.say.${kind}.hidden`, values);
      return t(`chichiko.say.${kind}${you}`, { ...values, tile: cardName(event.card) });
    case 'misses': return t(`chichiko.say.misses${you}`, { ...values, n: event.turns });
    case 'turned': return t(`chichiko.say.turned.${event.direction}`);
    case 'scored': return t(`chichiko.say.scored${you}`, { ...values, n: event.points });
    case 'dealt': case 'fish': case 'closed_all': return t(`chichiko.say.${kind}`, values);
    case 'counted': return null; // the round's result shows it
    default: return t(`chichiko.say.${kind}${you}`, values);
  }
}

/** @param {Happening} event @param {View} view @param {Seating} at @returns {Flight[]} */
function flights({ kind, seat, card: name }, view, at) {
  const mine = seat === at.bottom, plate = `seat:${seat}`;
  switch (kind) {
    case 'dealt': return deal(view, at, 'bazaar');
    case 'started': case 'put': case 'closed': case 'across': case 'interrupted':
      return [{ from: mine ? `hand:${inHand(name)}` : plate, to: `tile:${name}` }];
    case 'drew': case 'took':
      return [{ from: 'bazaar', to: mine && name !== '?' ? `hand:${name}` : plate }];
    default: return [];
  }
}

/** Somebody may place all tiles in one turn. @param {View} view */
export const paced = (view) => view.options.blitz || view.options.phone;

/** A +2 or +4 hits somebody. @param {Happening} event */
export const shakes = ({ kind, card: name = '' }) => ['put', 'closed', 'across', 'interrupted'].includes(kind) && /\+[24]/.test(String(name));

/**
 * Ordinary tiles and super tiles.
 * @param {Happening[]} events
 * @param {number} seat
 * @param {View} before
 * @returns {import('../../../web/types').Count[]}
 */
function counts(events, seat, before) {
  const mine = events.filter((event) => event.seat === seat);
  const left = mine.filter(({ kind }) => kind === 'showed').map((event) => String(event.card));
  const special = (/** @type {string} */ tile) => tile.split('-').some((one) => PICTURES.indexOf(one.slice(1)) > 4);
  const lines = mine.filter(({ kind }) => kind === 'counted').map(({ what, count, points }) => ({
    cards: left.filter((tile) => special(tile) === (what === 'super')),
    text: t(`chichiko.count.${what}`, { n: count, each: points / count }),
    points,
  }));
  const none = before.options.blitz ? t('chichiko.count.none.blitz') : t('chichiko.count.none');
  return lines.length ? lines : [{ cards: [], text: none, points: 0 }];
}

/** @type {Record<string, import('../../../web/types').Sound>} */
const SOUNDS = {
  started: 'card', put: 'card', closed: 'card', across: 'card', interrupted: 'card',
  dealt: 'deal', misses: 'attack', ended: 'knock', stuck: 'knock', stopped: 'knock', owes: 'turn', forgot: 'knock',
  fewest: 'rise', drew: 'draw', took: 'draw', passed: 'knock', missed: 'knock', fish: 'knock', closed_all: 'knock',
  turned: 'rise', out: 'rise', face: 'rise', won: 'win',
};

export { ended } from './ended.js';

/** @type {import('../../../web/types').Face<View, Happening>} */
export default {
  id: 'chichiko',
  tiles: true,
  size: [100, 200],
  card,
  back,
  cardName,
  about: aboutCard,
  aboutScore,
  middle,
  plate,
  offers,
  expects,
  whyNot,
  say,
  flights,
  sound: ({ kind }) => SOUNDS[kind] ?? null,
  counts,
};
