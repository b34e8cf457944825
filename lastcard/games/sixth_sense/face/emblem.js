// An open eye: its pupil is a 6 that is also a 9.

import { s } from '../../../web/lib/dom.js';

const SIX = 'M60.6 43.4C52.6 45.4 47 52 47 60.2a8.6 8.6 0 1 0 8.6-8.6c-3.4 0-6 1.4-7.6 4';
const LID = 'M10 62C28 36 44 28 60 28s32 8 50 34C92 88 76 96 60 96S28 88 10 62Z';
const WHITE = 'M16 62C32 41 46 34 60 34s28 7 44 28C88 83 74 90 60 90S32 83 16 62Z';

/** @returns {SVGElement} */
export default function emblem() {
  return s('svg', { viewBox: '0 0 120 120', 'aria-hidden': 'true' },
    s('rect', { x: 4, y: 4, width: 112, height: 112, rx: 28, fill: '#3D2469' }),
    ['M26 37 19 26', 'M43 26 39 14', 'M60 22.5V10', 'M77 26l4-12', 'M94 37l7-11'].map((d) =>
      s('path', { d, stroke: '#F2C14E', 'stroke-width': 6, 'stroke-linecap': 'round' })),
    s('path', { d: LID, fill: '#B79CE8' }),
    s('path', { d: WHITE, fill: '#FFFBF2' }),
    s('circle', { cx: 60, cy: 62, r: 27, fill: '#6F43A6' }),
    s('circle', { cx: 60, cy: 62, r: 22, fill: '#24123F' }),
    pupil('#F2C14E', 0), pupil('#FFFBF2', 180));
}

/**
 * @param {string} stroke
 * @param {number} turn
 */
function pupil(stroke, turn) {
  const transform = `rotate(${turn} 60 62) translate(-4.5 3)`;
  return s('path', { d: SIX, transform, fill: 'none', stroke, 'stroke-width': 5,
    'stroke-linecap': 'round' });
}
