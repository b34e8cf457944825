// TAKI on the page: the pile and its signs, what may be done, and what happened in words.

import { about } from '../../../web/lib/about.js';
import { h, s } from '../../../web/lib/dom.js';
import { sign } from '../../../web/lib/signs.js';
import { direction, named, t } from '../../../web/lib/words.js';
import { deal } from '../../../web/table/deal.js';
import { COLOURS, arrow, back, card, colourOf, letters, pair, swatch } from './art.js';

/** @typedef {import('./view').View} View */
/** @typedef {import('../../../web/types').Seating} Seating */
/** @typedef {import('./view').Happening} Happening */
/** @typedef {import('../../../web/types').Offer} Offer */
/** @typedef {import('../../../web/types').Flight} Flight */

// --- Words ---------------------------------------------------------------------------------------

/** @type {Record<string, string>} */
const KINDS = { s: 'stop', r: 'reverse', '+': 'plus', t: 'taki' };

/**
 * A number or the figure of a card: with a sign ("+2", "+3", "-100") it is kept from left to right.
 * @param {string | number} text
 */
function figure(text) {
  const plain = text === '2+' ? '+2' : String(text).replace('-', '\u2212');
  return /^\d*$/.test(plain) ? plain : `\u2066${plain}\u2069`;
}

/**
 * The name of a card.
 * @param {string} name
 */
function cardName(name) {
  if (name === '?') return t('taki.card.unknown');
  const colour = colourOf(name);
  if (!colour) return t(`taki.card.${name}`);
  const kind = KINDS[name.slice(1)];
  if (kind) return t(`taki.card.${colour}.${kind}`);
  return t(`taki.card.${colour}.number`, { n: figure(name.slice(1)) });
}

/**
 * @param {string} name
 * @param {View} view
 */
function aboutCard(name, view) {
  if (name === '?') return t('taki.about.hidden');
  const kind = colourOf(name) ? name.slice(1) : name;
  const counts = /^\d$/.test(kind) ? t('taki.about.counts', { n: kind }) : t('taki.about.counts.command');
  return `${does(kind, view)} ${counts}`;
}

/**
 * What a kind of card does.
 * @param {string} kind
 * @param {View} view
 */
function does(kind, view) {
  if (kind === '3') return t('taki.about.card.3');
  if (kind === '2+') return t('taki.about.card.two');
  if (/^\d$/.test(kind)) return t('taki.about.card.number');
  if (kind === 'cz' && view.options.crazy_all) return t('taki.about.card.cz.all');
  return KINDS[kind] ? t(`taki.about.card.${KINDS[kind]}`) : t(`taki.about.card.${kind}`);
}

/** @param {View} view */
const aboutScore = (view) => t('taki.about.score', { n: view.options.rounds, win: figure(-100) });

/**
 * Cards of others are known to who has passed them on.
 * @param {View} view
 * @param {number} _seat
 * @param {Seating} at
 */
const aboutHand = (view, _seat, at) =>
  (at.seat === null || view.over ? t('about.hand.open') : t('taki.about.known'));

/**
 * The name of a card as what is laid or drawn: Russian has another form for it.
 * @param {string} name
 */
function laid(name) {
  const colour = colourOf(name);
  if (name !== '?' && !colour) return t(`taki.laid.${name}`);
  if (!colour || KINDS[name.slice(1)]) return cardName(name);
  return t(`taki.laid.${colour}.number`, { n: figure(name.slice(1)) });
}

/** The colour to be followed: the leading card's, or the one named for it. @param {View} view */
const leading = (view) => (view.colour === '-' ? colourOf(view.top) : view.colour);

/** What fits, for a sentence: a colour, and the figure that fits in all of them. @param {View} view */
function fitting(view) {
  const cards = view.fits.split(' ').filter(colourOf);
  const alike = cards.filter((name) => COLOURS.every((colour) => cards.includes(colour + name.slice(1))));
  const colour = t(`taki.want.${colourOf(cards.find((name) => !alike.includes(name)) ?? '')}`);
  const [shape] = alike.map((name) => name.slice(1));
  if (!shape) return t('taki.fits.colour', { colour });
  const kind = KINDS[shape];
  const any = kind ? t(`taki.any.${kind}`) : t('taki.any.number', { n: figure(shape) });
  return t('taki.fits', { colour, any });
}

/**
 * Whether an action of this kind is legal.
 * @param {View} view
 * @param {string} verb
 */
function may(view, verb) {
  return view.legal.some((one) => one.split(' ')[0] === verb);
}

/**
 * @param {View} view
 * @param {Seating} at
 */
function expects(view, at) {
  const plays = may(view, 'play');
  if (may(view, 'accept')) return t('taki.expects.asked', { name: named(at, view.turn) });
  if (may(view, 'leave')) return expectsInRun(view, plays);
  if (!plays && !may(view, 'draw')) return may(view, 'call') ? t('taki.expects.call') : '';
  if (view.debt) {
    return plays
      ? t('taki.expects.debt', { n: view.debt })
      : t('taki.expects.debt.draw', { n: view.debt });
  }
  if (!plays && !view.plus) return t('taki.expects.draw');
  if (!plays)
    return view.hands[view.turn].size ? t('taki.expects.plus.draw') : t('taki.expects.plus.empty');
  const fits = fitting(view);
  return [
    view.plus ? t('taki.expects.plus', { fits }) : t('taki.expects.play', { fits }),
    view.open !== '-' && t('taki.expects.open', { colour: t(`taki.want.${view.open}`) }),
    may(view, 'draw') && t('taki.expects.or_draw'),
  ].filter(Boolean).join(' ');
}

/**
 * @param {View} view
 * @param {boolean} plays
 */
function expectsInRun(view, plays) {
  const more = t(`taki.more.${view.open}`);
  if (may(view, 'close'))
    return plays ? t('taki.expects.run', { more }) : t('taki.expects.run.end');
  return plays ? t('taki.expects.bare', { more }) : t('taki.expects.bare.end');
}

/**
 * @param {View} view
 * @param {string} _card
 * @param {Seating} at
 */
function whyNot(view, _card, at) {
  const acting = view.asked === '-' ? view.turn : view.asked;
  if (acting !== at.seat) return t('taki.why.turn', { name: named(at, acting) });
  if (view.asked !== '-') return t('taki.why.asked');
  if (view.debt) return t('taki.why.debt', { n: view.debt });
  if (view.run) return t('taki.why.run', { more: t(`taki.more.${view.open}`) });
  return t('taki.why.fit', { fits: fitting(view) });
}

const ABOUT_ALL = ['dealt', 'remade', 'turned', 'ended'];

/**
 * @param {Happening} event
 * @param {Seating} at
 */
function say(event, at, times = 1) {
  const { kind, seat } = event;
  if (kind === 'counted') return null; // the round's result shows it
  const values = {
    times,
    name: named(at, seat),
    card: kind === 'dealt' || kind === 'showed' ? cardName(event.card) : laid(event.card ?? '?'),
    plus: cardName(event.plus ?? '?'),
    three: cardName(event.three ?? '?'),
    colour: event.colour ? t(`taki.colour.${event.colour}`) : '',
    way: event.direction ? t(`taki.way.${event.direction}`) : '',
    round: event.round ?? 0,
    size: event.size ?? 0,
    points: figure(event.points ?? 0),
    score: figure(event.score ?? 0),
  };
  if (kind === 'drew' && event.card === '?') return t('taki.say.drew.hidden', values);
  return seat === at.seat && !ABOUT_ALL.includes(kind)
    ? t(`taki.say.${kind}.you`, values)
    : t(`taki.say.${kind}`, values);
}

// --- What may be done ----------------------------------------------------------------------------

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
  const [verb, what] = action.split(' ');
  switch (verb) {
    case 'play': return play(action, what);
    case 'draw': {
      const label = view.debt ? t('taki.offer.draw.n', { n: view.debt }) : t('taki.offer.draw');
      return { action, on: 'stock', to: 'hand', label };
    }
    case 'call': {
      // Early in a run it is only one of the things that can be done.
      const weight = view.hands[Number(view.seat)].size > 2 ? 'quiet' : 'big';
      return { action, on: '', label: t('taki.offer.call'), weight, about: t('taki.about.call') };
    }
    case 'close':
      return { action, on: '', label: t('taki.offer.close'), about: t('taki.about.close') };
    case 'leave': {
      const values = { more: t(`taki.more.${view.open}`) };
      const is = may(view, 'close') ? t('taki.about.leave', values) : t('taki.about.leave.bare', values);
      return { action, on: '', label: t('taki.offer.leave'), about: is };
    }
    case 'break': {
      const label = t('taki.offer.break', { colour: t(`taki.colour.${what}`) });
      return { action, on: '', label, picture: () => pair(what), about: t('taki.about.break') };
    }
    default:
      return { action, on: '', label: t('taki.offer.accept'), about: t('taki.about.accept') };
  }
}

/**
 * @param {string} action
 * @param {string} what a card, or a card and what is named for it: "cc>r", "cz>cw"
 * @returns {Offer}
 */
function play(action, what) {
  const [name, choice] = what.split('>');
  const at = { action, on: `hand:${name}`, to: 'pile' };
  if (!choice) return { ...at, label: cardName(name) };
  if (name === 'cz')
    return { ...at, label: t(`taki.way.${choice}`), picture: () => arrow(choice) };
  return { ...at, label: t(`taki.colour.${choice}`), picture: () => swatch(choice) };
}

// --- The middle ----------------------------------------------------------------------------------
//
// A stage of 380 by 200 units, or in a tall box 380 by 340, as large as the box allows: the arrow of
// the direction around, the stock on the left, the pile beside it, signs on the right, notes below.

const UNDER = 3; // cards that show under the leading one
const CASCADE = 5; // the same while a TAKI is open

/** @param {number} n */
const units = (n) => `calc(var(--u) * ${Math.round(n * 10) / 10})`;

/**
 * @param {View} view
 * @param {Seating} at
 */
function middle(view, at) {
  return h('div', { class: `taki-middle taki-lead-${leading(view)}` },
    h('p', { class: 'unseen' }, describe(view, at)),
    h('div', { class: `taki-stage${view.open === '-' ? '' : ' taki-open'}`, dir: 'ltr',
        ...about(t('taki.about.way'), t('taki.about.way.is', { way: t(`taki.way.${view.direction}`) })) },
      rings(view.direction),
      stock(view),
      pile(view),
      signs(view),
      h('div', { class: 'taki-notes', dir: direction() }, notes(view, at))));
}

/**
 * Two arrows that run round the table, for a wide stage and for a tall one.
 * @param {string} way
 */
function rings(way) {
  const wide = 'M150 169C64 165 14 138 14 90C14 48 52 21 110 13L107 3L137 11L114 31L112 24'
    + 'C62 31 26 55 26 90C26 130 72 154 150 158Z';
  const tall = 'M150 309C68 296 12 238 12 158C12 84 58 28 122 15L118 4L150 11L129 34L126 27'
    + 'C68 40 25 92 25 158C25 230 76 284 150 296Z';
  return [ring(way, 'taki-wide', 180, wide), ring(way, 'taki-tall', 316, tall)];
}

/**
 * @param {string} way
 * @param {string} stage
 * @param {number} height
 * @param {string} arc
 */
function ring(way, stage, height, arc) {
  const y = height / 2, ry = y - 17;
  return s('svg',
    { class: `taki-ring ${stage}`, viewBox: `0 0 380 ${height}`, 'aria-hidden': 'true' },
    s('ellipse', { class: 'taki-pool', cx: 190, cy: y, rx: 158, ry }),
    s('g', way === 'ccw' ? { transform: 'translate(380 0) scale(-1 1)' } : {},
      s('path', { class: 'taki-way', d: arc }),
      s('path', { class: 'taki-way', d: arc, transform: `rotate(180 190 ${y})` })));
}

/** @param {View} view */
function stock(view) {
  const { size } = view.stock;
  const layers = size > 40 ? 3 : size > 12 ? 2 : size > 0 ? 1 : 0;
  const is = !size ? t('taki.about.stock.empty') : view.debt
    ? t('taki.about.debt', { n: view.debt }) : t('taki.about.stock.is', { n: size });
  return h('div', { class: 'taki-stock', 'data-place': 'stock', ...about(t('taki.about.stock'), is) },
    h('div', { class: 'taki-deck', role: 'img', 'aria-label': t('taki.stock', { n: size }) },
      !layers && h('div', { class: 'taki-bare' }),
      Array.from({ length: layers }, (_, n) => {
        const move = units(1.7 * (layers - 1 - n));
        return h('div', { class: 'taki-card', style: { transform: `translate(${move}, ${move})` } },
          back());
      }),
      h('span', { class: 'taki-count' }, size)));
}

/**
 * The cards of the pile that are shown, the leading one last: while a TAKI is open those of its
 * run, as far as there is room.
 * @param {View} view
 * @returns {string[]}
 */
function shown(view) {
  /** @type {string[]} */
  const under = view.pile.cards;
  if (view.open === '-') return [...under.slice(-UNDER), view.top];
  let first = under.length;
  while (first > 0 && (colourOf(under[first - 1]) === view.open || under[first - 1] === 'st'))
    first -= 1;
  const run = [...under.slice(first), view.top];
  const start = run.findIndex((name) => name === `${view.open}t` || name === 'st');
  return run.slice(Math.max(start, run.length - 1 - CASCADE, 0));
}

/** @param {View} view */
function pile(view) {
  const cards = shown(view), last = cards.length - 1, open = view.open !== '-';
  const label = t('taki.pile', { card: cardName(view.top) });
  const step = Math.min(20, 88 / Math.max(last, 1));
  const lies = t('taki.lies', { card: cardName(view.top) });
  const is = view.over || !view.fits ? lies
    : `${lies} ${view.debt ? t('taki.about.debt', { n: view.debt }) : t('taki.about.pile.is', { fits: fitting(view) })}`;
  return h('div', { class: 'taki-pile', 'data-place': 'pile', ...about(t('taki.about.pile'), is) },
    h('div', { class: 'taki-heap', role: 'img', 'aria-label': label }, cards.map((name, n) => {
      const back = last - n, deep = view.pile.size - back;
      const move = open
        ? `translate(${units(-step * back)}, ${units(-2.4 * back)}) rotate(${-2 * back}deg)`
        : back > 0 && `translate(${units(((deep * 5) % 9) - 4)}, ${units(((deep * 7) % 7) - 3)}) `
          + `rotate(${((deep * 11) % 23) - 11}deg)`;
      // Only the top card travels; the pile stays where it is.
      return h('div', { class: 'taki-card', style: move ? { transform: move } : {},
        'data-place': back ? null : 'top' }, card(name));
    })));
}

/** What the pile asks for, in large. @param {View} view */
function signs(view) {
  if (view.debt)
    return burst(view.debt, 1 + Math.min(view.debt, 16) / 32, t('taki.about.debt', { n: view.debt }));
  if (view.asked !== '-') return burst(3, 1.2, t('taki.about.three'));
  if (view.colour === '-') return null;
  const colour = t(`taki.colour.${view.colour}`);
  return h('div', { class: 'taki-colour', 'data-key': `colour-${view.colour}`,
      ...about(colour, t('taki.about.colour', { colour, want: t(`taki.want.${view.colour}`) })) },
    s('svg', { viewBox: '0 0 80 80', 'aria-hidden': 'true' },
      s('circle', { class: 'taki-disc', cx: 40, cy: 40, r: 38 }), sign(view.colour, 40, 40, 48)),
    h('span', { dir: direction() }, colour));
}

/**
 * Cards to be drawn: the more, the larger.
 * @param {number} n
 * @param {number} size
 * @param {string} is
 */
function burst(n, size, is) {
  const points = Array.from({ length: 28 }, (_, i) => {
    const angle = (Math.PI * i) / 14, r = i % 2 ? 40 : 49;
    return `${Math.round(50 + Math.cos(angle) * r)},${Math.round(50 + Math.sin(angle) * r)}`;
  });
  return h('div', { class: 'taki-burst', 'data-key': `burst-${n}`, style: { '--size': size },
      ...about(figure(`+${n}`), is) },
    s('svg', { viewBox: '0 0 100 100', 'aria-hidden': 'true' },
      s('polygon', { class: 'taki-spikes', points: points.join(' ') }),
      letters(`+${n}`, 50, 50, n > 9 ? 36 : 44, 'currentColor')));
}

/**
 * What holds now, in a few words each.
 * @param {View} view
 * @param {Seating} at
 */
function notes(view, at) {
  if (view.over) return [];
  const mine = view.turn === at.seat, name = named(at, view.turn);
  const open = view.open !== '-';
  const colour = open ? t(`taki.colour.${view.open}`) : '', more = open ? t(`taki.more.${view.open}`) : '';
  return [
    view.run && note(
      mine ? t('taki.note.run.you', { colour }) : t('taki.note.run', { colour, name }),
      t('taki.about.run', { more }), view.open),
    open && !view.run && note(t('taki.note.open', { colour }), t('taki.about.open', { more }), view.open),
    view.debt > 0 && note(t('taki.note.debt', { n: view.debt }), t('taki.about.debt', { n: view.debt })),
    view.plus && note(mine ? t('taki.note.plus.you') : t('taki.note.plus', { name }),
      t('taki.about.card.plus')),
    view.asked !== '-' && note(view.asked === at.seat
      ? t('taki.note.asked.you') : t('taki.note.asked', { name: named(at, view.asked) }),
    t('taki.about.three')),
  ].filter((one) => one !== false);
}

/**
 * @param {string} text
 * @param {string} is
 * @param {string} [colour]
 */
function note(text, is, colour) {
  return h('span', { class: 'taki-note', ...about(text, is) },
    colour && s('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, sign(colour, 10, 10, 16)),
    h('span', {}, text));
}

/**
 * The middle in sentences; what it asks for is among its notes.
 * @param {View} view
 * @param {Seating} at
 */
function describe(view, at) {
  const lying = view.colour === '-'
    ? t('taki.lies', { card: cardName(view.top) })
    : t('taki.lies.named', { card: cardName(view.top), colour: t(`taki.colour.${view.colour}`) });
  const exposed = view.exposed !== '-' && view.exposed !== at.seat
    && t('taki.lies.exposed', { name: named(at, view.exposed) });
  return [lying, t('taki.lies.way', { way: t(`taki.way.${view.direction}`) }), exposed]
    .filter(Boolean).join(' ');
}

// --- The plates ----------------------------------------------------------------------------------

/**
 * Who has called, who must still call, and who is asked about a +3.
 * @param {View} view
 * @param {number} seat
 * @param {Seating} at
 */
function plate(view, seat, at) {
  const name = named(at, seat), mine = seat === at.seat;
  return [
    view.called.includes(seat) && flag('called', t('taki.flag.called'),
      mine ? t('taki.about.called.you') : t('taki.about.called', { name })),
    view.exposed === seat && flag('exposed', t('taki.flag.exposed', { name }),
      mine ? t('taki.about.exposed.you') : t('taki.about.exposed', { name })),
    view.asked === seat && flag('asked', t('taki.flag.asked', { n: figure('+3') }), t('taki.about.three')),
  ].filter((one) => one !== false);
}

/**
 * @param {string} kind
 * @param {string} text
 * @param {string} is
 */
function flag(kind, text, is) {
  return h('span', { class: `taki-flag taki-${kind}`, 'data-key': kind, dir: direction(), ...about(text, is) },
    text);
}

// --- What travels, and how it sounds -------------------------------------------------------------

/**
 * @param {Happening} event
 * @param {View} view
 * @param {Seating} at
 * @returns {Flight[]}
 */
function flights(event, view, at) {
  const { kind, seat } = event;
  /** @param {string} name */
  const down = (name) => ({ from: place(seat, name, at), to: 'top' });
  switch (kind) {
    case 'dealt': return [...deal(view, at, 'stock'), { from: 'stock', to: 'top' }];
    case 'played': case 'named': return [down(event.card)];
    case 'crazed': return [down('cz')];
    case 'broke': return [down(event.plus), down(event.three)];
    case 'drew': return [{ from: 'stock', to: place(seat, event.card, at) }];
    case 'remade': return [{ from: 'pile', to: 'stock' }];
    case 'received': {
      const from = `seat:${giver(seat, view)}`;
      return Array.from({ length: Math.min(event.size, 3) }, () => ({ from, to: `seat:${seat}` }));
    }
    default: return [];
  }
}

/**
 * Where a card of a seat is seen.
 * @param {number} seat
 * @param {string} name
 * @param {Seating} at
 */
function place(seat, name, at) {
  return seat === at.seat && name !== '?' ? `hand:${name}` : `seat:${seat}`;
}

/**
 * From whom a hand came: the one before, but for the one who played the crazy card and is now
 * before the one on turn.
 * @param {number} seat
 * @param {View} view
 */
function giver(seat, view) {
  const step = view.direction === 'cw' ? -1 : 1;
  /** @param {number} from */
  const before = (from) => (from + step + view.players) % view.players;
  const keeper = view.options.crazy_all ? -1 : before(view.turn);
  return before(seat) === keeper ? before(keeper) : before(seat);
}

/**
 * Numbers by their value, commands all alike.
 * @param {Happening[]} events
 * @param {number} seat
 * @returns {import('../../../web/types').Count[]}
 */
function counts(events, seat) {
  const mine = events.filter(({ kind, seat: one }) => kind === 'counted' && one === seat);
  const number = (/** @type {Happening} */ { what }) => /^[rygb]\d$/.test(what);
  const out = mine.filter(({ what }) => what === 'out');
  const groups = [mine.filter(number), mine.filter((one) => !number(one) && one.what !== 'out')];
  const lines = groups.filter((group) => group.length).map((group) => {
    const cards = group.flatMap(({ what, count }) => /** @type {string[]} */ (Array(count).fill(what)));
    const worth = group.flatMap(({ count, points }) => /** @type {number[]} */ (Array(count).fill(points / count)));
    const text = group === groups[0] ? t('taki.count.numbers', { sum: figure(worth.join(' + ')) })
      : t('taki.count.commands', { n: cards.length, each: worth[0] ?? 0 });
    return { cards, text, points: worth.reduce((sum, one) => sum + one, 0) };
  });
  return [...out.map(({ points }) => ({ cards: [], text: t('taki.count.out'), points })), ...lines];
}

/** @type {Record<string, import('../../../web/types').Sound>} */
const SOUNDS = {
  dealt: 'deal', played: 'card', named: 'card', crazed: 'card', received: 'draw', drew: 'draw',
  remade: 'draw', skipped: 'knock', closed: 'knock', accepted: 'knock', broke: 'card',
  left: 'knock', stuck: 'knock', turned: 'rise', ended: 'knock', attacked: 'attack', called: 'rise', forgot: 'knock', out: 'rise', won: 'win',
};

/** A +3, and every 2+, hits somebody. @param {Happening} event */
export const shakes = ({ kind, card: name = '' }) => kind === 'attacked' || (kind === 'played' && String(name).endsWith('2+'));

/**
 * What is shown over the middle for a moment.
 * @param {Happening} event
 * @returns {Element | null}
 */
export function toast(event) {
  if (event.kind === 'attacked') return h('div', { class: 'taki-toast' }, burst(3, 1.5, t('taki.about.three')));
  if (event.kind !== 'called') return null;
  return h('p', { class: 'taki-toast taki-cry', dir: direction() }, t('taki.offer.call'));
}

export { ended } from './ended.js';

/** @type {import('../../../web/types').Face<View, Happening>} */
export default {
  id: 'taki',
  size: [100, 140],
  card,
  back,
  cardName,
  about: aboutCard,
  aboutScore,
  aboutHand,
  middle,
  plate,
  offers,
  expects,
  whyNot,
  say,
  flights,
  sound: (event) => SOUNDS[event.kind] ?? null,
  counts,
};
