// Eight and a Half as it is seen: the pot as a heap beside a moon that shows its value.

import { about } from '../../../web/lib/about.js';
import { h, s } from '../../../web/lib/dom.js';
import { direction, list, named, t } from '../../../web/lib/words.js';
import { deal } from '../../../web/table/deal.js';
import { back, cap, card, hearth, kind, mini, scorched } from './art.js';
import { AMBER, figure } from './emblem.js';

/** @typedef {import('./view').View} View */
/** @typedef {import('../../../web/types').Seating} Seating */
/** @typedef {import('./view').Happening} Happening */
/** @typedef {import('../../../web/types').Offer} Offer */

const NIGHT_INK = '#1A2244';

// --- In words ---

/** Figures with a half stand left to right, also within Hebrew. @param {string} text */
const ltr = (text) => (direction() === 'rtl' ? `\u2066${text}\u2069` : text);

/** The pot's value as one writes it: 3.5 is 3½. @param {View} view */
const valueOf = (view) => String(view.value).replace(/^0?(\d*)\.5$/, '$1½');

/** A card within a sentence: "an 8", "a ghost". @param {string} name */
const a = (name) => (name === '?' ? t('eight_half.a.card') : t(`eight_half.a.${name}`));

/** A card as short as can be. @param {string} name */
const short = (name) => (name === '?' ? t('eight_half.a.card') : t(`eight_half.card.${name}`));

/** @param {string} name */
function cardName(name) {
  if (name === '?') return t('eight_half.name.unknown');
  const key = { y: 'yellow', r: 'red', j: 'joker' }[kind(name)];
  return t(`eight_half.name.${key}`, { card: short(name) });
}

/** @param {number} n */
function cards(n) {
  if (n === 1) return t('eight_half.cards.one');
  return n === 2 ? t('eight_half.cards.two') : t('eight_half.cards.many', { n });
}

/** What fits on the pot, as the server says. @param {View} view */
function fitting(view) {
  const fits = /** @type {string[]} */ (view.fits.split(' '));
  const numbers = fits.filter((one) => /^[1-9]$/.test(one));
  const jokers = ['0', 'h', 'g'].filter((one) => fits.includes(one));
  if (numbers.length === 9 && jokers.length === 3) return t('eight_half.fits.all');
  const parts = [];
  const [low] = numbers, high = numbers.at(-1);
  if (numbers.length === 1) parts.push(a(low));
  else if (numbers.length === 9) parts.push(t('eight_half.fits.number'));
  else if (high === '9') parts.push(t('eight_half.fits.up', { card: a(low) }));
  else if (high) parts.push(t('eight_half.fits.down', { card: a(high) }));
  if (fits.includes('8h')) parts.push(ltr('8½'));
  if (jokers.length === 3) parts.push(t('eight_half.fits.joker'));
  else parts.push(...jokers.map(a));
  return list(parts, 'or');
}

// --- What is what ---

/** @param {string} name */
function aboutCard(name) {
  if (name === '?') return t('eight_half.about.hidden');
  const own = ['0', '5', '8', '9', 'h', 'g'].includes(name);
  if (own) return t(`eight_half.about.card.${name}`);
  return Number(name) < 5 ? t('eight_half.about.card.low', { n: name })
    : t('eight_half.about.card.high', { n: name });
}

/** @param {View} view */
const aboutScore = (view) => t('eight_half.about.score', { n: view.options.rounds });

/** @param {View} view */
function aboutPot(view) {
  if (view.value === '-') return about(t('eight_half.about.pot'), t('eight_half.about.pot.empty'));
  return about(t('eight_half.about.pot'), view.over ? inWords(view)
    : t('eight_half.about.pot.is', { value: ltr(valueOf(view)), fits: fitting(view) }));
}

/** @param {View} view */
function aboutMoon(view) {
  const value = valueOf(view), words = { value: ltr(value) };
  const is = value === '-' ? t('eight_half.about.moon.new')
    : value.endsWith('½') ? t('eight_half.about.moon.half', words)
      : t('eight_half.about.moon.is', words);
  return about(t('eight_half.about.moon'), is);
}

/** @param {View} view @param {number} seat @param {Seating} at */
function aboutBank(view, seat, at) {
  const { size } = view.banks[seat], values = { cards: cards(size), name: named(at, seat) };
  return about(t('eight_half.about.bank'), size === 0 ? t('eight_half.about.bank.empty')
    : seat === at.seat ? t('eight_half.about.bank.you', values)
      : t('eight_half.about.bank.is', values));
}

/** @param {View} view @param {number} seat @param {Seating} at */
function aboutBurned(view, seat, at) {
  const { size } = view.burned[seat], values = { cards: cards(size), name: named(at, seat) };
  const mine = seat === at.seat;
  return about(t('eight_half.about.burned'), size === 0
    ? (mine ? t('eight_half.about.burned.none.you') : t('eight_half.about.burned.none', values))
    : mine ? t('eight_half.about.burned.you', values) : t('eight_half.about.burned.is', values));
}

// --- The middle ---

/** Where the cards of the heap lie, in hundredths of its box, and how they are turned. */
const RING = [[24, 9, -7], [47, 17, 8], [3, 3, -12], [50, 2, 13], [6, 19, 3]]; // the count lies below
const SHOWN = 8;

/** @param {View} view */
function heap(view) {
  const pot = /** @type {string[]} */ (view.pot.cards);
  if (!pot.length)
    return h('div', { class: 'heap', 'aria-hidden': 'true', ...aboutPot(view) },
      h('div', { class: 'heap-card none', 'data-place': 'pot' }));
  const from = Math.max(0, pot.length - SHOWN);
  return h('div', { class: 'heap', 'aria-hidden': 'true', ...aboutPot(view) },
    pot.slice(from).map((name, n) => {
      const place = from + n, [x, y, turn] = RING[place % RING.length];
      const top = place === pot.length - 1;
      return h('div', {
        class: 'heap-card', 'data-key': `pot${place}`, 'data-place': top ? 'pot' : null,
        style: { left: `${x}%`, top: `${y}%`, transform: `rotate(${turn + (place % 3)}deg)` },
      }, card(name, true));
    }),
    h('span', { class: 'heap-count', dir: 'auto' }, cards(pot.length)));
}

/** Full for a whole number, half for a half one. @param {View} view */
function moon(view) {
  const text = valueOf(view), shared = signed(view) !== null;
  const empty = text === '-', half = text.endsWith('½');
  const height = [122, 96, 72][text.length - 1] * (shared ? 0.9 : 1);
  return s('svg', { class: 'moon', viewBox: '0 0 200 200', 'aria-hidden': 'true' },
    empty
      ? s('circle', { cx: 100, cy: 100, r: 94, class: 'new-moon' })
      : s('circle', { cx: 100, cy: 100, r: 96, fill: half ? '#C98F2E' : AMBER }),
    half && s('path', { d: 'M100 4A96 96 0 0 0 100 196Z', fill: AMBER }),
    !empty && !half && s('g', { fill: '#E3A22F' },
      s('circle', { cx: 40, cy: 70, r: 9 }), s('circle', { cx: 162, cy: 62, r: 13 }),
      s('circle', { cx: 150, cy: 138, r: 8 }), s('circle', { cx: 52, cy: 140, r: 14 })),
    !empty && figure(text, 100, shared ? 86 : 100, height, NIGHT_INK));
}

/** Which sign lies on the pot. @param {View} view */
const signed = (view) => (view.over ? null : view.down ? 'down'
  : view.policeman !== '-' ? 'police' : view.first ? 'first' : view.value === '-' ? 'new' : null);

/** What the pot asks for, on a sign. @param {View} view @param {Seating} at */
function sign(view, at) {
  const what = signed(view);
  if (what === null) return null;
  const words = t(`eight_half.sign.${what}`);
  const is = what === 'police' ? caught(view, Number(view.last), at) : t(`eight_half.about.sign.${what}`);
  return signpost(what, what === 'down' ? arrow() : what === 'police' ? badge() : null, words, is,
    what === 'police' ? picture(view.policeman) : null);
}

/** What it means to be caught. @param {View} view @param {number} seat @param {Seating} at */
function caught(view, seat, at) {
  const values = { card: a(view.policeman), name: named(at, seat) };
  return seat === at.seat ? t('eight_half.about.caught.you', values)
    : t('eight_half.about.caught', values);
}

/**
 * @param {string} what
 * @param {SVGElement | null} before
 * @param {string} words
 * @param {string} is
 * @param {SVGElement | null} after
 */
const signpost = (what, before, words, is, after) =>
  h('p', { class: `sign ${what}`, dir: 'auto', ...about(words, is) }, before, h('span', {}, words), after);

const arrow = () =>
  s('svg', { class: 'arrow', viewBox: '0 0 40 40', 'aria-hidden': 'true' },
    s('path', { d: 'M20 5V33M8 22L20 34 32 22', fill: 'none', stroke: 'currentColor',
      'stroke-width': 7, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }));

const badge = () =>
  s('svg', { class: 'cap', viewBox: '0 0 40 40', 'aria-hidden': 'true' }, cap(0, 0));

/** @param {...string} names */
const picture = (...names) =>
  s('svg', { class: 'mini', viewBox: `0 0 ${16 * names.length + 24} 56`, 'aria-hidden': 'true' },
    names.map((name, n) => mini(name, 16 * n, 0)));

/** @param {View} view */
function inWords(view) {
  const pot = /** @type {string[]} */ (view.pot.cards);
  if (!pot.length) return t('eight_half.see.empty');
  const top = pot.slice(-SHOWN).reverse().map(short);
  return t('eight_half.see.pot', {
    value: ltr(valueOf(view)), cards: cards(pot.length), list: list(top),
  });
}

/** The exchange before a round. @param {View} view @param {Seating} at */
function exchange(view, at) {
  const [winner, loser] = /** @type {number[]} */ (view.swap);
  /** @param {number} seat @param {string} role */
  const side = (seat, role) =>
    h('div', { class: 'bargain' },
      h('strong', { dir: 'auto' }, at.names[seat]),
      h('span', {}, role),
      h('div', { class: 'three', role: 'img',
        'aria-label': list(view.open[seat].cards.map(short)) },
        view.open[seat].cards.map((name) => picture(name))));
  const is = t('eight_half.about.swap.is', { name: named(at, winner), other: named(at, loser) });
  return h('div', { class: 'pot-scene swap', 'data-place': 'pot',
    ...about(t('eight_half.about.swap'), is) }, sky(),
    side(winner, t('eight_half.swap.winner', { name: named(at, winner) })),
    s('svg', { class: 'arrows', viewBox: '0 0 60 40', 'aria-hidden': 'true' },
      s('path', { d: 'M6 12H50L41 4M54 28H10L19 36', fill: 'none', stroke: 'currentColor',
        'stroke-width': 6, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' })),
    side(loser, t('eight_half.swap.loser', { name: named(at, loser) })));
}

const STARS = [[12, 20], [44, 6], [88, 14], [130, 8], [176, 22], [196, 60], [6, 70], [104, 92],
  [186, 98], [72, 30], [150, 44], [30, 98]];

const sky = () =>
  s('svg', { class: 'sky', viewBox: '0 0 200 110', preserveAspectRatio: 'xMidYMid slice',
    'aria-hidden': 'true' },
    STARS.map(([cx, cy], n) => s('circle', { cx, cy, r: n % 3 ? 0.7 : 1.1 })));

/** @param {View} view @param {Seating} at */
function middle(view, at) {
  if (view.swap !== '-') return exchange(view, at);
  return h('div', { class: 'pot-scene' },
    sky(),
    h('p', { class: 'unseen' }, inWords(view)),
    heap(view),
    h('div', { class: 'night', ...aboutMoon(view) }, moon(view), sign(view, at)));
}

// --- What lies before a seat ---

/** Whether somebody may be caught now: the badge goes to the one who played last.
 * @param {View} view @param {number} seat */
const suspect = (view, seat) => view.policeman !== '-' && view.last === seat && !view.over;

/** On the avatar of whoever may be caught.
 * @param {View} view @param {number} seat @param {Seating} at */
function caution(view, seat, at) {
  const words = seat === at.seat
    ? t('eight_half.see.suspect.you', { card: a(view.policeman) })
    : t('eight_half.see.suspect', { card: a(view.policeman), name: named(at, seat) });
  return h('span', { class: 'suspect', role: 'img', 'aria-label': words,
    ...about(words, caught(view, seat, at)) }, badge());
}

/** @param {View} view @param {number} seat */
function lying(view, seat) {
  const open = /** @type {string[]} */ (view.open[seat].cards).filter((name) => name !== '-');
  return t('eight_half.see.table', {
    open: open.length ? list(open.map(short)) : t('eight_half.see.none'),
    blind: view.blind[seat].size, bank: view.banks[seat].size, burned: view.burned[seat].size,
  });
}

/** @param {number} n @param {number} x @param {number} y */
const amount = (n, x, y) =>
  s('g', {},
    s('rect', { x: x - 15, y: y - 12, width: 30, height: 24, rx: 12, fill: '#FFF8E7',
      stroke: '#3A3226' }),
    figure(String(n), x, y, 17, NIGHT_INK, 20));

/** Open cards on blind ones, and bank and burned cards, as two drawings: narrow plates have them
 * one below the other. @param {View} view @param {number} seat @param {Seating} at */
const laid = (view, seat, at) => [
  s('svg', { class: 'laid', viewBox: '0 0 130 64', role: 'img', 'aria-label': lying(view, seat),
      ...about(t('eight_half.about.table'),
        t('eight_half.about.table.is', { name: named(at, seat) })) },
    [0, 1, 2].map((slot) => {
      const open = view.open[seat].cards[slot] ?? '-', blind = view.blind[seat].cards[slot] ?? '-';
      return s('g', {},
        (blind !== '-' || open === '-') && mini(blind, slot * 45, open === '-' ? 7 : 0),
        open !== '-' && mini(open, slot * 45, 8));
    })),
  s('svg', { class: 'laid heaps', viewBox: '0 0 84 64', 'aria-hidden': 'true' },
    s('g', aboutBank(view, seat, at),
      s('g', { 'data-place': `bank:${seat}` }, mini(view.banks[seat].size ? '?' : '-', 0, 7)),
      amount(view.banks[seat].size, 20, 50)),
    s('g', aboutBurned(view, seat, at),
      s('g', { 'data-place': `burned:${seat}` },
        view.burned[seat].size ? scorched(44, 7) : hearth(44, 7)),
      amount(view.burned[seat].size, 64, 50))),
];

/** @param {View} view @param {number} seat @param {Seating} at */
const plate = (view, seat, at) => [
  ...(seat === at.bottom ? [] : laid(view, seat, at)),
  ...(suspect(view, seat) ? [caution(view, seat, at)] : []),
];

/** The place of an open card. Equal ones are one place, as it does not matter which of them is
 * played; but for an exchange each has its own.
 * @param {View} view @param {number} seat @param {number} slot */
function openPlace(view, seat, slot) {
  const open = /** @type {string[]} */ (view.open[seat].cards);
  const first = open.indexOf(open[slot]) === slot;
  return `open:${open[slot]}${first || view.swap === '-' ? '' : `:${slot}`}`;
}

/** The part after the first colon is what lies there. @param {number | string} slot */
const blindPlace = (slot) => `blind:?:${slot}`;

/** @param {View} view @param {number} seat @param {number} slot */
function ownSlot(view, seat, slot) {
  const open = view.open[seat].cards[slot] ?? '-', blind = view.blind[seat].cards[slot] ?? '-';
  if (open === '-' && blind === '-')
    return h('div', { class: 'own-slot none',
      ...about(t('eight_half.about.slot'), t('eight_half.about.slot.is')) });
  const label = t('eight_half.see.blind', { n: slot + 1 });
  const under = { 'data-place': blindPlace(slot), class: 'own-card blind',
    ...about(label, t('eight_half.about.blind')) };
  return h('div', { class: `own-slot${open === '-' ? '' : ' both'}` },
    blind !== '-' && (open === '-'
      ? h('button', { type: 'button', ...under, 'aria-label': label }, card(blind))
      : h('span', { ...under, 'aria-hidden': 'true' }, card(blind))),
    open !== '-' && h('button', { type: 'button', class: 'own-card open',
      'data-place': openPlace(view, seat, slot),
      'aria-label': t('eight_half.see.open', { card: cardName(open) }),
      ...about(t('eight_half.see.open', { card: cardName(open) }),
        `${t('eight_half.about.open')} ${aboutCard(open)}`) }, card(open)));
}

/**
 * @param {string} place
 * @param {number} size
 * @param {string} words
 * @param {SVGElement} drawing
 * @param {{'data-what': string, 'data-about': string}} is
 */
const ownHeap = (place, size, words, drawing, is) =>
  h('div', { class: 'own-heap', 'data-place': place, role: 'img', 'aria-label': words, ...is },
    s('svg', { viewBox: '0 0 40 62', 'aria-hidden': 'true' }, drawing, amount(size, 20, 49)),
    h('span', { 'aria-hidden': 'true', dir: 'auto' }, is['data-what']));

/** @param {View} view @param {Seating} at */
function own(view, at) {
  const seat = at.bottom, bank = view.banks[seat].size, burned = view.burned[seat].size;
  return [
    h('div', { class: 'own-table' },
      ownHeap(`bank:${seat}`, bank, t('eight_half.see.bank', { cards: cards(bank) }),
        mini(bank ? '?' : '-', 0, 0), aboutBank(view, seat, at)),
      h('div', { class: 'own-slots' }, [0, 1, 2].map((slot) => ownSlot(view, seat, slot))),
      ownHeap(`burned:${seat}`, burned, t('eight_half.see.burned', { cards: cards(burned) }),
        burned ? scorched(0, 0) : hearth(0, 0), aboutBurned(view, seat, at))),
  ];
}

// --- What may be done ---

/** @param {View} view @param {Seating} at @returns {Offer[]} */
function offers(view, at) {
  const legal = /** @type {string[]} */ (view.legal);
  return legal.map((action) => offer(view, /** @type {number} */ (at.seat), action));
}

/** @param {View} view @param {number} seat @param {string} action @returns {Offer} */
function offer(view, seat, action) {
  const [verb, what, other] = action.split(' ');
  if (verb === 'eat') {
    const values = { cards: cards(view.pot.cards.length) };
    return view.table.includes(seat)
      ? { action, on: '', label: t('eight_half.do.eat.hand', values), about: t('eight_half.about.eat.hand', values) }
      : { action, on: '', label: t('eight_half.do.eat', values), about: t('eight_half.about.eat', values) };
  }
  if (verb === 'keep')
    return { action, on: '', label: t('eight_half.do.keep'), weight: 'quiet',
      about: t('eight_half.about.keep') };
  if (verb === 'flip')
    return { action, on: blindPlace(what),
      label: t('eight_half.do.flip', { n: Number(what) + 1 }) };
  if (verb === 'swap') {
    const theirs = view.open[Number(view.swap[1])].cards[Number(other)];
    return { action, on: openPlace(view, seat, Number(what)),
      label: t('eight_half.do.swap', { card: short(theirs) }), picture: () => picture(theirs) };
  }
  if (what === '8h')
    return { action, on: 'hand:8', label: t('eight_half.do.both'),
      picture: () => picture('8', 'h') };
  const [name, times] = what.split('x'), n = Number(times ?? 1);
  const on = `${view.places[seat] === 'hand' ? 'hand' : 'open'}:${name}`;
  const label = n > 1 ? t('eight_half.do.several', { card: short(name), n })
    : t('eight_half.do.play', { card: short(name) });
  return { action, on, label, picture: () => picture(...Array(n).fill(name)) };
}

/** The cards that may be played now. @param {View} view */
const playable = (view) =>
  new Set(/** @type {string[]} */ (view.legal).flatMap((action) =>
    action.startsWith('play ') ? [action.slice(5).split('x')[0]] : []));

/** @param {View} view @param {Seating} at */
function expects(view, at) {
  if (at.seat === null || !view.legal.length) return '';
  if (view.swap !== '-') return t('eight_half.expects.swap', { name: named(at, view.swap[1]) });
  if (view.legal.includes('eat'))
    return t('eight_half.expects.eat', { value: ltr(valueOf(view)) });
  const place = view.places[at.seat];
  if (place === 'blind') return t('eight_half.expects.blind');
  const can = playable(view);
  if (view.first && can.size === 1) return t('eight_half.expects.first', { card: a([...can][0]) });
  if (view.value === '-')
    return place === 'open' ? t('eight_half.expects.new.open') : t('eight_half.expects.new');
  return [ask(view, place), can.has(view.policeman) && t('eight_half.expects.catch', {
    card: a(view.policeman), name: named(at, Number(view.last)) })].filter(Boolean).join(' ');
}

/** @param {View} view @param {string} place */
function ask(view, place) {
  const fits = fitting(view);
  if (view.down) return t('eight_half.expects.down', { fits });
  return place === 'open' ? t('eight_half.expects.open', { fits })
    : t('eight_half.expects.play', { fits });
}

/** @param {View} view @param {string} name @param {Seating} at */
function whyNot(view, name, at) {
  if (view.over || at.seat === null) return t('eight_half.why.over');
  if (!view.legal.length) return t('eight_half.why.wait', { name: named(at, view.turn) });
  if (view.swap !== '-') return t('eight_half.why.swap');
  if (name === '?') return t('eight_half.why.blind');
  const can = playable(view);
  // A card that can be played from the hand is asked about as one on the table.
  const inHand = view.hands[at.seat].cards.includes(name) && !can.has(name);
  if (view.places[at.seat] === 'hand' && !inHand)
    return t('eight_half.why.table');
  if (view.first && can.size === 1) return t('eight_half.why.first', { card: a([...can][0]) });
  if (view.value === '-') return expects(view, at);
  const values = { value: ltr(valueOf(view)), fits: fitting(view) };
  return view.down ? t('eight_half.why.down', values) : t('eight_half.why.not', values);
}

// --- What happened ---

/** @param {Happening} event @param {Seating} at @returns {string | null} */
function say(event, at, times = 1) {
  const { kind: what, seat } = event;
  const values = {
    ...event, times, name: named(at, seat), card: a(event.card ?? '?'), short: short(event.card ?? '?'), value: ltr(event.value ?? ''),
    mine: a(event.mine ?? '?'), theirs: a(event.theirs ?? '?'),
  };
  if (what === 'lowest') return t('eight_half.say.lowest', { cards: cards(event.cards) });
  if (['dealt', 'ended'].includes(what)) return t(`eight_half.say.${what}`, values);
  if (!TOLD.includes(what)) return null;
  return seat === at.seat ? t(`eight_half.say.${what}.you`, values)
    : t(`eight_half.say.${what}`, values);
}

const TOLD = ['opens', 'swapped', 'lost', 'kept', 'played', 'paired', 'flipped', 'missed', 'caught',
  'burned', 'took', 'drew', 'out', 'scored', 'trailed', 'won'];

/** @typedef {import('../../../web/types').Flight} Flight */
/** @param {Happening} event @param {View} view @param {Seating} at @returns {Flight[]} */
function flights(event, view, at) {
  const { kind: what, seat, card: name } = event;
  const mine = seat === at.bottom, plateOf = `seat:${seat}`;
  const known = mine && name && name !== '?';
  switch (what) {
    // Where it lay, in the hand or on the table, the view after the move cannot tell.
    case 'played':
      return mine ? [{ from: `hand:${name}`, to: 'pot' }, { from: `open:${name}`, to: 'pot' }]
        .slice(...(view.table.includes(seat) ? [0, 2] : [0, 1])) : [{ from: plateOf, to: 'pot' }];
    case 'paired':
      return mine ? [{ from: 'hand:8', to: 'pot' }, { from: 'hand:h', to: 'pot' }]
        : [{ from: plateOf, to: 'pot' }];
    case 'flipped': return [{ from: plateOf, to: 'pot' }];
    case 'dealt': return deal(view, at, 'pot');
    case 'burned': return [{ from: 'pot', to: `burned:${seat}` }];
    case 'took': return [{ from: 'pot', to: known ? `hand:${name}` : plateOf }];
    case 'drew': return [{ from: `bank:${seat}`, to: known ? `hand:${name}` : plateOf }];
    default: return [];
  }
}

/** What comes over the middle for a moment. @param {Happening} event */
export const toast = (event) => (event.kind === 'caught'
  ? h('div', { class: 'caught', dir: 'auto' }, badge(), h('p', {}, t('eight_half.toast.caught')))
  : null);

/** The police has somebody. @param {Happening} event */
export const shakes = ({ kind }) => kind === 'caught';

const PLACES = ['hand', 'bank', 'open', 'blind', 'burned'];

/**
 * All cards that somebody has left, wherever they are, and what the count and the win bring.
 * @param {Happening[]} events
 * @param {number} seat
 * @returns {import('../../../web/types').Count[]}
 */
function counts(events, seat) {
  const mine = events.filter((event) => event.seat === seat);
  const counted = mine.filter(({ kind: what }) => what === 'counted');
  const left = counted.filter(({ what }) => PLACES.includes(what));
  const places = left.map(({ what, count }) => t(`eight_half.count.${what}`, { n: count }));
  const sum = left.reduce((n, { count }) => n + count, 0);
  const text = !sum ? t('eight_half.count.none') : places.length === 1 ? places.join()
    : t('eight_half.count.all', { places: places.join(' + '), cards: cards(sum) });
  const most = mine.some(({ kind: what }) => what === 'trailed');
  return [
    { cards: [], text, points: null },
    ...counted.filter(({ what }) => !PLACES.includes(what)).map(({ what, points }) =>
      ({ cards: [], text: t(`eight_half.count.${what}`), points })),
    ...(most ? [{ cards: [], text: t('eight_half.count.most'), points: null }] : []),
  ];
}

/** @type {Record<string, import('../../../web/types').Sound>} */
const SOUNDS = {
  played: 'card', paired: 'card', flipped: 'card', swapped: 'card',
  missed: 'knock', caught: 'attack', burned: 'draw', took: 'draw', drew: 'draw', dealt: 'deal', opens: 'turn', kept: 'knock', lowest: 'rise', trailed: 'knock',
  out: 'rise', won: 'win',
};

export { ended } from './ended.js';

/** @type {import('../../../web/types').Face<View, Happening>} */
export default {
  id: 'eight_half',
  size: [100, 140],
  card: (name) => card(name),
  back,
  cardName,
  about: aboutCard,
  aboutScore,
  middle,
  plate,
  own,
  offers,
  expects,
  whyNot,
  say,
  flights,
  sound: (event) => SOUNDS[event.kind] ?? null,
  counts,
};
