// Tiles: two squares of painted paper on a cream one, each with a picture and its colour's sign.

import { copied, s } from '../../../web/lib/dom.js';
import { ON_PAINT, PAINT, sign } from '../../../web/lib/signs.js';
import { figure, onRing, RING } from './emblem.js';

/** @typedef {import('../../../web/lib/signs.js').Colour} Colour */

const CREAM = '#FFF8E8', EDGE = '#8A7350', NIGHT = '#34405A', SAND = '#EBD9B4';

/** @param {string} colour */
const paints = (colour) => ({
  paint: PAINT[/** @type {Colour} */ (colour)],
  on: ON_PAINT[/** @type {Colour} */ (colour)],
});

/**
 * What a special half shows, in a square of 100: cut out of a disc, so that it stands out.
 * @param {string} picture
 * @param {string} main
 * @param {string} cut
 */
function special(picture, main, cut) {
  const line = {
    fill: 'none', stroke: cut, 'stroke-width': 8,
    'stroke-linecap': 'round', 'stroke-linejoin': 'round',
  };
  const inside = {
    v: () => s('path', { ...line,
      d: 'M34 42 H66 M57 32 L67 42 L57 52 M68 63 H36 M45 53 L35 63 L45 73' }),
    x: () => s('g', line,
      s('circle', { cx: 51, cy: 53, r: 18 }), s('path', { d: 'M39 65 L63 41' })),
    '*': () => s('polygon', { points: BURST, fill: cut }),
  }[picture];
  const shown = inside ? inside() : s('text', {
    x: 50, y: 68, 'text-anchor': 'middle', 'font-family': 'system-ui, sans-serif', 'font-size': 42,
    'font-weight': 800, fill: cut, 'letter-spacing': -2,
    direction: 'ltr', 'unicode-bidi': 'isolate-override',
  }, picture);
  return s('g', {}, s('circle', { cx: 51, cy: 53, r: 35, fill: main }), shown);
}

const BURST = Array.from({ length: 16 }, (_, n) => {
  const angle = (Math.PI * n) / 8, r = n % 2 ? 13 : 27;
  return `${(51 + Math.sin(angle) * r).toFixed(1)},${(53 - Math.cos(angle) * r).toFixed(1)}`;
}).join(' ');

/**
 * A half of a tile in a square of 100: its colour as paper, its picture, and the colour's sign.
 * `r*` is any red super tile, `r` alone anything that is red.
 */
export const halfShapes = copied((/** @type {string} */ name) => {
  const colour = name[0] ?? '', picture = name.slice(1), { paint, on } = paints(colour);
  const paper = s('rect', { x: 4, y: 4, width: 92, height: 92, rx: 11, fill: paint });
  if (!picture) return s('g', {}, paper, sign(colour, 50, 50, 54, on));
  const shown = RING.includes(picture) ? figure(picture, on, paint) : special(picture, on, paint);
  return s('g', {}, paper,
    s('g', { transform: 'translate(4 5) scale(.95)' }, shown),
    s('circle', { cx: 18, cy: 18, r: 13.5, fill: paint }), sign(colour, 18.5, 18.5, 20, on));
});

/**
 * A half as a drawing of its own.
 * @param {string} name
 * @returns {SVGElement}
 */
export function half(name) {
  return s('svg', { viewBox: '0 0 100 100', class: 'half' }, halfShapes(name));
}

/** A half of a tile that lies face down. @returns {SVGElement} */
export function halfBack() {
  return s('svg', { viewBox: '0 0 100 100', class: 'half' },
    s('rect', { x: 4, y: 4, width: 92, height: 92, rx: 11, fill: NIGHT }), pattern(50, 50));
}

/**
 * The back's pattern: five in a ring.
 * @param {number} x
 * @param {number} y
 */
function pattern(x, y) {
  const points = RING.map((_, n) => onRing(n, x, y, 28));
  const star = RING.map((_, n) => onRing(n * 2, x, y, 28).map((one) => one.toFixed(1)).join(','));
  return s('g', {},
    s('polygon', {
      points: star.join(' '), fill: 'none', stroke: SAND, 'stroke-width': 3.5, opacity: 0.55,
    }),
    points.map(([cx, cy]) =>
      s('circle', { cx: cx?.toFixed(1), cy: cy?.toFixed(1), r: 8.5, fill: SAND })));
}

/**
 * @param {string} fill
 * @param {number} width
 * @param {number} height
 */
const sheet = (fill, width, height) => s('rect', {
  x: 1, y: 1, width: width - 2, height: height - 2, rx: 14, fill, stroke: EDGE, 'stroke-width': 2,
});

/** Two halves as a tile; lying, the first is on the left. */
export const tileShapes = copied((
  /** @type {string} */ first, /** @type {string} */ second, /** @type {boolean} */ lies,
) => {
  const [one, other] = lies ? ['3 2', '101 2'] : ['2 3', '2 101'];
  return s('g', {},
    sheet(CREAM, lies ? 200 : 100, lies ? 100 : 200),
    s('g', { transform: `translate(${one}) scale(.96)` }, halfShapes(first)),
    s('g', { transform: `translate(${other}) scale(.96)` }, halfShapes(second)));
});

export const backShapes = copied((/** @type {boolean} */ lies) => {
  return s('g', {}, sheet(NIGHT, lies ? 200 : 100, lies ? 100 : 200),
    pattern(50, 50), lies ? pattern(150, 50) : pattern(50, 150));
});

export const card = copied((/** @type {string} */ name) => {
  const [first = '', second = first] = name.split('-');
  return s('svg', { viewBox: '0 0 100 200' },
    first === '?' ? backShapes(false) : tileShapes(first, second, false));
});

export const back = copied(() => s('svg', { viewBox: '0 0 100 200' }, backShapes(false)));

/**
 * Who beats whom: the five in a ring, with an arrow from each to the next two.
 * @param {number} size of a figure; the whole is 300 wide
 * @param {boolean} stars whether the arrows across are drawn, too
 */
export function ringShapes(size, stars) {
  const steps = stars ? [1, 2] : [1];
  const arrows = RING.flatMap((_, n) => steps.map((step) => arrow(n, n + step, size)));
  const papers = RING.map((picture, n) => {
    const [x = 0, y = 0] = onRing(n, 150, 155, 110);
    const corner = `${(x - size / 2).toFixed(1)} ${(y - size / 2).toFixed(1)}`;
    return s('g', { transform: `translate(${corner}) scale(${size / 100})` },
      s('rect', { width: 100, height: 100, rx: 22, class: 'ring-paper' }),
      s('g', { class: 'ring-figure' }, figure(picture, 'currentColor', 'var(--ring-cut)')));
  });
  return s('g', {}, arrows, papers);
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} size
 */
function arrow(from, to, size) {
  const [x1 = 0, y1 = 0] = onRing(from, 150, 155, 110);
  const [x2 = 0, y2 = 0] = onRing(to, 150, 155, 110);
  const length = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const gap = size * 0.6, head = size * 0.2, wing = head * 0.8;
  /** @param {number} far from the target @param {number} side */
  const at = (far, side) =>
    `${(x2 - ux * far - uy * side).toFixed(1)} ${(y2 - uy * far + ux * side).toFixed(1)}`;
  return s('path', {
    class: to - from === 1 ? 'ring-arrow' : 'ring-arrow across',
    d: `M${at(length - gap, 0)} L${at(gap, 0)}`
      + `M${at(gap + head, wing)} L${at(gap, 0)} L${at(gap + head, -wing)}`,
  });
}
