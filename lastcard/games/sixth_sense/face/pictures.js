// The drawings of the rules page.

import { s } from '../../../web/lib/dom.js';
import { PAINT, INK, sign } from '../../../web/lib/signs.js';
import { t } from '../../../web/lib/words.js';
import { CREAM, GOLD, NIGHT, back, card, envelope, figure, piles } from './art.js';

/** @typedef {import('../../../web/lib/signs.js').Colour} Colour */

/**
 * @param {number} height of 360
 * @param {string} title what is seen, for who does not see it
 * @param {...(Element | Element[] | null | undefined | false)} children
 */
function picture(height, title, ...children) {
  return s('svg',
    { viewBox: `0 0 360 ${height}`, role: 'img', 'aria-label': title, direction: 'ltr' },
    children.flat());
}

/**
 * A drawing at a place of the picture.
 * @param {SVGElement} drawing
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
function put(drawing, x, y, width, height) {
  for (const [name, value] of Object.entries({ x, y, width, height }))
    drawing.setAttribute(name, String(value));
  return drawing;
}

/**
 * A card with its upper left corner at (x, y), turned about its middle.
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} [turn]
 */
function lay(name, x, y, width, turn = 0) {
  const height = width * 1.4;
  const drawn = put(card(name), x, y, width, height);
  if (!turn) return drawn;
  return s('g', { transform: `rotate(${turn} ${x + width / 2} ${y + height / 2})` }, drawn);
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} [size]
 * @param {string} [anchor]
 */
function words(text, x, y, size = 13, anchor = 'middle') {
  return s('text', { x, y, 'font-size': size, 'font-weight': 600, 'text-anchor': anchor,
    fill: 'currentColor', 'font-family': 'system-ui, sans-serif' }, text);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} length
 */
function arrow(x, y, length) {
  return s('path', { d: `M${x} ${y}h${length}m-7-7 7 7-7 7`, fill: 'none', stroke: GOLD,
    'stroke-width': 4, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });
}

/**
 * A golden frame behind a card.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 */
const glow = (x, y, width) =>
  s('rect', { x: x - 4, y: y - 4, width: width + 8, height: width * 1.4 + 8, rx: 8, fill: GOLD });

/**
 * A colour under a heading.
 * @param {string} heading
 * @param {Colour} colour
 * @param {number} y
 */
function badge(heading, colour, y) {
  return s('g', {},
    s('rect', { x: 2, y, width: 88, height: 62, rx: 10, fill: CREAM }),
    s('g', { color: NIGHT }, words(heading, 46, y + 16, 12)),
    sign(colour, 46, y + 32, 20),
    coloured(colour, 46, y + 56));
}

/**
 * The word for a colour, in it.
 * @param {Colour} colour
 * @param {number} x
 * @param {number} y
 */
function coloured(colour, x, y) {
  const word = t(`sixth_sense.colour.${colour}`);
  return s('g', { color: INK[colour] }, words(word, x, y, word.length > 8 ? 9.5 : 11.5));
}

/** A card of the hand becomes the number of tricks. */
export function idea() {
  const hand = ['g1', 'y7', 'r11', 'b12', 'p14'];
  return picture(150, t('sixth_sense.picture.idea'),
    hand.map((name, n) => lay(name, 12 + 24 * n, 38 + 3 * Math.abs(n - 2), 52, 7 * (n - 2))),
    glow(60, 8, 52), lay('r4', 60, 8, 52),
    words(t('sixth_sense.picture.hand'), 86, 142),
    arrow(176, 66, 20),
    put(envelope('4', 'r4'), 204, 34, 74, 65),
    words(t('sixth_sense.picture.prediction'), 241, 142),
    arrow(286, 66, 12),
    [0, 1, 2, 3].map((n) => put(back(), 306 + 25 * (n % 2), 26 + 40 * (n >> 1), 24, 33.6)),
    words('4', 330, 142, 15));
}

/** The numbers of a colour, and the colours. */
export function deck() {
  const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14];
  return picture(196, t('sixth_sense.picture.deck'),
    numbers.map((number, n) => lay(`b${number}`, 4 + 51 * (n % 7), 4 + 70 * Math.floor(n / 7), 46)),
    /** @type {Colour[]} */ (Object.keys(PAINT)).map((colour, n) => s('g', {},
      s('rect', { x: 2 + 72 * n, y: 148, width: 68, height: 44, rx: 9, fill: CREAM }),
      sign(colour, 36 + 72 * n, 162, 18),
      coloured(colour, 36 + 72 * n, 186))));
}

/**
 * Trump and asked colour, and cards in playing order.
 * @param {string[]} names a zero after ">" covers a card
 * @param {number} winner
 */
function row(names, winner) {
  return [
    badge(t('sixth_sense.trump'), 'g', 4), badge(t('sixth_sense.asked'), 'r', 72),
    names.map((entry, n) => {
      const [name, zero] = entry.split('>');
      const x = 102 + 66 * n, y = n === winner ? 14 : 28;
      return s('g', {}, n === winner && glow(x, y, 56),
        s('g', { opacity: zero ? 0.7 : null }, lay(name ?? '', x, y, 56)),
        zero && lay(zero, x + 15, y + 12, 48, 12), words(String(n + 1), x + 28, 130));
    }),
  ].flat();
}

export const trick = () =>
  picture(140, t('sixth_sense.picture.trick'), row(['r7', 'r13', 'p14', 'g2'], 3));

export const block = () =>
  picture(140, t('sixth_sense.picture.block'), row(['r10', 'r13>r0', 'r2'], 0));

/** The five numbers that can do something. */
export function powers() {
  const all = /** @type {[string, string][]} */ ([
    ['r0', t('sixth_sense.picture.zero')],
    ['y4', t('sixth_sense.picture.four')],
    ['g6', t('sixth_sense.picture.six')],
    ['b8', t('sixth_sense.picture.eight')],
    ['p12', t('sixth_sense.picture.twelve')],
  ]);
  return picture(126, t('sixth_sense.picture.powers'),
    all.map(([name, what], n) =>
      s('g', {}, lay(name, 5 + 72 * n, 6, 62), words(what, 36 + 72 * n, 114, 11.5))));
}

/** One card, and the same card turned. */
export function sixNine() {
  return picture(122, t('sixth_sense.picture.sixNine'),
    lay('g6', 70, 6, 78), arrow(166, 60, 28), lay('g6=9', 212, 6, 78));
}

/** Who beats whom: as always, and with a 4. */
export function order() {
  const usual = ['b14', 'b1', 'y13', 'y2'], upside = ['r1', 'g14', 'y2', 'y13', 'b1', 'b14'];
  /** @param {string[]} names @param {number} y */
  const line = (names, y) => [
    glow(10, y, 48), ...names.map((name, n) => lay(name, 10 + 58 * n, y, 48))];
  return picture(240, t('sixth_sense.picture.order'),
    words(t('sixth_sense.picture.usual'), 6, 16, 13, 'start'), line(usual, 28),
    words(t('sixth_sense.trump'), 63, 110, 12), words(t('sixth_sense.asked'), 179, 110, 12),
    words(t('sixth_sense.picture.turned'), 6, 138, 13, 'start'), line(upside, 150),
    s('g', { transform: 'translate(0 122)' },
      words(t('sixth_sense.picture.others'), 63, 110, 12),
      words(t('sixth_sense.asked'), 179, 110, 12),
      words(t('sixth_sense.trump'), 295, 110, 12)));
}

/** Predictions, tricks, and what they bring. */
export function points() {
  const rows = /** @type {[string, string, number, number][]} */ ([
    ['4', 'r4', 4, 4], ['4', 'b4', 6, -2], ['4', 'p4', 2, -2],
    ['6/9', 'g6', 7, -1], ['6/9', 'y6', 9, 9],
  ]);
  return picture(252, t('sixth_sense.picture.points'),
    words(t('sixth_sense.picture.prediction'), 66, 16),
    words(t('sixth_sense.picture.tricks'), 190, 16),
    words(t('sixth_sense.picture.score'), 308, 16),
    rows.map(([aim, name, tricks, score], n) => {
      const y = 26 + 45 * n;
      return s('g', {},
        put(envelope(aim, name), 43, y, 46, 40), put(piles(tricks), 128, y + 8, 62, 24),
        figure(tricks, 216, y + 20, 19, CREAM),
        s('rect', { x: 280, y: y + 5, width: 56, height: 30, rx: 15,
          fill: score > 0 ? '#1F6E57' : '#B22F43' }),
        figure(`${score > 0 ? '+' : '−'}${Math.abs(score)}`, 308, y + 20, 18, '#FFFFFF'));
    }));
}
