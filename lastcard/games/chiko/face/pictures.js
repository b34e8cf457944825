// The drawings of Chiko's rules page.

import { s } from '../../../web/lib/dom.js';
import { t } from '../../../web/lib/words.js';
import { CYCLE, back, card, chick, die, put, ring, sleeper } from './art.js';

/**
 * @param {string} label
 * @param {number} height of a drawing that is 320 wide
 * @param {...(SVGElement | SVGElement[])} drawing
 */
function picture(label, height, ...drawing) {
  return s('svg', {
    viewBox: `0 0 320 ${height}`, class: 'chiko-picture', role: 'img', 'aria-label': label,
    direction: 'ltr',
  }, s('rect', { width: 320, height, rx: 16, class: 'chiko-mat' }), ...drawing.flat());
}

/** @param {string} words @param {number} x @param {number} y @param {number} [size] */
function label(words, x, y, size = 14) {
  return s('text', { x, y, class: 'chiko-label', style: { 'font-size': `${size}px` } }, words);
}

/**
 * @param {string} name @param {number} x @param {number} y @param {number} [width]
 * @param {number} [turn]
 */
const lay = (name, x, y, width = 50, turn = 0) => put(card(name), x, y, width, width * 1.4, turn);

/** @param {number} x @param {number} y @param {boolean} right */
function verdict(x, y, right) {
  return s('g', { transform: `translate(${x} ${y})` },
    s('circle', { r: 13, fill: right ? '#1F6E57' : '#B22F43' }),
    s('path', {
      d: right ? 'M-6 0L-2 5L6 -5' : 'M-5 -5L5 5M5 -5L-5 5', fill: 'none', stroke: '#FFFFFF',
      'stroke-width': 3.5, 'stroke-linecap': 'round', 'stroke-linejoin': 'round',
    }));
}

/** An arrow to the right. @param {number} x @param {number} y @param {number} [long] */
const arrow = (x, y, long = 22) =>
  s('path', { d: `M${x} ${y}h${long}m-7-6l7 6l-7 6`, class: 'chiko-way' });

/** The ring of values, with a card in the nest. @returns {Element} */
export const cycle = () => picture(t('chiko.picture.cycle'), 236,
  put(ring('3', ['3', '4']), 46, 6, 224, 224),
  lay('3', 127, 69, 70),
  s('g', { transform: 'translate(6 160) scale(.66)' }, chick()),
  s('g', { transform: 'translate(262 176) scale(.5)' }, chick({ up: true })));

/** All the cards and how many there are of each. @returns {Element} */
export const cards = () => picture(t('chiko.picture.cards'), 222,
  [...CYCLE, 'e'].flatMap((name, n) => {
    const x = 18 + (n % 4) * 74, y = 10 + Math.floor(n / 4) * 105;
    return [lay(name, x, y, 62), tag(name === 'e' ? '×1' : '×7', x + 31, y + 88)];
  }));

/** @param {string} words @param {number} x @param {number} y */
const tag = (words, x, y) => s('g', {},
  s('rect', { x: x - 17, y: y - 11, width: 34, height: 22, rx: 11, fill: '#38280F' }),
  s('text', {
    x, y: y + 5, fill: '#FFFFFF', 'font-size': 14, 'font-weight': 700, 'text-anchor': 'middle',
    'font-family': 'system-ui, sans-serif',
  }, words));

/** What a turn may be. @returns {Element} */
export const turn = () => picture(t('chiko.picture.turn'), 132,
  lay('3', 20, 34, 44, -6),
  lay('4', 46, 22, 44, 8),
  label(t('chiko.picture.play'), 56, 120),
  put(back(), 128, 26, 44, 61.6),
  put(back(), 125, 23, 44, 61.6),
  arrow(176, 56, 24),
  label(t('chiko.picture.draw'), 162, 120),
  put(sleeper(), 222, 20, 86, 72),
  label(t('chiko.picture.quit'), 264, 120));

/** What fits on a 3. @returns {Element} */
export const fits = () => picture(t('chiko.picture.fits'), 124,
  lay('3', 18, 16, 66),
  s('path', { d: 'M103 20V104', class: 'chiko-way', 'stroke-dasharray': '1 9' }),
  lay('3', 120, 22, 54), verdict(147, 104, true),
  lay('4', 186, 22, 54), verdict(213, 104, true),
  lay('5', 252, 22, 54), verdict(279, 104, false));

/** What the egg becomes. @returns {Element} */
export const eggs = () => picture(t('chiko.picture.eggs'), 116,
  [['4', '5'], ['6', 'c'], ['c', '1']].flatMap(([below, value], n) => {
    const x = 8 + n * 104;
    return [
      lay(below, x, 14, 40, -6), lay('e', x + 13, 38, 40, 5),
      arrow(x + 58, 72, 8), lay(value, x + 70, 50, 31),
    ];
  }));

/** Cards that are left, each kind counted once. @returns {Element} */
export const points = () => picture(t('chiko.picture.points'), 130,
  [0, 1, 2].map((n) => lay('c', 14 + n * 22, 16, 50)),
  [0, 1].map((n) => lay('3', 128 + n * 22, 16, 50)),
  label('10', 60, 112, 20), label('+', 112, 112, 20), label('3', 164, 112, 20),
  label('=', 216, 66, 26), label('13', 266, 72, 44));

/** Who has quit sleeps until the next round. @returns {Element} */
export const asleep = () => picture(t('chiko.picture.asleep'), 128,
  [0, 1, 2].map((n) => put(back(), 44 + n * 22, 30, 52, 72.8, (n - 1) * 9)),
  put(sleeper(), 166, 18, 114, 95));

/** The faces of a die. @returns {Element} */
export const dice = () => picture(t('chiko.picture.dice'), 96,
  [1, 2, 3, 4, 5, 10].flatMap((value, n) => [
    put(die(value), 10 + n * 51, 14, 46, 46), label(String(value), 31 + n * 51, 84, 16),
  ]));
