// The player's own cards: side by side while there is room, then overlapping, then in several rows.

import { about } from '../lib/about.js';
import { h } from '../lib/dom.js';
import { waitsFor } from '../lib/views.js';
import { t } from '../lib/words.js';

const STRIP = 26; // pixels of a covered card that a finger can still hit
const SMALLEST = 44; // pixels, a card's width
// The board's layouts, in pixels as in style/layouts.css
const LOW = 430;
const WIDE = 860;
const WIDEST_ROW = 1400;

/** @typedef {import('./board.js').Scene} Scene */

/** @param {Scene} scene */
export function hand(scene) {
  const { view, at, face } = scene;
  const cards = view.hands[at.bottom].cards;
  const { width, rows, tuck } = fitted(face, cards.length, scene.room);
  const length = Math.ceil(cards.length / rows);
  const buttons = cards.map((card, n) => cardButton(scene, card, cards.slice(0, n).filter((one) => one === card).length));
  const lines = Array.from({ length: rows }, (_, n) => buttons.slice(n * length, (n + 1) * length));
  return h('div', {
      class: 'hand', role: 'group', dir: 'ltr', 'data-rows': rows,
      'aria-label': t(face.tiles ? 'hand.tiles' : 'hand.label', { n: cards.length }),
      style: { '--card': `${width}px`, '--tuck': `${tuck}px`, '--shape': `${face.size[0]} / ${face.size[1]}` },
      onkeydown: (/** @type {KeyboardEvent} */ event) => walk(event, '.card'),
    }, lines.map((line) => h('div', { class: 'row', style: { '--n': Math.max(line.length, 2) } }, line)));
}

/**
 * @param {Scene} scene
 * @param {string} card
 * @param {number} twins how many of the same come before it
 */
function cardButton(scene, card, twins) {
  const { view, at, face, act } = scene;
  const place = `hand:${card}`, name = face.cardName(card);
  const ways = scene.offers.filter((offer) => offer.on === place), legal = ways.length > 0;
  const hinted = scene.hint !== null && ways.some((offer) => offer.action === scene.hint);
  const all = view.hands[at.bottom].cards.filter((one) => one === card).length;
  const meant = twins === Math.min(scene.twin, all - 1); // of several equal cards, the one that was tapped
  const chosen = scene.chosen === place, gone = scene.gone === place && meant, next = scene.advance.place === place && meant;
  const possible = scene.advance.possible && !legal;
  return h('button', {
      type: 'button',
      class: ['card', legal && 'legal', chosen && 'chosen', hinted && 'hinted', gone && 'gone', next && 'next'].filter(Boolean).join(' '),
      'data-place': place,
      'data-key': `${place}#${twins + 1}`,
      'aria-label': legal ? t('hand.legal', { card: name }) : next ? t('hand.next', { card: name }) : name,
      'aria-disabled': legal || possible ? null : 'true',
      'aria-pressed': possible ? String(next) : null,
      'aria-expanded': ways.length > 1 || (legal && !waitsFor(view, at.seat)) ? String(chosen) : null,
      ...about(name, face.about(card, view, at)),
      onclick: () => act.tap(place, card, twins),
      onpointerdown: (/** @type {PointerEvent} */ event) => act.grab(event, place, card),
    }, face.card(card));
}

/**
 * The size of cards: as large as the board allows, smaller for many.
 * @param {import('../types').Face} face
 * @param {number} count
 * @param {import('./board.js').Room} room
 */
function fitted(face, count, room) {
  const shape = face.size[0] / face.size[1];
  const low = room.height <= LOW && room.width >= 560, wide = !low && room.width >= WIDE;
  const across = (low ? 0.68 * room.width : Math.min(room.width, WIDEST_ROW)) - 24; // in the low layout, the seats take the rest
  const largest = Math.max(64, Math.min((wide ? 0.19 : 0.155) * room.height, 0.35 * room.width, 260)); // pixels, a card's height
  for (const part of [1, 0.85, 0.7]) {
    const tall = Math.max(part * largest, SMALLEST / shape), width = Math.round(tall * shape);
    const perRow = Math.max(1, Math.floor((across - width) / STRIP) + 1);
    const rows = Math.max(1, Math.ceil(count / perRow));
    const high = room.height >= 640;
    if (rows === 1 || (rows === 2 && (part < 1 || high)) || part < 0.75) {
      const tight = rows > 2 || (rows > 1 && !high);
      return { width, rows, tuck: Math.round(tall * (tight ? 0.55 : 0.35)) };
    }
  }
  throw new Error('no size fits');
}

/**
 * Arrow keys move along the hand, or along choices.
 * @param {KeyboardEvent} event
 * @param {string} selector
 */
export function walk(event, selector) {
  const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
  const step = steps[/** @type {keyof typeof steps} */ (event.key)];
  if (step === undefined || !(event.currentTarget instanceof Element)) return;
  const cards = [.../** @type {NodeListOf<HTMLElement>} */ (event.currentTarget.querySelectorAll(selector))];
  const here = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (here < 0) return;
  event.preventDefault();
  cards[Math.max(0, Math.min(cards.length - 1, here + step))]?.focus();
}
