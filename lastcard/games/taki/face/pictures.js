// The pictures of the rules.

import { s } from '../../../web/lib/dom.js';
import { INK, PAINT } from '../../../web/lib/signs.js';
import { t } from '../../../web/lib/words.js';
import { back, card, letters, placed } from './art.js';

/** @typedef {import('../../../web/lib/dom.js').Child} Child */

/**
 * @param {number} width
 * @param {number} height
 * @param {...(Child | Child[])} children
 */
function picture(width, height, ...children) {
  return s('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' }, ...children);
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} [size]
 */
function word(text, x, y, size = 13) {
  return s('text', {
    x, y, 'text-anchor': 'middle', 'font-family': 'system-ui, sans-serif', 'font-size': size,
    'font-weight': 700, fill: 'currentColor', ...(/^\d/.test(text) ? { direction: 'ltr' } : {}),
  }, text);
}

/**
 * An arrow along a path, with a head at its end.
 * @param {string} path
 * @param {number} x
 * @param {number} y
 * @param {number} angle of the head; 0 points to the right
 * @param {string} [stroke]
 */
function pointer(path, x, y, angle, stroke = 'currentColor') {
  return s('g', {},
    s('path', { d: path, fill: 'none', stroke, 'stroke-width': 5, 'stroke-linecap': 'round' }),
    s('path', {
      d: 'M12 0L-3 -9V9Z', fill: stroke, stroke, 'stroke-width': 2, 'stroke-linejoin': 'round',
      transform: `translate(${x} ${y}) rotate(${angle})`,
    }));
}

/**
 * A sign with a number of cards.
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} ink
 */
function spark(text, x, y, r, ink) {
  const points = Array.from({ length: 28 }, (_, n) => {
    const angle = (Math.PI * n) / 14, far = n % 2 ? 0.82 * r : r;
    return `${Math.round(x + Math.cos(angle) * far)},${Math.round(y + Math.sin(angle) * far)}`;
  });
  return s('g', {},
    s('polygon', {
      points: points.join(' '), fill: '#FFFDF8', stroke: ink, 'stroke-width': 2.5,
      'stroke-linejoin': 'round',
    }),
    letters(text, x, y, r * 0.85, ink));
}

/** What fits a green 5. */
export function matching() {
  return picture(360, 246,
    word(t('taki.picture.colour'), 56, 14),
    word(t('taki.picture.shape'), 180, 14),
    word(t('taki.picture.always'), 304, 14),
    placed(card('g8'), 25, 26, 62, -5),
    placed(card('b5'), 149, 22, 62),
    placed(card('cc'), 273, 26, 62, 5),
    pointer('M78 122Q100 150 124 160', 127, 161, 18, PAINT.g),
    pointer('M180 116V124', 180, 126, 90),
    pointer('M282 122Q260 150 236 160', 233, 161, 162),
    placed(card('g5'), 145, 142, 70),
    word(t('taki.picture.leading'), 70, 215));
}

/** All commands with their names. */
export function commands() {
  /** @type {[string, string][]} */
  const rows = [
    ['r2+', '+2'], ['ys', t('taki.picture.stop')],
    ['gr', t('taki.picture.reverse')], ['b+', t('taki.picture.plus')],
    ['rt', t('taki.picture.taki')], ['cc', t('taki.picture.change')],
    ['st', t('taki.picture.super')], ['cz', t('taki.picture.crazy')],
  ];
  return picture(424, 236, rows.map(([name, text], n) => {
    const x = 53 + 106 * (n % 4), y = 8 + 118 * (n >> 2);
    return s('g', {}, placed(card(name), x - 30, y, 60), word(text, x, y + 101, 12.5));
  }));
}

/** A run: cards that pour down, and the last one counts. */
export function run() {
  const names = ['gt', 'g4', 'gr', 'g9', 'gs'];
  return picture(360, 190,
    names.map((name, n) => {
      const y = Math.round(6 + 8 * n + 6 * Math.sin(n * 1.6));
      return placed(card(name), 20 + 58 * n, y, 66, 3 * n - 8);
    }),
    s('path', {
      d: 'M14 158q14 -11 28 0t28 0t28 0t28 0t28 0t28 0t28 0', fill: 'none', stroke: PAINT.g,
      'stroke-width': 6, 'stroke-linecap': 'round',
    }),
    word(t('taki.picture.works'), 270, 180, 14));
}

/** A chain of +2: every card makes the debt grow. */
export function chain() {
  const names = ['r2+', 'b2+', 'y2+'];
  return picture(360, 150, names.map((name, n) =>
    s('g', {},
      placed(card(name), 22 + 110 * n, 34, 72, 4 * n - 4),
      spark(`+${2 * (n + 1)}`, 100 + 110 * n, 40, 25 + 5 * n, INK[/** @type {'r'} */ (name[0])]))));
}

/** A plus, a 3, and what comes of them. */
export function plusThree() {
  const fan = [0, 1, 2];
  return picture(360, 150,
    placed(card('b+'), 16, 22, 70, -5),
    placed(card('b3'), 70, 26, 70, 5),
    pointer('M152 76H172', 174, 76, 0, PAINT.b),
    spark('+3', 222, 74, 36, INK.b),
    [0, 1].flatMap((row) =>
      fan.map((n) => placed(back(), 272 + 20 * n, 18 + 56 * row, 32, 10 * n - 10))),
    word(t('taki.picture.others'), 308, 146, 12.5));
}

/** Four players: one keeps his hand, the others pass theirs on. */
export function crazy() {
  /** @param {number} x @param {number} y */
  const hand = (x, y) => [-1, 0, 1].map((n) => placed(back(), x - 16 + 13 * n, y - 20, 32, 12 * n));
  return picture(360, 226,
    placed(card('cz'), 150, 60, 60),
    hand(52, 105), hand(180, 30), hand(308, 105),
    pointer('M64 66C76 42 100 30 126 27', 129, 27, -4, PAINT.r),
    pointer('M230 27C262 32 286 46 297 64', 299, 67, 60, PAINT.y),
    pointer('M302 148C284 228 76 228 58 154', 57, 150, -103, PAINT.g),
    s('g', {}, placed(card('r7'), 150, 154, 30, -8), placed(card('bs'), 178, 154, 30, 8)),
    word(t('taki.picture.keeps'), 243, 184, 11.5));
}

/** One card in the hand, and a cry. */
export function lastCard() {
  return picture(360, 140,
    placed(card('y7'), 14, 22, 70, -6),
    s('path', {
      d: 'M124 20H338Q354 20 354 36V84Q354 100 338 100H150L110 122L124 98Q108 94 108 80V36'
        + 'Q108 20 124 20Z',
      fill: 'var(--accent)',
    }),
    s('text', {
      x: 231, y: 68, 'text-anchor': 'middle', 'font-family': 'system-ui, sans-serif',
      'font-size': 22, 'font-weight': 800, fill: 'var(--on-accent)',
    }, t('taki.offer.call')));
}

/** What cards count. */
export function points() {
  return picture(360, 142,
    placed(card('r8'), 20, 8, 68), letters('8', 54, 126, 26, 'currentColor'),
    placed(card('g2+'), 108, 8, 68), placed(card('cc'), 146, 8, 68),
    letters('10 + 10', 160, 126, 26, 'currentColor'),
    s('path', {
      d: 'M252 44L276 62L297 22L318 62L342 44L334 98H260Z', fill: PAINT.y, stroke: INK.y,
      'stroke-width': 2.5, 'stroke-linejoin': 'round',
    }),
    letters('\u2212100', 297, 126, 26, 'currentColor'));
}
