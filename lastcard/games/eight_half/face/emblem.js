// A ghost that leans on a half. Its parts are on the cards too, so they live here.

import { s } from '../../../web/lib/dom.js';

export const NIGHT = '#24305E';
export const AMBER = '#F2B441';
export const MOONLIGHT = '#FFF8E7';

/** Figures as strokes, in a box of 60 by 90: they look the same on every machine. */
const STROKES = /** @type {Record<string, string>} */ ({
  0: 'M30 10C44 10 50 26 50 45S44 80 30 80 10 64 10 45 16 10 30 10Z',
  1: 'M15 25L34 11V80',
  2: 'M11 29C11 17 19 10 30 10 42 10 49 18 49 28 49 42 38 51 12 80H51',
  3: 'M12 18C16 13 22 10 29 10 40 10 48 16 48 26 48 36 40 42 27 43 ' +
    '42 43 50 50 50 61 50 73 41 80 29 80 20 80 14 77 10 70',
  4: 'M40 80V11L9 59H53',
  5: 'M47 10H17L14 41C18 37 24 35 30 35 42 35 50 44 50 57 50 71 41 80 29 80 20 80 14 77 10 71',
  6: 'M43 11C23 17 10 35 10 57 10 71 18 80 30 80 ' +
    '42 80 50 71 50 58 50 45 42 37 31 37 20 37 12 45 10 57',
  7: 'M10 10H50C37 30 29 53 26 80',
  8: 'M30 42C20 42 13 36 13 26S20 10 30 10 47 16 47 26 40 42 30 42' +
    'C18 42 10 50 10 61S18 80 30 80 50 73 50 61 42 42 30 42Z',
  9: 'M17 79C37 73 50 55 50 33 50 19 42 10 30 10 18 10 10 19 10 32 ' +
    '10 45 18 53 29 53 40 53 48 45 50 33',
});
const WIDTH = /** @type {Record<string, number>} */ ({ 1: 48, '½': 92 });

/** @param {string} sign @param {number} thick */
function strokes(sign, thick) {
  if (sign !== '½') return [s('path', { d: STROKES[sign], 'stroke-width': thick })];
  return [
    s('path', { d: STROKES[1], 'stroke-width': 22, transform: 'translate(-3 1) scale(.54)' }),
    s('path', { d: 'M19 84L66 8', 'stroke-width': 8 }),
    s('path', { d: STROKES[2], 'stroke-width': 20, transform: 'translate(54 40) scale(.58 .54)' }),
  ];
}

/**
 * A number such as 6½, around (x, y).
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} height
 * @param {string} fill
 * @param {number} [thick]
 */
export function figure(text, x, y, height, fill, thick = 17) {
  const signs = [...text];
  const width = signs.reduce((sum, sign) => sum + (WIDTH[sign] ?? 60) + 4, -4);
  const scale = height / 90;
  const corner = `${round(x - (width * scale) / 2)} ${round(y - height / 2)}`;
  let left = 0;
  return s(
    'g',
    {
      transform: `translate(${corner}) scale(${round(scale)})`,
      fill: 'none', stroke: fill, 'stroke-linecap': 'round', 'stroke-linejoin': 'round',
    },
    signs.map((sign) => {
      const part = s('g', { transform: `translate(${left} 0)` }, strokes(sign, thick));
      left += (WIDTH[sign] ?? 60) + 4;
      return part;
    }),
  );
}

/** @param {number} n */
const round = (n) => Math.round(n * 1000) / 1000;

const BODY = 'M6 96V46C6 20 21 4 40 4S74 20 74 46V96' +
  'C68 104 62 90 57 96 52 104 46 104 40 96 34 90 29 104 23 96 17 90 12 104 6 96Z';

/**
 * In a box of 80 by 100.
 * @param {string} place a transform
 * @param {string} [paper]
 * @param {number} [opacity]
 */
export function ghost(place, paper = MOONLIGHT, opacity = 0.8) {
  return s(
    'g',
    { transform: place },
    s('path', { d: BODY, fill: paper, 'fill-opacity': opacity }),
    s('g', { fill: NIGHT },
      s('ellipse', { cx: 29, cy: 40, rx: 5, ry: 7 }),
      s('ellipse', { cx: 51, cy: 40, rx: 5, ry: 7 }),
      s('ellipse', { cx: 40, cy: 58, rx: 6, ry: 5 })),
  );
}

const STARS = [[24, 26, 2], [50, 15, 1.6], [108, 48, 2.2], [104, 68, 1.5], [14, 62, 1.6]];

export default () =>
  s('svg', { viewBox: '0 0 120 120', 'aria-hidden': 'true' },
    s('circle', { cx: 60, cy: 60, r: 58, fill: NIGHT }),
    s('g', { fill: AMBER, opacity: 0.7 },
      STARS.map(([cx, cy, r]) => s('circle', { cx, cy, r }))),
    s('path', { d: 'M6.4 82H113.6A58 58 0 0 1 6.4 82Z', fill: '#1A2347' }),
    figure('½', 52, 66, 74, AMBER),
    ghost('translate(66 9) rotate(-11 20 58) scale(.54 .58)', '#F1F0FF', 0.9),
    s('path', { d: 'M74 46Q66 51 60 44', fill: 'none', stroke: '#F1F0FF', 'stroke-width': 8,
      'stroke-linecap': 'round' }));
