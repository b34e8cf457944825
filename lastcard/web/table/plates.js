// The seats around the table, in their real order: clockwise is clockwise in every language.

import { about } from '../lib/about.js';
import { h, s } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { direction, named, number, t } from '../lib/words.js';
import { avatar } from './avatar.js';

const MOST_BACKS = 7; // drawn; the number says the rest

/** @typedef {import('./board.js').Scene} Scene */

/**
 * All seats but the one at the bottom, as three groups: left, top and right.
 * @param {Scene} scene
 */
export function plates(scene) {
  const { view, at } = scene;
  const others = [];
  for (let n = 1; n < view.players; n++) others.push((at.bottom + n) % view.players);
  const aside = others.length < 3 ? 0 : Math.floor(others.length / 3);
  /** @type {[string, number[]][]} */
  const groups = [
    ['left', others.slice(0, aside)],
    ['top', others.slice(aside, others.length - aside)],
    ['right', others.slice(others.length - aside)],
  ];
  const crowd = others.length > 3 ? ` crowd crowd-${others.length}` : '';
  return h('div', { class: `plates${crowd}`, role: 'list', dir: 'ltr', 'aria-label': t('table.seats'),
      style: { '--lines': crowd ? Math.ceil(others.length / 2) : others.length } },
    groups.map(([side, seats]) =>
      h('div', { class: `side ${side}`, role: 'presentation' }, seats.map((seat) => plate(scene, seat)))));
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
export function plate(scene, seat) {
  const { view, table, at, face } = scene;
  const chair = table.seats[seat], turn = view.waiting.includes(seat) && !view.over;
  const mine = seat === at.bottom, hand = view.hands[seat];
  const classes = ['plate', turn && 'turn', mine && 'mine', scene.moved === seat && 'moved', !chair.here && chair.kind === 'person' && 'away'];
  const note = chair.left ? t('plate.left') : chair.kind === 'person' && !chair.here ? t('plate.away') : null;
  return h('div', { role: 'listitem', class: classes.filter(Boolean).join(' '), 'data-seat': seat, 'data-key': `seat-${seat}`,
      'aria-current': turn ? 'true' : null, ...about(at.names[seat] ?? '', who(scene, seat, turn)) },
    avatar({ name: at.names[seat], kind: chair.kind }, seat,
      { turn, seconds: scene.seconds, clock: table.clock, version: scene.version }),
    h('div', { class: 'who', dir: 'auto' },
      h('bdi', { class: 'name' }, at.names[seat]),
      turn ? h('span', { class: 'unseen' }, t('plate.turn')) : null,
      note ? h('span', { class: 'note' }, note) : null),
    scene.thinking.has(seat) && !mine ? thinks(t('plate.thinking', { name: named(at, seat) })) : null,
    h('div', { class: 'score', 'data-key': 'score', ...aboutScore(scene, seat) },
      h('span', { class: 'unseen' }, `${t('plate.score')}: `), h('bdi', { dir: 'ltr' }, number(view.scores[seat]))),
    mine && (at.seat !== null || hand.cards.length) ? h('span', { class: 'backs anchor', 'data-place': `seat:${seat}` })
      : h('div', { class: 'backs', 'data-key': 'backs', 'data-place': `seat:${seat}`, ...aboutHand(scene, seat) }, handOf(face, hand)),
    h('div', { class: 'extras', 'data-key': 'extras' }, face.plate(view, seat, at)),
    mine && scene.react ? reactions(scene.react) : null,
    scene.said.get(seat) ? h('div', { class: 'bubble', 'data-at': [...scene.said.keys()].indexOf(seat), dir: direction() }, scene.said.get(seat)) : null);
}

/** Three dots: in every language as short as can be. @param {string} words */
const thinks = (words) => h('span', { class: 'thinks', 'data-key': 'thinks', title: words },
  h('span', { class: 'unseen' }, words),
  s('svg', { viewBox: '0 0 30 12', 'aria-hidden': 'true' }, [5, 15, 25].map((cx) => s('circle', { cx, cy: 6, r: 3.2 }))));

const QUICK = ['well_played', 'wow', 'oops']; // reactions that are in sight where there is room

/**
 * What one may say to the others: a tap for the usual, two for all.
 * @param {NonNullable<Scene['react']>} react
 */
function reactions({ all, open, toggle, send }) {
  /** @param {string} one */
  const button = (one) => h('button', { type: 'button', class: 'button quiet small', onclick: () => send(one) }, t(`reaction.${one}`));
  return h('div', { class: 'react', 'data-key': 'react',
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === 'Escape' && open && toggle() },
    h('div', { class: 'react-quick', hidden: open }, QUICK.filter((one) => all.includes(one)).map(button)),
    h('button', { type: 'button', class: 'icon-button', 'aria-label': t('menu.reactions'), title: t('menu.reactions'),
      'aria-expanded': String(open), onclick: toggle }, icon('smile')),
    open ? h('div', { class: 'react-choices', role: 'group', dir: direction(), 'aria-label': t('menu.reactions') },
      all.map(button)) : null);
}

/**
 * Who plays there, in a sentence or two.
 * @param {Scene} scene
 * @param {number} seat
 * @param {boolean} turn
 */
function who({ table, at }, seat, turn) {
  const { kind, level, left, here } = table.seats[seat], mine = seat === at.seat, name = named(at, seat);
  const them = mine ? t('about.you')
    : left ? t('about.left', { name })
      : kind === 'bot' ? (level ? t('about.bot', { level: t(`level.${level}`) }) : t('about.bot.any'))
        : here ? t('about.person') : t('about.away', { name });
  return turn ? `${them} ${mine ? t('about.turn.you') : t('about.turn', { name })}` : them;
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function aboutScore({ face, view }, seat) {
  const n = view.scores[seat], score = n < 0 ? `\u2066${number(n)}\u2069` : number(n); // with a sign from left to right
  return about(t('plate.score'), `${t('about.score', { n, score })} ${face.aboutScore(view)}`);
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function aboutHand({ face, view, at }, seat) {
  const { size, cards } = view.hands[seat], name = named(at, seat);
  const what = t(face.tiles ? 'about.tiles' : 'about.cards');
  if (!size) return about(what, t(face.tiles ? 'about.tiles.none' : 'about.cards.none', { name }));
  const held = t(face.tiles ? 'about.tiles.held' : 'about.cards.held', { n: size, name });
  const seen = cards.length ? (face.aboutHand?.(view, seat, at) ?? t('about.hand.open')) : t('about.hand.closed');
  return about(what, `${held} ${seen}`);
}

/**
 * Small backs, or small faces where a hand is open to all.
 * @param {import('../types').Face} face
 * @param {{size: number, cards: string[]}} hand
 */
function handOf(face, hand) {
  const open = hand.cards.length > 0;
  const shown = open ? hand.cards : Array(Math.min(hand.size, MOST_BACKS)).fill('?');
  return [
    h('span', { class: `fan${open ? ' open' : ''}`, 'aria-hidden': 'true' },
      shown.map((card) => {
        const small = card === '?' ? face.back() : face.card(card);
        small.classList.add('small');
        return open ? h('span', { class: 'held' }, small) : small;
      })),
    h('span', { class: 'count' }, number(hand.size),
      h('span', { class: 'unseen' }, ` ${t(face.tiles ? 'plate.tiles' : 'plate.cards', { n: hand.size })}`)),
    open ? h('span', { class: 'unseen' }, hand.cards.map((card) => face.cardName(card)).join(', ')) : null,
  ];
}

/**
 * What somebody says stands where it covers no other seat, nor the line, nor one's own cards: below the
 * plate, beside it, or, for oneself, above the line.
 * @param {HTMLElement} root
 */
export function placeBubbles(root) {
  const bubbles = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.bubble'));
  const board = root.querySelector('.board');
  if (!bubbles.length || !board) return;
  const edge = 6, within = board.getBoundingClientRect();
  /** @param {string} kind */
  const boxes = (kind) => [...board.querySelectorAll(kind)].map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0);
  const kept = boxes('.expects, .offer, .card, .own > *, .choices'), line = boxes('.ask')[0] ?? within;
  const [all] = boxes('.plates'); // none where they stand around
  /** @type {DOMRect[]} */
  const said = [];
  // The newest first: an older one that would lie under it has been seen.
  for (const bubble of [...bubbles].sort((a, b) => Number(b.dataset.at) - Number(a.dataset.at))) {
    const plate = bubble.closest('.plate');
    if (!plate) continue;
    const from = plate.getBoundingClientRect(), { width, height } = bubble.getBoundingClientRect();
    const seats = boxes('.plate').filter((box) => box.left !== from.left || box.top !== from.top);
    const middle = from.left + from.width / 2 - width / 2, level = from.top + from.height / 2 - height / 2;
    /** @type {[number, number][]} */
    const places = plate.classList.contains('mine') ? [[middle, line.top - height]]
      : [[middle, from.bottom - 4], [from.right - 4, level], [from.left - width + 4, level],
        [all?.right ?? from.right, Math.min(level, line.top - height)], [middle, all?.bottom ?? from.bottom]];
    const spots = places.map(([x, y]) => ({
      x: Math.max(within.left + edge, Math.min(within.right - edge - width, x)),
      y: Math.max(within.top, Math.min(within.bottom - height, y)),
    }));
    /** How much of something it would cover. @param {{x: number, y: number}} spot @param {DOMRect[]} some */
    const covers = ({ x, y }, some) => some.reduce((sum, box) =>
      sum + Math.max(0, Math.min(x + width, box.right) - Math.max(x, box.left)) * Math.max(0, Math.min(y + height, box.bottom) - Math.max(y, box.top)), 0);
    const [best] = spots.map((spot) => ({ ...spot, bad: 20 * covers(spot, kept) + covers(spot, [...seats, ...said]) })).sort((a, b) => a.bad - b.bad);
    if (!best) continue;
    const over = covers(best, said) > 0;
    bubble.classList.toggle('stale', over);
    if (!over) said.push(new DOMRect(best.x, best.y, width, height));
    bubble.style.setProperty('left', `${Math.round(best.x - from.left - plate.clientLeft)}px`);
    bubble.style.setProperty('top', `${Math.round(best.y - from.top - plate.clientTop)}px`);
  }
}
