// Cards, their back, envelopes, and the signs of the cards with a power.

import { copied, s } from '../../../web/lib/dom.js';
import { INK, ON_PAINT, PAINT, sign } from '../../../web/lib/signs.js';

/** @typedef {import('../../../web/lib/signs.js').Colour} Colour */

export const CREAM = '#FFFBF2';
export const NIGHT = '#2E1A52';
export const GOLD = '#F2C14E';
const EDGE = '#24123F';
const LILAC = '#B79CE8';
const FONT = 'system-ui, sans-serif';

/** Numbers whose cards can do something, and the sign for it. */
const POWERS = /** @type {Record<string, string>} */ ({
  0: 'block', 4: 'turn', 6: 'nine', 9: 'six', 8: 'peek', 12: 'double',
});

/**
 * What a card's name says: its colour, and the number it shows. A six that is meant as a nine
 * shows the nine.
 * @param {string} name
 */
export function parts(name) {
  const [card, nine] = name.split('=');
  const colour = /** @type {Colour} */ (card[0]);
  return { card, colour, number: nine ?? card.slice(1) };
}

/**
 * @param {string | number} text
 * @param {number} x
 * @param {number} y the middle of the figures
 * @param {number} size
 * @param {string} fill
 */
export function figure(text, x, y, size, fill) {
  return s('text', {
    x, y: Math.round((y + size * 0.36) * 100) / 100, 'font-size': size, 'font-weight': 800, fill,
    'font-family': FONT, 'text-anchor': 'middle', direction: 'ltr',
    'letter-spacing': String(text).length > 1 ? -size / 24 : null,
  }, text);
}

/**
 * The eye of a card with a power, or of an envelope's seal, around (x, y).
 * @param {number} x
 * @param {number} y
 * @param {number} wide half of its width
 * @param {number} high half of its height
 */
export function almond(x, y, wide, high) {
  const c = wide * 0.42, k = high * 1.33;
  return `M${x - wide} ${y}C${x - c} ${y - k} ${x + c} ${y - k} ${x + wide} ${y}`
    + `C${x + c} ${y + k} ${x - c} ${y + k} ${x - wide} ${y}Z`;
}

/**
 * A small open eye.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} line
 * @param {string} [inner]
 */
export function eye(x, y, size, line, inner = 'none') {
  return s('g', {},
    s('path', { d: almond(x, y, size / 2, size * 0.32), fill: inner, stroke: line,
      'stroke-width': size / 9, 'stroke-linejoin': 'round' }),
    s('circle', { cx: x, cy: y, r: size * 0.15, fill: line }));
}

/**
 * What a card can do, as a sign of about 26 by 26 around (x, y).
 * @param {string} power
 * @param {number} x
 * @param {number} y
 * @param {string} fill
 */
export function power(power, x, y, fill) {
  const line = { fill: 'none', stroke: fill, 'stroke-width': 4.2, 'stroke-linecap': 'round',
    'stroke-linejoin': 'round' };
  const at = { transform: `translate(${x} ${y})` };
  switch (power) {
    case 'block':
      return s('g', at,
        s('circle', { r: 10.6, ...line }), s('path', { d: 'M-7.3 7.3 7.3-7.3', ...line }));
    case 'turn':
      return s('g', at,
        s('path', { d: 'M-6.5 11V-10M-12-4.5l5.5-6 5.5 6M6.5-11V10M1 4.5l5.5 6 5.5-6', ...line }));
    case 'peek':
      return eye(x, y, 29, fill);
    case 'double':
      return s('g', at, figure('×2', -1, 0, 21, fill));
    default:
      // The half turn that makes a nine of a six, with what it becomes inside.
      return s('g', at,
        s('path', { d: 'M-10.8-5.6A12.2 12.2 0 1 1-8.2 9', ...line, 'stroke-width': 3.4 }),
        s('path', { d: 'M-13-13.5-11.6-4.6-3-6.6', ...line, 'stroke-width': 3.4 }),
        figure(power === 'nine' ? 9 : 6, 0.5, 0, 16, fill));
  }
}

export const card = copied((/** @type {string} */ name) => {
  if (name === '?') return back();
  const { colour, number } = parts(name);
  const mark = POWERS[number], both = mark === 'nine' || mark === 'six';
  const paint = PAINT[colour], on = ON_PAINT[colour] === '#FFFFFF' ? CREAM : ON_PAINT[colour];
  const turned = { transform: 'rotate(180 50 70)' };
  const index = () => [
    s('path', { d: `M3 3h${wide(number)}v24a10 10 0 0 1-10 10H3Z`, fill: CREAM }),
    figure(number, 2.5 + wide(number) / 2, 20, number.length > 1 ? 29 : 33, INK[colour]),
    sign(colour, 16, 46, 14.5, on),
  ];
  const powers = () => mark && power(mark, 78, 24, on);
  // Seen from the other side of the table a six is a nine: its second index is not turned.
  const second = both
    ? s('g', { transform: `translate(64 100)` }, sixth(number, colour))
    : s('g', turned, index());
  return s('svg', { viewBox: '0 0 100 140', class: 'ss-card', 'aria-hidden': 'true' },
    s('rect', { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8, fill: CREAM, stroke: EDGE,
      'stroke-width': 1.5 }),
    s('rect', { x: 4.5, y: 4.5, width: 91, height: 131, rx: 5, fill: paint }),
    mark
      ? s('path', { d: almond(50, 70, 42, 31), fill: CREAM })
      : s('circle', { cx: 50, cy: 70, r: 31, fill: CREAM }),
    figure(number, 50, 70, number.length > 1 ? 41 : 52, INK[colour]),
    s('g', {}, index()), second,
    powers(), mark && s('g', turned, powers()),
    both && s('path', { d: 'M38 95h24', stroke: INK[colour], 'stroke-width': 4,
      'stroke-linecap': 'round' }));
});

/** How wide the corner of an index is. @param {string} number */
const wide = (number) => (number.length > 1 ? 44 : 30);

/**
 * The second index of a six: upright, so that the card reads as a nine when it is turned.
 * @param {string} number
 * @param {Colour} colour
 */
function sixth(number, colour) {
  const on = ON_PAINT[colour] === '#FFFFFF' ? CREAM : ON_PAINT[colour];
  return [
    s('path', { d: 'M33 37V3H13A10 10 0 0 0 3 13V37Z', fill: CREAM }),
    figure(number, 18.5, 20.5, 32, INK[colour]),
    s('g', { transform: 'rotate(180 20 -6)' }, sign(colour, 20, -6, 14.5, on)),
  ];
}

export const back = copied(() => {
  /** @type {SVGElement[]} */
  const lids = [];
  for (let row = 0; row < 6; row++)
    for (let place = 0; place < 4 - (row % 2); place++)
      if (row !== 2 && row !== 3)
        lids.push(s('path', { d: lid(17 + 22 * place + 11 * (row % 2), 18 + 21 * row) }));
  return s('svg', { viewBox: '0 0 100 140', class: 'ss-card', 'aria-hidden': 'true' },
    s('rect', { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8, fill: CREAM, stroke: EDGE,
      'stroke-width': 1.5 }),
    s('rect', { x: 4.5, y: 4.5, width: 91, height: 131, rx: 5, fill: '#4B2E83' }),
    s('g', { fill: 'none', stroke: LILAC, 'stroke-width': 2.6, 'stroke-linecap': 'round' }, lids),
    s('path', { d: almond(50, 70, 36, 23), fill: CREAM }),
    s('circle', { cx: 50, cy: 70, r: 18, fill: '#6F43A6' }),
    s('circle', { cx: 50, cy: 70, r: 13.5, fill: EDGE }),
    pupil(50, 70, 0.9));
});

/**
 * A closed eye with its lashes.
 * @param {number} x
 * @param {number} y
 */
const lid = (x, y) =>
  `M${x - 7} ${y - 2}q7 7 14 0M${x - 4} ${y + 2}l-1.5 3M${x} ${y + 3}v3.2M${x + 4} ${y + 2}l1.5 3`;

/**
 * A 6 and a 9 that are one figure, turned.
 * @param {number} x
 * @param {number} y
 * @param {number} scale
 */
export function pupil(x, y, scale) {
  const six = 'M.6-11.6C-5-10.3-9-5.5-9 .2a5.9 5.9 0 1 0 5.9-5.9c-2.3 0-4.2 1-5.3 2.7';
  /** @param {string} stroke @param {number} turn */
  const one = (stroke, turn) => s('path', { d: six, fill: 'none', stroke, 'stroke-width': 3.4,
    'stroke-linecap': 'round', transform: `rotate(${turn}) translate(-3 2.2)` });
  return s('g', { transform: `translate(${x} ${y}) scale(${scale})` },
    one(GOLD, 0), one(CREAM, 180));
}

/**
 * A prediction: nothing yet, sealed, or open with the number.
 * @param {string} aim `-`, `?`, `4` or `6/9`
 * @param {string} [laid] the card, where it is known
 * @param {boolean} [peeked] whether it was seen by way of an 8
 * @returns {SVGElement}
 */
export function envelope(aim, laid, peeked = false) {
  const root = (/** @type {import('../../../web/lib/dom.js').Child[]} */ ...children) =>
    s('svg', { viewBox: '0 0 64 56', class: 'ss-envelope', 'aria-hidden': 'true' }, children);
  if (aim === '-')
    return root(s('path', { d: 'M5 17h54v35H5ZM5 17l27 19 27-19', class: 'ss-nothing', fill: 'none',
      stroke: 'currentColor', 'stroke-width': 2.5, 'stroke-dasharray': '5 4',
      'stroke-linejoin': 'round' }));
  const paper = { fill: '#E9DCFB', stroke: EDGE, 'stroke-width': 1.8, 'stroke-linejoin': 'round' };
  if (aim === '?')
    return root(
      s('rect', { x: 3, y: 14, width: 58, height: 40, rx: 4, ...paper }),
      s('path', { d: 'M4 52 24 33M60 52 40 33', ...paper, fill: 'none' }),
      s('path', { d: 'M4.5 16q27 24 27.5 24t27.5-24Q59 14 57 14H7q-2 0-2.5 2Z', ...paper,
        fill: '#D6C2F5' }),
      s('circle', { cx: 32, cy: 36, r: 11.5, fill: '#6F43A6' }),
      eye(32, 36, 17, CREAM));
  const colour = laid && laid !== '?' ? parts(laid).colour : null;
  const ink = colour ? INK[colour] : EDGE;
  return root(
    s('path', { d: 'M4 24 32 6l28 18v4H4Z', ...paper, fill: '#C9B0F0' }),
    s('rect', { x: 11, y: 1, width: 42, height: 42, rx: 4, fill: CREAM, stroke: EDGE,
      'stroke-width': 1.6 }),
    colour && sign(colour, 32, 8, 9),
    figure(aim, 32, 24.5, aim.length > 2 ? 20 : 25, ink),
    s('path', { d: 'M3 25q29 17 29 17t29-17V50a4 4 0 0 1-4 4H7a4 4 0 0 1-4-4Z', ...paper }),
    peeked && s('circle', { cx: 53, cy: 45, r: 10.5, fill: '#6F43A6', stroke: CREAM,
      'stroke-width': 1.5 }),
    peeked && eye(53, 45, 15, CREAM));
}

/**
 * Tricks that were won: a small pile each, laid one over the other.
 * @param {number} count
 * @returns {SVGElement}
 */
export function piles(count) {
  const step = Math.min(7, 36 / Math.max(count - 1, 1));
  const width = 15 + step * Math.max(count - 1, 0);
  const shape = { y: 1, width: 13, height: 18, rx: 2.5, 'stroke-width': 1.6 };
  const one = (/** @type {number} */ n) =>
    s('rect', { ...shape, x: tenth(1 + step * n), fill: n % 2 ? '#D6C2F5' : CREAM, stroke: EDGE });
  const none = () =>
    s('rect', { ...shape, x: 1, fill: 'none', stroke: 'currentColor', 'stroke-dasharray': '3 3' });
  return s('svg', { viewBox: `0 0 ${tenth(width)} 20`, class: 'ss-piles', 'aria-hidden': 'true' },
    count ? Array.from({ length: count }, (_, n) => one(n)) : none());
}

/** @param {number} n */
const tenth = (n) => Math.round(n * 10) / 10;
