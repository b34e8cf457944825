// The emblem: the five in a ring, each beating the next two. Its figures are those of the tiles.

import { s } from '../../../web/lib/dom.js';

/** Around the ring, so that each beats the next two, clockwise. */
export const RING = ['k', 's', 'n', 'p', 'c'];
const PAPERS = { k: '#2374AB', s: '#D1495B', n: '#2E8B6F', p: '#EDAE49', c: '#34405A' };

/**
 * One of the five pictures, in a square of 100: shapes of one colour with cuts of another.
 * @param {string} picture
 * @param {string} main
 * @param {string} cut
 * @returns {SVGElement}
 */
export function figure(picture, main, cut) {
  const line = { fill: 'none', stroke: cut, 'stroke-linejoin': 'round', 'stroke-linecap': 'round' };
  return s('g', { fill: main }, FIGURES[picture]?.(main, cut, line) ?? []);
}

/**
 * @type {Record<string,
 *   (main: string, cut: string, line: Record<string, string>) => SVGElement[]>}
 */
const FIGURES = {
  k: (_, cut, line) => [
    s('path', { d: 'M17 71 Q15 65 19 59 L31 41 Q35 35 42 33 L56 28 Q62 26 67 31 L82 48 Q85 52 85 58'
      + 'L87 71 Q87 82 77 82 L28 82 Q19 82 17 71Z' }),
    s('path', { ...line, 'stroke-width': 4.5,
      d: 'M42 34 L49 51 L33 63 M49 51 L69 56 L66 81 M69 56 L84 55 M24 68 L30 74' }),
  ],
  s: (main, cut, line) => [
    s('path', { d: 'M43 63 L52 67 L72 24 Q73 16 67 18Z' }),
    s('path', { d: 'M61 63 L52 67 L32 24 Q31 16 37 18Z' }),
    s('g', { ...line, stroke: main, 'stroke-width': 8 },
      s('circle', { cx: 37, cy: 74, r: 10 }), s('circle', { cx: 67, cy: 74, r: 10 })),
    s('circle', { cx: 52, cy: 53, r: 3.6, fill: cut }),
  ],
  p: (_, cut, line) => [
    s('path', { d: 'M35 20 H60 L77 37 V79 Q77 84 72 84 H35 Q30 84 30 79 V25 Q30 20 35 20Z' }),
    s('path', { ...line, d: 'M60 22 V37 H75', 'stroke-width': 4.5 }),
    s('path', { ...line, d: 'M40 50 H67 M40 61 H67 M40 72 H56', 'stroke-width': 5 }),
  ],
  n: (main, cut, line) => [
    s('path', { ...line, stroke: main, 'stroke-width': 14,
      d: 'M24 79 H63 Q77 79 77 66 Q77 54 63 54 H43 Q31 54 31 43 Q31 31 43 31 H60' }),
    s('ellipse', { cx: 66, cy: 31, rx: 14, ry: 11 }),
    s('path', { ...line, stroke: main, 'stroke-width': 3.5,
      d: 'M79 32 H87 M87 32 L92 27 M87 32 L92 37' }),
    s('path', { ...line, 'stroke-width': 6,
      d: 'M38 79 H38.1 M54 79 H54.1 M67 76 H67.1 M60 54 H60.1 M46 54 H46.1' }),
    s('circle', { cx: 69, cy: 28, r: 3.6, fill: cut }),
  ],
  c: (main, cut, line) => [
    s('path', { d: 'M28 46 Q28 84 52 84 Q76 84 76 46Z' }),
    s('path', { d: 'M26 43 Q27 20 54 20 Q79 20 79 43Z' }),
    s('path', { d: 'M24 38 H80 Q92 40 92 47 H24Z' }),
    s('path', { ...line, d: 'M26 47 H90', 'stroke-width': 3.5 }),
    s('path', { fill: cut,
      d: 'M29 51 H75 V58 Q74 66 65 66 Q57 66 54 60 H50 Q47 66 39 66 Q30 66 29 58Z' }),
    ...[41, 64].map((cx) => s('circle', { cx, cy: 58, r: 4, fill: main })),
    s('path', { ...line, d: 'M44 74 Q54 79 62 72', 'stroke-width': 4 }),
  ],
};

/**
 * The centre of a figure on a ring around (x, y).
 * @param {number} n
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function onRing(n, x, y, r) {
  const angle = (Math.PI * (2 * n)) / 5 - Math.PI / 2;
  return [x + Math.cos(angle) * r, y + Math.sin(angle) * r];
}

/** @returns {SVGElement} */
export default function emblem() {
  const dots = RING.map((picture, n) => {
    const [x, y] = onRing(n, 60, 62, 36);
    const paper = PAPERS[/** @type {keyof typeof PAPERS} */ (picture)];
    return s('g', { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
      s('circle', { r: 20, fill: paper }),
      s('g', { transform: 'scale(.32) translate(-52 -52)' },
        figure(picture, picture === 'p' ? '#2B2118' : '#FFF8E8', paper)));
  });
  const star = RING.map((_, n) => onRing(n * 2, 60, 62, 36).map((one) => one.toFixed(1)).join(','));
  return s('svg', { viewBox: '0 0 120 120' },
    s('circle', { cx: 60, cy: 60, r: 58, fill: '#EBD9B4' }),
    s('g', { fill: 'none', stroke: '#34405A', 'stroke-width': 5, 'stroke-linejoin': 'round' },
      s('circle', { cx: 60, cy: 62, r: 36 }),
      s('polygon', { points: star.join(' '), 'stroke-width': 2.5 })),
    dots);
}
