// The colours of the games, each with its sign: meaning never depends on colour alone.

import { s } from './dom.js';

/** @typedef {'r' | 'y' | 'g' | 'b' | 'p'} Colour */

export const PAINT = { r: '#D1495B', y: '#EDAE49', g: '#2E8B6F', b: '#2374AB', p: '#8B5FBF' };
/** Readable on each colour in large print (3:1). Small text is INK on paper. */
export const ON_PAINT = { r: '#FFFFFF', y: '#2B2118', g: '#FFFFFF', b: '#FFFFFF', p: '#FFFFFF' };
/** The same colours, dark enough for text on white (4.5:1). */
export const INK = { r: '#B22F43', y: '#8A5A00', g: '#1F6E57', b: '#1B5E8C', p: '#6F43A6' };

/**
 * Disc, triangle, square, rhombus or star: the sign of a colour, around (x, y).
 * @param {string} colour
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} [fill]
 */
export function sign(colour, x, y, size, fill = PAINT[/** @type {Colour} */ (colour)]) {
  const r = size / 2;
  /** @param {[number, number][]} points */
  const shape = (points) =>
    s('polygon', { points: points.map(([dx, dy]) => `${round(x + dx * r)},${round(y + dy * r)}`).join(' '), fill });
  switch (colour) {
    case 'r': return s('circle', { cx: x, cy: y, r: round(r * 0.92), fill });
    case 'y': return shape([[0, -1], [1, 0.8], [-1, 0.8]]);
    case 'g': return s('rect', { x: x - 0.85 * r, y: y - 0.85 * r, width: 1.7 * r, height: 1.7 * r, rx: size / 12, fill });
    case 'b': return shape([[0, -1.1], [0.95, 0], [0, 1.1], [-0.95, 0]]);
    default: return shape(STAR);
  }
}

/** @type {[number, number][]} */
const STAR = Array.from({ length: 10 }, (_, n) => {
  const angle = (Math.PI * (n - 2.5)) / 5, r = n % 2 ? 0.48 : 1.08;
  return [Math.cos(angle) * r, Math.sin(angle) * r];
});

/** @param {number} n */
const round = (n) => Math.round(n * 100) / 100;
