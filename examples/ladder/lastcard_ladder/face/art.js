// Ladder's cards: a number, and as many rungs.

import { copied, s } from '../../../web/lib/dom.js';

const TONES = ['#B3273D', '#C9591A', '#8A6A00', '#2C6A29', '#175A91', '#5B3299', '#98225F'];

/** @param {string} name @param {number} x @param {number} y @param {number} size @param {string} fill */
const figure = (name, x, y, size, fill) => s('text', {
  x, y, fill, 'font-size': size, 'font-weight': 800, 'font-family': 'system-ui, sans-serif', 'text-anchor': 'middle',
}, name);

export const card = copied(/** @param {string} name */ (name) => {
  const n = Number(name), tone = TONES[n - 1];
  const rungs = Array.from({ length: n }, (_, i) => s('path', {
    d: `M62 ${124 - i * 16}H86`, stroke: tone, 'stroke-width': 5, 'stroke-linecap': 'round',
  }));
  return s('svg', { viewBox: '0 0 100 140' },
    s('rect', { width: 100, height: 140, rx: 12, fill: '#FFFAEC' }),
    s('path', { d: 'M60 18V132M88 18V132', stroke: '#CDBB92', 'stroke-width': 4, 'stroke-linecap': 'round' }),
    rungs,
    figure(name, 30, 52, 50, tone));
});

export const back = copied(() => s('svg', { viewBox: '0 0 100 140' },
  s('rect', { width: 100, height: 140, rx: 12, fill: '#46557F' }),
  s('path', {
    d: 'M36 14V126M64 14V126M36 34H64M36 58H64M36 82H64M36 106H64',
    stroke: '#8FA0CF', 'stroke-width': 6, 'stroke-linecap': 'round', fill: 'none',
  })));
