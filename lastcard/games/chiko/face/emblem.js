// Chiko's emblem: a chick in half an egg shell, on a nest of straw.

import { s } from '../../../web/lib/dom.js';

/** @param {string} d @param {string} fill */
const cut = (d, fill) => s('path', { d, fill });
/**
 * @param {number} cx @param {number} cy @param {number} rx @param {number} ry
 * @param {string} fill
 */
const oval = (cx, cy, rx, ry, fill) => s('ellipse', { cx, cy, rx, ry, fill });

const BODY = 'M60 23C78 23 89 38 89 57C89 77 76 88 60 88C44 88 31 77 31 57C31 38 44 23 60 23Z';
const TUFT = 'M59 27C52 22 51 15 53 11C57 14 59 18 60 22C60 16 63 10 68 8C69 14 68 21 62 27Z';
const SHELL =
  'M27 66L36 73L43 64L51 73L60 64L69 73L77 64L84 73L93 66C95 88 82 105 60 105C38 105 25 88 27 66Z';
const STRAW = [
  'M15 98Q60 120 105 98', 'M20 104Q60 122 100 103', 'M12 92Q34 108 58 110', 'M108 92Q88 107 64 111',
];

/** @returns {SVGElement} */
export default function emblem() {
  return s('svg', { viewBox: '0 0 120 120', 'aria-hidden': 'true' },
    s('circle', { cx: 60, cy: 60, r: 58, fill: '#8FCFEA' }),
    oval(31, 33, 15, 6, '#C9E9F6'),
    oval(93, 42, 13, 5, '#C9E9F6'),
    s('g', { transform: 'translate(1.5 2.5)', opacity: '.18' },
      cut(BODY, '#3A2A12'), cut(SHELL, '#3A2A12')),
    cut(TUFT, '#F2A71B'),
    cut(BODY, '#FFCB3D'),
    cut('M34 55C24 53 20 45 20 40C29 40 37 45 40 53Z', '#F2A71B'),
    cut('M86 55C96 53 100 45 100 40C91 40 83 45 80 53Z', '#F2A71B'),
    oval(43, 57, 5.5, 4, '#FF9E6B'),
    oval(77, 57, 5.5, 4, '#FF9E6B'),
    eye(50), eye(70),
    cut('M51 55Q60 48 69 55L60 60Z', '#F47B20'),
    cut('M53 57L60 60L67 57Q60 68 53 57Z', '#C9540F'),
    cut(SHELL, '#FFF6DF'),
    cut('M31 83C36 97 46 105 60 105C82 105 95 88 93 66L90 69C90 87 78 97 60 97C47 97 37 92 31 83Z',
      '#EBD7A9'),
    oval(44, 83, 4.5, 3.6, '#D1495B'),
    oval(59, 91, 3.6, 3, '#2E8B6F'),
    oval(74, 81, 4.8, 3.8, '#2374AB'),
    STRAW.map((d, n) => s('path', {
      d, fill: 'none', stroke: n % 2 ? '#B98530' : '#DDB04F', 'stroke-width': 5,
      'stroke-linecap': 'round',
    })));
}

/** @param {number} x */
const eye = (x) => s('g', {},
  s('circle', { cx: x, cy: 46, r: 4.8, fill: '#33230F' }),
  s('circle', { cx: x + 1.6, cy: 44.4, r: 1.6, fill: '#FFFFFF' }));
