// The seats around the table, in their real order: clockwise is clockwise in every language.

import { h } from '../lib/dom.js';
import { number, t } from '../lib/words.js';
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
  return h('div', { class: `plates${crowd}`, role: 'list', dir: 'ltr', 'aria-label': t('table.seats') },
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
  const classes = ['plate', turn && 'turn', mine && 'mine', !chair.here && chair.kind === 'person' && 'away'];
  const notes = [
    chair.left ? t('plate.left') : chair.kind === 'person' && !chair.here ? t('plate.away') : null,
    scene.thinking.has(seat) && !mine ? t('plate.thinking') : null,
  ].filter(Boolean);
  return h('div', { role: 'listitem', class: classes.filter(Boolean).join(' '), 'data-seat': seat, 'data-key': `seat-${seat}`,
      'aria-current': turn ? 'true' : null },
    avatar({ name: at.names[seat], kind: chair.kind }, seat,
      { turn, seconds: scene.seconds, clock: table.clock, version: scene.version }),
    h('div', { class: 'who', dir: 'auto' },
      h('bdi', { class: 'name' }, at.names[seat]),
      turn ? h('span', { class: 'unseen' }, t('plate.turn')) : null,
      notes.length ? h('span', { class: 'note' }, notes.join(', ')) : null),
    h('div', { class: 'score', title: t('plate.score') },
      h('span', { class: 'unseen' }, `${t('plate.score')}: `), h('bdi', { dir: 'ltr' }, number(view.scores[seat]))),
    mine && (at.seat !== null || hand.cards.length) ? h('span', { class: 'backs anchor', 'data-place': `seat:${seat}` })
      : h('div', { class: 'backs', 'data-place': `seat:${seat}` }, handOf(face, hand)),
    h('div', { class: 'extras' }, face.plate(view, seat, at)),
    scene.said.get(seat) ? h('div', { class: 'bubble', dir: 'auto' }, scene.said.get(seat)) : null);
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
      h('span', { class: 'unseen' }, ` ${t('plate.cards', { n: hand.size })}`)),
    open ? h('span', { class: 'unseen' }, hand.cards.map((card) => face.cardName(card)).join(', ')) : null,
  ];
}
