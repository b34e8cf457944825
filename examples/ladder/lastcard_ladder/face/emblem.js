// Ladder's emblem: a ladder against the evening sky.

import { s } from '../../../web/lib/dom.js';

/** @returns {SVGElement} */
export default function emblem() {
  const rungs = [30, 48, 66, 84].map((y) => s('path', { d: `M45 ${y}H75`, stroke: '#E9B872', 'stroke-width': 6 }));
  return s('svg', { viewBox: '0 0 120 120', 'aria-hidden': 'true' },
    s('circle', { cx: 60, cy: 60, r: 58, fill: '#5B6C9E' }),
    s('circle', { cx: 88, cy: 34, r: 10, fill: '#FFE9A8' }),
    s('path', { d: 'M42 14V104M78 14V104', stroke: '#C98F45', 'stroke-width': 8, 'stroke-linecap': 'round' }),
    rungs);
}
