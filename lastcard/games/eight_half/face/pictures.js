// The pictures of the rules, made of the game's own cards.

import { s } from '../../../web/lib/dom.js';
import { t } from '../../../web/lib/words.js';
import { cap, card, scorched } from './art.js';
import { AMBER, figure, NIGHT } from './emblem.js';

const INK = '#1A2244';

/** @param {number} height @param {...(SVGElement | SVGElement[])} parts */
const canvas = (height, ...parts) =>
  s('svg', { viewBox: `0 0 620 ${height}`, 'aria-hidden': 'true' }, ...parts);

/**
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} [turn]
 */
function put(name, x, y, width, turn = 0) {
  const drawing = card(name);
  for (const [key, value] of Object.entries({ x, y, width, height: width * 1.4 }))
    drawing.setAttribute(key, String(value));
  return s('g', { transform: `rotate(${turn} ${x + width / 2} ${y + width * 0.7})` }, drawing);
}

/** @param {string} words @param {number} x @param {number} y @param {number} [size] */
const label = (words, x, y, size = 24) =>
  s('text', { x, y, 'font-size': size, 'font-weight': 600, 'text-anchor': 'middle',
    fill: 'currentColor', 'font-family': 'system-ui, sans-serif' }, words);

/** @param {string} value @param {number} x @param {number} y @param {number} r */
const moon = (value, x, y, r) =>
  s('g', {},
    s('circle', { cx: x, cy: y, r, fill: AMBER }),
    value.endsWith('½') &&
      s('path', { d: `M${x} ${y - r}A${r} ${r} 0 0 1 ${x} ${y + r}Z`, fill: '#C98F2E' }),
    figure(value, x, y, value.length > 1 ? r * 0.9 : r * 1.15, INK));

/** @param {string} d */
const line = (d, colour = AMBER) =>
  s('path', { d, fill: 'none', stroke: colour, 'stroke-width': 7, 'stroke-linecap': 'round',
    'stroke-linejoin': 'round' });

/** @param {number} x @param {number} y @param {number} [length] */
const arrow = (x, y, length = 46) => line(`M${x} ${y}h${length}m-14 -12l14 12l-14 12`);

/** @param {number} x @param {number} y */
const plus = (x, y) => line(`M${x - 11} ${y}H${x + 11}M${x} ${y - 11}V${y + 11}`);

/** @param {number} x @param {number} y @param {number} width */
const crossed = (x, y, width) => {
  const w = width - 16, high = width * 1.4 - 16;
  return line(`M${x + 8} ${y + 8}l${w} ${high}m0 ${-high}l${-w} ${high}`, '#FFFFFF');
};

export const goal = () => canvas(250,
  put('7', 22, 68, 84, -14), put('4', 66, 54, 84), put('g', 112, 68, 84, 14),
  arrow(222, 120),
  put('2', 296, 62, 84, -10), put('6', 346, 46, 84, 9), put('h', 326, 88, 84, -2),
  moon('6½', 520, 120, 86),
  label(t('eight_half.pic.hand'), 110, 230), label(t('eight_half.pic.pot'), 365, 240),
  label(t('eight_half.pic.value'), 520, 240));

/** @type {[string, number][]} */
const DECK = [['1', 4], ['2', 4], ['3', 6], ['4', 6], ['5', 6], ['6', 6],
  ['7', 6], ['8', 6], ['9', 6], ['0', 6], ['h', 8], ['g', 8]];

export const deck = () => canvas(346,
  DECK.flatMap(([name, n], place) => {
    const x = 22 + (place % 6) * 99, y = place < 6 ? 8 : 178;
    return [put(name, x, y, 82), label(`\u2066× ${n}\u2069`, x + 41, y + 140, 22)];
  }));

export const layout = () => canvas(330,
  put('?', 36, 30, 78), put('?', 40, 26, 78), put('?', 44, 22, 78),
  ...[0, 1, 2].map((n) => put('?', 206 + n * 92, 10, 80)),
  ...['2', 'g', '9'].map((name, n) => put(name, 206 + n * 92, 32, 80)),
  put('5', 214, 200, 80, -12), put('8', 258, 190, 80), put('h', 302, 200, 80, 12),
  scorchedHeap(526, 30),
  label(t('eight_half.pic.bank'), 84, 170), label(t('eight_half.pic.table'), 338, 170),
  label(t('eight_half.pic.hand'), 470, 270), label(t('eight_half.pic.burned'), 560, 170));

/** @param {number} x @param {number} y */
const scorchedHeap = (x, y) =>
  s('g', { transform: `translate(${x} ${y}) scale(1.85)` }, scorched(-3, 3), scorched(0, 0));

export const jokers = () => canvas(420,
  ...[['g', '6'], ['h', '6½'], ['0', '0']].flatMap(([name, value], n) => {
    const y = 8 + n * 138;
    return [put('6', 110, y, 88), plus(232, y + 61), put(name, 266, y, 88), arrow(384, y + 61),
      moon(value, 506, y + 61, 58)];
  }));

export const eight = () => canvas(330,
  put('8', 120, 8, 92), plus(240, 72), put('h', 268, 8, 92), arrow(388, 72),
  moon('8½', 514, 72, 66),
  label(t('eight_half.pic.fits'), 310, 182),
  put('g', 158, 200, 82), put('8', 254, 200, 82), put('h', 288, 200, 82), put('9', 384, 200, 82));

export const five = () => canvas(300,
  moon('5', 92, 150, 80),
  line('M216 106V186M194 166L216 190L238 166'),
  ...['1', '2', '3', '4', '5'].map((name, n) => put(name, 266 + n * 68, 8, 62)),
  ...['0', 'h', 'g'].map((name, n) => put(name, 334 + n * 68, 106, 62)),
  ...['6', '7', '8', '9'].map((name, n) =>
    s('g', { opacity: 0.55 }, put(name, 300 + n * 68, 204, 62), crossed(300 + n * 68, 204, 62))));

export const police = () => canvas(250,
  put('3', 24, 30, 92, -8), put('h', 84, 44, 92, 7), moon('3½', 250, 110, 62),
  arrow(330, 110), put('4', 394, 44, 92), cap(452, 16, 62),
  arrow(500, 110, 34), scorchedHeap(546, 60),
  label(t('eight_half.pic.offence'), 150, 230), label(t('eight_half.pic.policeman'), 424, 230),
  label(t('eight_half.pic.burned'), 566, 194, 22));

export const stages = () => canvas(250,
  ...[1, 2, 3].flatMap((n) => [
    s('circle', { cx: 24 + (n - 1) * 215, cy: 28, r: 21, fill: AMBER }),
    figure(String(n), 24 + (n - 1) * 215, 28, 27, INK),
  ]),
  put('?', 26, 62, 66), put('4', 66, 70, 70, -8), put('h', 98, 66, 70, 6),
  arrow(184, 118, 34),
  ...['2', 'g', '9'].map((name, n) => put(name, 236 + n * 54, 66, 68)),
  arrow(422, 118, 30),
  ...[0, 1].map((n) => put('?', 462 + n * 48, 66, 66)), put('7', 552, 60, 64, 8),
  label(t('eight_half.pic.hand'), 96, 226), label(t('eight_half.pic.open'), 326, 226),
  label(t('eight_half.pic.blind'), 532, 226));

/** @param {string} n @param {number} x @param {string} words */
const medal = (n, x, words) => [
  s('path', { d: `M${x - 34} 8L${x - 8} 74H${x + 8}L${x + 34} 8Z`, fill: '#C73B4F' }),
  s('circle', { cx: x, cy: 112, r: 58, fill: AMBER, stroke: NIGHT, 'stroke-width': 5 }),
  figure(n, x, 112, 70, INK),
  label(words, x, 212),
];

export const points = () => canvas(230,
  ...medal('2', 170, t('eight_half.pic.out')), ...medal('1', 450, t('eight_half.pic.fewest')));
