// One's own cards: side by side while there is room, then overlapping, then in several rows.

import { about } from '../lib/about.js';
import { h } from '../lib/dom.js';
import { t } from '../lib/words.js';

const STRIP = 26; // pixels of a covered card that can still be hit with a finger
const SMALLEST = 44; // pixels of a card's width
// The board's ways of lying, as in style.css.
const LOW = 430;
const WIDE = 860;
const BROADEST = 1400;

/** @typedef {import('./board.js').Scene} Scene */

/** @param {Scene} scene */
export function hand(scene) {
  const { view, at, face, act } = scene;
  const cards = at.seat === null && !view.hands[at.bottom].cards.length ? [] : view.hands[at.bottom].cards;
  const { width, rows, tuck } = fitted(face, cards.length, scene.room);
  const length = Math.ceil(cards.length / rows);
  /** @type {Record<string, number>} */
  const seen = {};
  const buttons = cards.map((/** @type {string} */ card) => {
    seen[card] = (seen[card] ?? 0) + 1;
    const place = `hand:${card}`;
    const ways = scene.offers.filter((offer) => offer.on === place), legal = ways.length > 0;
    const hinted = scene.hint !== null && ways.some((offer) => offer.action === scene.hint);
    const name = face.cardName(card), gone = scene.gone === place && seen[card] === 1;
    return h('button', {
        type: 'button',
        class: ['card', legal && 'legal', scene.chosen === place && 'chosen', hinted && 'hinted', gone && 'gone'].filter(Boolean).join(' '),
        'data-place': place,
        'data-key': `${place}#${seen[card]}`,
        'aria-label': legal ? t('hand.legal', { card: name }) : name,
        'aria-disabled': legal ? null : 'true',
        'aria-expanded': ways.length > 1 || (legal && !view.waiting.includes(at.seat)) ? String(scene.chosen === place) : null,
        ...about(name, face.about(card, view, at)),
        onclick: () => act.tap(place, card),
        onpointerdown: (/** @type {PointerEvent} */ event) => act.grab(event, place, card),
      }, face.card(card));
  });
  const lines = [];
  for (let n = 0; n < rows; n++) {
    const line = buttons.slice(n * length, (n + 1) * length);
    lines.push(h('div', { class: 'row', style: { '--n': Math.max(line.length, 2) } }, line));
  }
  return h('div', {
      class: 'hand', role: 'group', dir: 'ltr', 'data-rows': rows,
      'aria-label': t(face.tiles ? 'hand.tiles' : 'hand.label', { n: cards.length }),
      style: { '--card': `${width}px`, '--tuck': `${tuck}px`, '--shape': `${face.size[0]} / ${face.size[1]}` },
      onkeydown: (/** @type {KeyboardEvent} */ event) => walk(event, '.card'),
    }, lines);
}

/**
 * As large as the board allows; the more cards there are, the smaller.
 * @param {import('../types').Face} face
 * @param {number} count
 * @param {import('./board.js').Room} room
 */
function fitted(face, count, room) {
  const shape = face.size[0] / face.size[1];
  const low = room.height <= LOW && room.width >= 560, wide = !low && room.width >= WIDE;
  const across = (low ? 0.68 * room.width : Math.min(room.width, BROADEST)) - 24; // beside the seats, if it is low
  const largest = Math.max(64, Math.min((wide ? 0.19 : 0.155) * room.height, 0.35 * room.width, 260)); // pixels high
  for (const part of [1, 0.85, 0.7]) {
    const tall = Math.max(part * largest, SMALLEST / shape), width = Math.round(tall * shape);
    const perRow = Math.max(1, Math.floor((across - width) / STRIP) + 1);
    const rows = Math.max(1, Math.ceil(count / perRow));
    const high = room.height >= 640;
    if (rows === 1 || (rows === 2 && (part < 1 || high)) || part < 0.75) {
      const low = rows > 2 || (rows > 1 && !high);
      return { width, rows, tuck: Math.round(tall * (low ? 0.55 : 0.35)) };
    }
  }
  throw new Error('no size fits');
}

/**
 * Arrows walk along the hand, or along choices.
 * @param {KeyboardEvent} event
 * @param {string} kind
 */
export function walk(event, kind) {
  const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
  const step = steps[/** @type {keyof typeof steps} */ (event.key)];
  if (step === undefined || !(event.currentTarget instanceof Element)) return;
  const cards = [.../** @type {NodeListOf<HTMLElement>} */ (event.currentTarget.querySelectorAll(kind))];
  const here = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (here < 0) return;
  event.preventDefault();
  cards[Math.max(0, Math.min(cards.length - 1, here + step))]?.focus();
}
