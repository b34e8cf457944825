// A seat's avatar: an initial or a bot's face, with a ring that runs down with the clock.

import { h, s } from '../lib/dom.js';

/** @typedef {{turn: boolean, seconds: number | null, clock: number | null, version: number}} Time */

/** @type {Time} */
const NO_TURN = { turn: false, seconds: null, clock: null, version: 0 };
const TONES = ['#B4485A', '#8A5A00', '#1F6E57', '#1B5E8C', '#6F43A6', '#7A4A2B', '#44617B', '#A0407F', '#4E6B1F', '#5A5A5A'];

/**
 * @param {{name: string, kind: string}} chair
 * @param {number} seat
 * @param {Time} [time]
 */
export function avatar(chair, seat, time = NO_TURN) {
  const tone = TONES[seat % TONES.length];
  if (chair.kind === 'free') {
    return h('span', { class: 'avatar', 'aria-hidden': 'true' }, s('svg', { viewBox: '0 0 40 40' },
      s('circle', { cx: 20, cy: 20, r: 15, fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-dasharray': '5 4' })));
  }
  const face = chair.kind === 'bot' ? bot() : letter(chair.name);
  const ring = time.turn
    ? s('circle', { class: 'ring', cx: 20, cy: 20, r: 18, pathLength: 100, ...running(time) })
    : null;
  return h('span', { class: 'avatar', 'aria-hidden': 'true' },
    s('svg', { viewBox: '0 0 40 40', 'data-key': time.turn ? `turn-${time.version}` : 'rests' },
      s('circle', { cx: 20, cy: 20, r: 16, fill: tone }), face, ring));
}

/** @param {Time} time */
function running({ seconds, clock }) {
  if (seconds === null || clock === null) return {};
  return { style: { '--left': 100 - Math.min(100, (100 * seconds) / clock), '--seconds': `${seconds}s` },
    'data-clock': 'runs' };
}

/** @param {string} name */
function letter(name) {
  return s('text', { x: 20, y: 26, 'text-anchor': 'middle', 'font-size': 18, 'font-weight': 700, fill: '#fff' },
    [...name][0]?.toUpperCase() ?? '?');
}

function bot() {
  return s('g', { fill: '#fff' },
    s('rect', { x: 11, y: 14, width: 18, height: 14, rx: 4 }),
    s('rect', { x: 19, y: 8, width: 2, height: 6 }), s('circle', { cx: 20, cy: 8, r: 2 }),
    s('circle', { cx: 16, cy: 20, r: 2, fill: '#333' }), s('circle', { cx: 24, cy: 20, r: 2, fill: '#333' }),
    s('rect', { x: 16, y: 24, width: 8, height: 1.6, fill: '#333' }));
}
