// The emblem of TAKI: a ribbon of cards that falls like water.

import { s } from '../../../web/lib/dom.js';
import { PAINT } from '../../../web/lib/signs.js';

const PAPER = '#FFFDF8';
const EDGE = '#8D8A9E';

const CARDS = 17;

/** @returns {SVGElement} */
export default function emblem() {
  const colours = /** @type {const} */ (['r', 'y', 'g', 'b']);
  return s('svg', { viewBox: '0 0 120 120', 'aria-hidden': 'true' },
    Array.from({ length: CARDS }, (_, n) => falling(n / (CARDS - 1), PAINT[colours[n % 4]])),
    wave(98, PAINT.b), wave(107, PAINT.g));
}

/**
 * The card at a point of the fall, from 0 at the top to 1: it swings, and grows as it comes nearer.
 * @param {number} at
 * @param {string} paint
 */
function falling(at, paint) {
  const swing = 2 * Math.PI * (1.15 * at + 0.45), wide = 20 + 10 * at;
  const x = 60 + wide * Math.sin(swing), y = 16 + 70 * at;
  const slope = Math.atan2(70, wide * 2 * Math.PI * 1.15 * Math.cos(swing));
  return leaf(round(x), round(y), round((slope * 180) / Math.PI), round(0.6 + 0.4 * at), paint);
}

/** @param {number} n */
const round = (n) => Math.round(n * 100) / 100;

/**
 * @param {number} x
 * @param {number} y
 * @param {number} angle
 * @param {number} size
 * @param {string} paint
 */
function leaf(x, y, angle, size, paint) {
  return s('g', { transform: `translate(${x} ${y}) rotate(${angle}) scale(${size})` },
    s('rect', {
      x: -12, y: -16.5, width: 24, height: 33, rx: 3.5, fill: PAPER, stroke: EDGE,
    }),
    s('rect', { x: -9.5, y: -14, width: 19, height: 28, rx: 2, fill: paint }));
}

/**
 * @param {number} y
 * @param {string} fill
 */
function wave(y, fill) {
  return s('path', {
    d: `M12 ${y}q8 -7 16 0t16 0t16 0t16 0t16 0t16 0v5q-8 7 -16 0t-16 0t-16 0t-16 0t-16 0t-16 0z`,
    fill,
  });
}
