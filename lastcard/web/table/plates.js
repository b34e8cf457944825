// The seats around the table, clockwise in every language.

import { about } from '../lib/about.js';
import { h, s } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { direction, named, number, t } from '../lib/words.js';
import { avatar } from './avatar.js';

const MOST_BACKS = 7; // drawn; the number tells the rest

/** @typedef {import('./board.js').Scene} Scene */

/**
 * All seats but the bottom one, in three groups: left, top and right.
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
    scene.bubbles.get(seat) ? h('div', { class: 'bubble', 'data-at': [...scene.bubbles.keys()].indexOf(seat), dir: direction() }, scene.bubbles.get(seat)) : null);
}

/** Three dots, equally short in every language. @param {string} words */
const thinks = (words) => h('span', { class: 'thinks', 'data-key': 'thinks', title: words },
  h('span', { class: 'unseen' }, words),
  s('svg', { viewBox: '0 0 30 12', 'aria-hidden': 'true' }, [5, 15, 25].map((cx) => s('circle', { cx, cy: 6, r: 3.2 }))));

const QUICK = ['well_played', 'wow', 'oops']; // reactions in plain sight where there is room

/**
 * What players may say to each other: one tap for the usual reactions, two for any.
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
 * Who sits there, in a sentence or two.
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
  const n = view.scores[seat], score = n < 0 ? `\u2066${number(n)}\u2069` : number(n); // isolated left to right, or Hebrew would move the minus sign
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
 * Small backs, or small faces if the hand is open.
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
